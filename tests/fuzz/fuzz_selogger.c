/* SPDX-License-Identifier: MIT */
/* The reader of SELogger traces. The bytes are several files, each after a line "==> NAME".
 * Files with other names than those below are ignored, and so are bytes before the first such
 * line. */
#include "fuzz.h"

#include "formats/classes.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const char fuzz_target[] = "selogger";

static const char *const files[] = {"dataids.txt",
                                    "classes.txt",
                                    "methods.txt",
                                    "LOG$Types.txt",
                                    "log-00001.slg",
                                    "LOG$ObjectTypes00001.txt",
                                    "log-00002.slg",
                                    "log-00001.txt",
                                    "LOG$ObjectTypes00002.txt",
                                    "log-00002.txt",
                                    "LOG$String00001.txt",
                                    "LOG$Exceptions00001.txt",
                                    "trace.json",
                                    "sizes"};

enum { FILES = sizeof files / sizeof *files };

static const char mark[] = "==> ";

/* Where the next mark is, or the end. */
static const uint8_t *find_mark(const uint8_t *at, const uint8_t *end)
{
    const uint8_t *found = at < end ? memmem(at, (size_t)(end - at), mark, strlen(mark)) : NULL;
    return found ? found : end;
}

/* Writes the file whose name and content are the bytes from `at` to `end`. */
static void write_part(const uint8_t *at, const uint8_t *end)
{
    const uint8_t *line_end = memchr(at, '\n', (size_t)(end - at));
    for (size_t i = 0; line_end && i < FILES; i++) {
        size_t length = (size_t)(line_end - at);
        if (length != strlen(files[i]) || memcmp(at, files[i], length) != 0)
            continue;
        int descriptor = open(fuzz_path(files[i]), O_WRONLY | O_CREAT | O_TRUNC, 0600);
        size_t left = (size_t)(end - line_end - 1);
        promised(descriptor >= 0);
        promised(write(descriptor, line_end + 1, left) == (ssize_t)left);
        close(descriptor);
    }
}

static void write_files(const uint8_t *bytes, size_t length)
{
    const uint8_t *end = bytes + length;
    const uint8_t *at = length > 0 ? find_mark(bytes, end) : end;
    while (at < end) {
        at += strlen(mark);
        const uint8_t *next = find_mark(at, end);
        write_part(at, next);
        at = next;
    }
}

static void read_folder(const struct reader_options *options)
{
    struct failure why = {.status = STATUS_OK};
    struct source *source = NULL;
    struct reader *reader = NULL;
    enum status status = source_open(&source, fuzz_path(files[0]), NULL, &why);
    if (status == STATUS_OK)
        status = selogger_reader_class.open(&reader, source, options, &why);
    promised((status == STATUS_OK) == (reader != NULL));
    promised(status == why.status);
    if (reader)
        fuzz_reader(reader, true);
    reader_close(reader);
    source_close(source);
    failure_clear(&why);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
    fuzz_remove_files();
    write_files(bytes, length);
    read_folder(&(const struct reader_options){.lenient = false});
    char *sizes = strdup(fuzz_path("sizes"));
    bool has_sizes = sizes && access(sizes, F_OK) == 0;
    read_folder(&(const struct reader_options){.loads_as_updates = true,
                                               .escape_edges = true,
                                               .type_sizes = has_sizes ? sizes : NULL});
    free(sizes);
    return 0;
}
