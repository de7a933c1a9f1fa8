/* SPDX-License-Identifier: MIT */
/* Measures the object table and the reference slots: nanoseconds and bytes per entry.
 *
 * Usage: index_costs [MILLIONS]... (1, 10 and 50)
 *
 * objects: allocations, and then look-ups in random order, for sequential ids, random 31-bit
 * ids (identity hashes) and multiples of 8 (addresses). slots: each reference in a container of
 * its own ("lists"), and all of them in one container ("hub"). */
#include "heap/heap.h"
#include "heap/objects_inline.h"

#include <inttypes.h>
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { MILLION = 1000000 };

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

/* The resident memory of this process, in bytes. */
static double memory(void)
{
    double pages = 0, skipped = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    if (!file || fscanf(file, "%lf %lf", &skipped, &pages) != 2)
        exit(2);
    fclose(file);
    return pages * 4096;
}

static void need(enum status status)
{
    if (status != STATUS_OK) {
        fputs("index_costs: out of memory\n", stderr);
        exit(2);
    }
}

/* A permutation of 0 to 2^31-1 that looks random. */
static uint64_t scramble(uint64_t i)
{
    const uint32_t mask = UINT32_MAX >> 1;
    uint32_t x = (uint32_t)i;
    for (int round = 0; round < 3; round++) {
        x = (x * UINT32_C(0x2C1B3C6D) + 0x1234567) & mask;
        x ^= x >> 15;
    }
    return x;
}

static uint64_t sequential_id(uint64_t i)
{
    return i + 1;
}
static uint64_t random_id(uint64_t i)
{
    return scramble(i) + 1;
}
static uint64_t address_id(uint64_t i)
{
    return UINT64_C(0x7f0000000000) + 8 * (scramble(i) >> 3);
}

static void print(const char *what, size_t count, double insert, double find, double bytes)
{
    printf("%-22s %4zu %10.1f %10.1f %10.1f\n", what, count / MILLION, insert / (double)count,
           find / (double)count, bytes / (double)count);
    fflush(stdout);
}

static void measure_objects(const char *what, uint64_t (*id)(uint64_t), size_t count)
{
    struct failure why = {.status = STATUS_OK};
    struct objects *objects;
    enum allocation how;
    node_t before_it, node;
    malloc_trim(0);
    double before = memory(), start = now();
    need(objects_new(&objects, &why));
    for (size_t i = 0; i < count; i++)
        need(objects_allocate(objects, id(i), 0, &before_it, &node, &how, &why));
    double inserted = now(), used = memory() - before;
    for (size_t i = 0; i < count; i++)
        need(objects_find(objects, id(scramble(i) % count), &node, &why));
    print(what, count, inserted - start, now() - inserted, used);
    objects_free(objects);
}

static void measure_slots(const char *what, size_t containers, size_t count)
{
    struct failure why = {.status = STATUS_OK};
    struct slots *slots;
    slot_t *firsts = calloc(containers, sizeof *firsts);
    node_t old;
    malloc_trim(0);
    double before = memory(), start = now();
    need(firsts ? slots_new(&slots, &why) : STATUS_MEMORY);
    for (size_t i = 0; i < count; i++)
        need(slots_store(slots, (node_t)(i % containers + 1), &firsts[i % containers], i, 1,
                         &old, &why));
    double inserted = now(), used = memory() - before;
    for (size_t i = 0; i < count; i++) {
        size_t slot = scramble(i) % count;
        need(slots_store(slots, (node_t)(slot % containers + 1), &firsts[slot % containers],
                         slot, 2, &old, &why));
    }
    print(what, count, inserted - start, now() - inserted, used);
    slots_free(slots);
    free(firsts);
}

int main(int count, char **arguments)
{
    static const size_t usual[] = {1, 10, 50};
    size_t sizes = count > 1 ? (size_t)count - 1 : sizeof usual / sizeof *usual;
    printf("%-22s %4s %10s %10s %10s\n", "what", "10^6", "ns insert", "ns find", "bytes");
    for (size_t i = 0; i < sizes; i++) {
        size_t n = (count > 1 ? strtoul(arguments[i + 1], NULL, 10) : usual[i]) * MILLION;
        measure_objects("objects, sequential", sequential_id, n);
        measure_objects("objects, random", random_id, n);
        measure_objects("objects, addresses", address_id, n);
        measure_slots("slots, lists", n, n);
        measure_slots("slots, hub", 1, n);
    }
    return 0;
}
