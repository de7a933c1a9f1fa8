/* SPDX-License-Identifier: MIT */
/* XXH3, for digests of what is read. libxxhash also has a version for the widest vectors of the
 * processor, chosen at run time: it gives the same digest, with AVX2 or AVX-512 in a third of
 * the time. The second header redefines the plain functions, with macros. */
#ifndef ETMERLIN_BASE_DIGEST_H
#define ETMERLIN_BASE_DIGEST_H

#include <xxhash.h>

#ifdef HAVE_XXH_X86DISPATCH
#include <xxh_x86dispatch.h>
#endif

#endif
