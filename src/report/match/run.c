/* SPDX-License-Identifier: MIT */
/* The sequences of threads are made from births. Lives come in the order of death, and a second
 * cursor over the births keeps up with them, so that it is known what each thread has allocated
 * by each death. Objects are then sorted by pairs of threads, in temporary files. */
#include "report/match/run.h"

#include "base/map.h"
#include "base/memory.h"
#include "base/number.h"

#include <stdlib.h>

/* The row of an object: OBJECT_ALLOCATION is its number times 2, plus 1 for a survivor. */
enum {
    OBJECT_PAIR,
    OBJECT_ALLOCATION,
    OBJECT_BORN,
    OBJECT_DIED,
    OBJECT_THREAD_DIED,
    OBJECT_SIZE,
    OBJECT_LINE,
    OBJECT_WIDTH
};
_Static_assert((int)OBJECT_WIDTH <= (int)SORTED_ROW_MAX, "rows have room");

/* A run while it is taken. */
struct taking {
    struct run *run;
    struct run_common *common;
    unsigned number;
    const struct run_source *source;
    /* Words of ids, and numbers of contexts, plus 1, so that each is found only once. */
    struct map types, methods, contexts;
    uint64_t no_method; /* the word for it, plus 1; 0: it is not known yet */
    struct birth_cursor *births;
    uint64_t passed; /* births that the cursor has passed */
    size_t *indexes; /* of threads in the run, plus 1, by their numbers among the frames; 0: it
                        has not allocated */
    uint64_t *thread_bytes; /* allocated so far, by index */
};

/* The index among the threads of the run of one that has allocated. */
static size_t thread_index(const struct taking *taking, uint64_t id)
{
    return taking->indexes[frames_known(taking->source->pass->heap.frames, id)] - 1;
}

static enum status begin_threads(struct taking *taking, struct failure *why)
{
    taking->run->seen_threads = frames_thread_count(taking->source->pass->heap.frames);
    taking->indexes = array_new(taking->run->seen_threads, sizeof *taking->indexes);
    return taking->indexes ? STATUS_OK : fail_memory(why);
}

/* Finds a thread, or enters it at its first allocation. */
static enum status find_thread(struct taking *taking, uint64_t id, struct run_thread **thread,
                               struct failure *why)
{
    struct run *run = taking->run;
    size_t *index = &taking->indexes[frames_known(taking->source->pass->heap.frames, id)];
    if (*index == 0) {
        if (!ARRAY_RESERVE(run->threads, run->thread_capacity, run->thread_count + 1))
            return fail_memory(why);
        run->threads[run->thread_count++] = (struct run_thread){.id = id};
        *index = run->thread_count;
    }
    *thread = &run->threads[*index - 1];
    return STATUS_OK;
}

/* Finds the word of an id: its name or, if there are no names or it has none, the id itself in
 * decimal. */
static enum status find_word(struct taking *taking, enum name_space space, uint64_t id,
                             uint32_t *word, struct failure *why)
{
    char digits[NUMBER_DIGITS];
    uint64_t *known = map_insert(space == NAMES_TYPE ? &taking->types : &taking->methods, id);
    if (!known)
        return fail_memory(why);
    if (*known == 0) {
        struct name_parts name = names_find_parts(taking->source->names, space, id);
        if (!name.own)
            name = (struct name_parts){.own = digits, .own_length = number_format(digits, id)};
        TRY(vocabulary_word(&taking->common->vocabulary, &name, word, why));
        *known = (uint64_t)*word + 1;
    }
    *word = (uint32_t)(*known - 1);
    return STATUS_OK;
}

/* Finds the word of the innermost method of a context. */
static enum status innermost_word(struct taking *taking, uint64_t context, uint32_t *word,
                                  struct failure *why)
{
    static const struct name_parts none = {.own = "(none)", .own_length = 6};
    const struct contexts *contexts = pass_contexts(taking->source->pass);
    if (context != 0)
        return find_word(taking, NAMES_METHOD, contexts_method(contexts, (uint32_t)context),
                         word, why);
    if (taking->no_method == 0) {
        TRY(vocabulary_word(&taking->common->vocabulary, &none, word, why));
        taking->no_method = (uint64_t)*word + 1;
    }
    *word = (uint32_t)(taking->no_method - 1);
    return STATUS_OK;
}

static enum status number_context(struct taking *taking, uint64_t context, uint32_t *number,
                                  struct failure *why)
{
    uint64_t methods[CONTEXT_DEPTH_MAX];
    uint32_t words[CONTEXT_DEPTH_MAX];
    size_t count =
        contexts_methods(pass_contexts(taking->source->pass), (uint32_t)context, methods);
    for (size_t i = 0; i < count; i++)
        TRY(find_word(taking, NAMES_METHOD, methods[i], &words[i], why));
    return vocabulary_context(&taking->common->vocabulary, words, count, number, why);
}

static enum status find_context(struct taking *taking, uint64_t context, uint32_t *number,
                                struct failure *why)
{
    uint64_t *known = map_insert(&taking->contexts, context);
    if (!known)
        return fail_memory(why);
    if (*known == 0) {
        TRY(number_context(taking, context, number, why));
        *known = (uint64_t)*number + 1;
    }
    *number = (uint32_t)(*known - 1);
    return STATUS_OK;
}

/* Appends an allocation to those of its thread. */
static enum status add_key(struct run_thread *thread, uint32_t key, struct failure *why)
{
    if (thread->count >= UINT32_MAX - 2)
        return fail(why, STATUS_LIMIT, "A thread makes more than %u allocations",
                    UINT32_MAX - 2);
    if (!ARRAY_RESERVE(thread->keys, thread->capacity, thread->count + 1))
        return fail_memory(why);
    thread->keys[thread->count++] = key;
    return STATUS_OK;
}

static enum status take_birth(void *context, const struct birth_facts *birth,
                              struct failure *why)
{
    struct taking *taking = context;
    struct allocation_key key = {.size = birth->size};
    struct run_thread *thread = NULL;
    uint32_t number = 0;
    TRY(find_thread(taking, birth->thread, &thread, why));
    TRY(find_word(taking, NAMES_TYPE, birth->type, &key.type, why));
    TRY(innermost_word(taking, birth->context, &key.method, why));
    TRY(vocabulary_key(&taking->common->vocabulary, &key, &number, why));
    TRY(add_key(thread, number, why));
    thread->bytes += birth->size;
    taking->run->allocations++;
    taking->run->bytes += birth->size;
    return STATUS_OK;
}

/* Passes births until `allocations` have been made. */
static enum status pass_births(struct taking *taking, uint64_t allocations, struct failure *why)
{
    struct birth_facts birth;
    for (; taking->passed < allocations; taking->passed++) {
        TRY(birth_cursor_next(taking->births, &birth, why));
        taking->thread_bytes[thread_index(taking, birth.thread)] += birth.size;
    }
    return STATUS_OK;
}

static enum status add_object(struct taking *taking, const struct life_facts *life,
                              struct failure *why)
{
    size_t thread = thread_index(taking, life->thread);
    const uint64_t row[OBJECT_WIDTH] = {
        [OBJECT_PAIR] = taking->run->threads[thread].pair,
        [OBJECT_ALLOCATION] = life->allocation * 2 + life->survives,
        [OBJECT_BORN] = life->born.bytes,
        [OBJECT_DIED] = life->died.bytes,
        [OBJECT_THREAD_DIED] = taking->thread_bytes[thread],
        [OBJECT_SIZE] = life->size,
        [OBJECT_LINE] = life->line,
    };
    return row_sort_add(taking->run->objects, row, why);
}

static enum status add_to_site(struct taking *taking, const struct life_facts *life,
                               struct failure *why)
{
    struct site_object object = {
        .run = taking->number,
        .size = life->size,
        .survives = life->survives,
        .lifetime = life_bytes(life),
    };
    TRY(find_word(taking, NAMES_TYPE, life->type, &object.type, why));
    TRY(find_context(taking, life->context, &object.context, why));
    return site_list_add(&taking->common->sites, &object, taking->common->threshold, why);
}

static enum status take_life(void *context, const struct life_facts *life, struct failure *why)
{
    struct taking *taking = context;
    struct run *run = taking->run;
    if (life_is_prior(life))
        return STATUS_OK;
    TRY(pass_births(taking, life->died_allocations, why));
    if (life->survives) {
        run->survivors++;
        run->survivor_bytes += life->size;
    }
    TRY(add_object(taking, life, why));
    return add_to_site(taking, life, why);
}

static enum status take_lives(struct taking *taking, struct failure *why)
{
    const struct life_stream *stream = taking->source->stream;
    enum status status = birth_cursor_open(&taking->births, stream, why);
    if (status == STATUS_OK)
        status = lives_visit(stream, take_life, taking, why);
    birth_cursor_close(taking->births);
    return status;
}

/* Pairs the threads of B with those of A, or numbers those of A, when all of them are known. */
static enum status pair_with(struct run *runs, struct taking *taking, struct failure *why)
{
    struct run none = {.threads = NULL};
    bool is_first = taking->number == RUN_A;
    taking->thread_bytes = array_new(taking->run->thread_count, sizeof *taking->thread_bytes);
    if (!taking->thread_bytes)
        return fail_memory(why);
    return thread_pairs_find(&runs[RUN_A], is_first ? &none : &runs[RUN_B],
                             taking->common->vocabulary.keys.count, why);
}

enum status run_take(struct run *runs, unsigned number, struct run_common *common,
                     const struct run_source *source, struct failure *why)
{
    struct run *run = &runs[number];
    struct taking taking = {.run = run, .common = common, .number = number, .source = source};
    enum status status = begin_threads(&taking, why);
    if (status == STATUS_OK)
        status = births_visit(source->stream, take_birth, &taking, why);
    if (status == STATUS_OK)
        status = pair_with(runs, &taking, why);
    if (status == STATUS_OK)
        status = row_sort_open(&run->objects, OBJECT_WIDTH, 2, source->temporary, why);
    if (status == STATUS_OK)
        status = take_lives(&taking, why);
    if (status == STATUS_OK)
        status = row_sort_finish(run->objects, why);
    free(taking.indexes);
    free(taking.thread_bytes);
    map_free(&taking.types);
    map_free(&taking.contexts);
    map_free(&taking.methods);
    return status;
}

enum status run_next(struct run *run, struct run_object *object, struct failure *why)
{
    uint64_t row[OBJECT_WIDTH];
    enum status status = row_sort_next(run->objects, row, why);
    if (status == STATUS_OK)
        *object = (struct run_object){
            .pair = row[OBJECT_PAIR],
            .allocation = row[OBJECT_ALLOCATION] / 2,
            .born = row[OBJECT_BORN],
            .died = row[OBJECT_DIED],
            .thread_died = row[OBJECT_THREAD_DIED],
            .size = row[OBJECT_SIZE],
            .line = row[OBJECT_LINE],
            .survives = row[OBJECT_ALLOCATION] % 2,
        };
    return status;
}

void run_free(struct run *run)
{
    for (size_t i = 0; run->threads && i < run->thread_count; i++)
        free(run->threads[i].keys);
    free(run->threads);
    row_sort_close(run->objects);
}
