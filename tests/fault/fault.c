/* SPDX-License-Identifier: MIT */
/* A library to be preloaded, which makes calls of functions fail. Calls within the C library
 * are not seen. Writes to pipes do not fail: the program wakes its own threads with them, and a
 * pipe that no other process has cannot fail. The environment says which calls fail: */
/* clang-format off
 *
 * FAULT_CALL   malloc, calloc, realloc, open, read, write, close, fsync, rename, linkat, mmap,
 *              mkstemp, readdir, pthread_create, fork or poll, with the variants of each; or
 *              several of these with spaces between, each of which is counted on its own
 * FAULT_AT     the number of the first call that fails, from 1; 0: none
 * FAULT_COUNT  how many calls fail from that one on (1); all: every one
 * FAULT_ERROR  the error number (EIO); -1: a short count (read, write); -2: the call does not
 *              fail, but SIGTERM comes before it; -3: it does not fail, but SIGUSR1 comes
 *              before it, and it waits until the process has written to standard error
 * FAULT_HIT    a file that is made when a call fails
 * FAULT_SITES  a file to which each call with a new call path appends its name, its number, and
 *              a number for the path (the functions that have called one another); at the end
 *              of the process, the number of calls of each function: name, number, 0
 * FAULT_SPARE  calls of malloc, calloc and realloc never fail in a library with this in its path
 * FAULT_LACKS  what file systems do not have: unnamed, files without names; links, names that
 *              such files get later
 */
/* clang-format on */
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <execinfo.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <time.h>
#include <unistd.h>

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *memory, size_t size);

/* Values of FAULT_ERROR. */
enum { SHORT_COUNT = -1, TERMINATION = -2, QUESTION = -3 };

/* Frames that identify a call path; the most paths and functions. */
enum { WAY_LENGTH = 6, MOST_WAYS = 16384, MOST_NAMES = 16 };

static char names[256]; /* the names of the wanted functions, each with a NUL after it */
static const char *wanted[MOST_NAMES];
static int wanted_count;
static const char *spared;
static long wanted_at, wanted_end;
static int error_number;
static atomic_long messages; /* writes to standard error */
static atomic_int has_threads;
static atomic_long calls[MOST_NAMES];
static int sites = -1; /* the descriptor of FAULT_SITES */
static pthread_mutex_t sites_lock = PTHREAD_MUTEX_INITIALIZER;
static struct {
    uint64_t way;
    int name;
} ways[MOST_WAYS];
static size_t way_count;

static void take_names(const char *list)
{
    snprintf(names, sizeof names, "%s", list);
    for (char *at = names, *end; *at && wanted_count < MOST_NAMES; at = end) {
        wanted[wanted_count++] = at;
        for (end = at; *end && *end != ' ';)
            end++;
        if (*end)
            *end++ = '\0';
    }
}

__attribute__((constructor)) static void prepare(void)
{
    const char *at = getenv("FAULT_AT"), *error = getenv("FAULT_ERROR");
    const char *count = getenv("FAULT_COUNT");
    wanted_at = at ? atol(at) : 0;
    wanted_end = !count                      ? wanted_at + 1
                 : strcmp(count, "all") == 0 ? LONG_MAX
                                             : wanted_at + atol(count);
    error_number = error ? atoi(error) : EIO;
    spared = getenv("FAULT_SPARE");
    const char *path = getenv("FAULT_SITES");
    if (path) {
        void *unused[1];
        sites = (int)syscall(SYS_openat, AT_FDCWD, path, O_WRONLY | O_CREAT | O_APPEND, 0600);
        backtrace(unused, 1); /* the first call loads a library, which must not happen later */
    }
    const char *list = getenv("FAULT_CALL");
    take_names(list ? list : "");
}

static void note(const char *name, long call, uint64_t way)
{
    char line[96];
    int length =
        snprintf(line, sizeof line, "%s %ld %llx\n", name, call, (unsigned long long)way);
    syscall(SYS_write, sites, line, (size_t)length);
}

__attribute__((destructor)) static void note_counts(void)
{
    for (int i = 0; i < wanted_count && sites >= 0; i++)
        note(wanted[i], atomic_load(&calls[i]), 0);
}

/* From now on no call fails; for scripts/coverage_hooks.c. */
void fault_stop(void);
void fault_stop(void)
{
    wanted_count = 0;
}

/* A number for the present call path, which does not depend on where libraries are loaded. */
static uint64_t present_way(void)
{
    void *frames[WAY_LENGTH];
    uint64_t way = 0;
    int count = backtrace(frames, WAY_LENGTH);
    for (int i = 0; i < count; i++) {
        Dl_info facts;
        if (dladdr(frames[i], &facts))
            way = (way ^ (uint64_t)((char *)frames[i] - (char *)facts.dli_fbase)) *
                  0x9e3779b97f4a7c15u;
    }
    return way;
}

/* Notes the call path; returns whether it is new. At most MOST_WAYS paths are noted. */
static int is_new(int name, uint64_t way)
{
    for (size_t i = 0; i < way_count; i++)
        if (ways[i].way == way && ways[i].name == name)
            return 0;
    if (way_count == MOST_WAYS)
        return 0;
    ways[way_count].name = name;
    ways[way_count++].way = way;
    return 1;
}

static void note_site(int name, long call)
{
    uint64_t way = present_way();
    pthread_mutex_lock(&sites_lock);
    if (is_new(name, way))
        note(wanted[name], call, way);
    pthread_mutex_unlock(&sites_lock);
}

/* Sends SIGTERM: to this thread, so that the handler runs before the call goes on, unless the
 * thread blocks the signal. */
static void terminate(void)
{
    sigset_t blocked;
    pthread_sigmask(SIG_SETMASK, NULL, &blocked);
    if (sigismember(&blocked, SIGTERM))
        kill(getpid(), SIGTERM);
    else
        pthread_kill(pthread_self(), SIGTERM);
}

/* Sends SIGUSR1, and waits until the process has written to standard error, so that the
 * progress shown is that at this call. Does nothing before another thread can answer, and after
 * a signal that got no answer in three seconds. */
static void ask(void)
{
    static pthread_mutex_t asking = PTHREAD_MUTEX_INITIALIZER;
    static long unanswered = -1;
    if (!atomic_load(&has_threads) || pthread_mutex_trylock(&asking) != 0)
        return;
    long before = atomic_load(&messages);
    if (before != unanswered) {
        kill(getpid(), SIGUSR1);
        for (int i = 0; i < 3000 && atomic_load(&messages) == before; i++)
            nanosleep(&(struct timespec){.tv_nsec = 1000 * 1000}, NULL);
        unanswered = before;
    }
    pthread_mutex_unlock(&asking);
}

/* Counts a call of `name`; returns whether it is to fail. Sets errno if so. */
static int fails(const char *name)
{
    int at = 0;
    while (at < wanted_count && strcmp(wanted[at], name) != 0)
        at++;
    if (at == wanted_count)
        return 0;
    long call = atomic_fetch_add(&calls[at], 1) + 1;
    if (sites >= 0)
        note_site(at, call);
    if (wanted_at == 0 || call < wanted_at || call >= wanted_end)
        return 0;
    const char *hit = getenv("FAULT_HIT");
    if (hit) {
        long descriptor = syscall(SYS_openat, AT_FDCWD, hit, O_WRONLY | O_CREAT, 0600);
        syscall(SYS_close, descriptor);
    }
    if (error_number == TERMINATION)
        terminate();
    if (error_number == QUESTION)
        ask();
    if (error_number > 0)
        errno = error_number;
    return error_number != TERMINATION && error_number != QUESTION;
}

/* Whether the code at `caller` is in the library of FAULT_SPARE. */
static int is_spared(void *caller)
{
    Dl_info facts;
    return spared && dladdr(caller, &facts) && strstr(facts.dli_fname, spared);
}

void *malloc(size_t size)
{
    if (is_spared(__builtin_return_address(0)))
        return __libc_malloc(size);
    return fails("malloc") ? NULL : __libc_malloc(size);
}

void *calloc(size_t count, size_t size)
{
    if (is_spared(__builtin_return_address(0)))
        return __libc_calloc(count, size);
    return fails("calloc") ? NULL : __libc_calloc(count, size);
}

void *realloc(void *memory, size_t size)
{
    if (is_spared(__builtin_return_address(0)))
        return __libc_realloc(memory, size);
    return fails("realloc") ? NULL : __libc_realloc(memory, size);
}

/* Whether file systems have no such thing; sets errno if so. */
static int lacks(const char *thing, int error)
{
    const char *lacking = getenv("FAULT_LACKS");
    if (!lacking || strcmp(lacking, thing) != 0)
        return 0;
    errno = error;
    return 1;
}

static int open_or_fail(const char *path, int flags, unsigned mode)
{
    if (fails("open") || ((flags & O_TMPFILE) == O_TMPFILE && lacks("unnamed", EOPNOTSUPP)))
        return -1;
    return (int)syscall(SYS_openat, AT_FDCWD, path, flags, mode);
}

static unsigned mode_of(int flags, va_list arguments)
{
    return flags & (O_CREAT | __O_TMPFILE) ? va_arg(arguments, unsigned) : 0;
}

int open(const char *path, int flags, ...)
{
    va_list arguments;
    va_start(arguments, flags);
    unsigned mode = mode_of(flags, arguments);
    va_end(arguments);
    return open_or_fail(path, flags, mode);
}

int open64(const char *path, int flags, ...)
{
    va_list arguments;
    va_start(arguments, flags);
    unsigned mode = mode_of(flags, arguments);
    va_end(arguments);
    return open_or_fail(path, flags, mode);
}

/* The number of bytes for a short count. */
static size_t shorten(size_t length)
{
    return length > 1 ? length / 2 : length;
}

ssize_t read(int descriptor, void *bytes, size_t length)
{
    if (fails("read")) {
        if (error_number >= 0)
            return -1;
        length = shorten(length);
    }
    return syscall(SYS_read, descriptor, bytes, length);
}

ssize_t pread(int descriptor, void *bytes, size_t length, off_t offset)
{
    if (fails("read")) {
        if (error_number >= 0)
            return -1;
        length = shorten(length);
    }
    return syscall(SYS_pread64, descriptor, bytes, length, offset);
}

ssize_t pread64(int descriptor, void *bytes, size_t length, off64_t offset)
{
    return pread(descriptor, bytes, length, offset);
}

static int is_pipe(int descriptor)
{
    struct stat facts;
    return fstat(descriptor, &facts) == 0 && S_ISFIFO(facts.st_mode);
}

ssize_t write(int descriptor, const void *bytes, size_t length)
{
    if (!is_pipe(descriptor) && fails("write")) {
        if (error_number >= 0)
            return -1;
        length = shorten(length);
    }
    ssize_t written = syscall(SYS_write, descriptor, bytes, length);
    if (descriptor == STDERR_FILENO)
        atomic_fetch_add(&messages, 1);
    return written;
}

/* As in the system, the descriptor is closed even if the call fails. */
int close(int descriptor)
{
    int failed = fails("close"), error = errno;
    long result = syscall(SYS_close, descriptor);
    if (!failed)
        return (int)result;
    errno = error;
    return -1;
}

int fsync(int descriptor)
{
    return fails("fsync") ? -1 : (int)syscall(SYS_fsync, descriptor);
}

int rename(const char *from, const char *to)
{
    return fails("rename") ? -1 : (int)syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, 0);
}

int linkat(int from_folder, const char *from, int to_folder, const char *to, int flags)
{
    if (fails("linkat") || lacks("links", EPERM))
        return -1;
    return (int)syscall(SYS_linkat, from_folder, from, to_folder, to, flags);
}

int renameat2(int from_folder, const char *from, int to_folder, const char *to, unsigned flags)
{
    return fails("rename")
               ? -1
               : (int)syscall(SYS_renameat2, from_folder, from, to_folder, to, flags);
}

void *mmap(void *address, size_t length, int protection, int flags, int descriptor,
           off_t offset)
{
    return fails("mmap") ? MAP_FAILED
                         : (void *)syscall(SYS_mmap, address, length, protection, flags,
                                           descriptor, offset);
}

int mkstemp(char *name)
{
    if (fails("mkstemp"))
        return -1;
    int (*original)(char *) = __extension__(int (*)(char *)) dlsym(RTLD_NEXT, "mkstemp");
    return original(name);
}

int mkstemp64(char *name)
{
    return mkstemp(name);
}

struct dirent *readdir(DIR *folder)
{
    if (fails("readdir"))
        return NULL;
    struct dirent *(*original)(DIR *) =
        __extension__(struct dirent * (*)(DIR *)) dlsym(RTLD_NEXT, "readdir");
    return original(folder);
}

_Static_assert(sizeof(struct dirent64) == sizeof(struct dirent), "the same entries");

struct dirent64 *readdir64(DIR *folder)
{
    return (struct dirent64 *)readdir(folder);
}

int poll(struct pollfd *descriptors, nfds_t count, int timeout)
{
    if (fails("poll"))
        return -1;
    /* The C library's function, since not every machine has a system call of this name. */
    int (*original)(struct pollfd *, nfds_t, int) =
        __extension__(int (*)(struct pollfd *, nfds_t, int)) dlsym(RTLD_NEXT, "poll");
    return original(descriptors, count, timeout);
}

pid_t fork(void)
{
    if (fails("fork"))
        return -1;
    pid_t (*original)(void) = __extension__(pid_t(*)(void)) dlsym(RTLD_NEXT, "fork");
    return original();
}

int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*start)(void *),
                   void *argument)
{
    if (fails("pthread_create"))
        return error_number;
    int (*original)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *) =
        __extension__(int (*)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *))
            dlsym(RTLD_NEXT, "pthread_create");
    int error = original(thread, attributes, start, argument);
    if (error == 0)
        atomic_store(&has_threads, 1);
    return error;
}
