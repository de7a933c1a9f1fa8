/* SPDX-License-Identifier: MIT */
/* Instrumented classes that are kept from run to run in a folder of the user, in a file for
 * each kind of run. A file is read as a whole, and replaced as a whole by runs that have more
 * classes, so that any number of runs can use it at the same time. A file that is damaged, or
 * that others may have written, is not read. */
#ifndef ETTRACE_CLASS_CACHE_H
#define ETTRACE_CLASS_CACHE_H

#include "base/status.h"

#include <stddef.h>
#include <stdint.h>
#include <xxhash.h>

struct class_cache;

struct class_cache_options {
    /* Made if it does not exist; need not stay after class_cache_open. */
    const char *folder;
    /* The kind of the run, which uses what others of its kind have kept. */
    XXH128_hash_t kind;
    /* Bytes; classes that the last run did not ask for are removed first. */
    uint64_t most_in_file;
    /* Bytes; the file that has not been used for longest is removed first. */
    uint64_t most_in_folder;
};

/* An instrumented class. It stays until the cache is released. */
struct class_entry {
    XXH128_hash_t key;
    const uint8_t *bytes;
    size_t length;
};

/* The folder for caches of this program: $XDG_CACHE_HOME/etmerlin or ~/.cache/etmerlin. The
 * caller owns it; NULL: there is none, or no memory. */
char *class_cache_folder(void);

/* Reads the file, if there is one. STATUS_IO: the folder cannot be made or read;
 * STATUS_MEANING: others may write into it. */
enum status class_cache_open(struct class_cache **out,
                             const struct class_cache_options *options,
                             struct failure *why) MUST_CHECK;

/* The entry with that key; NULL: none. Any thread may call this function and the next. */
const struct class_entry *class_cache_find(struct class_cache *cache, XXH128_hash_t key);

/* Keeps a copy of the `length` bytes, in place of what the key had before. NULL: no memory, or
 * the file would be too large. */
const struct class_entry *class_cache_add(struct class_cache *cache, XXH128_hash_t key,
                                          const uint8_t *bytes, size_t length);

/* If this run has added anything, writes the file again, with what other runs have added
 * meanwhile. After a failure, the old file is unchanged. */
enum status class_cache_save(struct class_cache *cache, struct failure *why) MUST_CHECK;

/* Releases the cache; NULL is allowed. */
void class_cache_free(struct class_cache *cache);

#endif
