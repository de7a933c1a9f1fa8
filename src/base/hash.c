/* SPDX-License-Identifier: MIT */
/* XXH3 with a seed, which is the random bytes that the kernel passes to each process
 * (AT_RANDOM, random(7)). They are available before the first instruction, so nothing has to be
 * set up, kept in a variable or guarded against threads, and asking for them cannot fail, as a
 * call for random bits can. The C library makes its own secrets of the same 16 bytes; hashing
 * them keeps those apart from the seed.
 *
 * Digests that show whether bytes are the same as before have no seed: each is compared once,
 * with one of bytes from the same source, nothing is looked up by them, and one of them is
 * shown to users. */
#include "base/hash.h"

#include <sys/auxv.h>
#include <xxhash.h>

enum { KERNEL_BYTES = 16 };

uint64_t hash_seed(void)
{
    const void *bytes = (const void *)getauxval(AT_RANDOM);
    return bytes ? XXH3_64bits(bytes, KERNEL_BYTES) : 0;
}

uint64_t hash_text(uint64_t seed, const void *text, size_t length)
{
    return XXH3_64bits_withSeed(text, length, seed);
}
