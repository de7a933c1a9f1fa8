/* SPDX-License-Identifier: MIT */
/* The facts of a life that are found in the same way, whether all objects are in memory or
 * those of a window. */
#include "merlin/lives/life_facts.h"

/* The id of the thread that allocated `node`; 0 if the trace has none. */
static uint64_t life_thread(const struct pass *pass, node_t node)
{
    if (pass->explicit_time)
        return 0;
    return frames_thread_id(pass->heap.frames, objects_thread(pass->heap.objects, node));
}

struct birth_facts life_birth(const struct pass *pass, size_t allocation)
{
    const struct clock *clock = &pass->clock;
    const struct allocations *says = &pass->recorders->allocations;
    uint64_t tick = ascending_at(&says->ticks, allocation);
    uint64_t next = tick < UINT64_MAX ? tick + 1 : tick;
    size_t count;
    node_t node = objects_allocations(pass->heap.objects, &count)[allocation];
    return (struct birth_facts){
        .tick = next,
        .time = clock_time(clock, next < clock->now ? next : clock->now),
        .object = objects_id(pass->heap.objects, node),
        .kind = says->kinds[allocation],
        .thread = life_thread(pass, node),
        .size = allocations_size(says, allocation),
        .type = narrow_at(&says->types, allocation),
        .site = narrow_at(&says->sites, allocation),
    };
}

void life_set_object(struct life_facts *life, const struct pass *pass, size_t allocation,
                     node_t node)
{
    const struct allocations *says = &pass->recorders->allocations;
    life->kind = says->kinds[allocation];
    life->type = narrow_at(&says->types, allocation);
    life->size = allocations_size(says, allocation);
    life->length = narrow_at(&says->lengths, allocation);
    life->site = narrow_at(&says->sites, allocation);
    life->line = narrow_at(&says->lines, allocation);
    life->object = objects_id(pass->heap.objects, node);
    life->thread = life_thread(pass, node);
    const struct uses *uses = pass->recorders->uses;
    life->uses = uses_count(uses, node);
    if (uses_proofs(uses))
        life->proof = uses_proofs(uses)[node];
    if (!uses_have_positions(uses))
        return;
    struct use_position position = uses_position(uses, node);
    life->use_count = position.count;
    life->use_thread = frames_thread_id(pass->heap.frames, position.thread);
}

void life_set_group(struct life_facts *life, const struct pass *pass,
                    const struct causes *causes, node_t node, bool *met)
{
    if (!causes->keys) {
        life->cause = CAUSE_UNKNOWN;
        return;
    }
    node_t key = causes->keys[node];
    life->cause = causes_of(causes, node);
    life->has_key = key != NODE_NONE;
    if (!life->has_key)
        return;
    life->key = objects_id(pass->heap.objects, key);
    if (life_is_prior(life))
        return;
    life->is_key = key == node;
    life->is_first = !met[key];
    met[key] = true;
    if (!life->is_key && !life->is_first)
        return;
    const struct group *group = causes_group(causes, key);
    life->group_objects = group ? group->objects : 1;
    life->key_cause = causes_of(causes, key);
    const uint64_t *lost_fields = uses_lost_fields(pass->recorders->uses);
    if (lost_fields && life_key_lost_field(life))
        life->key_field = lost_fields[key];
    life->group_bytes = group ? group->bytes : life->size;
    life->has_cycle = causes_has_cycle(causes, key);
}

enum status life_die(const struct pass *pass, const struct causes *causes, node_t node,
                     bool is_prior, uint64_t birth, uint64_t death, struct failure *why)
{
    struct paths *paths = pass->recorders->paths;
    TRY(paths_die(paths, pass->heap.objects, node, birth, death, why));
    if (!causes->keys)
        return STATUS_OK;
    return contexts_note_death(paths_contexts(paths),
                               paths_of_last_use(paths, causes->keys[node]), is_prior, why);
}

void life_set_death_site(struct life_facts *life, const struct pass *pass,
                         const struct causes *causes, node_t node)
{
    const struct paths *paths = pass->recorders->paths;
    life->is_shared = !life_is_prior(life) && paths_is_shared(paths, node);
    if (life->survives)
        return;
    if (causes->keys)
        life->death_context = paths_of_last_use(paths, causes->keys[node]);
    life->frames_outlived = paths_outlived(paths, node);
    life->has_outlived = !life_is_prior(life) && life->frames_outlived != PATHS_NO_FRAMES;
    if (!life->has_outlived)
        life->frames_outlived = 0;
}

struct life_moment life_moment_now(const struct clock *clock, uint64_t bytes)
{
    return (struct life_moment){clock->now, clock_time(clock, clock->now), bytes};
}

struct life_moment life_first_moment(const struct clock *clock)
{
    uint64_t tick = clock->now < 1 ? clock->now : 1;
    return (struct life_moment){.tick = tick, .time = clock_time(clock, tick)};
}
