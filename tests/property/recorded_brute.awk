# SPDX-License-Identifier: MIT
# awk -f recorded_brute.awk COMPUTED TRACE: prints, for each allocation of a trace of the thread dialect with deaths,
# its line and the time of its recorded death, by etmerlin-reports(5), "Repeated ids and recorded deaths", read word
# for word and in quadratic time. All times must be of the clock. COMPUTED has the time of each allocation's computed
# death, or an empty line.
function node_of(id) {
    if (!(id in node))
        node[id] = ++nodes
    return node[id]
}

function use_node(n, tick) {
    used_tick[n] = tick
    used_line[n] = FNR
}

function use(id, tick) {
    if (id != 0)
        use_node(node_of(id), tick)
}

function update(container, value, field,    slot) {
    use(container, now)
    use(value, now)
    slot = (container == 0 ? 0 : node_of(container)) " " field
    if (slot in held)
        use_node(held[slot], now)
    delete held[slot]
    if (value != 0)
        held[slot] = node_of(value)
}

function allocate(id) {
    if (id in owners || !(id in node))
        node[id] = ++nodes
    owner[id, ++owners[id]] = node[id]
    born[node[id]] = now
    born_line[node[id]] = FNR
    computed[node[id]] = dies[++allocations]
    allocated[allocations] = node[id]
    use(id, now)
}

# Death number d is before owner number i of the id.
function is_before(id, i, d,    n) {
    n = owner[id, i]
    if (born_line[n] > death_line[d])
        return 0
    if (is_in_place[d] || born[n] < death_time[d])
        return 1
    if (born[owner[id, 1]] < death_time[d])
        return 0
    return born[owner[id, 1]] == death_time[d] ? i == 1 : 1
}

function is_used_after(n, d) {
    if (used_tick[n] != death_time[d])
        return used_tick[n] > death_time[d]
    if (!is_in_place[d])
        return 1
    if (is_at_boundary[d])
        return death_line[d] < last_line
    return used_line[n] > death_line[d]
}

function is_earlier(a, b) {
    if (death_time[a] != death_time[b])
        return death_time[a] < death_time[b]
    if (is_in_place[a] != is_in_place[b])
        return is_in_place[b]
    return death_line[a] < death_line[b]
}

# Gives death d to the latest owner that is left, with `quiet` to one that is not used after it, with `end` to one that
# is alive at the end by computation.
function give(id, d, quiet, end,    i) {
    for (i = owners[id]; i >= 1; i--)
        if (!(owner[id, i] in died) && is_before(id, i, d) && !(quiet && is_used_after(owner[id, i], d)) &&
            !(end && computed[owner[id, i]] != "")) {
            died[owner[id, i]] = death_time[d]
            is_given[d] = 1
            return
        }
}

function pair(id,    i, j, k, swap, d, agreed, list, count) {
    count = split(deaths_of[id], list, " ")
    if (owners[id] == 1) {
        died[owner[id, 1]] = death_time[list[1]]
        return
    }
    for (i = 2; i <= count; i++)
        for (j = i; j > 1 && is_earlier(list[j], list[j - 1]); j--) {
            swap = list[j]
            list[j] = list[j - 1]
            list[j - 1] = swap
        }
    for (k = 1; k <= count; k++) {
        d = list[k]
        for (i = 1; i <= owners[id] && !(d in is_given); i++)
            if (!(owner[id, i] in died) && computed[owner[id, i]] == death_time[d] && is_before(id, i, d)) {
                died[owner[id, i]] = death_time[d]
                is_given[d] = agreed[death_time[d]] = 1
            }
        if (!(d in is_given) && death_time[d] == now)
            give(id, d, 1, 1)
        if (!(d in is_given) && death_time[d] in agreed)
            is_given[d] = 1 # it repeats another one
    }
    for (k = 1; k <= count; k++)
        if (!(list[k] in is_given))
            give(id, list[k], 1, 0)
    for (k = 1; k <= count; k++)
        if (!(list[k] in is_given))
            give(id, list[k], 0, 0)
}

FNR == NR { dies[FNR] = $1; next }
$1 == "D" {
    if (!($2 in owners))
        next
    deaths_of[$2] = deaths_of[$2] " " ++deaths
    death_line[deaths] = FNR
    death_time[deaths] = $4
    is_in_place[deaths] = $4 == now
    is_at_boundary[deaths] = was_boundary
    next
}
/^[A-Z] / { was_boundary = $1 ~ /^[MEX]$/; last_line = FNR }
$1 ~ /^[NAIPV]$/ { allocate($2) }
$1 == "M" { now++; use($3, now) }
$1 == "E" { now++ }
$1 == "X" { use($3, now); now++; use($4, now) }
$1 ~ /^[TH]$/ { use($3, now); use($4, now) }
$1 == "U" { update($2, $3, $4) }
$1 == "W" { use($2, now) }
END {
    for (id in deaths_of)
        pair(id)
    for (i = 1; i <= allocations; i++) {
        n = allocated[i]
        print born_line[n], n in died ? (died[n] < born[n] ? born[n] : died[n]) : ""
    }
}
