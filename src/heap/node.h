/* SPDX-License-Identifier: MIT */
/* Nodes: the vertices of the reference graph. */
#ifndef ETMERLIN_HEAP_NODE_H
#define ETMERLIN_HEAP_NODE_H

#include <stdint.h>

/* node_t: the number of an object in the object table, from 1 in the order in which the trace
 * first names the objects. slot_t: the number of a reference slot, from 1; 0: none.
 *
 * 32 bits keep both tables small and suffice for any trace of up to 4 * 10^9 objects. A longer
 * one ends with STATUS_LIMIT and needs a program that was built with --enable-wide-nodes. */
#ifdef ETMERLIN_WIDE_NODES
typedef uint64_t node_t;
typedef uint64_t slot_t;
#define NODE_MAX (UINT64_MAX - 1)
#else
typedef uint32_t node_t;
typedef uint32_t slot_t;
#define NODE_MAX UINT32_MAX
#endif

#define SLOT_MAX NODE_MAX

/* As a value: null. As a container: its slots are the static fields. */
#define NODE_NONE ((node_t)0)

#endif
