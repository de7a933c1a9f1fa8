# SPDX-License-Identifier: MIT
# The records, in the time dialect, that events as list_events prints them are read into.
$1 == "alloc" { print $8 == 0 ? "N" : "A", $2, $3, $6, $7, $8, $5 }
$1 == "free" { print "D", $2, $3, $4 }
