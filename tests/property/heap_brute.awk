# SPDX-License-Identifier: MIT
# Prints what hprof_list must print for a heap dump, from a trace with deaths in which ids do not repeat. Its deaths
# determine which objects are alive; all else is worked out here, in quadratic time. Variables: kind and number (of
# the moment), held (--held-by), immortal, dead (--with-dead), dialect. Lines of arrays have no length, and references
# in arrays no field, since a trace need not have these. It also prints lines of what is not in a dump:
# "alive ID SIZE TYPE PRIOR" and "thread NUMBER ID".
function thread_of() { return dialect == "time" ? 0 : $NF "" }
function thread_number(id) { if (!(id in serial)) { serial[id] = ++threads; depth[id] = 0 } return serial[id] }

# The record number `records`, before or after the moment, names the object.
function name(id,    t) {
    if (id == 0) return
    if (!(id in first)) first[id] = ++names_seen
    t = thread
    if (!past) { last_thread[id] = t; known[id] = 1 }
    else if (!(id in later)) {
        later[id] = ++named
        later_thread[id] = t
        later_low[id] = t in low ? low[t] : 0
    }
}
function hold(id) { if (held == "frame" && !past && depth[thread] > 0 && id != 0) holds[thread, depth[thread]] = holds[thread, depth[thread]] " " id }

function leave(method,    at, i) {
    for (at = depth[thread]; at > 0 && stack[thread, at] "" != method ""; at--);
    if (at == 0) return
    if (thread in low && past) {
        for (i = at + 1; i <= low[thread]; i++) abandoned[thread, i] = 1
        if (at - 1 < low[thread]) low[thread] = at - 1
    }
    for (i = at; i <= depth[thread]; i++) if (!past) delete holds[thread, i]
    depth[thread] = at - 1
}

function pass(    t, i) {
    past = 1
    moment_tick = tick; moment_bytes = bytes; moment_births = births
    for (t in depth) {
        low[t] = deep[t] = depth[t]
        for (i = 1; i <= depth[t]; i++) { method_at[t, i] = stack[t, i]; held_at[t, i] = holds[t, i] }
    }
    for (i in slot) heap[i] = slot[i]
    for (i in ever) had[i] = 1
}
function is_now() {
    if (kind == "peak" && number == 0) return $1 ~ /^[NAVMEX]$/
    if (kind == "peak") return births == number
    if (kind == "record") return records == number
    if (kind == "tick") return tick == number
    if (kind == "bytes") return bytes >= number
    return 0
}
# Plays allocations (n, SIZE), deaths (d, SIZE) and boundaries (b) with `live` bytes in `objects` at first, and looks for
# the first tick in which most bytes, or with `by_objects` most objects, are alive directly after an allocation. Returns
# the number of allocations up to the last one of this tick, 0: the most is there at first. Sets best.
function peak_of(live, objects, by_objects,    i, heap, at, is_most, allocated) {
    best = by_objects ? objects : live
    for (i = 1; i <= event_count; i++) {
        if (event[i] == "b") is_most = 0
        if (event[i] == "d") { live -= event_size[i]; objects-- }
        if (event[i] != "n") continue
        live += event_size[i]; objects++; allocated++
        heap = by_objects ? objects : live
        if (heap > best) { best = heap; is_most = 1 }
        if (is_most) at = allocated
    }
    return at + 0
}
function happens(what, size) { event[++event_count] = what; event_size[event_count] = size }

# The first reading of the trace finds the deaths and the peak.
NR == FNR {
    if ($1 ~ /^[MEX]$/) { ticks++; happens("b", 0) }
    if ($1 ~ /^[NAVIP]$/) {
        size[$2] = $3; type[$2] = $4; letter[$2] = $1; prior[$2] = $1 ~ /[IP]/
        if (prior[$2]) { prior_bytes += $3; prior_objects++ }
        else { all_bytes += $3; happens("n", $3) }
    }
    if ($1 == "D") { died[$2] = ticks; death_bytes[$2] = all_bytes; happens("d", size[$2]) }
    next
}
FNR == 1 && kind == "peak" {
    number = peak_of(prior_bytes, prior_objects, 0)
    if (best == 0) number = peak_of(prior_bytes, prior_objects, 1)
}
$1 !~ /^[NAVIPMEXTHUW]$/ { next }
!past && is_now() { pass() }
{
    thread = thread_of()
    thread_number(thread)
    if ($1 ~ /^[NAVIP]$/) {
        if (!past) born[$2] = 1
        else if (!prior[$2]) born_later[$2] = 1
        if (!prior[$2]) { bytes += $3; births++ }
        name($2); hold($2)
    } else if ($1 == "M") {
        tick++
        name($3)
        stack[thread, ++depth[thread]] = $2
        holds[thread, depth[thread]] = held == "none" ? "" : " " $3
    } else if ($1 == "E") {
        leave($2); tick++
    } else if ($1 == "X") {
        name($3); leave($2); tick++; name($4); hold($4)
    } else if ($1 == "T" || $1 == "H") {
        name($3); hold($3); name($4); hold($4)
    } else if ($1 == "U") {
        name($2); hold($2); name($3); hold($3)
        if (!past) {
            if ($3 != 0) { slot[$2, $4] = $3; ever[$2, $4] = 1 }
            else delete slot[$2, $4]
        }
    } else if ($1 == "W") {
        name($2); hold($2)
    }
    records++
}

# Whether an object is alive at the moment, or died so short a time before that the dump has it, too.
function is_alive(id) { return id in size && (prior[id] || id in born) && !(id in died && died[id] <= moment_tick) }
function is_dead(id) { return id in size && (prior[id] || id in born) && id in died && died[id] <= moment_tick && moment_bytes - death_bytes[id] < dead }
function may_be(id) { return id in size && (prior[id] || id in born) ? is_alive(id) : id in known }
function can_be(id) { return may_be(id) || is_dead(id) }
function is_immortal(id) { return immortal && id in known && !(id in size) }

# Marks in `mark` the objects that `id` reaches.
function reach(id, mark,    list, count, at, i, parts) {
    if (id in mark) return
    mark[id] = 1
    list[count = 1] = id
    for (at = 1; at <= count; at++)
        for (i = 1; i <= degree[list[at]]; i++)
            if (!(edge[list[at], i] in mark)) { mark[edge[list[at], i]] = 1; list[++count] = edge[list[at], i] }
}
function class_name(id) { return is_alive(id) || is_dead(id) ? "class#" type[id] : "etmerlin/Unallocated" }
function class_of(id) { return class_name(id) " " (is_alive(id) || is_dead(id) ? size[id] : "") }
function add_root(text) { roots[text] = 1 }
function frame_root(id, t, level) { add_root("root frame " id " " serial[t] " " (level > 0 ? deep[t] - level : -1)) }

END {
    if (!past) pass()
    for (i in heap) {
        split(i, parts, SUBSEP)
        if (parts[1] != 0 && can_be(parts[1]) && can_be(heap[i])) edge[parts[1], ++degree[parts[1]]] = heap[i]
    }
    # Objects that the trace shows to be held.
    for (i in heap) { split(i, parts, SUBSEP); if (parts[1] == 0 && may_be(heap[i])) reach(heap[i], shown) }
    for (t in deep)
        for (level = 1; level <= deep[t]; level++) {
            if (held == "receiver" && (t, level) in abandoned) continue
            count = split(held_at[t, level], ids, " ")
            for (i = 1; i <= count; i++)
                if (ids[i] != 0 && may_be(ids[i])) { frame_root(ids[i], t, level); reach(ids[i], shown) }
        }
    for (id in known) if (is_immortal(id)) { add_root("root class " id); reach(id, shown) }
    # All objects in the heap.
    for (id in shown) present[id] = 1
    for (id in first) if (may_be(id) && !(id in present) && (is_alive(id) || id in later)) reach(id, present)
    # Reachability among the objects that are not shown to be held: their sources become roots.
    for (id in present) if (!(id in shown)) {
        delete from
        reach(id, from)
        for (other in from) reaches[id, other] = 1
    }
    for (id in present) if (!(id in shown)) {
        is_source = is_first = 1
        for (other in present) {
            if (other == id || other in shown || !((other, id) in reaches)) continue
            if (!((id, other) in reaches)) is_source = 0
            else if (other in later ? !(id in later) || later[other] < later[id] \
                     : !(id in later) && is_alive(other) && (!is_alive(id) || first[other] < first[id])) is_first = 0
        }
        if (!is_source || !is_first) continue
        if (id in later) frame_root(id, later_thread[id], later_low[id])
        else frame_root(id, last_thread[id], deep[last_thread[id]])
    }
    # Objects that died shortly before the moment.
    if (dead) for (id in first) if (is_dead(id)) reach(id, late)
    for (id in late) {
        delete from
        reach(id, from)
        for (other in from) reaches[id, other] = 1
    }
    for (id in late) if (is_dead(id)) {
        is_root = 1
        for (other in late) {
            if (other == id || !((other, id) in reaches)) continue
            if (!((id, other) in reaches) || (is_dead(other) && first[other] < first[id])) is_root = 0
        }
        if (is_root) add_root("root unknown " id)
    }
    for (id in present) if (is_alive(id)) print "alive", id, size[id], type[id], prior[id]
    for (t in serial) print "thread", serial[t], t
    # All objects of a class have one size in a dump, so there is a class for each size: with at least a header of 12
    # bytes, and 4 for each field into which something was stored.
    for (id in present) all[id] = 1
    for (id in late) all[id] = 1
    for (i in had) {
        split(i, parts, SUBSEP)
        if (parts[1] in all && !((class_of(parts[1]), parts[2]) in class_has)) { class_has[class_of(parts[1]), parts[2]] = 1; fields[class_of(parts[1])]++ }
    }
    for (id in all) {
        class = class_name(id)
        if (letter[id] == "A" && class != "etmerlin/Unallocated") { print "array", id; continue }
        bytes = 12 + 4 * fields[class_of(id)]
        print "object", id, class, (class != "etmerlin/Unallocated" && size[id] > bytes ? size[id] : bytes)
    }
    for (i in heap) {
        split(i, parts, SUBSEP)
        if (parts[1] == 0) { if (heap[i] in present) print "static etmerlin/Static field#" parts[2], heap[i] }
        else if (parts[1] in all && heap[i] in all) {
            is_array = letter[parts[1]] == "A" && class_name(parts[1]) != "etmerlin/Unallocated"
            print "reference", parts[1], is_array ? "-" : "field#" parts[2], heap[i]
        }
    }
    for (i in roots) print i
    for (t in deep) for (level = 1; level <= deep[t]; level++) print "frame", serial[t], deep[t] - level, "etmerlin/Method", "method#" method_at[t, level]
}
