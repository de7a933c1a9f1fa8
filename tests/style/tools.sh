# SPDX-License-Identifier: MIT
# For the scripts of this folder: . "$srcdir/tests/style/tools.sh", after tap.sh.
# shellcheck shell=sh

# code FOLDER...: prints the C files under these folders.
code() {
    find "$@" -name '*.[ch]' | sort
}

# check_with TOOL VERSION NAME COMMAND...: a test that needs the tool in that version ('': in any).
check_with() {
    tool=$1
    version=$2
    shift 2
    if ! command -v "$tool" >/dev/null; then
        skip "$1" "there is no $tool"
    elif ! "$tool" --version 2>&1 | head -n 2 | grep -Eq "(^|[ :])$version"; then
        skip "$1" "$tool is not of version $version"
    else
        check "$@"
    fi
}

# complains_of_nothing COMMAND...: shows what the command prints, and succeeds if that is nothing.
complains_of_nothing() {
    "$@" >"$work/complaints" || return 2
    cat "$work/complaints"
    [ ! -s "$work/complaints" ]
}

# catches COMMAND FILE TEXT...: the command complains of a made-up FILE with this text, and not without that file.
catches() {
    command=$1
    file=$2
    shift 2
    rm -rf "$work/made-up"
    mkdir -p "$work/made-up"
    printf '/* SPDX-License-Identifier: MIT */\n/* A file.\n   It is made up. */\nvoid one(void);\n' \
        >"$work/made-up/right.c"
    complains_of_nothing "$command" "$work/made-up" || return
    printf '%s\n' "$@" >"$work/made-up/$file"
    fails complains_of_nothing "$command" "$work/made-up"
}
