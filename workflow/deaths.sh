#!/bin/sh
# SPDX-License-Identifier: MIT
# Makes the results of one trace, and its row for the table of all traces. If the trace needs more memory than it may
# have, the exit status is 75, so that it is tried again with more, unless IS_LAST is 1. If the trace itself is bad, a
# second try would not help: its row records the failure, and the exit status is 0. If something else failed, there is
# no row, and the exit status is that of etmerlin. The row is made after all else.
# Usage: ETMERLIN=PROGRAM deaths.sh MEM_MB IS_LAST LOG TRACE ROW RESULTS [OPTION]...
set -eu
mem=$1 is_last=$2 log=$3 trace=$4 row=$5 results=$6
part=$(dirname "$row")/.$(basename "$row")
shift 6
mkdir -p "$results"
# In the name of a report %% stands for a %, and a single one for the trace.
escaped() {
    printf '%s\n' "$1" | sed 's/%/%%/g'
}
to=$(escaped "$results")
rm -f "$part"
# Temporary files go to $TMPDIR, which on a cluster is often a disk of the node, or to /tmp.
status=0
"${ETMERLIN:-etmerlin}" --force --progress=never --memory-limit="$((mem * 9 / 10))M" --stats="$(escaped "$part")" --no-header \
    --live="$to/live.tsv" --live-points=200 --page="$to/page.html" --columns="$to/columns" \
    "$@" "$trace" 2>"$log" || status=$?
cat "$log" >&2
# If etmerlin was killed, as by Slurm for want of memory or when a node ends, there is no row.
[ -e "$part" ] || exit "$status"
if [ "$status" -ne 0 ] && [ "$is_last" -eq 0 ] && grep -q 'More memory is needed' "$log"; then
    rm -f "$part"
    exit 75
fi
# A full disk, a missing TMPDIR or a wrong --names is no fault of the trace: there is no row, and it is tried again.
others_fault() {
    grep -E '^[^"]*: (Cannot |There is no (folder|name list))' "$log" | grep -qvF -e ": $trace: " -e ": $trace/"
}
if [ "$status" -ne 0 ] && others_fault; then
    rm -f "$part"
    exit "$status"
fi
mv "$part" "$row"
