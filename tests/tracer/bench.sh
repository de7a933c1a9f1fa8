#!/bin/sh
# SPDX-License-Identifier: MIT
# What tracing costs: templates rendered, and tables filled and read, for a shorter and a longer time, plain
# and traced at the level stores into a compressed file. The difference of the two leaves out what starting
# costs. And the memory that it takes: of a program that holds many objects, and of one that has many threads.
# SHORT and LONG_RUN multiply how long the runs are.
# shellcheck source=tests/tracer/tracer.sh
. "${srcdir:?}/tests/tracer/tracer.sh"
# shellcheck source=tests/tracer/programs.sh
. "${srcdir:?}/tests/tracer/programs.sh"

# seconds WORD...: how long a command takes; fails with what it says when it fails.
seconds() {
    begin=$(date +%s.%N)
    "$@" >"$work/out" 2>"$work/err" || {
        cat "$work/err" >&2
        return 2
    }
    echo "$(date +%s.%N) $begin" | awk '{ printf "%.2f", $1 - $2 }'
}
traced() {
    "$ettrace" -v -f -o "$work/t.zst" --names="$work/names" -- java -cp "$path" "$@"
}
# measure NAME SHORT LONG ARCHIVES CLASS [ARGUMENT]: a run of so many rounds each; the rounds are the last
# argument of the class.
measure() {
    name=$1
    short=$2
    long=$3
    class_path "$4" "$5" || {
        echo "There is no $jars/$missing; scripts/install-packages programs installs it." >&2
        exit 2
    }
    shift 4
    for rounds in "$short" "$long"; do
        plain=$(seconds java -cp "$path" "$@" "$rounds") || exit 2
        time=$(seconds traced "$@" "$rounds") || exit 2
        records=$(sed -n 's/^ettrace: \([0-9]*\) records.*/\1/p' "$work/err")
        printf '%s\t%s\t%s\t%s\t%s\n' "$name" "$rounds" "$plain" "$time" "$records"
    done >"$work/rows"
    cat "$work/rows"
    # What takes less than a second says nothing: the clock and the machine differ by as much.
    awk 'NR == 1 { plain = $3; time = $4; records = $5; next }
         { printf "%s: %.1f times the plain run\n", $1, $4 / $3
           if ($5 <= records || $4 - time < 1 || $3 - plain < 1)
               print "The runs are too short to leave out what starting costs; LONG_RUN makes the longer ones longer."
           else
               printf "without starting: %.0f ns a record, %.1f times the plain run\n",
                      ($4 - time - ($3 - plain)) / ($5 - records) * 1e9, ($4 - time) / ($3 - plain) }' "$work/rows"
}
printf 'program\trounds\tplain s\ttraced s\trecords\n'
once=${SHORT:-1}
often=${LONG_RUN:-1}
measure velocity $((500 * once)) $((5000 * often)) 'velocity commons-collections3 commons-lang' Templates
measure h2 $((5 * once)) $((80 * often)) h2 Database jdbc:h2:mem:test

javac -nowarn -d "$work/classes" "$srcdir/tests/tracer/programs/Holding.java" || exit 2
# resident MANY THREADS [WORD...]: KiB of a program that holds them; the words stand before java.
resident() {
    objects=$1
    threads=$2
    shift 2
    "$@" java -Xms400m -Xmx400m -XX:+AlwaysPreTouch -XX:+UseSerialGC "$quick" -cp "$work/classes" \
        Holding "$objects" "$threads"
}
# added MANY THREADS: KiB that tracing adds to it.
added() {
    with=$(resident "$1" "$2" "$ettrace" -f -o "$work/t.zst" --names="$work/names" --) || return 2
    without=$(resident "$1" "$2") || return 2
    echo $((with - without))
}
few=$(added 100000 0) || exit 2
many=$(added 2100000 0) || exit 2
threads=$(added 100000 200) || exit 2
echo "$few $many $threads" |
    awk '{ printf "%.0f bytes a live object, %.0f KiB a thread\n", ($2 - $1) * 1024 / 2000000, ($3 - $1) / 200 }'
