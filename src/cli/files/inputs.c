/* SPDX-License-Identifier: MIT */
/* Outputs are opened before readers know all their files. So each file that is read is compared
 * with the open outputs, by device and inode, since a file may have several names. */
#include "cli/files/inputs.h"

#include "cli/options/options.h"
#include "cli/process/ending.h"
#include "formats/name_lists.h"
#include "io/path.h"
#include "io/source.h"

#include <dirent.h>
#include <errno.h>
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

static enum status protect(void *context, const char *path, struct failure *why)
{
    (void)context;
    if (!sink_list_has_file(ending_sinks(), path))
        return STATUS_OK;
    return fail_at(why, STATUS_MEANING, path, 0,
                   "This file is read, and an output would take its place");
}

static bool matches(const char *const *patterns, const char *name)
{
    while (*patterns && fnmatch(*patterns, name, 0) != 0)
        patterns++;
    return *patterns;
}

/* Protects the files in `folder`, whose path is `path`, that have names like those of files of
 * the trace. */
static enum status protect_folder(DIR *folder, const char *path, const char *const *patterns,
                                  struct failure *why)
{
    const struct dirent *entry;
    enum status status = STATUS_OK;
    for (errno = 0; status == STATUS_OK && (entry = readdir(folder)); errno = 0) {
        char *part = NULL;
        if (!matches(patterns, entry->d_name))
            continue;
        if (asprintf(&part, "%s/%s", path, entry->d_name) < 0)
            return fail_memory(why);
        status = protect(NULL, part, why);
        free(part);
    }
    return status != STATUS_OK || errno == 0 ? status : fail_errno(why, path, "read", errno);
}

/* Protects the files of the trace of which `index` is one. */
static enum status protect_parts(const char *index, const char *const *patterns,
                                 struct failure *why)
{
    size_t length = path_folder_length(index);
    char *path = length > 0 ? strndup(index, length > 1 ? length - 1 : 1) : strdup(".");
    if (!path)
        return fail_memory(why);
    DIR *folder = opendir(path);
    enum status status = STATUS_OK;
    if (folder) {
        status = protect_folder(folder, path, patterns, why);
        closedir(folder);
    }
    free(path);
    return status;
}

struct lists_wanted inputs_lists(const struct options *options, const struct reader *reader)
{
    return (struct lists_wanted){.paths = options->names,
                                 .trace =
                                     is_standard_stream(options->trace) ? NULL : options->trace,
                                 .mark = &reader->mark};
}

enum status inputs_protect_lists(const struct lists_wanted *wanted, struct failure *why)
{
    return name_lists_visit(wanted, protect, NULL, why);
}

static enum status protect_lists(const struct options *options, const struct reader *reader,
                                 struct failure *why)
{
    bool are_named = options->names && options->command == COMMAND_VALIDATE;
    if (!are_named && !options_any_report(options, report_shows_names))
        return STATUS_OK;
    struct lists_wanted wanted = inputs_lists(options, reader);
    return inputs_protect_lists(&wanted, why);
}

/* Protects the files that are read in addition to the trace. */
static enum status protect_others(const struct options *options, const struct reader *reader,
                                  struct failure *why)
{
    const char *const paths[] = {options->reader.type_sizes,
                                 options->reports[REPORT_LIVE_CHECK]};
    enum status status = STATUS_OK;
    for (size_t i = 0; i < sizeof paths / sizeof *paths && status == STATUS_OK; i++)
        if (!is_standard_stream(paths[i]))
            status = protect(NULL, paths[i], why);
    return status == STATUS_OK ? protect_lists(options, reader, why) : status;
}

enum status inputs_protect(const struct options *options, const struct reader *reader,
                           const struct source *source, struct failure *why)
{
    enum status status = STATUS_OK;
    if (reader->methods->parts)
        status = protect_parts(source_name(source), reader->methods->parts, why);
    else if (!options->in_place)
        status = protect(NULL, source_name(source), why);
    return status == STATUS_OK ? protect_others(options, reader, why) : status;
}

enum status inputs_protect_second(const char *path, const char *what, struct failure *why)
{
    if (!sink_list_has_file(ending_sinks(), is_standard_stream(path) ? "/dev/stdin" : path))
        return STATUS_OK;
    return fail_at(why, STATUS_MEANING, path, 0, "The report would go to %s", what);
}
