# SPDX-License-Identifier: MIT
# Prints the events that lifetime formats have of an Elephant Tracks trace with deaths, in the lines of
# list_events. explicit=1: the trace is in the time dialect.
BEGIN { clock = 0 }
{
    sub(/\r$/, "")
    for (i = 2; i <= NF; i++) sub(/^0+/, "", $i)
    for (i = 2; i <= NF; i++) if ($i == "") $i = 0
}
$1 == "D" { print "free", $2, $3, $4; next }
$1 ~ /^[MEX]$/ { clock = explicit ? $NF : clock + 1 }
$1 ~ /^[NAIPVMEXTHUW]$/ && !explicit && !($NF in seen) {
    seen[$NF] = 1
    threads[count++] = $NF
    print "create", $NF, clock
}
$1 ~ /^[NAIPV]$/ { print "alloc", $2, $3, explicit ? 0 : $NF, explicit ? $NF : clock, $4, $5, $6 }
END { for (i = 0; i < count; i++) print "destroy", threads[i], clock }
