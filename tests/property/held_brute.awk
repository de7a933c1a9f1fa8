# SPDX-License-Identifier: MIT
# Prints what --held must write for the heap that heap_brute.awk lists, as "KIND ID OBJECTS BYTES LARGEST PATH". It
# follows the definition: leaves each root, and each object, out of the heap. Where several objects are the largest,
# it prints a row for the path of each.
$1 == "alive" { size[$2] = $3; type[$2] = $4; objects[++object_count] = $2 }
$1 == "thread" { thread_id[$2] = $3 }
$1 == "frame" { method[$2, $3] = substr($5, 8) }
$1 == "reference" { edge[$2, ++degree[$2]] = $4 }
$1 == "static" { add_hold("static\t" substr($3, 7), $4) }
$1 == "root" { root[++root_count] = $0 }

function add_hold(holder, id) {
    if (!(holder in known)) { known[holder] = 1; holders[++holder_count] = holder; bytes[holder] = 0 }
    edge[holder, ++degree[holder]] = id
}
# Marks in `mark` the objects that holders reach without `left_out`, a holder or an object.
function reach(left_out, mark,    list, count, at, i, next_one) {
    for (i = 1; i <= holder_count; i++) if (holders[i] != left_out) list[++count] = holders[i]
    for (at = 1; at <= count; at++)
        for (i = 1; i <= degree[list[at]]; i++) {
            next_one = edge[list[at], i]
            if (next_one in mark || next_one "" == left_out "") continue
            mark[next_one] = 1
            list[++count] = next_one
        }
}
# The types of the dominators of `id`, from the outermost on, and its own.
function path_of(id,    above, count, i, j, dominators, text, last, times) {
    for (i in reached) if (i == id || !((i, id) in saves)) { above[i] = 0; count++ }
    for (i in above) for (j in above) if (i == j || !((i, j) in saves)) above[j]++
    for (i in above) dominators[above[i]] = i in type ? type[i] : "(unallocated)"
    for (i = 1; i <= count; i++) {
        if (i > 1 && dominators[i] == last) { times++; continue }
        text = text (times > 1 ? "*" times : "") (i > 1 ? " > " : "") dominators[i]
        last = dominators[i]; times = 1
    }
    return text (times > 1 ? "*" times : "")
}
function print_row(holder,    i, id) {
    if (number[holder] == 0) { print holder "\t0\t0\t\t"; return }
    for (i = 1; i <= object_count; i++) {
        id = objects[i]
        if (keeper[id] == holder && size[id] == largest[holder])
            print holder "\t" number[holder] "\t" bytes[holder] "\t" size[id] "\t" path_of(id)
    }
}
END {
    for (i = 1; i <= root_count; i++) {
        $0 = root[i]
        if ($2 == "class") add_hold("immortal\t", $3)
        else if ($2 == "frame") add_hold($5 < 0 ? "thread\t" thread_id[$4] : "method\t" method[$4, $5], $3)
    }
    reach("", reached)
    for (i in reached) {
        delete without
        reach(i, without)
        for (id in without) saves[i, id] = 1
    }
    for (i = 1; i <= object_count; i++) keeper[objects[i]] = "(several)\t"
    for (h = 1; h <= holder_count; h++) {
        delete without
        reach(holders[h], without)
        for (i = 1; i <= object_count; i++) if (!(objects[i] in without)) keeper[objects[i]] = holders[h]
    }
    for (i = 1; i <= object_count; i++) {
        id = objects[i]; h = keeper[id]
        if (!(id in reached)) print "not held", id
        number[h]++; bytes[h] += size[id]
        if (number[h] == 1 || size[id] > largest[h]) largest[h] = size[id]
    }
    for (h = 1; h <= holder_count; h++) print_row(holders[h])
    if (number["(several)\t"]) print_row("(several)\t")
}
