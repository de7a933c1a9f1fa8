/* SPDX-License-Identifier: MIT */
/* The reader of Elephant Tracks text: strict, lenient, and keeping everything; and a second
 * reading with a filter of boundaries. */
#include "fuzz.h"

#include "formats/classes.h"

const char fuzz_target[] = "et";

/* Wants every second boundary. */
static uint64_t want_next(void *context)
{
    uint64_t *wanted = context;
    return *wanted += 2;
}

static void read_filtered(const uint8_t *bytes, size_t length)
{
    struct reader_options options = {.dialect = DIALECT_AUTO};
    struct failure why = {.status = STATUS_OK};
    uint64_t wanted = 0;
    struct boundary_filter filter = {.next = want_next, .context = &wanted};
    struct source *source = NULL;
    struct reader *reader = NULL;
    promised(source_open(&source, fuzz_file(bytes, length), NULL, &why) == STATUS_OK);
    if (et_reader_class.open(&reader, source, &options, &why) == STATUS_OK) {
        struct fuzz_reading all = fuzz_read(reader);
        reader_rewind(reader, &filter);
        struct fuzz_reading some = all.status == STATUS_END ? fuzz_read(reader) : all;
        promised(all.status != STATUS_END ||
                 (some.status == STATUS_END && some.digest == all.digest &&
                  some.boundaries == all.boundaries / 2));
    }
    reader_close(reader);
    source_close(source);
    failure_clear(&why);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
    static const struct reader_options ways[] = {
        {.dialect = DIALECT_AUTO},
        {.dialect = DIALECT_TIME},
        {.dialect = DIALECT_THREAD, .lenient = true},
        {.dialect = DIALECT_AUTO, .keep_others = true},
    };
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++)
        fuzz_bytes(&et_reader_class, &ways[i], bytes, length);
    read_filtered(bytes, length);
    return 0;
}
