#!/bin/sh
# SPDX-License-Identifier: MIT
# Prints a table of real programs that are traced twice, at the level LEVEL (exact): which part of the second run is the same as the first, by
# --match, with the same input, with another input, and with another heap and collector. The first run has the default
# heap.
# shellcheck source=tests/tracer/tracer.sh
. "${srcdir:?}/tests/tracer/tracer.sh"
# shellcheck source=tests/tracer/programs.sh
. "$srcdir/tests/tracer/programs.sh"

# other_input NAME: prints the last word of the command for a run with another input.
other_input() {
    case $1 in
    bsh)
        sed 's/1500/1000/; s/fib(11)/fib(10)/' "$input/script.bsh" >"$work/other.bsh"
        echo "$work/other.bsh"
        ;;
    velocity) echo 40 ;;
    ecj) echo "$srcdir/tests/tracer/programs/Graphs.java" ;;
    esac
}

# traced FILE WORD...: runs java with the words, and writes its trace to FILE.
traced() {
    file=$1
    shift
    "$ettrace" --records="${LEVEL:-exact}" -f -o "$work/$file.zst" -- java "$@" >"$work/out" 2>"$work/err" || {
        cat "$work/err" >&2
        exit 2
    }
}

# matched NAME RUN: prints a line of the table.
matched() {
    "$etmerlin" -f --match="$work/first.zst" --format=tsv -o "$work/match" "$work/second.zst"
    [ $? -le 1 ] || exit 2
    awk -F '\t' -v name="$1" -v run="$2" '
        NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
        {
            count = split("runs_b_allocations runs_b_paired_percent runs_b_paired_bytes_percent lifetimes_program_same_percent " \
                "lifetimes_program_within_1_percent lifetimes_program_longer_percent sites_below_0_05_percent " \
                "prediction_coverage prediction_accuracy", names, " ")
            printf "%s\t%s", name, run
            for (i = 1; i <= count; i++) printf "\t%s", $at[names[i]]
            print ""
        }' "$work/match"
}

# rows NAME ARCHIVES WORD...: prints the three lines of a program, if the table has it.
rows() {
    case $1 in bsh | velocity | ecj) ;; *) return ;; esac
    name=$1
    class_path "$2" "$3" || {
        echo "There is no $missing; scripts/install-packages programs installs it." >&2
        return
    }
    shift 2
    traced first -cp "$path" "$@"
    traced second -cp "$path" "$@"
    matched "$name" 'same input'
    traced second -Xmx64m -XX:+UseSerialGC -cp "$path" "$@"
    matched "$name" 'other heap'
    other=$(other_input "$name")
    # The last word is the input.
    left=$#
    for word in "$@"; do
        shift
        left=$((left - 1))
        [ "$left" -eq 0 ] || set -- "$@" "$word"
    done
    traced second -cp "$path" "$@" "$other"
    matched "$name" 'other input'
}
printf 'program\trun\tallocations\tpaired\tbytes\tsame lifetime\twithin 1%%\tlonger\tsites below 0.05\tcoverage\taccuracy\n'
real_programs rows
