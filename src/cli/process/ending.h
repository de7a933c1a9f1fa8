/* SPDX-License-Identifier: MIT */
/* How the process ends. */
#ifndef ETMERLIN_CLI_PROCESS_ENDING_H
#define ETMERLIN_CLI_PROCESS_ENDING_H

#include "io/folder.h"
#include "io/sink.h"

/* Exit statuses. */
enum { EXIT_DIFFERS = 1, EXIT_TROUBLE = 2 };

/* The list in which all sinks of the program are. */
struct sink_list *ending_sinks(void);

/* The list in which all folders that the program writes are. */
struct folder_list *ending_folders(void);

/* To be called by exit (atexit): unless ending_is_regular has been called, some library ends
 * the process. Then what is left of outputs is removed, and the status is EXIT_TROUBLE. */
void ending_clean_up(void);

/* If a signal has asked for the end, ends the process by it at once, after removing what is
 * left of outputs; any thread may call it. What has been allocated is left to the system: to
 * free it piece by piece can take seconds. */
void ending_by_signal(void);

/* From now on the process ends as it should. */
void ending_is_regular(void);

#endif
