/* SPDX-License-Identifier: MIT */
/* libarchive ends the process, with the status 1, when it gets no memory. Here that status
 * means that something differs, and no temporary file may stay: so what exit does is changed.
 */
#include "cli/process/ending.h"

#include "cli/process/signals.h"

#include <stdio.h>
#include <unistd.h>

static struct sink_list sinks;
static struct folder_list folders;
static bool is_regular;

struct sink_list *ending_sinks(void)
{
    return &sinks;
}

struct folder_list *ending_folders(void)
{
    return &folders;
}

void ending_clean_up(void)
{
    if (is_regular)
        return;
    sink_list_unlink(&sinks);
    folder_list_remove(&folders);
    fflush(stderr);
    _exit(EXIT_TROUBLE);
}

void ending_by_signal(void)
{
    if (!interrupt_requested(signals_interrupt()))
        return;
    sink_list_unlink(&sinks);
    folder_list_remove(&folders);
    signals_reraise();
}

void ending_is_regular(void)
{
    is_regular = true;
}
