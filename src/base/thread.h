/* SPDX-License-Identifier: MIT */
/* Threads with the settings that all threads of this program have. */
#ifndef ETMERLIN_BASE_THREAD_H
#define ETMERLIN_BASE_THREAD_H

#include "base/status.h"

#include <pthread.h>

/* In bytes. Decoders keep their tables on the heap; sanitizers and debuggers need some of the
 * stack. */
enum { THREAD_STACK_SIZE = 256 * 1024 };

/* Starts a thread that runs function(argument), receives no signals, and has a small stack. The
 * usual 8 MiB would count as memory of the process, and be refused where memory is limited,
 * though hardly any of it is ever used. Returns 0 or an error number. */
int thread_start(pthread_t *thread, void *(*function)(void *), void *argument) MUST_CHECK;

#endif
