# SPDX-License-Identifier: MIT
# Functions that the cases share: . "$helpers"
# shellcheck shell=sh

# refused TRACE [OPTION]...: runs etmerlin on a trace that it must refuse, once to standard output
# and once to a file. Prints the exit status, and any output, which there must not be.
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

# passed TRACE [OPTION]...: runs etmerlin on a trace that it must copy unchanged.
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

# bad_lines [OPTION]...: each line of standard input (printf's escapes allowed)
# is the second line of a trace that must be refused, and that --lenient must
# pass through.
bad_lines() {
    while IFS= read -r line; do
        printf 'M 100 0 1\n%b\n' "$line" >t
        printf '%s: %s; lenient %s\n' "$line" "$(refused t "$@")" \
            "$(passed t --lenient --quiet "$@")"
    done
}
