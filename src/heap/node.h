/* Nodes: the vertices of the reference graph. */
#ifndef ETMERLIN_HEAP_NODE_H
#define ETMERLIN_HEAP_NODE_H

#include <stdint.h>

/* The number of an object in the object table, from 1 on in the order in which
 * the trace first names them. */
typedef uint32_t node_t;

/* As a value: null. As a container: the one that has the static fields as its slots. */
#define NODE_NONE ((node_t)0)

#define NODE_MAX UINT32_MAX

#endif
