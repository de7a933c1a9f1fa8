/* SPDX-License-Identifier: MIT */
/* The check as text: the verdict first, then how allocations are freed and what is wrong with
 * rows, what lateness costs, and examples with the lines of both files. */
#include "report/check/check_print.h"

#include <inttypes.h>

static void print_head(struct print *print, const struct check *check,
                       const struct check_names *names)
{
    uint64_t faults = check_faulty_allocations(check) + check->matching->faulty_count;
    print_text(print, "trace      %s\n", names->trace);
    print_text(print, "oracle     %s (%s)\n", names->oracle,
               check_form_name(check->matching->form));
    if (faults == 0)
        print_text(print, "verdict    nothing is freed before its last use\n");
    else
        print_text(print, "verdict    %" PRIu64 " fault%s\n", faults, faults == 1 ? "" : "s");
    if (names->lifetimes)
        print_text(print,
                   "note       the format %s tells of no uses: an object may be freed as soon "
                   "as it is there\n",
                   names->lifetimes);
}

static void check_text_print_counts(struct print *print, const struct check *check)
{
    static const char *const verdicts[VERDICTS] = {"at the first allocation after the last use",
                                                   "at a later one", "not before the end",
                                                   "before a record that uses it", "no row"};
    static const char *const faults[ROW_FAULTS] = {
        "of a number or id that the trace does not have",
        "the allocation has another id",
        "the allocation has another size",
        "a row before frees it, too",
        "allocated before that of a row before",
        "freed at an allocation that does not exist"};
    char name[32];
    print_count(print, "\nallocations", check->traced->count, check->traced->count, "");
    for (unsigned i = 0; i < VERDICTS; i++) {
        snprintf(name, sizeof name, "  %s", check_verdict_name((enum check_verdict)i));
        print_count(print, name, check->figures.verdicts[i], check->traced->count, verdicts[i]);
    }
    print_count(print, "rows", check->matching->rows, check->matching->rows, "");
    for (unsigned i = 0; i < ROW_FAULTS; i++) {
        snprintf(name, sizeof name, "  %s", check_fault_name((enum row_fault)i));
        print_count(print, name, check->figures.faults[i], check->matching->rows, faults[i]);
    }
}

static void check_text_print_distribution(struct print *print, const char *name,
                                          const struct distribution *numbers)
{
    if (numbers->count > 0)
        print_text(print,
                   "%-23s %11" PRIu64 " %11" PRIu64 " %11" PRIu64 " %13" PRIu64 " %11" PRIu64
                   ".%02u\n",
                   name, numbers->min, numbers->median, numbers->p90, numbers->max,
                   numbers->mean, numbers->mean_hundredths);
}

static void check_text_print_live(struct print *print, const struct check *check,
                                  const char *name, const struct live_bytes *live)
{
    wide_sum mean = figures_mean(live->sum, check->traced->count);
    print_text(print, "%-23s %14" PRIu64 " %14" PRIu64 ".%02u\n", name, live->peak,
               (uint64_t)(mean / 100), (unsigned)(mean % 100));
}

static void print_cost(struct print *print, const struct check *check)
{
    const struct check_figures *figures = &check->figures;
    if (check->traced->count == 0)
        return;
    if (figures->late.bytes.count + figures->never.bytes.count > 0)
        print_text(print, "\n%-23s %11s %11s %11s %13s %14s\n", "freed later than needed",
                   "min", "median", "90%", "max", "mean");
    check_text_print_distribution(print, "  late: allocations", &figures->late.allocations);
    check_text_print_distribution(print, "  late: bytes", &figures->late.bytes);
    check_text_print_distribution(print, "  never: allocations", &figures->never.allocations);
    check_text_print_distribution(print, "  never: bytes", &figures->never.bytes);
    print_text(print, "\n%-23s %14s %17s\n", "live bytes", "peak", "mean");
    check_text_print_live(print, check, "  as the oracle frees", &figures->freed);
    check_text_print_live(print, check, "  all freed on time", &figures->least);
}

static void check_text_print_allocations(struct print *print, const struct check *check,
                                         uint64_t show)
{
    uint64_t faulty = check_faulty_allocations(check), shown = 0;
    if (faulty == 0 || show == 0)
        return;
    print_title(print, show, faulty, "allocations with faults");
    print_text(print, "%12s %11s %11s %16s %16s  %s\n", "in oracle", "in trace", "object",
               "freed before", "last use", "verdict");
    for (size_t i = 0; shown < show && shown < faulty; i++) {
        struct check_oracle_row row = check_oracle_row(check, i);
        if (row.verdict != VERDICT_EARLY && row.verdict != VERDICT_MISSING)
            continue;
        print_cell(print, 11, row.oracle_line > 0, row.oracle_line);
        print_cell(print, 11, row.line > 0, row.line);
        print_cell(print, 11, row.object > 0, row.object);
        print_cell(print, 16, row.freed_line > 0, row.freed_line);
        print_cell(print, 16, row.used_line > 0, row.used_line);
        print_text(print, "  %s\n", check_verdict_name(row.verdict));
        shown++;
    }
}

static void check_text_print_rows(struct print *print, const struct check *check, uint64_t show)
{
    const struct matching *matching = check->matching;
    if (matching->faulty_count == 0 || show == 0)
        return;
    print_title(print, show, matching->faulty_count, "rows with faults");
    print_text(print, "%12s %11s %11s  %s\n", "in oracle", "in trace", "object", "fault");
    for (size_t i = 0; i < show && i < matching->faulty_count; i++) {
        const struct faulty_row *row = &matching->faulty[i];
        size_t allocation = (size_t)row->allocation;
        uint64_t line = allocation > 0 ? traced_line(check->traced, allocation - 1) : 0;
        print_cell(print, 11, row->line > 0, row->line);
        print_cell(print, 11, line > 0, line);
        print_text(print, " %11" PRIu64 "  %s\n", row->object, check_fault_name(row->fault));
    }
}

void check_print_text(struct print *print, const struct check *check,
                      const struct check_names *names, uint64_t show)
{
    print_head(print, check, names);
    check_text_print_counts(print, check);
    print_cost(print, check);
    check_text_print_allocations(print, check, show);
    check_text_print_rows(print, check, show);
}
