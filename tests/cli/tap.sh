# SPDX-License-Identifier: MIT
# TAP for test scripts: . "$srcdir/tests/cli/tap.sh"
# It makes the folder $work, which is removed at the end.
# shellcheck shell=sh
: "${srcdir:?}" "${builddir:?}"
LC_ALL=C
export LC_ALL
# shellcheck disable=SC2034 # scripts use it
etmerlin=$builddir/etmerlin
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM
tap_number=0
tap_failed=0

# check NAME COMMAND...: one test, which passes if the command succeeds. Otherwise
# the first 40 lines that the command prints are shown.
check() {
    tap_name=$1
    shift
    tap_number=$((tap_number + 1))
    if "$@" >"$work/tap.log" 2>&1; then
        echo "ok $tap_number - $tap_name"
    else
        echo "not ok $tap_number - $tap_name"
        head -n 40 "$work/tap.log" | sed 's/^/# /'
        tap_failed=1
    fi
}

# skip NAME REASON: one test that cannot be run here.
skip() {
    tap_number=$((tap_number + 1))
    echo "ok $tap_number - $1 # SKIP $2"
}

# fails COMMAND...: succeeds if the command ends with status 1, and no other.
fails() {
    "$@"
    [ $? -eq 1 ]
}

# has_terminal: whether `script` can make a terminal here.
has_terminal() {
    script -qec true /dev/null </dev/null >"$work/tap.log" 2>&1
}

# finish: prints the plan and ends the script; to be called last.
finish() {
    echo "1..$tap_number"
    exit $tap_failed
}
