/* SPDX-License-Identifier: MIT */
/* Reads and writes of file descriptors that are whole: interrupted and short
 * ones are continued. Each returns 0 or an error number; ECANCELED when the
 * program is to end (`interrupt`, which may be NULL). */
#ifndef ETMERLIN_IO_DESCRIPTOR_H
#define ETMERLIN_IO_DESCRIPTOR_H

#include "base/status.h"

#include <stddef.h>
#include <stdint.h>

/* Lets a pipe hold a MiB, if the system allows that much: then its two ends wait for each other
 * seldom. What is no pipe stays as it is. */
void descriptor_widen(int descriptor);

/* Reads what is there, at most `capacity` bytes; *got = 0 only at the end. */
int descriptor_read(int descriptor, void *bytes, size_t capacity, size_t *got,
                    const struct interrupt *interrupt) MUST_CHECK;

/* Reads what is at `offset` of a file, at most `capacity` bytes; the position of the file
 * stays. */
int descriptor_read_at(int descriptor, uint64_t offset, void *bytes, size_t capacity,
                       size_t *got) MUST_CHECK;

/* Writes all `length` bytes. */
int descriptor_write(int descriptor, const void *bytes, size_t length,
                     const struct interrupt *interrupt) MUST_CHECK;

#endif
