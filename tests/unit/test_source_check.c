/* SPDX-License-Identifier: MIT */
#include "io/source.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char changed[] =
    "The file changed while it was read: start again when it is complete";

static char path[] = "/tmp/source-check-XXXXXX";

static void append(const char *name, const char *text)
{
    FILE *file = fopen(name, "a");
    cr_assert(file && fputs(text, file) >= 0 && fclose(file) == 0);
}

static struct source *open_file(void)
{
    struct source *source;
    struct failure why = {.status = STATUS_OK};
    int descriptor = mkstemp(path);
    cr_assert(descriptor >= 0 && close(descriptor) == 0);
    append(path, "M 1 0 1\n");
    cr_assert(source_open(&source, path, NULL, &why) == STATUS_OK);
    return source;
}

static void check(struct source *source, bool by_name, bool is_changed)
{
    struct failure why = {.status = STATUS_OK};
    enum status status = source_check(source, by_name, &why);
    cr_expect(status == (is_changed ? STATUS_MEANING : STATUS_OK));
    if (is_changed) {
        cr_expect(why.text && strcmp(why.text, changed) == 0);
        cr_expect(why.file && strcmp(why.file, path) == 0);
    }
    failure_clear(&why);
}

static void close_file(struct source *source)
{
    source_close(source);
    unlink(path);
}

Test(source_check, a_file_that_is_left_alone_is_as_it_was)
{
    struct source *source = open_file();
    check(source, false, false);
    check(source, true, false);
    close_file(source);
}

Test(source_check, a_file_that_has_grown_is_not)
{
    struct source *source = open_file();
    append(path, "M 2 0 1\n");
    check(source, false, true);
    check(source, true, true);
    close_file(source);
}

Test(source_check, only_the_name_shows_that_a_file_has_been_replaced)
{
    struct source *source = open_file();
    unlink(path);
    append(path, "M 1 0 1\n");
    check(source, false, false);
    check(source, true, true);
    close_file(source);
}
