#include "cli/report_sink.h"

#include "cli/output.h"
#include "cli/signals.h"

#include <stdlib.h>

enum status report_sink_open(struct sink **out, const struct options *options,
                             const struct source *source, struct failure *why)
{
    struct output output;
    struct sink_options how = {
        .force = options->force,
        .input = source_descriptor(source),
        .interrupt = signals_interrupt(),
    };
    enum status status = output_find(&output, options, options->trace, why);
    how.compression = output.compression;
    if (status == STATUS_OK)
        status = sink_open(out, output.path, &how, why);
    free(output.path);
    return status;
}
