/* Where a report goes. */
#ifndef ETMERLIN_CLI_REPORT_SINK_H
#define ETMERLIN_CLI_REPORT_SINK_H

#include "cli/options.h"
#include "io/sink.h"

/* Opens the sink that the options tell for the report on what is read from `source`. */
enum status report_sink_open(struct sink **out, const struct options *options,
                             const struct source *source, struct failure *why) MUST_CHECK;

#endif
