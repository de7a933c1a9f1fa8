/* SPDX-License-Identifier: MIT */
/* The collector is recognized by the names of its threads: those of the JDK's collectors that
 * move objects while the program runs have threads with names of their own. */
#include "id_cache.h"

#include "hotspot.h"

_Atomic uint64_t id_cache_epoch = UINT64_MAX;

void id_cache_start(void)
{
    static const char *const concurrent[] = {"ZD", "ZW", "ZG", "ZU",
                                             "ZS", "XD", "XW", "Shenandoah"};
    if (hotspot_find_thread(concurrent, sizeof concurrent / sizeof *concurrent) == THREAD_NONE)
        atomic_store(&id_cache_epoch, 0);
}

void id_cache_turn(void)
{
    if (atomic_load(&id_cache_epoch) != UINT64_MAX)
        atomic_fetch_add(&id_cache_epoch, 1);
}
