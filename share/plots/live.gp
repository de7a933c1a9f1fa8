# SPDX-License-Identifier: MIT
# The live heap against the bytes allocated; of a table with intervals, the most in each.
#     etmerlin --live=live.tsv --live-points=1000 TRACE
#     gnuplot -c live.gp live.tsv live.pdf
input = ARG1
output = ARG2
folder = system("dirname '" . ARG0 . "'")
needs = "alloc_bytes live_bytes live_objects"
load folder . "/style.gp"
has_intervals = int(system("head -n 1 '" . input . "' | grep -cw max_bytes"))
if (has_intervals) {
    bytes = "max_bytes"
    objects = "max_objects"
    steps = "fsteps"
} else {
    bytes = "live_bytes"
    objects = "live_objects"
    steps = "steps"
}
set datafile separator tab
set xlabel "allocated (MiB)"
set ylabel "live (MiB)"
set y2label "live objects (thousands)"
set y2tics
set border 11
set yrange [0:*]
set y2range [0:*]
plot input using (column("alloc_bytes") / MIB):(column(bytes) / MIB) with @steps linestyle 1 title "bytes", \
     input using (column("alloc_bytes") / MIB):(column(objects) / 1000.0) axes x1y2 with @steps linestyle 2 title "objects"
