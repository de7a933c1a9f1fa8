/* SPDX-License-Identifier: MIT */
/* The reader of TraceVis traces, of text and of ZIP archives: strict; lenient, with frees as
 * deaths; and keeping everything. */
#include "fuzz.h"

#include "formats/classes.h"

const char fuzz_target[] = "tracevis";

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
    static const struct reader_options ways[] = {
        {.lenient = false},
        {.lenient = true, .deaths_from_free = true},
        {.keep_others = true},
    };
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++)
        fuzz_bytes(&tracevis_reader_class, &ways[i], bytes, length);
    return 0;
}
