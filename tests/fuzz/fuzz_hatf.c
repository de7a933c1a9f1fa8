/* SPDX-License-Identifier: MIT */
/* The reader of HATF: in both byte orders, and lenient. */
#include "fuzz.h"

#include "formats/classes.h"

const char fuzz_target[] = "hatf";

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
    static const struct reader_options ways[] = {
        {.byte_order = BYTE_ORDER_BIG},
        {.byte_order = BYTE_ORDER_LITTLE, .lenient = true},
        {.keep_others = true},
    };
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++)
        fuzz_bytes(&hatf_reader_class, &ways[i], bytes, length);
    return 0;
}
