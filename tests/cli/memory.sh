# SPDX-License-Identifier: MIT
# For scripts that let etmerlin write many small files, each of which it synchronizes with the disk:
# . "$srcdir/tests/cli/memory.sh" sets TMPDIR to a folder in memory, if there is one with the room, and TMPDIR was not
# set.
# shellcheck shell=sh
if [ -z "$TMPDIR" ] && [ -w /dev/shm ] && [ "$(df -Pk /dev/shm | awk 'NR == 2 { print $4 }')" -gt 1048576 ]; then
    TMPDIR=/dev/shm
    export TMPDIR
fi
