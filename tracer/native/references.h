/* SPDX-License-Identifier: MIT */
/* Numbers in the lines about reference objects (etmerlin-formats(5), "References"). */
#ifndef ETTRACE_REFERENCES_H
#define ETTRACE_REFERENCES_H

/* The kinds of reference objects; 0 stands for an object that is none. */
enum { KIND_SOFT = 1, KIND_WEAK, KIND_FINAL, KIND_PHANTOM, KINDS_END };

#endif
