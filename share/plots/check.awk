# SPDX-License-Identifier: MIT
# Prints what is wrong with a table, or nothing if it can be drawn:
#     awk -F '\t' -v needs='COLUMN...' -f check.awk TABLE

NR == 1 {
    count = split(needs, need, " ")
    for (i = 1; i <= NF; i++) has[$i] = i
    for (i = 1; i <= count; i++) if (!(need[i] in has)) missing = missing " " need[i]
    next
}
{ unused = missing == "" && needs ~ /last_use_bytes/ && $has["last_use_bytes"] == ""; exit }
END {
    if (unused)
        print "The trace records no uses of objects, so its drag is unknown."
    else if (NR == 1 && missing == "")
        print "This table has no rows: there is nothing to draw."
    else if (NR == 0 || missing != "")
        print "This is no table of etmerlin that can be drawn: the first line must have the columns" \
            (NR == 0 ? " " needs : missing) ", with tabs between them. Write it as .tsv, neither .csv nor compressed."
}
