# SPDX-License-Identifier: MIT
# Functions that the cases share: . "$helpers"
# shellcheck shell=sh

# refused TRACE [OPTION]...: runs etmerlin on a trace that it must refuse, once to standard output and once to
# a file. Prints the exit status, and what was written, which must be nothing.
refused() {
    etmerlin "$@" >refused.stdout
    verdict="status $?"
    [ -s refused.stdout ] && verdict="$verdict, WROTE TO STANDARD OUTPUT"
    etmerlin -o refused.file "$@" 2>/dev/null
    [ "status $?" = "${verdict%%,*}" ] || verdict="$verdict, OTHER STATUS WITH -o"
    for left in refused.file*; do
        [ -e "$left" ] && verdict="$verdict, LEFT A FILE"
    done
    rm -f refused.*
    echo "$verdict"
}

# passed TRACE [OPTION]...: runs etmerlin on a trace that it must copy. Prints the exit status, and whether the
# copy is unchanged.
passed() {
    etmerlin "$@" >passed.stdout
    verdict="status $?"
    if cmp passed.stdout "$1"; then
        verdict="$verdict, unchanged"
    else
        verdict="$verdict, CHANGED"
    fi
    rm -f passed.stdout
    echo "$verdict"
}

# bad_lines [OPTION]...: makes a trace of each line of standard input, in which escapes of printf are allowed:
# it is the second line of the trace, which must be refused, and which --lenient must copy. Prints a line with
# both results for each.
bad_lines() {
    while IFS= read -r line; do
        printf 'M 100 0 1\n%b\n' "$line" >t
        printf '%s: %s; lenient %s\n' "$line" "$(refused t "$@")" \
            "$(passed t --lenient --quiet "$@")"
    done
}

# await_output PROCESS: waits until the process has the temporary file of `out` open, which has no name in most file
# systems; prints a line if that takes more than a minute.
await_output() {
    tries=0
    until ls -l "/proc/$1/fd" | grep -q " -> $(pwd -P)/\(#\|out\.\)"; do
        sleep 0.05
        tries=$((tries + 1))
        [ "$tries" -lt 1200 ] || { echo "there is no output"; break; }
    done
}
