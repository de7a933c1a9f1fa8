/* SPDX-License-Identifier: MIT */
/* The reader of Meta-TF: strict and lenient. */
#include "fuzz.h"

#include "formats/classes.h"

const char fuzz_target[] = "metatf";

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
    static const struct reader_options ways[] = {{.lenient = false}, {.lenient = true}};
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++)
        fuzz_bytes(&metatf_reader_class, &ways[i], bytes, length);
    return 0;
}
