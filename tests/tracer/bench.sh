#!/bin/sh
# SPDX-License-Identifier: MIT
# The cost of tracing into a compressed file, with the classes in the cache: of the eight real programs, javac, Churn,
# a program of calls and one of copies, and of long runs of some, each plain and traced in turns. Also the memory for
# each live object and each thread. Of ROUNDS rounds (3), the run with the least processor time counts; IDS is where ids
# are kept (tags header); LEVELS are the levels (stores exact), which are traced in turns, so that they can be compared;
# SCALE is the length of long runs in percent (100). RESULTS=FILE and STEP=WORDS append the figures to FILE, a row each:
# step,trace,what,value,unit.
#
# columns: program, level, where ids are, million records; seconds plain, traced, ratio; seconds of processor time
# plain, traced, ratio; in the traced run, nanoseconds per record of the thread that merges and writes text, of the
# threads that compress and write, of the virtual machine's compilers, of its collector and other work, and of all other
# threads, mostly the program's; peak of memory in MiB plain, traced
where=${IDS:-tags header}
levels=${LEVELS:-stores exact}
IDS=tags # each run has an option for its ids
# shellcheck source=tests/tracer/tracer.sh
. "${srcdir:?}/tests/tracer/tracer.sh"
# shellcheck source=tests/tracer/programs.sh
. "$srcdir/tests/tracer/programs.sh"
count=${ROUNDS:-3}
scale=${SCALE:-100}
parts='ettrace merge,ettrace write,C1 Comp,C2 Comp,GC Thread,G1,VM'

# keep PROGRAM WHAT VALUE UNIT
keep() {
    [ -z "${RESULTS:-}" ] || echo "${STEP:-},$1,$2,$3,$4" >>"$RESULTS"
}

# timed NAME WORD...: runs the words, and appends the figures to $work/NAME.
timed() {
    figures=$1
    shift
    "$builddir/thread_times" "$parts" "$@" >>"$work/$figures" 2>"$work/err" || {
        cat "$work/err" >&2
        exit 2
    }
}
best() {
    sort -n -k 2,2 "$work/$1" | head -n 1
}

# line NAME LEVEL IDS RECORDS: prints the line of a program that was traced so.
line() {
    echo "$(best plain) $(best "$2") $4" | awk -v name="$1" -v level="$2" -v ids="$3" -v rows="$work/rows" '
        {
            records = $23
            printf "%-10s %-6s %-6s %7.1f %7.2f %7.2f %5.1f %7.2f %7.2f %5.1f %6.1f %6.1f %6.1f %6.1f %6.1f %6.0f %6.0f\n",
                name, level, ids, records / 1e6, $1, $12, $12 / $1, $2, $13, $13 / $2, $15 / records * 1e9,
                $16 / records * 1e9, ($17 + $18) / records * 1e9, ($19 + $20 + $21) / records * 1e9,
                $22 / records * 1e9, $3, $14
            printf "records %d records\nwall %.2f plain\nprocessor %.2f plain\n", records, $12 / $1, $13 / $2 >rows
            printf "seconds %.2f s\n", $13 >rows
            printf "merging %.1f ns\nwriting %.1f ns\n", $15 / records * 1e9, $16 / records * 1e9 >rows
            printf "compilers %.1f ns\nprogram %.1f ns\n", ($17 + $18) / records * 1e9, $22 / records * 1e9 >rows
            printf "memory %.0f MiB\n", $14 - $3 >rows
        }'
    while read -r what value unit; do
        keep "$1 $2 $3" "$what" "$value" "$unit"
    done <"$work/rows"
}

# traced FIGURES LEVEL IDS WORD...: traces the program, and appends the figures to $work/FIGURES.
traced() {
    figures=$1
    level=$2
    ids=$3
    shift 3
    timed "$figures" "$ettrace" -v --records="$level" --ids="$ids" -f -o "$work/t.zst" --names="$work/names" -- "$@"
}

# rounds NAME IDS WORD...: prints the lines of a program with ids in IDS, one for each level.
rounds() {
    name=$1
    ids=$2
    shift 2
    : >"$work/plain"
    for level in $levels; do
        : >"$work/$level"
        traced warm "$level" "$ids" "$@" # fills the cache
        sed -n 's/^ettrace: \([0-9]*\) records.*/\1/p' "$work/err" >"$work/$level.records"
    done
    for _ in $(seq "$count"); do
        timed plain "$@"
        for level in $levels; do
            traced "$level" "$level" "$ids" "$@"
        done
    done
    rm -f "$work/warm"
    for level in $levels; do
        line "$name" "$level" "$ids" "$(cat "$work/$level.records")"
    done
}

# row NAME ARCHIVES WORD...: prints the lines of a program.
row() {
    name=$1
    class_path "$2" "$3" || {
        echo "There is no $jars/$missing; scripts/install-packages programs installs it." >&2
        return
    }
    shift 2
    for ids in $where; do
        rounds "$name" "$ids" java -cp "$path" "$@"
    done
}

# long COUNT: prints COUNT, scaled by SCALE.
long() {
    echo $(($1 * scale / 100 + 1))
}

printf '%-10s %-6s %-6s %7s %7s %7s %5s %7s %7s %5s %6s %6s %6s %6s %6s %6s %6s\n' program level ids records plain traced \
    times CPU traced times merge write JIT GC rest MiB traced
real_programs row
awk -v copies="$(long 100)" '{ for (i = 0; i < (/<item/ ? copies : 1); i++) print }' "$input/list.xml" >"$work/long.xml"
row javac '' com.sun.tools.javac.Main -proc:none -d "$work/javac" "$srcdir/tests/tracer/programs/Behaviour.java"
row calls '' Calls "$(long 100)"
row shifts '' Shifts "$(long 2000)"
row Churn '' Churn "$(long 200000)"
row Churn-4 '' Churn "$(long 200000)" 4
row velocity+ 'velocity commons-collections3 commons-lang' Templates "$(long 5000)"
row h2+ h2 Database jdbc:h2:mem:test "$(long 80)"
row xalan+ 'xalan2 serializer xml-apis' org.apache.xalan.xslt.Process -IN "$work/long.xml" -XSL "$input/list.xsl"

javac -nowarn -d "$work/classes" "$srcdir/tests/tracer/programs/Holding.java" || exit 2
# resident MANY THREADS [WORD...]: prints the KiB of a program that holds so many objects and threads; the words come
# before java.
resident() {
    objects=$1
    threads=$2
    shift 2
    "$@" java -Xms400m -Xmx400m -XX:+AlwaysPreTouch -XX:+UseSerialGC "$quick" -cp "$work/classes" \
        Holding "$objects" "$threads"
}
# added MANY THREADS WORD...: prints the KiB that tracing with the words, which are options, adds to such a program.
added() {
    objects=$1
    threads=$2
    shift 2
    with=$(resident "$objects" "$threads" "$ettrace" "$@" -f -o "$work/t.zst" --names="$work/names" --) || return 2
    without=$(resident "$objects" "$threads") || return 2
    echo $((with - without))
}
# memory LEVEL IDS: prints what each object and each thread adds.
memory() {
    set -- "$@" --records="$1" --ids="$2"
    name="$1 $2"
    shift 2
    few=$(added 100000 0 "$@") && many=$(added 2100000 0 "$@") && crowd=$(added 100000 200 "$@") || exit 2
    object=$(((many - few) * 1024 / 2000000))
    thread=$(((crowd - few) / 200))
    echo "$name: $object bytes a live object, $thread KiB a thread"
    keep "Holding $name" 'a live object' "$object" bytes
    keep "Holding $name" 'a thread' "$thread" KiB
}
for ids in $where; do
    for level in $levels; do
        memory "$level" "$ids"
    done
done
