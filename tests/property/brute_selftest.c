/* SPDX-License-Identifier: MIT */
/*
 * Pins the brute force itself on traces that were worked out by hand.
 *
 * Most cases are one text: the output that is expected, deaths included. Their input is that
 * text without its D lines.
 */
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "brute.h"

#define FRAME BRUTE_HELD_BY_FRAME

struct death_case {
    const char *rule;
    struct brute_options options;
    const char *output;
};

static const struct death_case death_cases[] = {
    {"The example of the description of the format: what a static field holds lives, and what "
     "is "
     "overwritten in it dies at the next boundary.",
     {.dialect = BRUTE_TIME},
     "M 100 0 1\n"
     "N 1001 16 200 100 0 1\n"
     "N 1002 16 200 100 0 1\n"
     "U 0 1001 300 1\n"
     "U 0 1002 300 1\n"
     "E 100 2\n"
     "D 1001 0 2\n"},

    {"U names the container first, the value second: 5 holds 6. The other way round, 6 would "
     "die "
     "at boundary 2.",
     {.dialect = BRUTE_THREAD},
     "M 1 0 9\n"
     "N 5 16 2 1 0 9\n"
     "N 6 16 2 1 0 9\n"
     "U 5 6 1 9\n"
     "M 2 0 9\n"
     "W 5 2 9\n"
     "E 2 9\n"
     "D 5 9 3\n"
     "D 6 9 3\n"},

    {"N of an id that was named and not allocated adopts its node: 5 holds 6 at boundary 1, "
     "since "
     "its own N is a later use. Deaths of one boundary stand in the order of the allocations.",
     {.dialect = BRUTE_THREAD},
     "W 5 2 9\n"
     "N 6 16 2 1 0 9\n"
     "U 5 6 1 9\n"
     "M 1 0 9\n"
     "N 5 16 2 1 0 9\n"
     "E 1 9\n"
     "D 6 9 2\n"
     "D 5 9 2\n"},

    {"N of an allocated id begins a new object: the old one keeps its slots and stays in the "
     "static field; the new one has none and dies first. D's thread is that of the allocation.",
     {.dialect = BRUTE_THREAD},
     "N 5 16 2 1 0 9\n"
     "A 6 16 2 1 3 9\n"
     "U 5 6 1 9\n"
     "U 0 5 3 9\n"
     "N 5 16 2 1 0 8\n"
     "M 1 0 9\n"
     "D 5 8 1\n"
     "U 0 0 3 9\n"
     "E 1 9\n"
     "D 5 9 2\n"
     "D 6 9 2\n"},

    {"After the second N of 5 the id means the new object, whose slot 1 was never written: 6 "
     "is "
     "not overwritten in it, and stays in the old one, which frame 1 holds.",
     {.dialect = BRUTE_THREAD},
     "N 5 16 2 1 0 9\n"
     "N 6 16 2 1 0 9\n"
     "U 5 6 1 9\n"
     "M 1 5 9\n"
     "N 5 16 2 1 0 9\n"
     "U 5 0 1 9\n"
     "M 2 0 9\n"
     "D 5 9 2\n"
     "E 2 9\n"
     "E 1 9\n"
     "D 5 9 4\n"
     "D 6 9 4\n"},

    {"I, P and V allocate as N and A do.",
     {.dialect = BRUTE_THREAD},
     "I 5 16 2 1 0 9\n"
     "P 6 16 2 1 0 9\n"
     "V 7 16 2 1 0 9\n"
     "E 1 9\n"
     "D 5 9 1\n"
     "D 6 9 1\n"
     "D 7 9 1\n"},

    {"held-by=receiver: an open frame holds its receiver until it is popped, but not what is "
     "named in it (6).",
     {.dialect = BRUTE_THREAD},
     "N 5 16 2 1 0 9\n"
     "M 1 5 9\n"
     "N 6 16 2 1 0 9\n"
     "M 2 0 9\n"
     "D 6 9 2\n"
     "E 2 9\n"
     "E 1 9\n"
     "D 5 9 4\n"},

    {"held-by=none: an M uses its receiver once, after its tick; the frame holds nothing and "
     "its "
     "pop is no use.",
     {.dialect = BRUTE_THREAD, .held_by = BRUTE_HELD_BY_NONE},
     "N 5 16 2 1 0 9\n"
     "M 1 5 9\n"
     "N 6 16 2 1 0 9\n"
     "M 2 0 9\n"
     "D 5 9 2\n"
     "D 6 9 2\n"
     "E 2 9\n"
     "E 1 9\n"},

    {"held-by=frame: the innermost frame holds its receiver and what is named in it. Outside "
     "any "
     "frame nothing is held (7).",
     {.dialect = BRUTE_THREAD, .held_by = FRAME},
     "N 5 16 2 1 0 9\n"
     "N 7 16 2 1 0 9\n"
     "M 1 5 9\n"
     "D 7 9 1\n"
     "N 6 16 2 1 0 9\n"
     "M 2 0 9\n"
     "E 2 9\n"
     "E 1 9\n"
     "D 5 9 4\n"
     "D 6 9 4\n"},

    {"held-by=frame: a thread's record is held by no other thread's frame, and the receiver of "
     "an "
     "M by its own frame, not by the caller's.",
     {.dialect = BRUTE_THREAD, .held_by = FRAME},
     "N 5 16 2 1 0 7\n"
     "M 1 0 9\n"
     "N 6 16 2 1 0 8\n"
     "M 2 5 9\n"
     "D 6 8 2\n"
     "E 2 9\n"
     "D 5 7 3\n"
     "E 1 9\n"},

    {"held-by=frame: the old value of a U is used, not named: frame 1 does not hold 5.",
     {.dialect = BRUTE_THREAD, .held_by = FRAME},
     "N 5 16 2 1 0 9\n"
     "N 6 16 2 1 0 9\n"
     "U 0 5 3 9\n"
     "M 1 0 9\n"
     "U 0 6 3 9\n"
     "M 2 0 9\n"
     "D 5 9 2\n"
     "E 2 9\n"
     "E 1 9\n"},

    {"held-by=frame: of an X the exception only is held, by the frame that is innermost after "
     "it.",
     {.dialect = BRUTE_THREAD, .held_by = FRAME},
     "M 1 0 9\n"
     "M 2 0 9\n"
     "N 5 16 2 1 0 9\n"
     "N 6 16 2 1 0 9\n"
     "X 2 5 6 9\n"
     "D 5 9 3\n"
     "M 3 0 9\n"
     "E 3 9\n"
     "E 1 9\n"
     "D 6 9 6\n"},

    {"X: its receiver (5) and that of the popped frame (7) are in use until just before the "
     "tick, "
     "the exception (6) is still in flight after it.",
     {.dialect = BRUTE_THREAD},
     "N 5 16 2 1 0 9\n"
     "N 6 16 2 1 0 9\n"
     "N 7 16 2 1 0 9\n"
     "M 1 7 9\n"
     "X 1 5 6 9\n"
     "D 5 9 2\n"
     "D 7 9 2\n"
     "M 2 0 9\n"
     "D 6 9 3\n"
     "E 2 9\n"},

    {"X of a method that is not open pops nothing, ticks, and uses what it names all the same.",
     {.dialect = BRUTE_THREAD},
     "N 5 16 2 1 0 9\n"
     "N 6 16 2 1 0 9\n"
     "N 7 16 2 1 0 9\n"
     "M 1 7 9\n"
     "X 2 5 6 9\n"
     "D 5 9 2\n"
     "E 3 9\n"
     "D 6 9 3\n"
     "E 1 9\n"
     "D 7 9 4\n"},

    {"T and H use receiver and exception, and pop nothing.",
     {.dialect = BRUTE_THREAD},
     "N 5 16 2 1 0 9\n"
     "N 6 16 2 1 0 9\n"
     "N 7 16 2 1 0 9\n"
     "M 1 7 9\n"
     "T 1 5 6 9\n"
     "M 2 0 9\n"
     "D 5 9 2\n"
     "H 1 0 6 9\n"
     "E 2 9\n"
     "D 6 9 3\n"
     "E 1 9\n"
     "D 7 9 4\n"},

    {"M ticks first and then uses its receiver: 5 is alive at boundary 2.",
     {.dialect = BRUTE_THREAD, .held_by = BRUTE_HELD_BY_NONE},
     "N 5 16 2 1 0 9\n"
     "M 1 0 9\n"
     "M 2 5 9\n"
     "E 2 9\n"
     "D 5 9 3\n"},

    {"The old value of an overwritten slot stays reachable until the U: 5 is alive at boundary "
     "2, "
     "dead at 3, while its container 6 lives on.",
     {.dialect = BRUTE_THREAD},
     "N 5 16 2 1 0 9\n"
     "N 6 16 2 1 0 9\n"
     "U 6 5 1 9\n"
     "M 1 0 9\n"
     "M 2 0 9\n"
     "U 6 0 1 9\n"
     "E 2 9\n"
     "D 5 9 3\n"
     "W 6 2 9\n"
     "E 1 9\n"
     "D 6 9 4\n"},

    {"A slot is container and field: another field, or the field of a static store, overwrites "
     "nothing.",
     {.dialect = BRUTE_THREAD},
     "N 5 16 2 1 0 9\n"
     "N 6 16 2 1 0 9\n"
     "U 6 5 1 9\n"
     "U 6 0 2 9\n"
     "U 0 0 1 9\n"
     "U 0 6 1 9\n"
     "E 1 9\n"},

    {"A frame that an exit passes over was abandoned: 7 is used by its M and not held.",
     {.dialect = BRUTE_THREAD},
     "N 5 16 2 1 0 9\n"
     "N 6 16 2 1 0 9\n"
     "N 7 16 2 1 0 9\n"
     "M 1 5 9\n"
     "M 2 6 9\n"
     "M 3 7 9\n"
     "M 4 0 9\n"
     "D 7 9 4\n"
     "E 2 9\n"
     "D 6 9 5\n"
     "E 1 9\n"
     "D 5 9 6\n"},

    {"X abandons the frames above its method's as E does. Its own frame held 6, and an inner "
     "frame of the same method was left before.",
     {.dialect = BRUTE_THREAD},
     "N 5 16 2 1 0 9\n"
     "N 6 16 2 1 0 9\n"
     "N 7 16 2 1 0 9\n"
     "M 2 6 9\n"
     "M 2 5 9\n"
     "E 2 9\n"
     "D 5 9 3\n"
     "M 3 7 9\n"
     "M 4 0 9\n"
     "D 7 9 5\n"
     "X 2 0 0 9\n"
     "D 6 9 6\n"},

    {"What an abandoned frame does not hold, a frame that is left may: 5 is the receiver of "
     "both. Other records than M use the receiver of an abandoned frame, too (6).",
     {.dialect = BRUTE_THREAD},
     "N 5 16 2 1 0 9\n"
     "N 6 16 2 1 0 9\n"
     "M 1 5 9\n"
     "M 2 5 9\n"
     "M 3 6 9\n"
     "W 6 2 9\n"
     "M 4 0 9\n"
     "D 6 9 4\n"
     "E 1 9\n"
     "D 5 9 5\n"},

    {"An exit in one thread abandons no frame of another. An exit of a method that is not open "
     "abandons none.",
     {.dialect = BRUTE_THREAD},
     "N 5 16 2 1 0 9\n"
     "M 1 0 9\n"
     "M 2 5 8\n"
     "E 3 8\n"
     "E 1 9\n"
     "E 2 8\n"
     "D 5 9 5\n"},

    {"A frame that is open at the end was not abandoned: it holds to the end.",
     {.dialect = BRUTE_THREAD},
     "N 5 16 2 1 0 9\n"
     "N 6 16 2 1 0 9\n"
     "M 1 5 9\n"
     "M 2 0 9\n"
     "M 3 6 9\n"
     "E 2 9\n"
     "D 6 9 4\n"
     "M 4 0 9\n"},

    {"held-by=frame: an abandoned frame holds what was named in it until it is popped.",
     {.dialect = BRUTE_THREAD, .held_by = FRAME},
     "N 5 16 2 1 0 9\n"
     "M 1 0 9\n"
     "M 2 5 9\n"
     "N 6 16 2 1 0 9\n"
     "M 3 0 9\n"
     "E 3 9\n"
     "E 1 9\n"
     "D 5 9 5\n"
     "D 6 9 5\n"},

    {"Time dialect: frames of the one stack are abandoned as those of a thread.",
     {.dialect = BRUTE_TIME},
     "N 5 16 2 1 0 0\n"
     "M 1 0 1\n"
     "M 2 5 2\n"
     "M 3 0 3\n"
     "D 5 0 3\n"
     "E 1 4\n"},

    {"An exit leaves the innermost frame of its method.",
     {.dialect = BRUTE_THREAD},
     "N 5 16 2 1 0 9\n"
     "N 6 16 2 1 0 9\n"
     "M 1 5 9\n"
     "M 1 6 9\n"
     "E 1 9\n"
     "D 6 9 3\n"
     "E 1 9\n"
     "D 5 9 4\n"},

    {"An exit of a method that is not open in its thread pops nothing, and the clock ticks.",
     {.dialect = BRUTE_THREAD},
     "N 5 16 2 1 0 9\n"
     "M 1 5 9\n"
     "E 2 9\n"
     "E 1 8\n"
     "E 1 9\n"
     "D 5 9 4\n"},

    {"Cycles die together, and a self reference keeps nothing alive.",
     {.dialect = BRUTE_THREAD},
     "N 5 16 2 1 0 9\n"
     "N 6 16 2 1 0 9\n"
     "N 7 16 2 1 0 9\n"
     "U 5 6 1 9\n"
     "U 6 5 1 9\n"
     "U 7 7 1 9\n"
     "M 1 6 9\n"
     "D 7 9 1\n"
     "E 1 9\n"
     "D 5 9 2\n"
     "D 6 9 2\n"},

    {"A receiver of a frame that is open at the end never dies, nor does what it reaches.",
     {.dialect = BRUTE_THREAD},
     "N 5 16 2 1 0 9\n"
     "N 6 16 2 1 0 9\n"
     "M 1 5 9\n"
     "U 5 6 1 9\n"
     "M 2 0 9\n"
     "E 2 9\n"},

    {"unallocated=last-use: an object that is never allocated dies silently.",
     {.dialect = BRUTE_THREAD},
     "N 6 16 2 1 0 9\n"
     "U 5 6 1 9\n"
     "E 1 9\n"
     "D 6 9 1\n"},

    {"unallocated=immortal: 5 is a root, whose slot 1 holds 6 until it is overwritten. 7 is "
     "allocated later, so it is none, and 8 does not outlive its last use.",
     {.dialect = BRUTE_THREAD, .unallocated = BRUTE_IMMORTAL},
     "N 6 16 2 1 0 9\n"
     "N 8 16 2 1 0 9\n"
     "U 5 6 1 9\n"
     "U 7 8 1 9\n"
     "N 7 16 2 1 0 9\n"
     "M 1 0 9\n"
     "D 8 9 1\n"
     "D 7 9 1\n"
     "U 5 0 1 9\n"
     "E 1 9\n"
     "D 6 9 2\n"},

    {"at-end=die: what is left dies after the last line, at the last boundary's clock.",
     {.dialect = BRUTE_THREAD, .at_end = BRUTE_DIE},
     "N 5 16 2 1 0 9\n"
     "N 4 16 2 1 0 9\n"
     "M 1 5 9\n"
     "D 4 9 1\n"
     "N 6 16 2 1 0 8\n"
     "U 0 6 1 8\n"
     "# end\n"
     "D 5 9 1\n"
     "D 6 8 1\n"},

    {"at-end=die without any boundary: the time is 0.",
     {.dialect = BRUTE_TIME, .at_end = BRUTE_DIE},
     "N 5 16 2 1 0 7\n"
     "D 5 0 0\n"},

    {"Time dialect: a boundary's clock is its LAST. A clock that stands still or jumps does no "
     "harm, for the first boundary after a use is so by position. Threads are 0.",
     {.dialect = BRUTE_TIME, .at_end = BRUTE_DIE},
     "M 1 0 5\n"
     "N 5 16 2 1 0 5\n"
     "M 2 0 5\n"
     "D 5 0 5\n"
     "N 6 16 2 1 0 5\n"
     "E 2 90\n"
     "D 6 0 90\n"
     "N 7 16 2 1 0 91\n"
     "D 7 0 90\n"},

    {"Time dialect: all records share one stack of frames.",
     {.dialect = BRUTE_TIME},
     "N 5 16 2 1 0 0\n"
     "M 1 5 1\n"
     "M 2 0 2\n"
     "E 2 3\n"
     "E 1 4\n"
     "D 5 0 4\n"},

    {"A thread's id is no use of the object with the same id, and 2^64 - 1 is an id.",
     {.dialect = BRUTE_THREAD},
     "N 18446744073709551615 16 2 1 0 18446744073709551615\n"
     "M 1 0 18446744073709551615\n"
     "D 18446744073709551615 18446744073709551615 1\n"
     "E 1 18446744073709551615\n"},

    {"Comments and unknown records use nothing; a method, class or field id names no object.",
     {.dialect = BRUTE_THREAD},
     "N 5 16 2 1 0 9\n"
     "E 1 9\n"
     "D 5 9 1\n"
     "# W 5 2 9\n"
     "Z 5\n"
     "\n"
     " \t \n"
     "W 6 5 9\n"
     "U 6 6 5 9\n"
     "E 5 9\n"},

    {"A null receiver, exception, value or container is no object.",
     {.dialect = BRUTE_THREAD, .held_by = FRAME},
     "M 1 0 9\n"
     "T 1 0 0 9\n"
     "U 0 0 1 9\n"
     "X 1 0 0 9\n"},

    {"death-thread replaces the thread, in the time dialect too.",
     {.dialect = BRUTE_TIME, .has_death_thread = true, .death_thread = 33},
     "N 5 16 2 1 0 0\n"
     "M 1 0 1\n"
     "D 5 33 1\n"},
};

/* Cases about the text itself, or where D lines stand in the input. */
struct text_case {
    const char *rule;
    struct brute_options options;
    bool deaths_only;
    const char *input;
    const char *output;
};

static const struct text_case text_cases[] = {
    {"An empty trace stays empty, whatever dies at its end.",
     {.at_end = BRUTE_DIE},
     false,
     "",
     ""},
    {"D lines end as the boundary that they follow.",
     {.dialect = BRUTE_THREAD},
     false,
     "N 5 16 2 1 0 9\nE 1 9\r\nN 6 16 2 1 0 9\r\nE 1 9\n",
     "N 5 16 2 1 0 9\nE 1 9\r\nD 5 9 1\r\nN 6 16 2 1 0 9\r\nE 1 9\nD 6 9 2\n"},
    {"At the end, D lines end as the last line.",
     {.at_end = BRUTE_DIE},
     false,
     "N 5 16 2 1 0 9\n#\r\n",
     "N 5 16 2 1 0 9\n#\r\nD 5 9 0\r\n"},
    {"Behind a line without a newline, D lines begin with one.",
     {.at_end = BRUTE_DIE},
     false,
     "N 5 16 2 1 0 9\nN 6 16 2 1 0 9\nM 1 6 9",
     "N 5 16 2 1 0 9\nN 6 16 2 1 0 9\nM 1 6 9\nD 5 9 1\nD 6 9 1"},
    {"Behind a last line that ends in CR alone, D lines begin with LF, which completes its "
     "CRLF.",
     {.dialect = BRUTE_THREAD},
     false,
     "N 5 16 2 1 0 9\nE 1 9\r",
     "N 5 16 2 1 0 9\nE 1 9\r\nD 5 9 1"},
    {"Ids are values, not text, and fields stand between blanks of any kind and number.",
     {.dialect = BRUTE_THREAD},
     false,
     " N\t007 16  2 1 0\t 009 \nM 1 00 9\n\tW 7 2 09\nE 01 9\n",
     " N\t007 16  2 1 0\t 009 \nM 1 00 9\n\tW 7 2 09\nE 01 9\nD 7 9 2\n"},
    {"D records of the input are no use of the object, and stay where they are.",
     {.dialect = BRUTE_THREAD},
     false,
     "N 5 16 2 1 0 9\nE 1 9\nD 5 1 1\nE 1 9\n",
     "N 5 16 2 1 0 9\nE 1 9\nD 5 9 1\nD 5 1 1\nE 1 9\n"},
    {"replace-deaths drops the D lines of the input, also a last one without a newline.",
     {.replace_deaths = true, .at_end = BRUTE_DIE},
     false,
     "N 5 16 2 1 0 9\nD 5 1 1\r\n#D 5\nD 6 1 1",
     "N 5 16 2 1 0 9\n#D 5\nD 5 9 0\n"},
    {"deaths-only writes D lines ended by LF, and nothing else.",
     {.at_end = BRUTE_DIE},
     true,
     "# x\r\nN 5 16 2 1 0 9\r\nN 6 16 2 1 0 9\r\nM 1 5 9\r",
     "D 6 9 1\nD 5 9 1\n"},
};

/* Traces that are not well-formed, and the line that says so. */
static const struct bad_case {
    const char *input;
    size_t line;
} bad_cases[] = {
    {"# x\n\nM 1 0\n", 3},
    {"M 1 0 9 9\n", 1},
    {"E 1 9\nW 5 x 9\n", 2},
    {"W 5 -1 9\n", 1},
    {"W 18446744073709551616 1 1\n", 1},
};

static const struct auto_case {
    const char *input;
    enum brute_dialect dialect;
} auto_cases[] = {
    {"", BRUTE_THREAD},
    {"M 1 0 1\n", BRUTE_THREAD}, /* fewer than two boundaries */
    {"M 1 0 1\nE 1 2\n", BRUTE_TIME},
    {"M 1 0 7\nW 5 5 5\nX 1 0 0 8\nE 1 9\n", BRUTE_TIME},
    {"M 1 0 1\nE 1 1\n", BRUTE_THREAD},
    {"M 1 0 1\nE 1 3\n", BRUTE_THREAD},
    {"M 1 0 2\nE 1 1\n", BRUTE_THREAD},
    {"M 1 0 1\nM 2 0 2\nE 2 2\n", BRUTE_THREAD},
    {"M 1 0 18446744073709551615\nE 1 0\n", BRUTE_THREAD}, /* 2^64 is not 0 */
};

/* ---- Running them ---- */

static unsigned tests;
static unsigned failures;

static void check(bool good, const char *what)
{
    failures += !good;
    tests++;
    printf("%s - %.*s\n", good ? "ok" : "not ok", (int)strcspn(what, "\r\n"), what);
}

static bool is_string(const struct text *text, const char *string)
{
    size_t size = strlen(string);

    return text->size == size && (size == 0 || memcmp(text->data, string, size) == 0);
}

static void check_output(const char *rule, const struct brute_options *options,
                         bool deaths_only, const struct text *input, const char *expected)
{
    struct text output = {0};
    size_t bad_line = 0;
    bool good;

    if (deaths_only)
        good = brute_deaths(input->data, input->size, options, &output, &bad_line);
    else
        good = brute_trace(input->data, input->size, options, &output, &bad_line);
    good = good && is_string(&output, expected);
    check(good, rule);
    if (!good)
        printf("expected:\n%s\ngot:\n%.*s\n", expected, (int)output.size,
               output.data == NULL ? "" : output.data);
    text_free(&output);
}

/* Appends the lines of a text that do not begin with D (or, with deaths, only those). */
static void append_lines(struct text *output, const char *text, bool deaths)
{
    while (*text != '\0') {
        size_t size = strcspn(text, "\n") + 1;

        if ((*text == 'D') == deaths)
            text_append(output, text, size);
        text += size;
    }
}

static void check_death_case(const struct death_case *item)
{
    struct text input = {0};
    struct text deaths = {0};

    append_lines(&input, item->output, false);
    append_lines(&deaths, item->output, true);
    text_append(&deaths, "", 1);
    check_output(item->rule, &item->options, false, &input, item->output);
    check_output(item->rule, &item->options, true, &input, deaths.data);
    text_free(&input);
    text_free(&deaths);
}

static void check_text_case(const struct text_case *item)
{
    struct text input = {0};

    text_string(&input, item->input);
    check_output(item->rule, &item->options, item->deaths_only, &input, item->output);
    text_free(&input);
}

static void check_bad_case(const struct bad_case *item)
{
    struct brute_options options = {.dialect = BRUTE_THREAD};
    struct text output = {0};
    size_t line = 0;
    bool good = brute_trace(item->input, strlen(item->input), &options, &output, &line);

    check(!good && line == item->line && output.size == 0, item->input);
    text_free(&output);
}

static void check_auto_case(const struct auto_case *item)
{
    enum brute_dialect dialect = BRUTE_THREAD;
    size_t line;
    bool good = brute_auto_dialect(item->input, strlen(item->input), &dialect, &line);

    check(good && dialect == item->dialect, item->input);
}

/* A thousand boundaries a tick apart are a clock, whatever follows; 999 are not enough. */
static void check_auto_limit(uint64_t boundaries, enum brute_dialect expected)
{
    enum brute_dialect dialect = BRUTE_THREAD;
    struct text trace = {0};
    size_t line;

    for (uint64_t i = 0; i < boundaries; i++) {
        text_string(&trace, "E 1 ");
        text_number(&trace, i);
        text_string(&trace, "\n");
    }
    text_string(&trace, "E 1 5000\n");
    check(brute_auto_dialect(trace.data, trace.size, &dialect, &line) && dialect == expected,
          "The dialect is decided by the first 1000 boundaries.");
    text_free(&trace);
}

#define EACH(item, array)                                                                      \
    for (size_t item = 0; item < sizeof(array) / sizeof((array)[0]); item++)

int main(void)
{
    EACH(i, death_cases)
    check_death_case(&death_cases[i]);
    EACH(i, text_cases)
    check_text_case(&text_cases[i]);
    EACH(i, bad_cases)
    check_bad_case(&bad_cases[i]);
    EACH(i, auto_cases)
    check_auto_case(&auto_cases[i]);
    check_auto_limit(999, BRUTE_THREAD);
    check_auto_limit(1000, BRUTE_TIME);
    printf("1..%u\n", tests);
    return failures == 0 ? 0 : 1;
}
