# SPDX-License-Identifier: MIT
# Adds up the rows of etmerlin --lifetimes, and prints the series of a plot:
#     awk -F '\t' -v plot=survival|nursery|drag -f series.awk lifetimes.tsv
# Allocation is in bytes; shares are from 0 to 1. The columns of the table may be in any order.
# survival: age; shares of bytes and of objects alive at it, of those allocated at least that long before the end.
# nursery:  size; share of bytes that the first collection finds alive.
# drag:     bytes allocated; live bytes before their last use, and after it.

NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
$at["alloc_bytes"] == "" { next } # it was there before the trace, so its age is not known
{
    n++
    size[n] = $at["size"]; born[n] = $at["alloc_bytes"]; dead[n] = $at["death_bytes"]
    last[n] = $at["last_use_bytes"]
    all += size[n]
}

# Age number k: each is the one before times the fourth root of two, from 16 bytes on.
function age(k) { return 16 * exp(log(2) * k / 4) }
function ages_reached(bytes) { return bytes < 16 ? -1 : int(log(bytes / 16) / log(2) * 4 + 1e-9) }

function survival(   i, k, lived) {
    for (i = 1; i <= n; i++) {
        k = ages_reached(all - born[i])
        eligible[k] += size[i]; eligible_objects[k]++
        lived = dead[i] == "" ? all - born[i] : dead[i] - born[i]
        k = ages_reached(lived)
        kept[k] += size[i]; kept_objects[k]++
    }
    for (k = ages_reached(all); k >= 0; k--) {
        a += eligible[k]; o += eligible_objects[k]; s += kept[k]; t += kept_objects[k]
        if (a > 0) print age(k), s / a, t / o
    }
}

function nursery(   i, k, x, collected) {
    for (x = 4096; x <= all; x *= 2) {
        a = s = 0
        for (i = 1; i <= n; i++) {
            collected = int((born[i] + x - 1) / x) * x
            if (collected > all) continue
            a += size[i]
            if (dead[i] == "" || dead[i] > collected) s += size[i]
        }
        if (a > 0) print x, s / a
    }
}

function moment(bytes) { return int((bytes + step - 1) / step) }
function drag(   i, m, from, to, mid, use, dragged) {
    step = int(all / 800) + 1
    for (i = 1; i <= n; i++) {
        from = moment(born[i])
        to = dead[i] == "" ? moment(all) + 1 : moment(dead[i])
        if (from >= to) continue
        mid = last[i] == "" ? to : moment(last[i])
        if (mid < from) mid = from
        if (mid > to) mid = to
        use_by[from] += size[i]; use_by[mid] -= size[i]
        dragged_by[mid] += size[i]; dragged_by[to] -= size[i]
    }
    for (m = 0; m <= moment(all); m++) {
        use += use_by[m]; dragged += dragged_by[m]
        print m * step < all ? m * step : all, use, dragged
    }
}

END {
    OFMT = CONVFMT = "%.10g"
    if (n == 0) exit
    if (plot == "survival") survival()
    if (plot == "nursery") nursery()
    if (plot == "drag") drag()
}
