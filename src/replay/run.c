/* SPDX-License-Identifier: MIT */
/* One loop does everything: at each step of a thread, free what may be freed there, then
 * allocate. With one thread, steps are taken in the order of the file. With several, each takes
 * its own. A thread only waits for the allocation of an object that it is to free, which will
 * come, as plan.c has checked. Blocks are handed over through atomic pointers.
 *
 * The time of an operation includes writing and checking the pattern: memory that is never
 * touched costs nothing, which would flatter allocators that spread objects. */
#include "replay/replay.h"

#include "base/memory.h"
#include "base/thread.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

/* How much memory this process has and may have, as Linux shows it. All in bytes; 0 where it is
 * unknown. Files are read with plain system calls into memory on the stack: a program that
 * measures an allocator must not allocate meanwhile. */

/* Reads the start of a file of /proc as text; empty if it cannot be read. */
static void read_start(const char *path, char *text, size_t size)
{
    int descriptor = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t got = descriptor < 0 ? 0 : read(descriptor, text, size - 1);
    text[got > 0 ? got : 0] = '\0';
    if (descriptor >= 0)
        close(descriptor);
}

uint64_t memory_available(void)
{
    char text[4096];
    read_start("/proc/meminfo", text, sizeof text);
    const char *available = strstr(text, "MemAvailable:");
    return available ? strtoull(available + strlen("MemAvailable:"), NULL, 10) * 1024 : 0;
}

/* What RLIMIT_DATA counts: not the stack. */
static uint64_t data_in_use(void)
{
    char text[4096];
    read_start("/proc/self/status", text, sizeof text);
    const char *data = strstr(text, "VmData:");
    return data ? strtoull(data + strlen("VmData:"), NULL, 10) * 1024 : 0;
}

/* Limits the process to `bytes` more than it has now, touched or not: requests beyond that
 * fail. Sets *former to the limit so far, for memory_unbound. */
static enum status memory_bound(uint64_t bytes, uint64_t *former, struct failure *why)
{
    struct rlimit limit;
    rlim_t most;
    if (getrlimit(RLIMIT_DATA, &limit) != 0)
        return fail_errno(why, NULL, "limit the memory", errno);
    *former = limit.rlim_cur;
    if (!__builtin_add_overflow(data_in_use(), bytes, &most) && most < limit.rlim_cur)
        limit.rlim_cur = most;
    if (setrlimit(RLIMIT_DATA, &limit) != 0)
        return fail_errno(why, NULL, "limit the memory", errno);
    return STATUS_OK;
}

/* Limits the process as before again. */
static void memory_unbound(uint64_t former)
{
    struct rlimit limit;
    if (getrlimit(RLIMIT_DATA, &limit) != 0)
        return;
    limit.rlim_cur = former;
    setrlimit(RLIMIT_DATA, &limit);
}

/* What the process has at this moment. */
static uint64_t memory_resident(void)
{
    char text[256];
    read_start("/proc/self/statm", text, sizeof text);
    const char *second = strchr(text, ' ');
    return second ? strtoull(second, NULL, 10) * (uint64_t)sysconf(_SC_PAGESIZE) : 0;
}

/* The most that the process has had since memory_forget_peak, or since it began. */
static uint64_t memory_peak(void)
{
    char text[4096];
    read_start("/proc/self/status", text, sizeof text);
    const char *peak = strstr(text, "VmHWM:");
    return peak ? strtoull(peak + strlen("VmHWM:"), NULL, 10) * 1024 : 0;
}

/* Has the peak measured from now on. False: the system does not allow it. */
static bool memory_forget_peak(void)
{
    int descriptor = open("/proc/self/clear_refs", O_WRONLY | O_CLOEXEC);
    bool is_forgotten = descriptor >= 0 && write(descriptor, "5", 1) == 1;
    if (descriptor >= 0)
        close(descriptor);
    return is_forgotten;
}

struct run {
    const struct replay_plan *plan;
    const char *name;
    _Atomic(void *) *blocks; /* by object; NULL: not allocated yet, or freed */
    struct run_figures *figures;
    uint64_t baseline; /* resident bytes at the start */
    size_t interval;   /* allocations between two samples; 0: none are taken */
    size_t sample_capacity;
    _Atomic uint64_t allocations, live; /* kept only when samples are taken */
    pthread_mutex_t lock;               /* protects samples, failed and why */
    _Atomic bool failed;
    struct failure *why;
};

/* What one thread does. */
struct worker {
    struct run *run;
    size_t thread; /* of the plan */
    pthread_t handle;
    uint64_t frees;
};

/* The word that fills the memory of an object. It has no byte in common with that of the next
 * object. */
static uint64_t pattern_of(size_t object)
{
    return (uint64_t)(object + 1) * UINT64_C(0x9e3779b97f4a7c15);
}

static void write_pattern(char *block, uint64_t size, uint64_t pattern)
{
    for (; size >= sizeof pattern; size -= sizeof pattern, block += sizeof pattern)
        memcpy(block, &pattern, sizeof pattern);
    memcpy(block, &pattern, (size_t)size);
}

static bool has_pattern(const char *block, uint64_t size, uint64_t pattern)
{
    for (; size >= sizeof pattern; size -= sizeof pattern, block += sizeof pattern)
        if (memcmp(block, &pattern, sizeof pattern) != 0)
            return false;
    return memcmp(block, &pattern, (size_t)size) == 0;
}

/* Records the first failure, with `text` about the object. Returns false. */
static bool give_up(struct run *run, enum status status, size_t object, const char *text)
{
    pthread_mutex_lock(&run->lock);
    if (!run->failed)
        fail_at(run->why, status, run->name, run->plan->first_line + object,
                "Allocation %zu of %" PRIu64 " bytes: %s", object + 1,
                run->plan->objects[object].size, text);
    run->failed = true;
    pthread_mutex_unlock(&run->lock);
    return false;
}

/* Takes the sample after so many allocations, when so many bytes are live. A thread that has
 * counted them may come here after others, which have counted more. */
static void take_sample(struct run *run, uint64_t allocations, uint64_t live)
{
    pthread_mutex_lock(&run->lock);
    struct sample *samples = run->figures->samples;
    size_t at = run->figures->sample_count;
    uint64_t resident = memory_resident();
    if (at < run->sample_capacity) {
        run->figures->sample_count++;
        for (; at > 0 && samples[at - 1].allocations > allocations; at--)
            samples[at] = samples[at - 1];
        samples[at] = (struct sample){
            .allocations = allocations,
            .live = live,
            .resident = resident > run->baseline ? resident - run->baseline : 0,
        };
    }
    pthread_mutex_unlock(&run->lock);
}

/* The object's block, once the thread that allocates it has done so; NULL: it never will. */
static char *await_block(struct run *run, size_t object)
{
    void *block;
    while (!(block = atomic_load_explicit(&run->blocks[object], memory_order_acquire))) {
        if (atomic_load_explicit(&run->failed, memory_order_relaxed))
            return NULL;
        sched_yield();
    }
    return block;
}

static bool free_object(struct run *run, size_t object)
{
    uint64_t size = run->plan->objects[object].size;
    char *block = await_block(run, object);
    if (!block)
        return false;
    if (!has_pattern(block, size, pattern_of(object)))
        return give_up(run, STATUS_MEANING, object,
                       "its memory was changed while it was allocated: the allocator gave it "
                       "out twice, or wrote to it");
    free(block);
    if (run->interval > 0)
        atomic_fetch_sub_explicit(&run->live, size, memory_order_relaxed);
    return true;
}

static bool allocate_object(struct run *run, size_t object)
{
    uint64_t size = run->plan->objects[object].size;
    /* NULL means no block, so a block without bytes gets one. */
    char *block = size < SIZE_MAX ? malloc(size > 0 ? (size_t)size : 1) : NULL;
    if (!block)
        return give_up(run, STATUS_LIMIT, object,
                       "the allocator has no memory for it, within --memory-limit");
    write_pattern(block, size, pattern_of(object));
    /* Before another thread can free the block. */
    if (run->interval > 0)
        atomic_fetch_add_explicit(&run->live, size, memory_order_relaxed);
    atomic_store_explicit(&run->blocks[object], block, memory_order_release);
    if (run->interval == 0)
        return true;
    uint64_t made = atomic_fetch_add_explicit(&run->allocations, 1, memory_order_relaxed) + 1;
    if (made % run->interval == 0)
        take_sample(run, made, atomic_load(&run->live));
    return true;
}

static bool take_step(struct worker *worker, size_t step)
{
    struct run *run = worker->run;
    const struct replay_plan *plan = run->plan;
    size_t end = plan->freed_begin[step + 1];
    for (size_t at = plan->freed_begin[step]; at < end; at++, worker->frees++)
        if (!free_object(run, plan->freed[at]))
            return false;
    return plan->allocated[step] == PLAN_NONE || allocate_object(run, plan->allocated[step]);
}

static void *follow_thread(void *argument)
{
    struct worker *worker = argument;
    const struct replay_plan *plan = worker->run->plan;
    size_t end = plan->first_steps[worker->thread + 1];
    for (size_t step = plan->first_steps[worker->thread]; step < end; step++)
        if (!take_step(worker, step))
            break;
    return NULL;
}

/* Takes all steps in one thread: in the order of the rows, then the last step of each thread of
 * the oracle. */
static void follow_file(struct worker *worker)
{
    const struct replay_plan *plan = worker->run->plan;
    for (size_t i = 0; i < plan->count; i++)
        if (!take_step(worker, plan->step_of[i]))
            return;
    for (size_t i = 0; i < plan->threads; i++)
        if (!take_step(worker, plan->first_steps[i + 1] - 1))
            return;
}

/* Starts a thread for each thread of the oracle, and waits for all of them. */
static enum status follow_threads(struct run *run, struct worker *workers, struct failure *why)
{
    size_t started = 0;
    int error = 0;
    for (; started < run->plan->threads && error == 0; started += error == 0) {
        workers[started] = (struct worker){.run = run, .thread = started};
        error = thread_start(&workers[started].handle, follow_thread, &workers[started]);
    }
    if (error)
        run->failed = true;
    for (size_t i = 0; i < started; i++) {
        pthread_join(workers[i].handle, NULL);
        run->figures->frees += workers[i].frees;
    }
    return error ? fail_errno(why, run->name, "start a thread for each of the oracle", error)
                 : STATUS_OK;
}

static uint64_t now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_nsec;
}

static enum status follow(struct run *run, bool threads, struct failure *why)
{
    enum status status = STATUS_OK;
    struct worker *workers = array_new(threads ? run->plan->threads : 1, sizeof *workers);
    if (!workers)
        return fail_memory(why);
    run->figures->has_peak = memory_forget_peak();
    run->baseline = memory_resident();
    uint64_t start = now();
    if (threads) {
        status = follow_threads(run, workers, why);
    } else {
        workers[0] = (struct worker){.run = run};
        follow_file(&workers[0]);
        run->figures->frees = workers[0].frees;
    }
    run->figures->nanoseconds = now() - start;
    uint64_t peak = memory_peak();
    run->figures->has_peak = run->figures->has_peak && peak > 0;
    run->figures->peak_resident = peak > run->baseline ? peak - run->baseline : 0;
    free(workers);
    return status == STATUS_OK ? why->status : status;
}

/* The limit of the process. Stacks of threads count as memory of the process, but are not the
 * allocator's. */
static uint64_t limit_with_stacks(const struct replay_plan *plan,
                                  const struct run_options *options)
{
    uint64_t stacks, limit;
    if (!options->threads)
        return options->limit;
    if (__builtin_mul_overflow(plan->threads, (uint64_t)THREAD_STACK_SIZE, &stacks) ||
        __builtin_add_overflow(options->limit, stacks, &limit))
        return UINT64_MAX;
    return limit;
}

/* The limit ends with the replay: the report needs memory, too. */
static enum status follow_bounded(struct run *run, const struct run_options *options,
                                  struct failure *why)
{
    uint64_t former = 0;
    if (options->limit == 0)
        return follow(run, options->threads, why);
    enum status status = memory_bound(limit_with_stacks(run->plan, options), &former, why);
    if (status != STATUS_OK)
        return status;
    status = follow(run, options->threads, why);
    memory_unbound(former);
    return status;
}

static enum status prepare(struct run *run, const struct run_options *options,
                           struct failure *why)
{
    size_t count = run->plan->count;
    run->blocks = array_new(count, sizeof *run->blocks);
    if (!run->blocks)
        return fail_memory(why);
    /* Touches the table, so that it does not count as memory of the allocator. */
    for (size_t i = 0; i < count; i++)
        atomic_init(&run->blocks[i], NULL);
    if (options->samples == 0 || count == 0)
        return STATUS_OK;
    run->interval = (count + options->samples - 1) / options->samples;
    run->sample_capacity = count / run->interval;
    run->figures->samples = array_new(run->sample_capacity, sizeof *run->figures->samples);
    return run->figures->samples ? STATUS_OK : fail_memory(why);
}

enum status run_plan(const struct replay_plan *plan, const char *name,
                     const struct run_options *options, struct run_figures *figures,
                     struct failure *why)
{
    struct run run = {.plan = plan, .name = name, .figures = figures, .why = why};
    *figures = (struct run_figures){.frees = 0};
    pthread_mutex_init(&run.lock, NULL);
    enum status status = prepare(&run, options, why);
    if (status == STATUS_OK)
        status = follow_bounded(&run, options, why);
    pthread_mutex_destroy(&run.lock);
    free(run.blocks);
    return status;
}
