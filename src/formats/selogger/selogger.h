/* SPDX-License-Identifier: MIT */
/* The reader of SELogger traces, which are folders of files; dataids.txt stands for the folder.
 */
#ifndef ETMERLIN_FORMATS_SELOGGER_SELOGGER_H
#define ETMERLIN_FORMATS_SELOGGER_SELOGGER_H

#include "trace/reader.h"

/* Bids high for dataids.txt, and also for all other files of SELogger, which it refuses with a
 * message that says what to give instead. */
extern const struct reader_class selogger_reader_class;

#endif
