# SPDX-License-Identifier: MIT
# The real programs of Debian that are traced: . "$srcdir/tests/tracer/programs.sh" (after tracer.sh)
# shellcheck shell=sh
jars=/usr/share/java
input=${srcdir:?}/tests/tracer/input
# What programs write goes here, but for a PDF that another one reads. They print other words where files exist.
made=${work:?}/made
mkdir -p "$made"

# real_programs COMMAND...: for each program, runs the command with its name, its archives, and the words for java. The
# archives make the class path (see class_path).
real_programs() {
    "$@" bsh bsh bsh.Interpreter "$input/script.bsh"
    "$@" rhino js org.mozilla.javascript.tools.shell.Main -opt -1 "$input/script.js"
    "$@" velocity 'velocity commons-collections3 commons-lang' Templates 30
    "$@" h2 h2 Database jdbc:h2:mem:test
    "$@" hsqldb hsqldb Database jdbc:hsqldb:mem:test
    # In these programs, only local variables hold many objects for long: a writer with its buffers until the
    # end; a thousand Field objects in a loop of a static initializer.
    "$@" xalan 'xalan2 serializer xml-apis' org.apache.xalan.xslt.Process \
        -IN "$input/list.xml" -XSL "$input/list.xsl"
    # If Eclipse's compiler has an archive of its own, the archive of its Java tools does not contain it.
    compiler=eclipse-jdt-core-compiler-batch
    [ -e "$jars/$compiler.jar" ] || compiler=eclipse-jdt-core
    "$@" ecj "$compiler" org.eclipse.jdt.internal.compiler.batch.Main -17 -proc:none -d none \
        "$srcdir/tests/tracer/programs/Behaviour.java"
    "$@" fop 'fop commons-io serializer xalan2 xml-apis batik-all commons-logging xercesImpl
        xmlgraphics-commons xml-apis-ext fontbox2' -Djava.awt.headless=true \
        -Dorg.apache.commons.logging.Log=org.apache.commons.logging.impl.NoOpLog \
        org.apache.fop.cli.Main -fo "$input/page.fo" -pdf "${work:?}/page.pdf"
}

# more_programs COMMAND...: the same for other programs: two servers that answer 200 requests, a database, an index,
# interpreters, a build tool, a parser generator and a compiler.
more_programs() {
    tomcat=
    for part in catalina coyote util util-scan juli api jni servlet-api jsp-api jasper jasper-el el-api jaspic-api \
        annotations-api; do
        tomcat="$tomcat tomcat10-$part"
    done
    "$@" tomcat "$tomcat" TomcatServer "$made/tomcat"
    "$@" jetty 'jetty9-server jetty9-util jetty9-http jetty9-io servlet-api' JettyServer
    "$@" derby derby Database 'jdbc:derby:memory:test;create=true'
    "$@" lucene 'lucene-core-4.10.4 lucene-analyzers-common-4.10.4' Search
    "$@" groovy groovy-all groovy.ui.GroovyMain "$input/script.groovy"
    "$@" clojure 'clojure spec.alpha core.specs.alpha' clojure.main "$input/script.clj"
    "$@" jython jython org.python.util.jython "$input/script.py"
    "$@" ant 'ant ant-launcher' org.apache.tools.ant.Main -S -f "$input/build.xml"
    "$@" antlr4 'antlr4 antlr4-runtime antlr3-runtime stringtemplate4 treelayout' org.antlr.v4.Tool \
        -o "$made/antlr4" "$input/Sums.g4"
    "$@" xerces 'xercesImpl xml-apis xercesSamples' dom.Writer "$input/list.xml"
    "$@" javac '' com.sun.tools.javac.Main -proc:none -d "$made/javac" "$srcdir/tests/tracer/programs/Behaviour.java"
    # Scala's compiler runs untraced, since it makes 200 million records even for so small a program.
    "$@" scala 'scala-library scala-compiler scala-reflect scala-xml_2.11' Shapes
}

# What the programs of table_programs read: two grammars, a drawing, a sequence, rows to learn from, and rules.
table_inputs() {
    cat >"$work/words.flex" <<'END'
%%
%class Words
%type int
%%
[a-z]+ { return 1; }
[0-9]+ { return 2; }
[^] { return 3; }
END
    cat >"$work/sums.jj" <<'END'
PARSER_BEGIN(Sums) public class Sums {} PARSER_END(Sums)
SKIP : { " " | "\n" }
TOKEN : { <NUMBER: (["0"-"9"])+> | <PLUS: "+"> }
void sum() : {} { <NUMBER> ( <PLUS> <NUMBER> )* <EOF> }
END
    cat >"$work/sums.cup" <<'END'
terminal Integer NUMBER; terminal PLUS;
non terminal Integer sum;
precedence left PLUS;
sum ::= NUMBER:n {: RESULT = n; :} | sum:a PLUS sum:b {: RESULT = a + b; :};
END
    printf '+-----+   +-----+\n| one |-->| two |\n+-----+   +-----+\n' >"$work/boxes.txt"
    printf '@startuml\nA -> B: call\nB --> A: return\n@enduml\n' >"$work/calls.uml"
    awk 'BEGIN {
        print "@relation rows\n@attribute a numeric\n@attribute b numeric\n@attribute c {x, y}\n@data"
        for (i = 0; i < 400; i++) print i % 17 "," i % 5 "," (i % 17 > 8 && i % 5 < 3 ? "x" : "y")
    }' >"$work/rows.arff"
    cat >"$work/rules.xml" <<'END'
<?xml version="1.0"?>
<!DOCTYPE module PUBLIC "-//Checkstyle//DTD Checkstyle Configuration 1.3//EN"
    "https://checkstyle.org/dtds/configuration_1_3.dtd">
<module name="Checker"><module name="TreeWalker"><module name="EmptyBlock"/><module name="UnusedImports"/></module></module>
END
}

# table_programs COMMAND...: the same for programs of which only the table has lines, whose packages are the group
# "table": processors of XML, JSON, HTML and templates; compilers and generators of parsers; what draws, learns, checks
# code and reads PDF; and small programs of the tests, each of which has much of one thing.
table_programs() {
    table_inputs
    "$@" saxon Saxon-HE net.sf.saxon.Query -qs:'sum(for $i in 1 to 2000 return $i * string-length(string($i)))'
    "$@" closure closure-compiler com.google.javascript.jscomp.CommandLineRunner --js "$input/script.js"
    "$@" yui 'yuicompressor js' com.yahoo.platform.yui.compressor.YUICompressor "$input/script.js"
    "$@" ditaa '../ditaa/ditaa commons-cli batik-all xml-apis-ext jericho-html' -Djava.awt.headless=true \
        org.stathissideris.ascii2image.core.CommandLineConverter -o "$work/boxes.txt" "$made/boxes.png"
    "$@" plantuml '../plantuml/plantuml' -Djava.awt.headless=true net.sourceforge.plantuml.Run -tsvg "$work/calls.uml"
    "$@" checkstyle 'checkstyle picocli antlr4-runtime antlr commons-beanutils commons-logging guava
        commons-collections3 Saxon-HE' com.puppycrawl.tools.checkstyle.Main \
        -c "$work/rules.xml" "$srcdir/tests/tracer/programs/Behaviour.java"
    "$@" jflex 'jflex cup_runtime' jflex.Main -q --nobak -d "$made/jflex" "$work/words.flex"
    "$@" javacc javacc org.javacc.parser.Main -OUTPUT_DIRECTORY="$made/javacc" "$work/sums.jj"
    "$@" cup 'java-cup-0.11b cup' java_cup.Main -nosummary -destdir "$made" "$work/sums.cup"
    "$@" weka 'weka java-cup-0.11b-runtime' weka.classifiers.trees.J48 -o -t "$work/rows.arff"
    "$@" pdfbox 'pdfbox commons-logging fontbox' org.apache.pdfbox.ExtractText -console "$work/page.pdf"
    "$@" jackson 'jackson-core jackson-databind jackson-annotations' Json
    "$@" jsoup jsoup Html
    "$@" freemarker freemarker Pages
    for small in Containers Graphs Maps Ranges Texts Thrown; do
        "$@" "$small" '' "$small"
    done
}

# class_path ARCHIVES CLASS: sets `path` to the archives and $work/classes, to which it compiles CLASS if that is a
# program of tests/tracer/programs or of Scala. Fails with `missing` set if an archive is missing.
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

# traces NAME WORD...: traces java with the words. The live heap differs from that of the virtual machine by at most 1%
# on average, and by at most 3% at any time.
traces() {
    name=$1
    shift
    compiler=$quick
    case $name in velocity | h2) compiler=-XX:+TieredCompilation ;; esac # these two run with both compilers
    plain "$name" "$compiler" "$@"
    # On a slow machine, seconds pass between two uses of a soft reference, so the collector may clear it, whereas
    # the trace holds the referent. The option prevents that.
    trace "$name" --check="${collections:-40}" -- java "$compiler" -XX:SoftRefLRUPolicyMSPerMB=1000000 "$@"
    # fop and clojure each have a static initializer that is too large; their traces report it.
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

# program NAME ARCHIVES WORD...: makes the test of a program, if all its archives are there.
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
