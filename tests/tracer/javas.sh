# SPDX-License-Identifier: MIT
# The virtual machines that are installed: . "$srcdir/tests/tracer/javas.sh"
# shellcheck shell=sh

# version_of JAVA: prints its version, such as 17.
version_of() {
    "$1" -version 2>&1 | sed -n 's/.* version "\([0-9]*\).*/\1/p'
}
# has_option JAVA OPTION...: whether that virtual machine has the options.
has_option() {
    "$@" -version >/dev/null 2>&1
}
# javas: prints the java of the path, and the newest one if that is another.
javas() {
    echo java
    newest=$(for java in /usr/lib/jvm/*/bin/java; do
        echo "$(version_of "$java") $java"
    done | sort -n | tail -n 1 | cut -d ' ' -f 2)
    if [ -x "$newest" ] && [ "$(readlink -f "$newest")" != "$(readlink -f "$(command -v java)")" ]; then
        echo "$newest"
    fi
}
