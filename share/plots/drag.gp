# SPDX-License-Identifier: MIT
# Drag: the bytes that are live and still in use, and those that are live after their last use.
#     etmerlin --lifetimes=lifetimes.tsv TRACE
#     gnuplot -c drag.gp lifetimes.tsv drag.pdf
input = ARG1
output = ARG2
folder = system("dirname '" . ARG0 . "'")
needs = "size alloc_bytes death_bytes last_use_bytes"
draws = "awk -F '\t' -v plot=drag -f '" . folder . "/series.awk' '" . input . "'"
none = "Too little is allocated, so there is nothing to draw."
load folder . "/style.gp"
set xlabel "allocated (MiB)"
set ylabel "live (MiB)"
set yrange [0:*]
set style fill solid 1.0 noborder
set print $series
print points
unset print
plot $series using ($1 / MIB):(($2 + $3) / MIB) with filledcurves y1=0 linestyle 3 title "after the last use", \
     $series using ($1 / MIB):($2 / MIB) with filledcurves y1=0 linestyle 1 title "in use"
