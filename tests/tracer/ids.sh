# SPDX-License-Identifier: MIT
# Chooses where the tests that start Java programs keep ids: . "$srcdir/tests/tracer/ids.sh" (after tap.sh)
# With IDS=header, ids are in headers; by default they are tags.
# shellcheck shell=sh

# use_ettrace FOLDER: sets `ettrace` to the command of that folder, or to one that adds the option for ids.
use_ettrace() {
    ettrace=$(cd "$1" && pwd)/ettrace
    if [ "${IDS:-tags}" != tags ]; then
        mkdir -p "${work:?}/ids"
        # shellcheck disable=SC2016 # the words are those of the command
        printf '#!/bin/sh\nexec "%s" --ids="%s" "$@"\n' "$ettrace" "$IDS" >"$work/ids/ettrace"
        chmod +x "$work/ids/ettrace"
        ettrace=$work/ids/ettrace
    fi
}
