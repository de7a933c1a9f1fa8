# SPDX-License-Identifier: MIT
# Bytes promoted against the size of the nursery, and those of the ideal collector, which has no nepotism.
#     etmerlin --simulate=simulated.tsv TRACE
#     gnuplot -c promotion.gp simulated.tsv promotion.pdf [TENURE [HEAP]]
# HEAP is in bytes, as in the table. Without it, the heap with the most nurseries is used, or the largest of several
# such heaps; without TENURE, the smallest tenure.
input = ARG1
output = ARG2
tenure = ARGC > 2 ? ARG3 : ""
heap = ARGC > 3 ? ARG4 : ""
folder = system("dirname '" . ARG0 . "'")
needs = "collector heap_bytes nursery_bytes tenure completed mark_cons promoted_bytes"
command(collector) = "awk -F '\t' -v plot=promotion -v collector=" . collector . " -v tenure='" . tenure . "' -v heap='" . heap . "' -f '" . folder . "/collectors.awk' '" . input . "'"
draws = command("generational") . "; " . command("ideal")
none = "The table has no rows of generational or ideal" . (ARGC > 2 ? " with this TENURE and HEAP" : "") . " in which the program completes, so there is nothing to draw" . (ARGC > 2 ? "." : ": give --simulate --nurseries that fit into the heaps.")
load folder . "/style.gp"
set logscale x 2
set format x "2^{%L}"
set xlabel "size of the nursery (bytes)"
set ylabel "promoted (MiB)"
set yrange [0:*]
set print $generational
print system(command("generational"))
set print $ideal
print system(command("ideal"))
unset print
plot $generational using 1:($2 / MIB) with linespoints linestyle 1 pointtype 7 pointsize 0.5 title "promoted", \
     $ideal using 1:($2 / MIB) with linespoints linestyle 2 pointtype 7 pointsize 0.5 title "without nepotism"
