# SPDX-License-Identifier: MIT
# Mark/cons against the size of the heap, a line for each collector, with its smallest heap.
#     etmerlin --simulate=simulated.tsv TRACE
#     gnuplot -c collectors.gp simulated.tsv collectors.pdf [NURSERY [TENURE]]
# NURSERY is in bytes, as in the table. Without NURSERY or TENURE, the smallest one of the table is used.
input = ARG1
output = ARG2
nursery = ARGC > 2 ? ARG3 : ""
tenure = ARGC > 3 ? ARG4 : ""
folder = system("dirname '" . ARG0 . "'")
needs = "collector heap_bytes nursery_bytes tenure completed mark_cons promoted_bytes"
load folder . "/style.gp"
set xlabel "size of the heap (MiB)"
set ylabel "mark/cons"
set yrange [0:*]
rows(collector) = system("awk -F '\t' -v plot=collectors -v collector=" . collector . " -v nursery='" . nursery . "' -v tenure='" . tenure . "' -f '" . folder . "/collectors.awk' '" . input . "'")
set print $whole
print rows("whole")
set print $semispace
print rows("semispace")
set print $generational
print rows("generational")
set print $ideal
print rows("ideal")
set print $smallest
print rows("smallest")
unset print
plot $whole using ($1 / MIB):2 with linespoints linestyle 1 pointtype 7 pointsize 0.4 title "whole", \
     $semispace using ($1 / MIB):2 with linespoints linestyle 2 pointtype 7 pointsize 0.4 title "semispace", \
     $generational using ($1 / MIB):2 with linespoints linestyle 3 pointtype 7 pointsize 0.4 title "generational", \
     $ideal using ($1 / MIB):2 with linespoints linestyle 4 pointtype 7 pointsize 0.4 title "ideal", \
     $smallest using ($1 / MIB):2 with points pointtype 12 pointsize 1 linecolor rgb "black" title "smallest heap"
