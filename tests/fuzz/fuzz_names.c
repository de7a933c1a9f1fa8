/* SPDX-License-Identifier: MIT */
/* Name lists: the bytes are the lists of classes, methods and fields, with zero bytes between.
 * Two readings must give the same names. */
#include "fuzz.h"

#include "formats/name_lists.h"

#include <stdio.h>
#include <string.h>
#include <xxhash.h>

const char fuzz_target[] = "names";

enum { LISTS = 3, IDS = 100 };

static const char *const lists[LISTS] = {"class_list", "method_list", "field_list"};

/* Writes the bytes up to the first zero byte to the list, or all of them to the last list;
 * returns how many. */
static size_t write_list(unsigned list, const uint8_t *bytes, size_t length)
{
    const uint8_t *end = length > 0 && list + 1 < LISTS ? memchr(bytes, 0, length) : NULL;
    size_t count = end ? (size_t)(end - bytes) : length;
    FILE *file = fopen(fuzz_path(lists[list]), "wb");
    promised(file != NULL);
    promised(fwrite(bytes, 1, count, file) == count);
    promised(fclose(file) == 0);
    return count + (end != NULL);
}

/* A digest of the status and of all names of small ids. */
static uint64_t read_lists(void)
{
    struct failure why = {.status = STATUS_OK};
    struct names *names = NULL;
    promised(names_new(&names, &why) == STATUS_OK);
    struct trace_mark mark = {.id = "0123456789abcdef0123456789abcdef"};
    struct lists_wanted wanted = {.paths = fuzz_folder(), .mark = &mark};
    struct list_remarks remarks = {.tied = NULL};
    enum status status = name_lists_read(names, &wanted, NULL, &remarks, &why);
    uint64_t digest = status;
    promised((status == STATUS_OK) == (why.text == NULL));
    for (unsigned space = 0; status == STATUS_OK && space < NAMES_SPACES; space++)
        for (uint64_t id = 0; id < IDS; id++) {
            const char *name = names_find(names, (enum name_space)space, id);
            if (name)
                digest = XXH3_64bits_withSeed(name, strlen(name), digest + id);
        }
    names_free(names);
    list_remarks_free(&remarks);
    failure_clear(&why);
    return digest;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
    size_t at = 0;
    for (unsigned i = 0; i < LISTS; i++)
        at += write_list(i, bytes + at, length - at);
    promised(read_lists() == read_lists());
    return 0;
}
