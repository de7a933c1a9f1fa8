# SPDX-License-Identifier: MIT
# Makes the folder $work, which is removed at the end, and prints its path: . "$srcdir/tests/bench/folder.sh"
# It is on a tmpfs with room for $room MiB (4,000), so that no disk is measured, or else in $TMPDIR.
# $BENCH_FOLDER names another folder. $TMPDIR becomes the same folder.
# shellcheck shell=sh
: "${room:=4000}"

# has_room FOLDER: whether the folder is on a tmpfs with $room MiB of room.
has_room() {
    [ -w "$1" ] && df -P -t tmpfs -m "$1" 2>/dev/null |
        awk -v room="$room" 'NR == 2 { found = $4 >= room } END { exit !found }'
}

if [ -n "${BENCH_FOLDER-}" ]; then
    place=$BENCH_FOLDER
elif has_room /dev/shm; then
    place=/dev/shm
else
    place=${TMPDIR:-/tmp}
fi
work=$(mktemp -d "$place/etmerlin-bench-XXXXXX") || exit 1
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM
TMPDIR=$work
export TMPDIR
echo "Measured in $place ($(df -P "$place" | awk 'NR == 2 { print $1 }')), $(nproc) processors."
