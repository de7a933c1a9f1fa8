# SPDX-License-Identifier: MIT
# Finds the traces to be measured: . "$srcdir/tests/bench/traces.sh". They are in the folder $TRACES
# (../shared/traces); if that has none, one is made up. It also makes the folder $work (see folder.sh).
# shellcheck shell=sh
: "${srcdir:?}" "${builddir:?}"
traces=${TRACES:-$srcdir/../shared/traces}
# shellcheck source=tests/bench/folder.sh
. "$srcdir/tests/bench/folder.sh"

# file_of NAME: prints the path of the trace, whose file may have an ending.
file_of() {
    for file in "$traces/$1" "$traces/$1".trace* "$traces/$1".*; do
        [ -f "$file" ] && echo "$file" && return
    done
    echo "There is no trace $1 in $traces." >&2
    return 1
}

# all_traces: prints the names of all traces.
all_traces() {
    for file in "$traces"/*; do
        [ ! -f "$file" ] || basename "$file" | sed 's/\.\(zst\|gz\|xz\|bz2\)$//; s/\.trace$//'
    done
}

# some_traces NAME...: prints those of the names that are there, or else the first trace that is.
some_traces() {
    for name; do
        file_of "$name" >/dev/null 2>&1 && echo "$name"
    done | grep . || all_traces | head -n 1
}

# unpack NAME: decompresses the trace to $work/trace, and reads that once, so that it is in the page cache.
unpack() {
    file=$(file_of "$1") || return
    rm -f "$work/trace"
    case $file in
    *.zst) zstd -qdc --long=27 "$file" ;;
    *.gz) gzip -dc "$file" ;;
    *.xz) xz -dc "$file" ;;
    *.bz2) bzip2 -dc "$file" ;;
    *) cat "$file" ;;
    esac >"$work/trace" && cat "$work/trace" >/dev/null
}

if [ -n "${TRACES-}" ] && [ ! -d "$TRACES" ]; then
    echo "There is no folder $TRACES." >&2
    exit 1
fi
if [ -z "$(all_traces)" ]; then
    echo "There are no traces in $traces (TRACES=FOLDER): one is made up." >&2
    traces=$work/traces
    mkdir "$traces" && "$builddir/tests/bench/gen" 2000000 >"$traces/made-up.trace" || exit 1
fi
