/* SPDX-License-Identifier: MIT */
/* The table of --compare-all: how far recorded deaths agree with those computed under each set
 * of assumptions, the best set first. It tells which rules another tool went by. */
#include "report/compare/agreement.h"

#include "report/compare/compare_print.h"
#include "report/json.h"

#include <inttypes.h>
#include <stdlib.h>

/* The place of assumptions in the order of the manual page. */
static unsigned agreement_place_of(const struct assumptions *assumptions)
{
    return assumptions->held_by * 4u + assumptions->unallocated * 2u + assumptions->at_end;
}

static int order_agreements(const void *left, const void *right)
{
    const struct agreement *a = left, *b = right;
    uint64_t same_a = a->figures.classes[CLASS_SAME], same_b = b->figures.classes[CLASS_SAME];
    if (same_a != same_b)
        return same_a > same_b ? -1 : 1;
    uint64_t left_a = a->figures.unknown + a->figures.repeated;
    uint64_t left_b = b->figures.unknown + b->figures.repeated;
    if (left_a != left_b)
        return left_a < left_b ? -1 : 1;
    return agreement_place_of(&a->assumptions) < agreement_place_of(&b->assumptions) ? -1 : 1;
}

void agreement_sort(struct agreement *agreements, size_t count)
{
    qsort(agreements, count, sizeof *agreements, order_agreements);
}

static uint64_t impossible_of(const struct compare_figures *figures)
{
    return figures->impossible[CLASS_EARLY] + figures->impossible[CLASS_EXTRA];
}

static void print_text_row(struct print *print, const struct agreement *agreement)
{
    const struct assumptions *assumptions = &agreement->assumptions;
    const struct compare_figures *figures = &agreement->figures;
    char share[SHARE_SIZE];
    print_text(print, "%-8s %-11s %-6s %8s", assumptions_held_by(assumptions),
               assumptions_unallocated(assumptions), assumptions_at_end(assumptions),
               print_share(share, figures->classes[CLASS_SAME], figures->allocations));
    for (enum compare_class verdict = CLASS_EARLY; verdict < CLASS_COUNT; verdict++)
        print_text(print, " %8" PRIu64, figures->classes[verdict]);
    print_text(print, " %8" PRIu64 "\n", impossible_of(figures));
}

void agreement_print_text(struct print *print, const struct alignment *alignment,
                          const struct agreement *agreements, size_t count)
{
    const struct compare_figures *figures = &agreements[0].figures;
    char reason[120];
    compare_by_reason(alignment, reason, sizeof reason);
    print_text(print, "trace      ");
    print_shown(print, alignment->trace->name);
    print_text(print, ", %" PRIu64 " allocations\n", figures->allocations);
    print_text(print, "recorded   ");
    print_shown(print, alignment->recorded->name);
    print_text(print, ", %" PRIu64 " deaths\n", figures->deaths);
    print_text(print, "compared   by %s: %s\n\n", compare_by_name(alignment), reason);
    print_text(print, "%-8s %-11s %-6s %8s %8s %8s %8s %8s %8s\n", "held-by", "unallocated",
               "at-end", "same", "early", "late", "missing", "extra", "imposs.");
    for (size_t i = 0; i < count; i++)
        print_text_row(print, &agreements[i]);
}

static void put_agreement(struct json_report *report, json_t *array,
                          const struct agreement *agreement)
{
    const struct compare_figures *figures = &agreement->figures;
    json_t *object = json_append_object(report, array);
    json_put_text(report, object, "held_by", assumptions_held_by(&agreement->assumptions));
    json_put_text(report, object, "unallocated",
                  assumptions_unallocated(&agreement->assumptions));
    json_put_text(report, object, "at_end", assumptions_at_end(&agreement->assumptions));
    json_put_bool(report, object, "agrees", compare_agrees(figures));
    json_put_share(report, object, "percent", figures->classes[CLASS_SAME],
                   figures->allocations);
    for (enum compare_class verdict = 0; verdict < CLASS_COUNT; verdict++)
        json_put_number(report, object, compare_class_name(verdict), figures->classes[verdict]);
    json_put_number(report, object, "impossible", impossible_of(figures));
    json_put_number(report, object, "unknown", figures->unknown);
    json_put_number(report, object, "repeated", figures->repeated);
}

void agreement_print_json(struct print *print, const struct alignment *alignment,
                          const struct agreement *agreements, size_t count)
{
    struct json_report report;
    json_report_start(&report, "compare-all-1");
    compare_put_alignment(&report, alignment);
    json_put_number(&report, report.root, "allocations", agreements[0].figures.allocations);
    json_put_number(&report, report.root, "recorded_deaths", agreements[0].figures.deaths);
    json_t *array = json_put_array(&report, report.root, "agreement");
    for (size_t i = 0; i < count; i++)
        put_agreement(&report, array, &agreements[i]);
    json_report_end(&report, print);
}

void agreement_print_tsv(struct print *print, const struct agreement *agreements, size_t count)
{
    print_text(print, "held_by\tunallocated\tat_end");
    for (enum compare_class verdict = 0; verdict < CLASS_COUNT; verdict++)
        print_text(print, "\t%s", compare_class_name(verdict));
    print_text(print, "\timpossible\tunknown\trepeated\n");
    for (size_t i = 0; i < count; i++) {
        const struct assumptions *assumptions = &agreements[i].assumptions;
        const struct compare_figures *figures = &agreements[i].figures;
        print_text(print, "%s\t%s\t%s", assumptions_held_by(assumptions),
                   assumptions_unallocated(assumptions), assumptions_at_end(assumptions));
        for (enum compare_class verdict = 0; verdict < CLASS_COUNT; verdict++)
            print_text(print, "\t%" PRIu64, figures->classes[verdict]);
        print_text(print, "\t%" PRIu64 "\t%" PRIu64 "\t%" PRIu64 "\n", impossible_of(figures),
                   figures->unknown, figures->repeated);
    }
}
