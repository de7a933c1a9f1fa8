# SPDX-License-Identifier: MIT
# A trace of 250 objects of two types, held by 37 static fields for some time: awk -v seed=1 -f lives.awk. Other seeds
# make runs with other sizes and lifetimes.
BEGIN {
    srand(seed)
    print "M 1 0 7"
    for (i = 1; i <= 250; i++) {
        print "N", i, 16 + 8 * int(rand() * 20), 1 + (i % 3 > 0), 1, 0, 7
        print "U 0", i, int(rand() * (seed > 1 && i % 3 ? 5 : 37)), 7
        print "M 2 0 7\nE 2 7"
    }
    print "E 1 7"
}
