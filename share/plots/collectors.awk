# SPDX-License-Identifier: MIT
# Prints the points of a collector, from the rows of etmerlin --simulate with heaps in which the program completes:
#     awk -F '\t' -v plot=collectors|promotion -v collector=NAME [-v nursery=BYTES] [-v tenure=K] [-v heap=BYTES] \
#         -f collectors.awk simulated.tsv
# collectors: heap, mark/cons; the name `smallest` stands for the smallest heap of each collector.
# promotion: nursery, bytes promoted.
# Default values: the smallest nursery and the smallest tenure of the table; the heap in which most nurseries have room,
# and the largest of several such heaps.

NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
$at["completed"] + 0 {
    n++
    name[n] = $at["collector"]; size[n] = $at["heap_bytes"] + 0; young[n] = $at["nursery_bytes"]; age[n] = $at["tenure"]
    cost[n] = $at["mark_cons"]; promoted[n] = $at["promoted_bytes"]
    if (young[n] != "") {
        if (least_nursery == "" || young[n] + 0 < least_nursery) least_nursery = young[n] + 0
        if (least_tenure == "" || age[n] + 0 < least_tenure) least_tenure = age[n] + 0
    }
}

function roomiest(   i, best, count) {
    for (i = 1; i <= n; i++) {
        if (young[i] == "" || age[i] + 0 != tenure) continue
        count[size[i]]++
        if (best == "" || count[size[i]] > count[best] || (count[size[i]] == count[best] && size[i] > best)) best = size[i]
    }
    return best
}

function is_of(i) {
    if (plot == "promotion") return young[i] != "" && age[i] + 0 == tenure && size[i] == heap
    return young[i] == "" || (young[i] + 0 == nursery && age[i] + 0 == tenure)
}

END {
    OFMT = CONVFMT = "%.17g"
    if (nursery == "") nursery = least_nursery
    if (tenure == "") tenure = least_tenure
    if (heap == "") heap = roomiest()
    for (i = 1; i <= n; i++) {
        if (!is_of(i)) continue
        if (collector == "smallest" && !(name[i] in had)) print size[i], cost[i]
        had[name[i]]
        if (name[i] == collector) print plot == "promotion" ? young[i] : size[i], plot == "promotion" ? promoted[i] : cost[i]
    }
}
