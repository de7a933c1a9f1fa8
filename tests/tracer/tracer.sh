# SPDX-License-Identifier: MIT
# Functions for tests of the tracer: . "$srcdir/tests/tracer/tracer.sh"
# The tests are skipped if something that ettrace needs is missing.
# shellcheck shell=sh
skip_all() {
    echo "1..0 # SKIP $1"
    exit 0
}
[ -x "${builddir:?}/ettrace" ] || skip_all "there is no ettrace: configure has found no JDK or no ASM"
{ command -v java && command -v javac; } >/dev/null || skip_all "there is no java"
! ldd "$builddir/libettrace.so" | grep -q 'lib[at]san' || skip_all "the tracer is built with a sanitizer"
# shellcheck source=tests/cli/tap.sh
. "${srcdir:?}/tests/cli/tap.sh"
# shellcheck source=tests/tracer/ids.sh
. "$srcdir/tests/tracer/ids.sh"
use_ettrace "$builddir"
etmerlin=$builddir/etmerlin
# The first run of each test instruments all classes; later runs take them from its cache.
XDG_CACHE_HOME=$work/cache
export XDG_CACHE_HOME
# An option for runs of a second or two, in which the optimizing compiler would take half of the time.
# shellcheck disable=SC2034 # the tests use it
quick=-XX:TieredStopAtLevel=1

# build NAME: compiles tests/tracer/programs/NAME.java into $work/classes.
build() {
    mkdir -p "$work/classes"
    javac -nowarn -d "$work/classes" "$srcdir/tests/tracer/programs/$1.java"
}

# trace NAME OPTION... -- WORD...: runs java with the words, traced with the options into $work/NAME.trace. Its output
# goes to NAME.out and NAME.err, its exit status to NAME.status, which is 124 if it does not end in ten minutes.
trace() {
    name=$1
    shift
    mkdir -p "$work/$name.names"
    timeout --foreground -k 20 600 "$ettrace" -f -o "$work/$name.trace" --names="$work/$name.names" "$@" \
        >"$work/$name.out" 2>"$work/$name.err"
    echo $? >"$work/$name.status"
}

# plain NAME WORD...: runs java with the words without the tracer, with output in NAME.plain.out and so on.
plain() {
    name=$1
    shift
    timeout --foreground -k 20 600 java "$@" >"$work/$name.plain.out" 2>"$work/$name.plain.err"
    echo $? >"$work/$name.plain.status"
}

# same_behaviour NAME: the traced program had the same output and exit status as the plain one.
same_behaviour() {
    diff "$work/$1.plain.out" "$work/$1.out" && diff "$work/$1.plain.err" "$work/$1.err" &&
        diff "$work/$1.plain.status" "$work/$1.status"
}

# same_but_for_stack NAME: as same_behaviour, of a program that runs out of stack: so may the tracer, which says so.
same_but_for_stack() {
    sed -i '/^ettrace: incomplete trace: .*: The stack ran out in [1-9][0-9]* probes, /d' "$work/$1.err" &&
        same_behaviour "$1"
}

# records NAME LETTER: prints the number of records of that kind.
records() {
    grep -c "^$2 " "$work/$1.trace"
}

# class NAME CLASS: prints the number of a class in the lists of the trace.
class() {
    awk -F, -v name="$2" '$2 == name { print $1 }' "$work/$1.names/class_list"
}

# is_valid NAME: the trace has no violations, except frames that were open at the end of the program, or that an
# exception left when there was no stack for the probe that would record it.
is_valid() {
    "$etmerlin" --validate "$work/$1.trace" >"$work/valid"
    awk '/^violations/ { inside = 1; next }
         /^$/ { inside = 0 }
         /^valid / { told = 1 }
         inside && /^  [a-z]/ && $1 != "open-frame" && $1 != "unwound-frame" { bad = 1; print }
         END { exit bad || !told }' "$work/valid"
}
