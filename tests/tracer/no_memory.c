/* SPDX-License-Identifier: MIT */
/* For LD_PRELOAD: from call number NO_MEMORY_FROM on (1: the first one), the tracer gets no
 * memory for records. Nothing else in the process calls this function. */
#include <errno.h>
#include <stdatomic.h>
#include <stdlib.h>

void *aligned_alloc(size_t alignment, size_t size)
{
    static _Atomic long calls;
    const char *from = getenv("NO_MEMORY_FROM");
    void *memory = NULL;
    int error = ENOMEM;
    if (!from || atomic_fetch_add(&calls, 1) + 1 < strtol(from, NULL, 10))
        error = posix_memalign(&memory, alignment, size);
    errno = error;
    return error ? NULL : memory;
}
