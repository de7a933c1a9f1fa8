/* SPDX-License-Identifier: MIT */
/* The processes of the program: their messages on standard error, the signals that ask them to
 * end, and one for each of several traces.
 *
 * Signals that end a process unless it handles them (SIGINT, SIGTERM, SIGXCPU and others) ask
 * the program to end: library code learns of it through a struct interrupt, everything is
 * cleaned up, and then the signal is raised again. SIGUSR1 asks how far it is. A signal that
 * was ignored when the program started stays ignored. SIGXFSZ is always ignored, so that a file
 * that gets too large is an error of writing. */
#ifndef ETMERLIN_CLI_PROCESS_PROCESS_H
#define ETMERLIN_CLI_PROCESS_PROCESS_H

#include "base/status.h"
#include "cli/options/options.h"
#include "formats/name_lists.h"
#include "io/folder.h"
#include "io/sink.h"
#include "trace/reader.h"

#include <signal.h>

/* Exit statuses. */
enum { EXIT_DIFFERS = 1, EXIT_TROUBLE = 2 };

/* The list of all sinks of the program. */
struct sink_list *ending_sinks(void);

/* The list of all folders that the program writes. */
struct folder_list *ending_folders(void);

/* To be called by exit (atexit). If ending_is_regular has not been called, a library has ended
 * the process: removes what is left of outputs, and ends it with EXIT_TROUBLE. */
void ending_clean_up(void);

/* If a signal has asked for the end, removes what is left of outputs and ends the process by
 * that signal at once. Any thread may call it. Memory is left to the system: to free it piece
 * by piece can take seconds. */
void ending_by_signal(void);

/* To be called before the process ends in the usual way. */
void ending_is_regular(void);

/* To be called before all else: blocks SIGUSR1, which would end the process, until there is a
 * handler. */
void signals_hold(void);

/* Installs the handlers. A forked process must call it again, to have descriptors of its own.
 */
enum status signals_install(struct failure *why) MUST_CHECK;

/* What library code gets to know of signals; valid for the whole run. */
const struct interrupt *signals_interrupt(void);

/* Notes `signal` as the handlers do for signals that end the program. */
void signals_note(int signal);

/* Sets *set to the signals that end the program and are handled, and SIGUSR1 if that is. */
void signals_handled(sigset_t *set);

/* A descriptor that is readable if SIGUSR1 has come, or signals_wake was called, since the last
 * signals_slept. */
int signals_wake_descriptor(void);
void signals_wake(void);
void signals_slept(void);

/* Ends the process by the signal that asked for it; returns if none has. */
void signals_reraise(void);

/* The name of the program, with which each message begins. */
extern const char message_program[];

/* Writes a sentence, given as for printf and without its full stop, about `file` (NULL: about
 * none) to standard error, as failure_print does. */
void message(const char *file, const char *format, ...) PRINTF_LIKE(2, 3);

/* Writes a message for each remark of `reader` that applies to what it has read. */
void remarks_print(const struct reader *reader);

/* Writes a message about the `malformed` lines that were passed over, if there are any, then
 * those of remarks_print. */
void remarks_print_passed_over(const struct reader *reader, uint64_t malformed);

/* Writes a message if lifetimes of the trace are too short at its level, under these
 * assumptions; NULL: deaths are those in the trace. */
void remarks_print_early(const struct reader *reader, const struct assumptions *assumptions);

/* Writes messages about name lists that may belong to another trace than the one that `reader`
 * reads, and about names that are missing. */
void remarks_print_lists(const struct reader *reader, const struct list_remarks *remarks);

/* Carries out the command on options->trace; *differs is as for main. */
typedef enum status command_function(const struct options *options, bool *differs,
                                     struct failure *why);

/* Calls `run` for options->trace or, where there are several, for each of options->traces,
 * options->jobs of them at a time; *differs: whether any of them differs. With --skip-existing,
 * traces whose outputs exist are left out. With several traces, their standard outputs come in
 * the order of the traces. A failure of one is printed, and the others go on; in the end *why
 * has the number of failures. */
enum status traces_run(const struct options *options, command_function *run, bool *differs,
                       struct failure *why) MUST_CHECK;

#endif
