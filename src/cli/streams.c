#include "cli/streams.h"

#include "cli/output.h"
#include "cli/signals.h"
#include "formats/formats.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static bool is_folder(const char *path)
{
    struct stat facts;
    return path && strcmp(path, "-") != 0 && stat(path, &facts) == 0 && S_ISDIR(facts.st_mode);
}

enum status streams_open_input(struct source **source, const struct options *options,
                               const char *path, struct failure *why)
{
    struct source_options how = options->source;
    how.interrupt = signals_interrupt();
    char *index = NULL;
    enum status status = STATUS_OK;
    bool is_trace_folder = is_folder(path);
    if (is_trace_folder && options->in_place)
        return fail_at(why, STATUS_MEANING, path, 0,
                       "--in-place cannot replace a folder: --suffix or --output writes "
                       "elsewhere");
    if (is_trace_folder)
        status = formats_find_index(path, &index, why);
    if (status == STATUS_OK)
        status = source_open(source, index ? index : path, &how, why);
    free(index);
    return status;
}

enum status streams_open_output(struct sink **sink, const struct options *options,
                                const struct source *trace, struct failure *why)
{
    struct output output;
    enum status status = output_find(&output, options, options->trace, why);
    if (status != STATUS_OK)
        return status;
    struct sink_options how = {
        .force = options->force,
        .in_place = options->in_place,
        .read_back = options->verify,
        .input = source_descriptor(trace),
        .compression = output.compression,
        .interrupt = signals_interrupt(),
    };
    status = sink_open(sink, output.path, &how, why);
    free(output.path);
    return status;
}

static enum status check_frees(const struct options *options, const struct reader *reader,
                               struct failure *why)
{
    bool has_bounds = options->reports[REPORT_BOUNDS];
    if ((!has_bounds && !options->reader.deaths_from_free) || reader->tells_frees)
        return STATUS_OK;
    return fail_at(why, STATUS_MEANING, reader->name, 0,
                   "%s needs a trace that tells when objects are freed, as TraceVis traces do; "
                   "the format of this one is %s",
                   has_bounds ? "--bounds" : "--death-from=free", reader->class->name);
}

static enum status check_selogger(const struct options *options, const struct reader *reader,
                                  struct failure *why)
{
    const struct reader_options *how = &options->reader;
    const char *option = how->loads_as_updates ? "loads-as-updates"
                         : how->escape_edges   ? "escape-edges"
                         : how->type_sizes     ? "type-sizes"
                                               : NULL;
    if (!option || strcmp(reader->class->name, "selogger") == 0)
        return STATUS_OK;
    return fail_at(why, STATUS_MEANING, reader->name, 0,
                   "--%s is for traces of SELogger; the format of this one is %s", option,
                   reader->class->name);
}

enum status streams_check_format(const struct options *options, const struct reader *reader,
                                 struct failure *why)
{
    enum status status = check_frees(options, reader, why);
    return status == STATUS_OK ? check_selogger(options, reader, why) : status;
}

enum status streams_check_computable(const struct reader *reader, struct failure *why)
{
    if (!reader->class->holds_lifetimes)
        return STATUS_OK;
    return fail_at(why, STATUS_MEANING, reader->name, 0,
                   "Deaths cannot be computed from a trace in the format %s: it holds those "
                   "that it has, and no references",
                   reader->class->name);
}
