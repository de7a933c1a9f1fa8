#!/bin/sh
# SPDX-License-Identifier: MIT
# Prints a table of 40 programs traced at the level LEVEL (exact): whether their output is the same as untraced; their
# processor time (medians of RUNS), plain and traced into a compressed file; the size of the trace; and the live bytes
# that follow from it, as a part of those that collections find.
# shellcheck source=tests/tracer/tracer.sh
. "${srcdir:?}/tests/tracer/tracer.sh"
# shellcheck source=tests/tracer/programs.sh
. "$srcdir/tests/tracer/programs.sh"
runs=${RUNS:-3}
level=${LEVEL:-exact}

# run WORD...: runs the command as the others run, without the files that the run before made. Its output goes to out and
# err.
run() {
    rm -rf "${made:?}"
    mkdir "$made"
    "$@" >"$work/out" 2>"$work/err"
}

# Prints the output of the latest run without what ettrace prints and without times.
printed() {
    grep -v '^ettrace: ' "$work/err" | cat "$work/out" - | sed 's/[0-9.]* *sec\(onds\)*$/ seconds/'
}

# processor_time WORD...: prints the median of the processor time of a command and all that it starts, in seconds.
processor_time() {
    : >"$work/times"
    for _ in $(seq "$runs"); do
        (
            run "$@" || exit
            times >"$work/spent"
        ) || {
            cat "$work/err" >&2
            return 2
        }
        # The second line has user and system time of child processes, as 1m2.3s.
        awk 'NR == 2 { for (i = 1; i <= 2; i++) { split($i, part, "m"); spent += part[1] * 60 + part[2] }
                       printf "%.2f\n", spent }' "$work/spent" >>"$work/times"
    done
    sort -n "$work/times" | sed -n "$(((runs + 1) / 2))p"
}

# figure WORD: prints the figure on that line of the comparison of live heaps.
figure() {
    awk -v word="$1" '$1 == word { print $2 }' "$work/heap"
}

# row NAME ARCHIVES WORD...: prints a line of the table.
row() {
    name=$1
    class_path "$2" "$3" || {
        echo "There is no $missing; scripts/install-packages programs table installs it." >&2
        return
    }
    shift 2
    set -- java -cp "$path" "$@"
    plain=$(processor_time "$@") || exit 2
    printed >"$work/printed"
    traced=$(processor_time "$ettrace" -v --records="$level" -f -o "$work/t.zst" --names="$work/names" -- "$@") || exit 2
    works=yes
    printed | cmp -s "$work/printed" || works=differs
    records=$(sed -n 's/^ettrace: \([0-9]*\) records.*/\1/p' "$work/err")
    bytes=$(stat -c %s "$work/t.zst")
    run "$ettrace" --records="$level" -f -o "$work/c.zst" --names="$work/names" --check -- "$@" || exit 2
    "$etmerlin" --names="$work/names" --live-check="$work/c.check" "$work/c.zst" >"$work/heap" || exit 2
    printf '%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\n' "$name" "$works" "$plain" "$traced" "$records" "$bytes" \
        "$(figure mean)" "$(figure least)" "$(figure most)"
}
printf 'program\tworks\tplain CPU s\ttraced CPU s\trecords\ttrace bytes\tlive mean\tleast\tmost\n'
real_programs row
more_programs row
table_programs row
