/* SPDX-License-Identifier: MIT */
package org.openjdk.jmh.runner;

/** JMH's class runs an iteration within a call of the same name. */
public class BenchmarkHandler {
    static int depth;

    public void runIteration(Runnable iteration) {
        if (depth++ == 0) {
            runIteration(iteration);
            iteration.run();
        }
        depth--;
    }
}
