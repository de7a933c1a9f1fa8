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
    # Where Eclipse's compiler has an archive of its own, the rest of its Java tools is without it.
    compiler=eclipse-jdt-core-compiler-batch
    [ -e "$jars/$compiler.jar" ] || compiler=eclipse-jdt-core
    "$@" ecj "$compiler" org.eclipse.jdt.internal.compiler.batch.Main -17 -proc:none -d none \
        "$srcdir/tests/tracer/programs/Behaviour.java"
    "$@" fop 'fop commons-io serializer xalan2 xml-apis batik-all commons-logging xercesImpl
        xmlgraphics-commons xml-apis-ext fontbox2' -Djava.awt.headless=true \
        -Dorg.apache.commons.logging.Log=org.apache.commons.logging.impl.NoOpLog \
        org.apache.fop.cli.Main -fo "$input/page.fo" -pdf "${work:?}/page.pdf"
}

# more_programs COMMAND...: the same with others: two servers that answer 200 requests, a database, an index, what
# runs scripts, builds, parses and compiles.
more_programs() {
    tomcat=
    for part in catalina coyote util util-scan juli api jni servlet-api jsp-api jasper jasper-el el-api jaspic-api \
        annotations-api; do
        tomcat="$tomcat tomcat10-$part"
    done
    "$@" tomcat "$tomcat" TomcatServer "${work:?}/tomcat"
    "$@" jetty 'jetty9-server jetty9-util jetty9-http jetty9-io servlet-api' JettyServer
    "$@" derby derby Database 'jdbc:derby:memory:test;create=true'
    "$@" lucene 'lucene-core-4.10.4 lucene-analyzers-common-4.10.4' Search
    "$@" groovy groovy-all groovy.ui.GroovyMain "$input/script.groovy"
    "$@" clojure 'clojure spec.alpha core.specs.alpha' clojure.main "$input/script.clj"
    "$@" jython jython org.python.util.jython "$input/script.py"
    "$@" ant 'ant ant-launcher' org.apache.tools.ant.Main -S -f "$input/build.xml"
    "$@" antlr4 'antlr4 antlr4-runtime antlr3-runtime stringtemplate4 treelayout' org.antlr.v4.Tool \
        -o "$work/antlr4" "$input/Sums.g4"
    "$@" xerces 'xercesImpl xml-apis xercesSamples' dom.Writer "$input/list.xml"
    "$@" javac '' com.sun.tools.javac.Main -proc:none -d "$work/javac" "$srcdir/tests/tracer/programs/Behaviour.java"
    # Its compiler makes 200 million records, even of so small a program; it runs untraced.
    "$@" scala 'scala-library scala-compiler scala-reflect scala-xml_2.11' Shapes
}

# class_path ARCHIVES CLASS: sets `path` to them and to $work/classes, into which it compiles CLASS if it is
# one of tests/tracer/programs, or of Scala. Fails with `missing` set to an archive that is not there.
class_path() {
    path=$work/classes
    for jar in $1; do
        missing=$jar.jar
        [ -e "$jars/$missing" ] || return
        path=$path:$jars/$missing
    done
    mkdir -p "$work/classes"
    [ ! -e "$srcdir/tests/tracer/programs/$2.java" ] ||
        javac -nowarn -cp "$path" -sourcepath "$srcdir/tests/tracer/programs" -d "$work/classes" \
            "$srcdir/tests/tracer/programs/$2.java" || return
    [ ! -e "$input/$2.scala" ] ||
        java -cp "$path" scala.tools.nsc.Main -usejavacp -d "$work/classes" "$input/$2.scala"
}

# traces NAME WORD...: traces java with the words. The live heap is that of the virtual machine, within 1% in
# the mean and 3% anywhere.
traces() {
    name=$1
    shift
    compiler=$quick
    case $name in velocity | h2) compiler=-XX:+TieredCompilation ;; esac # some with both compilers
    plain "$name" "$compiler" "$@"
    # When the machine is slow, seconds pass between two uses of a soft reference, and the collector clears
    # it, as it may; the trace holds what it referred to.
    trace "$name" --check="${collections:-40}" -- java "$compiler" -XX:SoftRefLRUPolicyMSPerMB=1000000 "$@"
    # A static initializer of fop is too large, and one of clojure; their traces say so.
    case $name in fop | clojure) sed -i '/^ettrace: method .*: too large when instrumented/d' "$work/$name.err" ;; esac
    same_behaviour "$name" || return
    "$etmerlin" --names="$work/$name.names" --live-check="$work/$name.check" "$work/$name.trace" \
        >"$work/$name.heap" || return
    cat "$work/$name.heap"
    awk '$1 == "mean" { mean = $2 }
         $1 == "least" { least = $2 }
         $1 == "most" { most = $2 }
         END { exit !(mean >= .99 && mean <= 1.01 && least >= .97 && least <= 1.01 && most <= 1.03) }
    ' "$work/$name.heap" && is_valid "$name"
}

# program NAME ARCHIVES WORD...: the test, if all of the archives are there.
program() {
    name=$1
    class_path "$2" "$3" || {
        skip "$name" "there is no $missing (scripts/install-packages programs)"
        return
    }
    shift 2
    check "$name" traces "$name" -cp "$path" "$@"
    rm -f "$work/$name.trace" "$work/$name.check"
}
