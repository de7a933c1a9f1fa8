#!/bin/sh
# SPDX-License-Identifier: MIT
# What tracing costs: templates rendered for a shorter and a longer time, plain and traced at the level
# stores into a compressed file. The difference of the two leaves out what starting costs. And the memory
# that it takes: of a program that holds many objects, and of one that has many threads.
# shellcheck source=tests/tracer/tracer.sh
. "${srcdir:?}/tests/tracer/tracer.sh"
jars=/usr/share/java
short=${SHORT:-500}
long=${LONG_RUN:-5000}
path=$work/classes:$jars/velocity.jar:$jars/commons-collections3.jar:$jars/commons-lang.jar
[ -e $jars/velocity.jar ] || {
    echo "There is no $jars/velocity.jar; scripts/install-packages programs installs it." >&2
    exit 2
}
mkdir "$work/classes"
javac -nowarn -cp "$path" -d "$work/classes" "$srcdir/tests/tracer/programs/Templates.java" || exit 2

# seconds WORD...: how long a command takes.
seconds() {
    begin=$(date +%s.%N)
    "$@" >"$work/out" 2>"$work/err" || exit 2
    echo "$(date +%s.%N) $begin" | awk '{ printf "%.2f", $1 - $2 }'
}
traced() {
    "$ettrace" -v -f -o "$work/t.zst" --names="$work/names" -- java -cp "$path" Templates "$1"
}
printf 'rounds\tplain s\ttraced s\trecords\n'
for rounds in "$short" "$long"; do
    plain=$(seconds java -cp "$path" Templates "$rounds")
    time=$(seconds traced "$rounds")
    records=$(sed -n 's/^ettrace: \([0-9]*\) records.*/\1/p' "$work/err")
    printf '%s\t%s\t%s\t%s\n' "$rounds" "$plain" "$time" "$records"
done | tee "$work/rows"
# What takes less than a second says nothing: the clock and the machine differ by as much.
awk 'NR == 1 { next }
     NR == 2 { plain = $2; time = $3; records = $4; next }
     { printf "\n%.1f times the plain run\n", $3 / $2
       if ($4 <= records || $3 - time < 1 || $2 - plain < 1)
           print "The runs are too short to leave out what starting costs; LONG_RUN makes the second one longer."
       else
           printf "without starting: %.0f ns a record, %.1f times the plain run\n",
                  ($3 - time - ($2 - plain)) / ($4 - records) * 1e9, ($3 - time) / ($2 - plain) }' "$work/rows"

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
    echo "$(resident "$1" "$2" "$ettrace" -f -o "$work/t.zst" --names="$work/names" --) $(resident "$1" "$2")" |
        awk '{ print $1 - $2 }'
}
echo "$(added 100000 0) $(added 2100000 0) $(added 100000 200)" |
    awk '{ printf "%.0f bytes a live object, %.0f KiB a thread\n", ($2 - $1) * 1024 / 2000000, ($3 - $1) / 200 }'
