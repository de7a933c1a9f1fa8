/* SPDX-License-Identifier: MIT */
/* How the process ends, and the signals that ask it to. Those that end a process unless it
 * handles them (SIGINT, SIGTERM, SIGXCPU and others) ask the program to end: library code
 * learns of it through a struct interrupt, everything is cleaned up, and then the signal is
 * raised again. SIGUSR1 asks how far it is. A signal that was ignored when the program started
 * stays so; SIGXFSZ is always ignored, so that what is too large is an error of writing. */
#ifndef ETMERLIN_CLI_PROCESS_ENDING_H
#define ETMERLIN_CLI_PROCESS_ENDING_H

#include "base/interrupt.h"
#include "base/status.h"
#include "io/folder.h"
#include "io/sink.h"

#include <signal.h>

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

/* To be called before all else: holds SIGUSR1 back, which would end the process, until there is
 * a handler. */
void signals_hold(void);

/* Installs the handlers; called again by a process that was forked, so that it has
 * descriptors of its own. */
enum status signals_install(struct failure *why) MUST_CHECK;

/* What library code knows of signals; good for the whole run. */
const struct interrupt *signals_interrupt(void);

/* Notes `signal` as the handlers of signals that end the program do. */
void signals_note(int signal);

/* Sets *set to the signals that end the program and are handled, and SIGUSR1 if that is. */
void signals_handled(sigset_t *set);

/* A descriptor that can be read when SIGUSR1 has come, or signals_wake was called,
 * since the last signals_slept. */
int signals_wake_descriptor(void);
void signals_wake(void);
void signals_slept(void);

/* Ends the process by the signal that asked for it; returns if none has. */
void signals_reraise(void);

#endif
