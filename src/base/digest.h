/* SPDX-License-Identifier: MIT */
/* XXH3 of what is read. libxxhash also has it for the widest vectors of the processor, chosen
 * when the program runs: that gives the same digest, with AVX2 or AVX-512 in a third of the
 * time. The header below replaces the plain functions by these, with macros. */
#ifndef ETMERLIN_BASE_DIGEST_H
#define ETMERLIN_BASE_DIGEST_H

#include <xxhash.h>

#ifdef HAVE_XXH_X86DISPATCH
#include <xxh_x86dispatch.h>
#endif

#endif
