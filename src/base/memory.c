/* SPDX-License-Identifier: MIT */
/* Large arrays rely on realloc, which moves pages rather than copying bytes, and on the system,
 * which gives memory only to pages that are touched: so doubling takes no time or memory that
 * matters. A small array begins with just the room that is needed: there may be one for each of
 * a million threads, with a single item. */
#include "base/memory.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#ifdef __GLIBC__
#include <malloc.h>
#endif

/* Nothing is lost on machines whose large pages have another size. */
enum { LARGE_PAGE = 2 * 1024 * 1024 };

/* An array of this many bytes or more has pages of its own. Smaller ones are allocated and
 * freed so often that new pages would take more time than the memory is worth. */
enum { LARGE_ARRAY = 1024 * 1024 };

/* array_enlarge_slowly adds room for a quarter of the items, and for so many more. */
enum { ITEMS_AT_LEAST = 16 };

/* Gives an array room for `wanted` items, or for at least `needed`. */
static void *enlarge_to(void *items, size_t *capacity, size_t wanted, size_t needed,
                        size_t item_size)
{
    size_t bytes;
    if (wanted < needed)
        wanted = needed;
    if (wanted == 0)
        wanted = 1;
    if (__builtin_mul_overflow(wanted, item_size, &bytes))
        return NULL;
    void *grown = realloc(items, bytes);
    if (!grown) {
        /* When memory is short, a smaller step may succeed. */
        wanted = needed + (wanted - needed) / 16;
        grown = realloc(items, wanted * item_size);
    }
    if (grown)
        *capacity = wanted;
    return grown;
}

void *array_enlarge(void *items, size_t *capacity, size_t needed, size_t item_size)
{
    size_t wanted;
    if (__builtin_mul_overflow(*capacity, (size_t)2, &wanted))
        return NULL;
    return enlarge_to(items, capacity, wanted, needed, item_size);
}

void *array_enlarge_slowly(void *items, size_t *capacity, size_t needed, size_t item_size)
{
    size_t wanted;
    if (__builtin_add_overflow(*capacity, *capacity / 4 + ITEMS_AT_LEAST, &wanted))
        return NULL;
    return enlarge_to(items, capacity, wanted, needed, item_size);
}

bool array_extend(void *array, size_t *capacity, size_t needed, size_t item_size, bool is_slow)
{
    void *items;
    memcpy(&items, array, sizeof items);
    items = is_slow ? array_enlarge_slowly(items, capacity, needed, item_size)
                    : array_enlarge(items, capacity, needed, item_size);
    if (items)
        memcpy(array, &items, sizeof items);
    return items;
}

bool array_lengthen(void *array, size_t *count, size_t *capacity, size_t needed,
                    size_t item_size)
{
    char *items;
    if (needed > *capacity && !array_extend(array, capacity, needed, item_size, false))
        return false;
    memcpy(&items, array, sizeof items);
    memset(items + *count * item_size, 0, (needed - *count) * item_size);
    *count = needed;
    return true;
}

void *array_new(size_t count, size_t item_size)
{
    return calloc(count ? count : 1, item_size);
}

void *array_of_pages(size_t count, size_t item_size)
{
    size_t bytes;
    if (__builtin_mul_overflow(count, item_size, &bytes))
        return NULL;
    if (bytes % LARGE_PAGE != 0)
        return malloc(bytes);
    void *items = aligned_alloc(LARGE_PAGE, bytes);
    if (items)
        madvise(items, bytes, MADV_HUGEPAGE); /* a system without them has small ones */
    return items;
}

void memory_trim(void)
{
#ifdef __GLIBC__
    malloc_trim(0);
#endif
}

void memory_separate_arrays(void)
{
#ifdef __GLIBC__
    mallopt(M_MMAP_THRESHOLD, LARGE_ARRAY);
#endif
}

uint64_t memory_in_use(void)
{
    char text[256];
    int descriptor = open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
    if (descriptor < 0)
        return 0;
    ssize_t length = read(descriptor, text, sizeof text - 1);
    close(descriptor);
    unsigned long pages;
    text[length > 0 ? length : 0] = '\0';
    if (sscanf(text, "%*u %*u %*u %*u %*u %lu", &pages) != 1)
        return 0;
    return (uint64_t)pages * (uint64_t)sysconf(_SC_PAGESIZE);
}
