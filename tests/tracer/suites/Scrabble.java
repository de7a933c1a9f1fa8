/* SPDX-License-Identifier: MIT */
package org.renaissance.jdk.streams;

/** A benchmark of Renaissance; its fourth repetition ends by an exception. */
public class Scrabble {
    static int calls;

    public Object run(Runnable iteration) throws Exception {
        iteration.run();
        if (++calls == 4) {
            throw new Exception("the last one");
        }
        return null;
    }
}
