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
command(collector) = "awk -F '\t' -v plot=collectors -v collector=" . collector . " -v nursery='" . nursery . "' -v tenure='" . tenure . "' -f '" . folder . "/collectors.awk' '" . input . "'"
draws = command("smallest")
none = "In no heap of the table does the program complete" . (ARGC > 2 ? " with this NURSERY and TENURE" : "") . ", so there is nothing to draw."
load folder . "/style.gp"
set xlabel "size of the heap (MiB)"
set ylabel "mark/cons"
set yrange [0:*]
set print $whole
print system(command("whole"))
set print $semispace
print system(command("semispace"))
set print $generational
print system(command("generational"))
set print $ideal
print system(command("ideal"))
set print $smallest
print system(command("smallest"))
unset print
plot $whole using ($1 / MIB):2 with linespoints linestyle 1 pointtype 7 pointsize 0.4 title "whole", \
     $semispace using ($1 / MIB):2 with linespoints linestyle 2 pointtype 7 pointsize 0.4 title "semispace", \
     $generational using ($1 / MIB):2 with linespoints linestyle 3 pointtype 7 pointsize 0.4 title "generational", \
     $ideal using ($1 / MIB):2 with linespoints linestyle 4 pointtype 7 pointsize 0.4 title "ideal", \
     $smallest using ($1 / MIB):2 with points pointtype 12 pointsize 1 linecolor rgb "black" title "smallest heap"
