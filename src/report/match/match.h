/* SPDX-License-Identifier: MIT */
/* How far two runs of a program are the same (etmerlin-reports(5), "Two runs"), and how that is
 * printed. */
#ifndef ETMERLIN_REPORT_MATCH_MATCH_H
#define ETMERLIN_REPORT_MATCH_MATCH_H

#include "report/form/common.h"
#include "report/match/run.h"
#include "report/match/sequences.h"

/* At most so many longer lives are listed. */
enum { LONGER_LISTED = 20 };

/* What lifetimes are measured in: the bytes that the whole program allocates, or those that the
 * thread of the object allocates. */
enum match_clock { CLOCK_PROGRAM, CLOCK_THREAD, MATCH_CLOCKS };

/* Lifetimes of pairs. Each pair counts in one of both_survive, equal, longer, shorter and
 * unknown. It counts in within_1 and within_10 if the lifetimes differ by at most 1% and 10% of
 * that in A, or if both survive. */
struct paired_lifetimes {
    uint64_t pairs;
    uint64_t both_survive;
    uint64_t equal; /* both die, after as many bytes */
    uint64_t within_1;
    uint64_t within_10;
    uint64_t longer; /* B's object lived longer than A's, which died */
    uint64_t longer_bytes;
    uint64_t shorter; /* B's object died: sooner than A's, or A's survived */
    uint64_t unknown; /* B's object survived, but is not older at the end than A's became */
};

/* The first position at which two sequences differ: the allocation of each run there. */
struct first_difference {
    bool exists[RUNS];    /* false: the sequence of that run has ended */
    uint64_t lines[RUNS]; /* 0: the input has no lines */
    uint32_t keys[RUNS];
};

/* A pair of threads, or a thread without a partner, whose objects are not paired. */
struct thread_pair {
    const struct run_thread *threads[RUNS]; /* NULL: there is none */
    uint64_t first;                         /* allocations before the first difference */
    uint64_t paired;                        /* objects */
    uint64_t paired_bytes;
    struct first_difference difference;
    struct paired_runs runs; /* while they are needed */
};

/* A pair whose object lived longer in B, measured in bytes of the program. */
struct longer_life {
    uint64_t allocation;      /* its number in B */
    uint64_t lines[RUNS];     /* 0: the input has no lines */
    uint64_t lifetimes[RUNS]; /* of what survives in B up to the end */
    uint32_t key;
    bool survives; /* in B */
};

/* What an oracle of A leaves unfreed in B. It frees each paired object at its age in A, in
 * bytes of the program. Counted are the bytes of objects that die in B but are not freed by its
 * end. */
struct unfreed {
    uint64_t unpaired; /* the oracle does not know the objects */
    uint64_t immortal; /* A's object survives: it never frees them */
    uint64_t late;     /* it would free them after the end */
};

/* How well sites that A calls long predict B. Survivors that are neither long nor short (struct
 * site_part) are left out of all but `unknown`. */
struct prediction {
    uint64_t known; /* bytes of B that are long or short */
    uint64_t long_bytes;
    uint64_t called;     /* bytes at sites that are called long */
    uint64_t hits;       /* of these, long */
    uint64_t unknown;    /* bytes of survivors */
    uint64_t long_sites; /* sites that are called long, in A */
};

/* Sites, and bytes of B at sites whose lifetimes in the two runs are close. */
struct site_shares {
    uint64_t sites;    /* in either run */
    uint64_t compared; /* sites */
    uint64_t compared_bytes;
    uint64_t below_5, below_10, below_20; /* bytes where the distance is below 0.05, 0.1, 0.2 */
};

struct run_match {
    struct run_common *common;
    struct run *runs; /* RUNS of them */
    struct thread_pair *threads;
    size_t thread_count;
    uint64_t paired;
    uint64_t paired_bytes;
    struct paired_lifetimes lifetimes[MATCH_CLOCKS];
    struct longer_life longer[LONGER_LISTED]; /* the first in B */
    size_t longer_count;
    struct unfreed unfreed;
    struct site_shares shares;
    struct prediction prediction;
    const struct match_site **changed; /* site_list_rank; owned */
    size_t changed_count;
};

/* Compares two runs that run_take has made; they and `common` must outlive *match. Sites are
 * called long as in site_list_compare with `purity`. match_free releases *match, also after a
 * failure. */
enum status match_runs(struct run_match *match, struct run *runs, struct run_common *common,
                       uint64_t purity, const struct interrupt *interrupt,
                       struct failure *why) MUST_CHECK;

/* Whether all allocations of both runs are paired, and no object lived longer in B, measured in
 * bytes of the program. */
bool match_is_whole(const struct run_match *match);

void match_free(struct run_match *match);

/* Where the runs come from. */
struct match_origin {
    struct trace_origin trace; /* of B; no assumptions if both have recorded deaths */
    const char *a;             /* the name of A */
    const char *a_unfinished;  /* as in struct reader */
    bool has_names[RUNS];
    bool is_recorded[RUNS]; /* the deaths are those that the trace has */
    uint64_t purity;        /* percent */
};

/* As text or JSON (match-1), or as a table of one row. */
void match_print(struct print *print, enum report_format format, const struct run_match *match,
                 const struct match_origin *origin);

/* The sites that changed most, as a list "match.sites" of the data of the page; `match` must
 * outlive it. */
struct form_part match_changed(const struct run_match *match);

#endif
