/* SPDX-License-Identifier: MIT */
/* Instrumented classes that are kept from run to run, in a folder of the user: a file for each
 * kind of run. It is read as a whole, and replaced as a whole by runs that have more, so that
 * any number of them can have it at once. A file that is damaged, or that others may have
 * written, is not read. */
#ifndef ETTRACE_CLASS_CACHE_H
#define ETTRACE_CLASS_CACHE_H

#include "base/status.h"

#include <stddef.h>
#include <stdint.h>
#include <xxhash.h>

struct class_cache;

struct class_cache_options {
    const char *folder;      /* is made if it is not there; borrowed until the cache is open */
    XXH128_hash_t kind;      /* of the run: it takes what others of its kind have kept */
    uint64_t most_in_file;   /* bytes; what was not asked for in the last run goes first */
    uint64_t most_in_folder; /* bytes; the file that was not used for longest goes first */
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

/* The entry with that key; NULL: none. Any thread may call it, and the next one. */
const struct class_entry *class_cache_find(struct class_cache *cache, XXH128_hash_t key);

/* Keeps a copy of the `length` bytes, in place of what the key had before. NULL: no memory, or
 * the file would be too large. */
const struct class_entry *class_cache_add(struct class_cache *cache, XXH128_hash_t key,
                                          const uint8_t *bytes, size_t length);

/* Writes the file anew, with what other runs have added to it, if this one has added anything.
 * After a failure, the former file is as it was. */
enum status class_cache_save(struct class_cache *cache, struct failure *why) MUST_CHECK;

/* Releases the cache; NULL is allowed. */
void class_cache_free(struct class_cache *cache);

#endif
