# SPDX-License-Identifier: MIT
# Survival: the share of bytes and objects that are alive after so many bytes of allocation.
#     etmerlin --lifetimes=lifetimes.tsv TRACE
#     gnuplot -c survival.gp lifetimes.tsv survival.pdf
input = ARG1
output = ARG2
folder = system("dirname '" . ARG0 . "'")
needs = "size alloc_bytes death_bytes"
draws = "awk -F '\t' -v plot=survival -f '" . folder . "/series.awk' '" . input . "'"
none = "Too little is allocated, so there is nothing to draw."
load folder . "/style.gp"
set logscale x 2
set format x "2^{%L}"
set xlabel "age (bytes allocated)"
set ylabel "still alive (%)"
set yrange [0:100]
set print $series
print points
unset print
plot $series using 1:(100 * $2) with lines linestyle 1 title "of bytes", \
     $series using 1:(100 * $3) with lines linestyle 2 title "of objects"
