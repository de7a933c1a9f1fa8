/* SPDX-License-Identifier: MIT */
/* A row a heap: the table in TSV is the list of the document alone, and JSON has the same list
 * below what is said of the trace. */
#include "report/simulate/simulate_print.h"

#include "report/form/document.h"

enum { TEN_THOUSAND = 10000 };

static const struct simulated *heap_of(const struct row *row)
{
    return row->subject;
}

static bool next_heap(struct row *row)
{
    const struct simulated_results *results = row->document;
    if (!results || row->at == results->heaps->count)
        return false;
    row->subject = &results->heaps->items[row->at++];
    return true;
}

static struct value collector_value(struct row *row)
{
    return value_text(collector_name(heap_of(row)->collector));
}

static struct value completed_value(struct row *row)
{
    return value_number(!heap_of(row)->has_ended);
}

static struct value tenure_value(struct row *row)
{
    const struct simulated *heap = heap_of(row);
    return value_number_if(heap->nursery > 0, heap->tenure);
}

/* Bytes that collections have copied, promoted or marked. */
static wide_sum work_of(const struct simulated *heap)
{
    return heap->copied + heap->promoted + heap->marked;
}

static struct value mark_cons_value(struct row *row)
{
    const struct simulated *heap = heap_of(row);
    if (heap->allocated == 0)
        return NO_VALUE;
    return (struct value){.kind = VALUE_TEN_THOUSANDTHS,
                          .number = (work_of(heap) * TEN_THOUSAND + heap->allocated / 2) /
                                    heap->allocated};
}

static struct value mean_value(struct row *row)
{
    const struct simulated *heap = heap_of(row);
    uint64_t collections = heap->minor + heap->major;
    if (collections == 0)
        return NO_VALUE;
    return value_number(figures_whole_mean(work_of(heap), collections));
}

static struct value stores_value(struct row *row)
{
    const struct simulated_results *results = row->document;
    return value_number_if(results->has_stores, heap_of(row)->stores);
}

static struct value remembered_value(struct row *row)
{
    const struct simulated_results *results = row->document;
    return value_number_if(results->has_stores, heap_of(row)->remembered_stores);
}

static const struct figure heap_figures[] = {
    FIGURE_OF("collector", NULL, "word", 0, collector_value),
    FIGURE("heap_bytes", NULL, "bytes", 0, simulated, heap),
    FIGURE_IF("nursery_bytes", NULL, "bytes", 0, simulated, nursery, nursery),
    FIGURE_OF("tenure", NULL, "collections", 0, tenure_value),
    FIGURE_OF("completed", NULL, "yes_or_no", 0, completed_value),
    FIGURE("allocated_bytes", NULL, "bytes", 0, simulated, allocated),
    FIGURE("minor", NULL, "collections", 0, simulated, minor),
    FIGURE("major", NULL, "collections", 0, simulated, major),
    FIGURE("copied_bytes", NULL, "bytes", 0, simulated, copied),
    FIGURE("promoted_bytes", NULL, "bytes", 0, simulated, promoted),
    FIGURE("nepotism_bytes", NULL, "bytes", 0, simulated, nepotism),
    FIGURE("marked_bytes", NULL, "bytes", 0, simulated, marked),
    FIGURE_OF("mark_cons", NULL, "ratio", 0, mark_cons_value),
    FIGURE("largest_bytes", NULL, "bytes", 0, simulated, largest),
    FIGURE_OF("mean_bytes", NULL, "bytes", 0, mean_value),
    FIGURE_OF("stores", NULL, "stores", 0, stores_value),
    FIGURE_OF("remembered_stores", NULL, "stores", 0, remembered_value),
    FIGURES_END,
};

static struct value smallest_value(struct row *row)
{
    const struct simulated_results *results = row->subject;
    return value_number(results->smallest->whole);
}

static const struct figure head_figures[] = {
    FIGURE("trace", NULL, "name", 0, simulated_results, trace),
    FIGURE("unfinished", NULL, "text", 0, simulated_results, unfinished),
    FIGURE_OF("smallest_heap_bytes", NULL, "bytes", 0, smallest_value),
    FIGURES_END,
};

const struct section simulated_sections[] = {
    {.form = SECTION_HEAD, .key = "", .figures = head_figures},
    {.form = SECTION_LIST, .key = "heaps", .figures = heap_figures, .next = next_heap},
    {.figures = NULL},
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
