/* A thread of its own looks at counters that others keep: so the line comes in time
 * also when they wait for a pipe or compute for long, and costs them nothing.
 * It sleeps in poll and needs no timer signals. It is also the one that cannot miss a
 * signal to end: it passes that on to the main thread until that has noticed,
 * whatever that was about to wait for. */
#include "cli/progress.h"

#include "base/thread.h"
#include "cli/signals.h"

#include <errno.h>
#include <inttypes.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

enum {
    TERMINAL_MILLISECONDS = 300,
    PLAIN_MILLISECONDS = 10 * 1000,
    KICK_MILLISECONDS = 50,
    LINE_SIZE = 512,
};

/* A phase, as it began. */
struct leg {
    enum phase phase;
    const struct source *source;
    double start;
};

struct progress {
    const char *name;
    enum progress_mode mode;
    bool on_terminal;
    bool has_thread;
    pthread_t thread;
    pthread_t main_thread;
    pthread_mutex_t lock; /* of `leg` */
    struct leg leg;
    atomic_bool stop;
    atomic_uint_fast64_t records, objects;
};

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

/* Appends to the line, as far as there is room. */
static void PRINTF_LIKE(2, 3) append(char *line, const char *format, ...)
{
    size_t length = strlen(line);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(line + length, LINE_SIZE - length, format, arguments);
    va_end(arguments);
}

static void append_duration(char *line, double duration)
{
    uint64_t left = (uint64_t)(duration + 0.5);
    if (left >= 3600)
        append(line, ", %" PRIu64 ":%02u:%02u left", left / 3600, (unsigned)(left / 60 % 60),
               (unsigned)(left % 60));
    else
        append(line, ", %u:%02u left", (unsigned)(left / 60), (unsigned)(left % 60));
}

/* Percent, speed, and the time that the rest of this phase takes at that speed. */
static void append_reading(char *line, const struct progress *progress, const struct leg *leg,
                           double elapsed)
{
    struct source_progress at = source_progress(leg->source);
    uint64_t records = atomic_load_explicit(&progress->records, memory_order_relaxed);
    if (at.total > 0 && at.done <= at.total)
        append(line, " %.1f%%,", 100 * (double)at.done / (double)at.total);
    append(line, " %.1f MB", (double)at.bytes / 1e6);
    if (elapsed <= 0)
        return;
    append(line, ", %.1f MB/s", (double)at.bytes / 1e6 / elapsed);
    if (leg->phase == PHASE_READING)
        append(line, ", %.2f M records/s", (double)records / 1e6 / elapsed);
    if (at.done > 0 && at.done <= at.total)
        append_duration(line, elapsed * (double)(at.total - at.done) / (double)at.done);
}

static void make_line(char *line, struct progress *progress)
{
    static const char *const phases[] = {"reading (pass 1)", "propagation", "writing (pass 2)",
                                         "verifying"};
    pthread_mutex_lock(&progress->lock);
    struct leg leg = progress->leg;
    line[0] = '\0';
    bool has_name = leg.phase == PHASE_READING; /* else what is read may be a temporary file */
    append(line, "%s: %s", has_name ? source_name(leg.source) : progress->name,
           phases[leg.phase]);
    if (leg.source)
        append_reading(line, progress, &leg, seconds() - leg.start);
    pthread_mutex_unlock(&progress->lock);
    append(line, ", %" PRIu64 " objects",
           (uint64_t)atomic_load_explicit(&progress->objects, memory_order_relaxed));
}

static void put(const char *text, size_t length)
{
    ssize_t ignored = write(STDERR_FILENO, text, length);
    (void)ignored;
}

/* Shows the line in one write, so that no other output comes between. */
static void show(struct progress *progress, bool stays)
{
    char line[LINE_SIZE], shown[LINE_SIZE + 16];
    make_line(line, progress);
    struct winsize size;
    bool is_line = !progress->on_terminal || stays;
    int width = LINE_SIZE;
    if (!is_line && ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 1)
        width = size.ws_col - 1;
    int length =
        snprintf(shown, sizeof shown, "%s%.*s%s%s", progress->on_terminal ? "\r" : "", width,
                 line, progress->on_terminal ? "\033[K" : "", is_line ? "\n" : "");
    put(shown, (size_t)length);
}

static int interval(const struct progress *progress)
{
    if (progress->mode == PROGRESS_NEVER)
        return -1;
    if (progress->on_terminal)
        return TERMINAL_MILLISECONDS;
    return progress->mode == PROGRESS_ALWAYS ? PLAIN_MILLISECONDS : -1;
}

enum note { NOTE_NONE, NOTE_WAKE, NOTE_END, NOTE_FAILED };

/* Waits for a note, at most `timeout` milliseconds (-1: for ever). */
static enum note wait_for_note(int timeout)
{
    const struct interrupt *interrupt = signals_interrupt();
    bool ends = interrupt_requested(interrupt);
    struct pollfd notes[] = {{.fd = signals_wake_descriptor(), .events = POLLIN},
                             {.fd = ends ? -1 : interrupt->descriptor, .events = POLLIN}};
    int result = poll(notes, 2, ends ? KICK_MILLISECONDS : timeout);
    if (result < 0 && errno != EINTR)
        return NOTE_FAILED;
    if (result > 0 && notes[0].revents != 0) {
        signals_slept();
        return NOTE_WAKE;
    }
    return interrupt_requested(interrupt) ? NOTE_END : NOTE_NONE;
}

/* Makes what the main thread waits in return. SIGPIPE is its own doing, of which it knows. */
static void kick(const struct progress *progress)
{
    int signal = atomic_load(&signals_interrupt()->signal);
    if (signal != SIGPIPE)
        pthread_kill(progress->main_thread, signal);
}

static void *watch(void *argument)
{
    struct progress *progress = argument;
    int timeout = interval(progress);
    for (;;) {
        enum note note = wait_for_note(timeout);
        if (note == NOTE_FAILED || atomic_load(&progress->stop))
            return NULL;
        if (note == NOTE_END)
            kick(progress);
        else
            show(progress, note == NOTE_WAKE);
    }
}

enum status progress_start(struct progress **out, const struct options *options,
                           const struct source *source, struct failure *why)
{
    struct progress *progress = calloc(1, sizeof *progress);
    if (!progress)
        return fail_memory(why);
    progress->name = source_name(source);
    progress->mode = options->quiet && options->progress == PROGRESS_AUTO ? PROGRESS_NEVER
                                                                          : options->progress;
    progress->on_terminal = isatty(STDERR_FILENO) && options->jobs == 1;
    progress->main_thread = pthread_self();
    progress->leg = (struct leg){PHASE_READING, source, seconds()};
    pthread_mutex_init(&progress->lock, NULL);
    /* Without the thread everything goes on, unseen. */
    progress->has_thread = thread_start(&progress->thread, watch, progress) == 0;
    *out = progress;
    return STATUS_OK;
}

void progress_phase(struct progress *progress, enum phase phase, const struct source *source)
{
    pthread_mutex_lock(&progress->lock);
    progress->leg = (struct leg){phase, source, seconds()};
    atomic_store_explicit(&progress->records, 0, memory_order_relaxed);
    pthread_mutex_unlock(&progress->lock);
}

void progress_count(struct progress *progress, uint64_t records, uint64_t objects)
{
    atomic_fetch_add_explicit(&progress->records, records, memory_order_relaxed);
    atomic_store_explicit(&progress->objects, objects, memory_order_relaxed);
}

int progress_percent(const struct progress *progress)
{
    if (!progress->leg.source)
        return -1;
    struct source_progress at = source_progress(progress->leg.source);
    return at.total == 0 || at.done > at.total
               ? -1
               : (int)(100.0 * (double)at.done / (double)at.total);
}

void progress_stop(struct progress *progress)
{
    if (!progress)
        return;
    if (progress->has_thread) {
        atomic_store(&progress->stop, true);
        signals_wake();
        pthread_join(progress->thread, NULL);
        if (progress->on_terminal && progress->mode != PROGRESS_NEVER)
            put("\r\033[K", 4);
    }
    pthread_mutex_destroy(&progress->lock);
    free(progress);
}
