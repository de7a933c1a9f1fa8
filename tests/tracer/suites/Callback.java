/* SPDX-License-Identifier: MIT */
package org.dacapo.harness;

/** Methods of DaCapo's class pass their calls on to others of the same name. */
public class Callback {
    public void start(String benchmark) {
        start(benchmark, true);
    }

    protected void start(String benchmark, boolean isWarmup) {}

    public void complete(String benchmark, boolean isValid) {
        complete(benchmark, isValid, true);
    }

    protected void complete(String benchmark, boolean isValid, boolean isWarmup) {
        if (!isWarmup) {
            throw new IllegalStateException();
        }
    }
}
