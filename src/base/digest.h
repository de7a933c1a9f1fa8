/* SPDX-License-Identifier: MIT */
/* XXH3 of what is read. The library has it in the widest vectors of the processor, too, chosen
 * when the program runs: the same digest, with AVX2 or AVX-512 in a third of the time. Its
 * header puts these functions in the place of the others by macros. */
#ifndef ETMERLIN_BASE_DIGEST_H
#define ETMERLIN_BASE_DIGEST_H

#include <xxhash.h>

#ifdef HAVE_XXH_X86DISPATCH
#include <xxh_x86dispatch.h>
#endif

#endif
