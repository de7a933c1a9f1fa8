/* SPDX-License-Identifier: MIT */
/* The reader of SELogger traces: folders of files, which dataids.txt stands for. */
#ifndef ETMERLIN_FORMATS_SELOGGER_SELOGGER_H
#define ETMERLIN_FORMATS_SELOGGER_SELOGGER_H

#include "trace/reader.h"

/* Bids high for dataids.txt, and for all other files of SELogger, too: it says of these what
 * to give instead. */
extern const struct reader_class selogger_reader_class;

#endif
