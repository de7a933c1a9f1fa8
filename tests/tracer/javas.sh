# SPDX-License-Identifier: MIT
# The virtual machines that are here: . "$srcdir/tests/tracer/javas.sh"
# shellcheck shell=sh

# version_of JAVA: 17, say.
version_of() {
    "$1" -version 2>&1 | sed -n 's/.* version "\([0-9]*\).*/\1/p'
}
# has_option JAVA OPTION...: whether it has them.
has_option() {
    "$@" -version >/dev/null 2>&1
}
# javas: that of the path, and the newest one if it is another.
javas() {
    echo java
    newest=$(for java in /usr/lib/jvm/*/bin/java; do
        echo "$(version_of "$java") $java"
    done | sort -n | tail -n 1 | cut -d ' ' -f 2)
    if [ -x "$newest" ] && [ "$(readlink -f "$newest")" != "$(readlink -f "$(command -v java)")" ]; then
        echo "$newest"
    fi
}
