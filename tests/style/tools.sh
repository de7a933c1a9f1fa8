# SPDX-License-Identifier: MIT
# For the scripts of this folder: . "$srcdir/tests/style/tools.sh", after tap.sh.
# shellcheck shell=sh

# code FOLDER...: the C files under these folders.
code() {
    find "$@" -name '*.[ch]' | sort
}

# check_with TOOL VERSION NAME COMMAND...: a test that needs a tool of that version ('': of any).
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
