# SPDX-License-Identifier: MIT
# The real programs of Debian that are traced: . "$srcdir/tests/tracer/programs.sh" (after tracer.sh)
# shellcheck shell=sh
jars=/usr/share/java
input=${srcdir:?}/tests/tracer/input

# real_programs COMMAND...: runs the command with the name of each program, its archives, and what java is
# to run with them as its class path, which class_path puts together.
real_programs() {
    "$@" bsh bsh bsh.Interpreter "$input/script.bsh"
    "$@" rhino js org.mozilla.javascript.tools.shell.Main -opt -1 "$input/script.js"
    "$@" velocity 'velocity commons-collections3 commons-lang' Templates 30
    "$@" h2 h2 Database jdbc:h2:mem:test
    "$@" hsqldb hsqldb Database jdbc:hsqldb:mem:test
    # In these, local variables alone hold much for long: a writer with its buffers until the end; a
    # thousand Field objects in a loop of a static initializer.
    "$@" xalan 'xalan2 serializer xml-apis' org.apache.xalan.xslt.Process \
        -IN "$input/list.xml" -XSL "$input/list.xsl"
    "$@" ecj eclipse-jdt-core org.eclipse.jdt.internal.compiler.batch.Main -17 -proc:none -d none \
        "$srcdir/tests/tracer/programs/Behaviour.java"
    "$@" fop 'fop commons-io serializer xalan2 xml-apis batik-all commons-logging xercesImpl
        xmlgraphics-commons xml-apis-ext fontbox2' -Djava.awt.headless=true \
        -Dorg.apache.commons.logging.Log=org.apache.commons.logging.impl.NoOpLog \
        org.apache.fop.cli.Main -fo "$input/page.fo" -pdf "${work:?}/page.pdf"
}

# class_path ARCHIVES CLASS: sets `path` to them and to $work/classes, into which it compiles CLASS if it is
# one of tests/tracer/programs. Fails with `missing` set to an archive that is not there.
class_path() {
    path=$work/classes
    for jar in $1; do
        missing=$jar.jar
        [ -e "$jars/$missing" ] || return
        path=$path:$jars/$missing
    done
    mkdir -p "$work/classes"
    [ ! -e "$srcdir/tests/tracer/programs/$2.java" ] ||
        javac -nowarn -cp "$path" -d "$work/classes" "$srcdir/tests/tracer/programs/$2.java"
}
