# SPDX-License-Identifier: MIT
# Prints a Java program, the class Random, whose statements depend on `seed`. Two threads call its methods in turns, so
# that its records are the same in each run. All of its objects are of classes of its own, or arrays of short or Node.
function below(n) { return int(rand() * n) }
# One of the words of the list, in which _ stands for a space.
function pick(list, part, word) {
    word = part[1 + below(split(list, part, " "))]
    gsub(/_/, " ", word)
    return word
}
function line(text) { printf "%s%s\n", substr("                                        ", 1, 4 * indent), text }
function open(text) { line(text " {"); indent++ }
function close_block(text) { indent--; line("}" text) }
function node() { return pick("p n p n p.next n.next row[1] this.first last(n)") }
function array() { return pick("v v w this.data data this.other.data") }
function nodes() { return pick("row row this.row") }
function number() { return pick("s s i " below(5) " p.value n.value v[2] w[" below(4) "] " array() ".length count shared") }
function condition() {
    return pick("(s&1)==0 " number() "%3==1 p==n p.next!=n n!=null row[" below(4) "]!=p p.value<n.value " \
        "(Object)p.next==row[0]")
}
function place() { return array() "[" below(4) "]" }
# A loop without calls, of which many uses can be recorded where it is entered. The jump over the first store goes there.
function loop(depth, i, values, count, kind) {
    i = "i" ++made
    values = "values" made
    line("short[] " values " = " pick("v w w data null") ";")
    line("int " i " = " pick("3 2 0") ";")
    open("try")
    line("if (" condition() ") " i " = 3;")
    open("while (" i "-- > 0)")
    for (count = 1 + below(4); count > 0; count--) {
        kind = below(depth > 0 ? 12 : 11)
        if (kind < 3) line("s += " values "[" i "&3];")
        else if (kind == 3) line("s += " array() ".length + " number() ";")
        else if (kind == 4) line(pick(values " v") "[" i "&3] += (short) " number() ";")
        else if (kind == 5) line("if (" condition() ") " pick("break continue " i "-- s++") ";")
        else if (kind == 6) line(pick("p n") " = " pick("p.next n row[2]") ";")
        else if (kind == 7) line(nodes() "[" i "&3] = " pick("p n") ";")
        else if (kind == 8) line("if (" condition() ") throw new Oops();")
        else if (kind < 11) line("s += p.value + n.value++ + this.count;")
        else loop(depth - 1)
    }
    close_block("")
    indent--; line("} catch (" pick("NullPointerException RuntimeException") " thrown" ++made ") {"); indent++
    line("s += " pick("p.value v[1] n.value") ";")
    close_block("")
}
function statement(depth, kind, i) {
    kind = below(depth > 0 ? 29 : 15)
    if (kind == 0) line("s += " number() " + " number() ";")
    else if (kind == 1) line(place() " = (short) " number() ";")
    else if (kind == 2) line("n.value += " number() ";")
    else if (kind == 3) line("p = " node() ";")
    else if (kind == 4) line("n = " node() ";")
    else if (kind == 5) line(pick("p n n") ".next = " node() ";")
    else if (kind == 6) line(nodes() "[" below(4) "] = " node() ";")
    else if (kind == 7) line("n = " pick("new_Node(p) p.copy() fresh(n)") ";")
    else if (kind == 8) line(pick("v w") " = " pick("new_short[4] data other.data v w") ";")
    else if (kind == 9) line(pick("count shared") " += " number() ";")
    else if (kind == 10) line("Object object" ++made " = " node() "; s += ((Node) object" made ").value;")
    else if (kind == 11) line("s += " array() "[" below(4) "] + " array() "[" below(4) "] + " array() ".length;")
    else if (kind == 12) line(pick("first kept other.first") " = " node() ";")
    else if (kind == 13) line("other.count++;")
    else if (kind == 14) line("s += p.value + p.value + n.value + this.count + this.data[1];")
    else if (kind < 18) {
        open("if (" condition() ")"); block(depth - 1)
        if (below(2)) { indent--; line("} else {"); indent++; block(depth - 1) }
        close_block("")
    } else if (kind < 21) {
        i = "i" ++made
        open("for (int " i " = 0; " i " < " pick("3 2 v.length w.length data.length row.length 0") "; " i "++)")
        line(pick("s_+=_v[" i "&3]; s_+=_w[" i "&3]; v[" i "&3]++; s_+=_data[" i "&3]; s_+=_row[" i "&3].value;"))
        block(depth - 1)
        close_block("")
    } else if (kind == 21) {
        open("try"); block(depth - 1)
        line("if (" condition() ") throw new Oops();"); block(depth - 1)
        indent--; line("} catch (Oops oops" ++made ") {"); indent++; block(depth - 1); close_block("")
    } else if (kind == 22) { open("synchronized (" pick("p n this") ")"); block(depth - 1); close_block("") }
    else if (kind == 23) line("if (depth > 0) s += m" below(METHODS) "(" node() ", " pick("v w data") ", depth - 1);")
    else if (kind == 24) {
        i = "i" ++made
        line("int " i " = 0;"); open("do"); block(depth - 1); line("s += " array() "[" i "];"); close_block(" while (++" i " < 3);")
    } else if (kind < 28) loop(depth)
    else {
        open("switch (s & 3)")
        line("case 0:"); block(depth - 1); line("case 1:"); block(depth - 1); line("break;")
        line("default:"); block(depth - 1); close_block("")
    }
}
function block(depth, count) {
    for (count = 1 + below(4); count > 0; count--)
        statement(depth)
}
BEGIN {
    srand(seed)
    METHODS = 5
    open("public class Random implements Runnable")
    line("static class Oops extends RuntimeException { Oops() { super(null, null, false, false); } }")
    open("static class Node")
    line("int value = 1;"); line("Node next;")
    line("Node(Node next) { this.next = next == null ? this : next; }")
    line("Node copy() { Node made = new Node(next); made.value = value; return made; }")
    close_block("")
    line("static final java.util.concurrent.Semaphore[] turns = { new java.util.concurrent.Semaphore(0), new java.util.concurrent.Semaphore(0), new java.util.concurrent.Semaphore(0) };")
    line("static volatile int shared;"); line("static Node kept = new Node(null);")
    line("Node first = new Node(null);"); line("short[] data = new short[4];")
    line("Node[] row = {first, first, new Node(first), first};"); line("int count;"); line("Random other = this;"); line("final int mine;"); line("int sum;")
    line("Random(int mine) { this.mine = mine; }")
    line("static final Random one = new Random(0), two = new Random(1);"); line("static final Thread ONE = new Thread(one);")
    line("Node last(Node n) { return n.next.next; }"); line("static Node fresh(Node n) { return new Node(n); }")
    for (method = 0; method < METHODS; method++) {
        open("int m" method "(Node p, short[] v, int depth)")
        line("int s = depth, i = 1;"); line("Node n = p;"); line("short[] w = data;"); line("Node[] row = this.row;")
        block(3); block(3)
        line("return s;"); close_block("")
    }
    # All boundaries of the threads are in one order, the last ones, too.
    open("public void run()")
    line("turns[2].release();")
    open("for (int round = 0; round < 12; round++)")
    line("turns[mine].acquireUninterruptibly();")
    for (method = 0; method < METHODS; method++)
        line("try { sum += m" method "(first, data, 2); } catch (Oops oops) { sum++; }")
    line("turns[1 - mine].release();")
    close_block("")
    line("if (mine == 0) turns[0].acquireUninterruptibly();")
    open("try"); line("if (mine == 1) ONE.join();"); close_block(" catch (InterruptedException e) { sum = 0; }")
    close_block("")
    open("public static void main(String[] arguments) throws Exception")
    line("one.other = two;"); line("two.other = one;"); line("Thread second = new Thread(two);")
    line("ONE.start(); turns[2].acquire(); second.start(); turns[2].acquire();")
    line("turns[0].release(); ONE.join(); second.join();")
    line("System.out.println(one.sum + \" \" + two.sum + \" \" + kept.value);")
    close_block(""); close_block("")
}
