/* SPDX-License-Identifier: MIT */
/* A row a heap: the table in TSV is the list of the document alone, and JSON has the same list
 * below what is said of the trace. */
#include "report/simulate/simulate_print.h"

#include "report/form/document.h"

enum { TEN_THOUSAND = 10000 };

/* Bytes that collections have copied, promoted or marked. */
static wide_sum work_of(const struct simulated *heap)
{
    return heap->copied + heap->promoted + heap->marked;
}

static struct value completed_of(struct row *row)
{
    return value_number(!((const struct simulated *)row->subject)->has_ended);
}

static struct value mark_cons_of(struct row *row)
{
    const struct simulated *heap = row->subject;
    if (heap->allocated == 0)
        return NO_VALUE;
    return (struct value){.kind = VALUE_TEN_THOUSANDTHS,
                          .number = (work_of(heap) * TEN_THOUSAND + heap->allocated / 2) /
                                    heap->allocated};
}

static struct value mean_of(struct row *row)
{
    const struct simulated *heap = row->subject;
    uint64_t collections = heap->minor + heap->major;
    return collections == 0 ? NO_VALUE
                            : value_number(figures_whole_mean(work_of(heap), collections));
}

#define HEAP(key, unit, member) FIGURE(key, NULL, unit, 0, simulated, member)
#define HEAP_STORES(key, member)                                                               \
    FIGURE_WHERE(key, NULL, "stores", 0, simulated, member, simulated_results, has_stores)

static const struct figure heap_figures[] = {
    FIGURE_WORD("collector", NULL, 0, simulated, collector, collector_words),
    HEAP("heap_bytes", "bytes", heap),
    FIGURE_IF("nursery_bytes", NULL, "bytes", 0, simulated, nursery, nursery),
    FIGURE_IF("tenure", NULL, "collections", 0, simulated, tenure, nursery),
    FIGURE_OF("completed", NULL, "yes_or_no", 0, completed_of),
    HEAP("allocated_bytes", "bytes", allocated),
    HEAP("minor", "collections", minor),
    HEAP("major", "collections", major),
    HEAP("copied_bytes", "bytes", copied),
    HEAP("promoted_bytes", "bytes", promoted),
    HEAP("nepotism_bytes", "bytes", nepotism),
    HEAP("marked_bytes", "bytes", marked),
    FIGURE_OF("mark_cons", NULL, "ratio", 0, mark_cons_of),
    HEAP("largest_bytes", "bytes", largest),
    FIGURE_OF("mean_bytes", NULL, "bytes", 0, mean_of),
    HEAP_STORES("stores", stores),
    HEAP_STORES("remembered_stores", remembered_stores),
    FIGURES_END,
};

static const struct figure head_figures[] = {
    FIGURE("trace", NULL, "name", 0, simulated_results, trace),
    FIGURE("unfinished", NULL, "text", 0, simulated_results, unfinished),
    FIGURE("smallest_heap_bytes", NULL, "bytes", 0, simulated_results, smallest),
    FIGURES_END,
};

const struct section simulated_sections[] = {
    HEAD(head_figures),
    SECTION(LIST, "heaps", NULL, 0, 0, heap_figures,
            .array = ARRAY_AT(simulated_results, heaps, count)),
    SECTIONS_END,
};

void simulated_print(struct print *print, enum report_format format,
                     const struct simulated_results *results)
{
    if (format != FORMAT_JSON) {
        document_print_table(print, &simulated_sections[1], results);
        return;
    }
    struct document document = document_begin(print, format, "simulate-1");
    document_print(&document, simulated_sections, results);
    document_end(&document);
}
