/* SPDX-License-Identifier: MIT */
/* A library to be preloaded. It causes at a known moment what otherwise happens at any moment:
 * $INTRUDER=signal sends SIGUSR1 while the command line is read, before there are handlers;
 * $INTRUDER=exit ends the process inside libarchive, which does so when it gets no memory;
 * $INTRUDER=stuck sends SIGTERM while an output is synchronized, and never returns;
 * $INTRUDER=kill sends SIGKILL when a temporary file gets a name, or a rename replaces
 * something, although the file system supports files without a name and exchanges of names;
 * $INTRUDER=plain makes renames support no flags, as on some file systems;
 * $INTRUDER=once does the same, and makes all renames of folders after the first one fail;
 * $INTRUDER=mine and $INTRUDER=aside put a file into a folder that is replaced, just before
 * that; with the second, renames support no flags; $INTRUDER=file makes a file in the first
 * folder that is removed, just before that; $INTRUDER=change gives the file `trace` the bytes
 * of `other`, and the times that it had, before its beginning is read for the $INTRUDER_AT-th
 * time. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

static int is_wanted(const char *what)
{
    const char *wanted = getenv("INTRUDER");
    return wanted && strcmp(wanted, what) == 0;
}

int getopt_long(int count, char *const *arguments, const char *shorts,
                const struct option *longs, int *index)
{
    typedef int function(int, char *const *, const char *, const struct option *, int *);
    static function *real;
    if (!real) {
        void *address = dlsym(RTLD_NEXT, "getopt_long");
        memcpy(&real, &address, sizeof real);
    }
    if (is_wanted("signal"))
        raise(SIGUSR1);
    return real(count, arguments, shorts, longs, index);
}

int archive_read_next_header(void *archive, void **entry);

int archive_read_next_header(void *archive, void **entry)
{
    typedef int function(void *, void **);
    function *real;
    void *address = dlsym(RTLD_NEXT, "archive_read_next_header");
    memcpy(&real, &address, sizeof real);
    if (is_wanted("exit"))
        exit(1);
    return real(archive, entry);
}

int fsync(int descriptor)
{
    typedef int function(int);
    function *real;
    void *address = dlsym(RTLD_NEXT, "fsync");
    memcpy(&real, &address, sizeof real);
    if (!is_wanted("stuck"))
        return real(descriptor);
    raise(SIGTERM);
    for (;;)
        pause();
}

int mkstemp(char *name)
{
    typedef int function(char *);
    function *real;
    void *address = dlsym(RTLD_NEXT, "mkstemp");
    memcpy(&real, &address, sizeof real);
    int made = real(name), unnamed = -1;
    char *slash = strrchr(name, '/');
    if (is_wanted("kill") && slash && strncmp(slash, "/etmerlin-", 10) == 0) {
        *slash = '\0';
        unnamed = open(name, O_TMPFILE | O_RDWR, 0600);
        *slash = '/';
    }
    if (unnamed >= 0)
        raise(SIGKILL);
    return made;
}

static void put_file(const char *folder, const char *file)
{
    char name[4096];
    snprintf(name, sizeof name, "%s/%s", folder, file);
    close(open(name, O_WRONLY | O_CREAT, 0600));
}

int rename(const char *from, const char *to)
{
    enum { EXCHANGE = 2 };
    static int folders;
    struct stat status;
    if (is_wanted("once") && stat(from, &status) == 0 && S_ISDIR(status.st_mode) &&
        folders++ > 0) {
        errno = EACCES;
        return -1;
    }
    if (is_wanted("aside") && stat(from, &status) == 0 && S_ISDIR(status.st_mode) &&
        folders++ == 0)
        put_file(from, "mine");
    int can_exchange = is_wanted("kill") &&
                       syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, EXCHANGE) == 0 &&
                       syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, EXCHANGE) == 0;
    int result = (int)syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, 0);
    if (can_exchange)
        raise(SIGKILL);
    return result;
}

int renameat2(int from_folder, const char *from, int to_folder, const char *to, unsigned flags)
{
    static int calls;
    struct stat status;
    if (is_wanted("mine") && stat(to, &status) == 0 && S_ISDIR(status.st_mode) && calls++ == 0)
        put_file(to, "mine");
    if (!is_wanted("plain") && !is_wanted("once") && !is_wanted("aside"))
        return (int)syscall(SYS_renameat2, from_folder, from, to_folder, to, flags);
    errno = EINVAL;
    return -1;
}

int rmdir(const char *path)
{
    typedef int function(const char *);
    static int calls;
    function *real;
    void *address = dlsym(RTLD_NEXT, "rmdir");
    memcpy(&real, &address, sizeof real);
    if (is_wanted("file") && calls++ == 0)
        put_file(path, "late");
    return real(path);
}

/* Copies `other` over `trace`, of which *before are the times. */
static void change(const struct stat *before)
{
    const struct timespec times[] = {before->st_atim, before->st_mtim};
    char bytes[4096];
    ssize_t length;
    int from = open("other", O_RDONLY), to = open("trace", O_WRONLY | O_TRUNC);
    while ((length = read(from, bytes, sizeof bytes)) > 0)
        if (write(to, bytes, (size_t)length) != length)
            abort();
    futimens(to, times);
    close(from);
    close(to);
}

/* The file `trace` is about to be read at `offset`, if it is open as `descriptor`. */
static void see_read(int descriptor, off_t offset)
{
    static int readings;
    const char *when = getenv("INTRUDER_AT");
    struct stat file, trace;
    if (offset == 0 && is_wanted("change") && fstat(descriptor, &file) == 0 &&
        stat("trace", &trace) == 0 && file.st_dev == trace.st_dev &&
        file.st_ino == trace.st_ino && when && ++readings == atoi(when))
        change(&trace);
}

ssize_t pread(int descriptor, void *bytes, size_t length, off_t offset)
{
    see_read(descriptor, offset);
    return (ssize_t)syscall(SYS_pread64, descriptor, bytes, length, offset);
}

ssize_t pread64(int descriptor, void *bytes, size_t length, off64_t offset)
{
    see_read(descriptor, (off_t)offset);
    return (ssize_t)syscall(SYS_pread64, descriptor, bytes, length, offset);
}
