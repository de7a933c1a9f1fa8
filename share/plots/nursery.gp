# SPDX-License-Identifier: MIT
# Nursery: the share of bytes that survive the first collection, for nurseries of different sizes.
#     etmerlin --lifetimes=lifetimes.tsv TRACE
#     gnuplot -c nursery.gp lifetimes.tsv nursery.pdf
input = ARG1
output = ARG2
folder = system("dirname '" . ARG0 . "'")
needs = "size alloc_bytes death_bytes"
draws = "awk -F '\t' -v plot=nursery -f '" . folder . "/series.awk' '" . input . "'"
none = "Too little is allocated, so there is nothing to draw."
load folder . "/style.gp"
set logscale x 2
set format x "2^{%L}"
set xlabel "size of the nursery (bytes)"
set ylabel "survives (%)"
set yrange [0:100]
set print $series
print points
unset print
plot $series using 1:(100 * $2) with linespoints linestyle 1 pointtype 7 pointsize 0.5 title "of bytes"
