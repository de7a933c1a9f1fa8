# SPDX-License-Identifier: MIT
# Prints the records, in the time dialect, that etmerlin must read from the events that list_events prints.
$1 == "alloc" { print $8 == 0 ? "N" : "A", $2, $3, $6, $7, $8, $5 }
$1 == "free" { print "D", $2, $3, $4 }
