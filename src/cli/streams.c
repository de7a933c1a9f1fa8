#include "cli/streams.h"

#include "cli/output.h"
#include "cli/signals.h"

#include <stdlib.h>

enum status streams_open_input(struct source **source, const struct options *options,
                               const char *path, struct failure *why)
{
    struct source_options how = options->source;
    how.interrupt = signals_interrupt();
    return source_open(source, path, &how, why);
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

enum status streams_check_frees(const struct options *options, const struct reader *reader,
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

enum status streams_check_computable(const struct reader *reader, struct failure *why)
{
    if (!reader->class->holds_lifetimes)
        return STATUS_OK;
    return fail_at(why, STATUS_MEANING, reader->name, 0,
                   "Deaths cannot be computed from a trace in the format %s: it holds those "
                   "that it has, and no references",
                   reader->class->name);
}
