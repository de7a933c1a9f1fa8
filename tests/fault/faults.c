/* SPDX-License-Identifier: MIT */
/* Runs a command again and again, each time with another call of a function failing, and with
 * it the calls after it that FAULT_COUNT includes, until a run has no such call any more. Each
 * run must end with the result of a run without faults; or with status 2, a message, which must
 * have the reason of an EIO, and all files as before. Only when a rename fails may other
 * outputs already have their names, and when a fork fails those of other traces.
 *
 * Usage: faults SKIP LIBRARY WORK STDIN CALL ERROR COMMAND [ARGUMENT]...
 *
 * With SKIP 0 each call fails in turn. Otherwise, after call n, SKIP percent of n calls are
 * passed over, so that the later calls are tried less often. But on each call path (the
 * functions that have called one another) a call fails once; paths that have been tried are
 * noted in WORK, for all runs of this program with the same WORK. The results of a run without
 * faults are kept in WORK/whole and next to it, with the call paths to each function in
 * FAULT_NAMES; a caller with another command removes WORK/whole first. LIBRARY is fault.so;
 * CALL and ERROR are its FAULT_CALL and FAULT_ERROR. The command runs in WORK/out, which is a
 * fresh copy of WORK/seed for each run, with TMPDIR WORK/tmp. STDIN is a file, which the
 * command gets through a pipe, or "-" for none. With ERROR -1 (short counts) and 4 (EINTR) each
 * run must succeed. With ERROR -2 (SIGTERM) it may end by that signal; then each file is whole,
 * and, if the signal came at fsync, unchanged, since that is before any file gets its name.
 *
 * Prints what is wrong, or the number of runs. Exit status: 0 every run is right, 1 one is not,
 * 99 trouble. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MOST_CALLS = 5000, PATIENCE_SECONDS = 60 };
enum { TERMINATION = -2 }; /* an ERROR */

/* The content of a file, or the names and contents of all files of a folder. */
struct bytes {
    char *at;
    size_t length;
};

static const char *work, *library, *input;
static char **command;
static int skip;
static int normal;             /* the exit status without faults */
static volatile pid_t process; /* the command that runs now */

static _Noreturn void die(const char *what)
{
    perror(what);
    exit(99);
}

/* The path of a name in WORK, until three more are asked for. */
static char *path_of(const char *name)
{
    static char paths[4][4096];
    static unsigned next;
    char *path = paths[next++ % 4];
    snprintf(path, sizeof *paths, "%s/%s", work, name);
    return path;
}

static void append(struct bytes *bytes, const void *more, size_t length)
{
    bytes->at = realloc(bytes->at, bytes->length + length + 1);
    if (!bytes->at)
        die("memory");
    memcpy(bytes->at + bytes->length, more, length);
    bytes->length += length;
    bytes->at[bytes->length] = '\0';
}

static void append_file(struct bytes *bytes, const char *path)
{
    char block[65536];
    size_t length;
    FILE *file = fopen(path, "rb");
    if (!file)
        die(path);
    while ((length = fread(block, 1, sizeof block, file)) > 0)
        append(bytes, block, length);
    fclose(file);
}

static struct bytes snapshot(const char *folder);

/* Appends a file, or all files of a folder. */
static void append_entry(struct bytes *bytes, const char *path)
{
    struct stat facts;
    if (stat(path, &facts) != 0)
        die(path);
    if (!S_ISDIR(facts.st_mode)) {
        append_file(bytes, path);
        return;
    }
    struct bytes inner = snapshot(path);
    append(bytes, inner.at, inner.length);
    free(inner.at);
}

/* All files of the folder, in the order of their names. */
static struct bytes snapshot(const char *folder)
{
    struct bytes bytes = {NULL, 0};
    struct dirent **entries;
    int count = scandir(folder, &entries, NULL, alphasort);
    if (count < 0)
        die(folder);
    append(&bytes, "", 0);
    for (int i = 0; i < count; i++) {
        char path[8192];
        snprintf(path, sizeof path, "%s/%s", folder, entries[i]->d_name);
        if (entries[i]->d_name[0] != '.' || strlen(entries[i]->d_name) > 2) {
            append(&bytes, entries[i]->d_name, strlen(entries[i]->d_name) + 1);
            append_entry(&bytes, path);
        }
        free(entries[i]);
    }
    free(entries);
    return bytes;
}

static struct bytes contents(const char *path)
{
    struct bytes bytes = {NULL, 0};
    append(&bytes, "", 0);
    append_file(&bytes, path);
    return bytes;
}

static int same(struct bytes a, struct bytes b)
{
    return a.length == b.length && memcmp(a.at, b.at, a.length) == 0;
}

static void empty_folder(const char *folder)
{
    struct dirent **entries;
    char path[8192];
    int count = scandir(folder, &entries, NULL, NULL);
    while (count-- > 0) {
        const char *name = entries[count]->d_name;
        snprintf(path, sizeof path, "%s/%s", folder, name);
        if (strcmp(name, ".") != 0 && strcmp(name, "..") != 0 && unlink(path) != 0) {
            empty_folder(path);
            rmdir(path);
        }
        free(entries[count]);
    }
    free(entries);
}

/* Empties the folder and copies the seed into it. */
static void make_folder(const char *folder)
{
    struct dirent **entries;
    char from[8192], to[8192];
    const char *seed = path_of("seed");
    empty_folder(folder);
    int count = scandir(seed, &entries, NULL, NULL);
    while (count-- > 0) {
        if (entries[count]->d_name[0] != '.') {
            snprintf(from, sizeof from, "%s/%s", seed, entries[count]->d_name);
            snprintf(to, sizeof to, "%s/%s", folder, entries[count]->d_name);
            struct bytes bytes = contents(from);
            FILE *file = fopen(to, "wb");
            if (!file || fwrite(bytes.at, 1, bytes.length, file) != bytes.length ||
                fclose(file))
                die(to);
            free(bytes.at);
        }
        free(entries[count]);
    }
    free(entries);
}

/* Opens the input of the command: the end of a pipe that already holds all of it. */
static int open_input(void)
{
    int ends[2];
    if (strcmp(input, "-") == 0)
        return open("/dev/null", O_RDONLY);
    if (pipe(ends) != 0)
        die("pipe");
    struct bytes bytes = contents(input);
    if (write(ends[1], bytes.at, bytes.length) != (ssize_t)bytes.length)
        die("the input does not fit into a pipe");
    free(bytes.at);
    close(ends[1]);
    return ends[0];
}

static void redirect(const char *name, int to)
{
    int descriptor = open(path_of(name), O_WRONLY | O_CREAT | O_TRUNC, 0600);
    if (descriptor < 0 || dup2(descriptor, to) < 0)
        die(name);
    close(descriptor);
}

/* Kills a run that does not end, by the signal that it cannot catch. */
static void lose_patience(int number)
{
    (void)number;
    kill(process, SIGKILL);
}

/* Runs the command with the fault that the environment describes; returns its status as waitpid
 * does. */
static int run(void)
{
    int from = open_input(), result;
    unlink(path_of("hit"));
    make_folder(path_of("out"));
    process = fork();
    if (process == 0) {
        dup2(from, STDIN_FILENO);
        close(from);
        redirect("stdout", STDOUT_FILENO);
        redirect("stderr", STDERR_FILENO);
        if (chdir(path_of("out")) != 0)
            die("out");
        setenv("LD_PRELOAD", library, 1);
        execvp(command[0], command);
        die(command[0]);
    }
    close(from);
    if (process < 0)
        die("fork");
    alarm(PATIENCE_SECONDS);
    while (waitpid(process, &result, 0) < 0)
        if (errno != EINTR)
            die("run");
    alarm(0);
    return result;
}

/* A call with a path on which none has failed yet. */
struct site {
    int call;
    unsigned long long way;
};

static struct site *sites;
static size_t site_count;
static int most_calls, is_counted; /* calls in a run without faults; whether that is known */

/* Whether the file of call paths has this one. */
static int has_way(FILE *file, unsigned long long way)
{
    unsigned long long other;
    rewind(file);
    while (fscanf(file, "%llx", &other) == 1)
        if (other == way)
            return 1;
    return 0;
}

static int by_call(const void *left, const void *right)
{
    return ((const struct site *)left)->call - ((const struct site *)right)->call;
}

/* Finds the calls with new paths among those that a run has noted in WORK/sites, and notes
 * these paths. */
static void find_sites(const char *call, const char *error)
{
    char name[64];
    const char *count = getenv("FAULT_COUNT");
    struct site site;
    snprintf(name, sizeof name, "ways.%s.%s.%s", call, error, count ? count : "1");
    FILE *noted = fopen(path_of("sites"), "r"), *known = fopen(path_of(name), "a+");
    if (!known)
        die(name);
    char noted_name[64];
    while (noted && fscanf(noted, "%63s %d %llx", noted_name, &site.call, &site.way) == 3) {
        if (strcmp(noted_name, call) != 0)
            continue;
        if (site.way == 0) {
            most_calls = site.call;
            is_counted = 1;
            continue;
        }
        if (has_way(known, site.way))
            continue;
        fprintf(known, "%llx\n", site.way);
        fflush(known);
        sites = realloc(sites, (site_count + 1) * sizeof *sites);
        if (!sites)
            die("memory");
        sites[site_count++] = site;
    }
    fclose(known);
    if (noted)
        fclose(noted);
    qsort(sites, site_count, sizeof *sites, by_call);
}

/* Whether a run without faults has fewer calls. False if their number is not known. */
static int is_beyond(int call)
{
    return is_counted && call > most_calls;
}

/* The call that fails next after call n; *step is the latest one that was not chosen for its
 * path. */
static int next_call(int n, int *step)
{
    int next = *step + 1 + *step * skip / 100;
    for (size_t i = 0; i < site_count; i++)
        if (sites[i].call > n && sites[i].call < next)
            return sites[i].call;
    return *step = next;
}

/* Whether the folder and WORK/out have the same file or folder under this name. */
static int has_file(const char *folder, const char *name)
{
    char path[4096];
    struct bytes here = {NULL, 0}, there = {NULL, 0};
    snprintf(path, sizeof path, "%s/%s", path_of(folder), name);
    if (access(path, F_OK) != 0)
        return 0;
    append_entry(&there, path);
    snprintf(path, sizeof path, "%s/%s", path_of("out"), name);
    append_entry(&here, path);
    int is_equal = same(here, there);
    free(here.at);
    free(there.at);
    return is_equal;
}

/* Whether each file of WORK/out is that of the run without faults, or that before the run. */
static int has_whole_files(void)
{
    struct dirent **entries;
    int count = scandir(path_of("out"), &entries, NULL, NULL), are_whole = count >= 0;
    while (count-- > 0) {
        const char *name = entries[count]->d_name;
        if (strcmp(name, ".") != 0 && strcmp(name, "..") != 0)
            are_whole = are_whole && (has_file("whole", name) || has_file("seed", name));
        free(entries[count]);
    }
    free(entries);
    return are_whole;
}

/* Whether FAULT_ERROR is this number. */
static int is_error(int number)
{
    return atoi(getenv("FAULT_ERROR")) == number;
}

static int is_call(const char *name)
{
    return strcmp(getenv("FAULT_CALL"), name) == 0;
}

/* Whether the files are as before. After a failed rename or a signal, some may be new, but not
 * after a signal at fsync, unless that is of the copy of an output which got no name. So may
 * those of another trace than the one that got no process. */
static int is_as_it_was(struct bytes out, struct bytes before)
{
    int may_have_some = is_error(TERMINATION) ? !is_call("fsync") || getenv("FAULT_LACKS")
                                              : is_call("rename") || is_call("fork");
    return same(out, before) || (may_have_some && has_whole_files());
}

static const char *judge(int result, struct bytes before, struct bytes after,
                         struct bytes wanted_stdout, int must_succeed)
{
    const char *wrong = NULL;
    struct bytes out = snapshot(path_of("out")), left = snapshot(path_of("tmp"));
    struct bytes printed = contents(path_of("stdout")), message = contents(path_of("stderr"));
    int is_ended = is_error(TERMINATION) && WIFSIGNALED(result) && WTERMSIG(result) == SIGTERM;
    if (WIFSIGNALED(result) && !is_ended)
        wrong = strsignal(WTERMSIG(result));
    else if (left.length > 0)
        wrong = "a file is left in TMPDIR";
    else if (!is_ended && WEXITSTATUS(result) == normal) {
        if (!same(out, after) || !same(printed, wanted_stdout))
            wrong = "the usual status with a wrong result";
    } else if (must_succeed)
        wrong = "this must not make it fail";
    else if (!is_ended && WEXITSTATUS(result) != 2)
        wrong = "the status is neither 2 nor what it is without faults";
    else if (!is_ended && message.length == 0)
        wrong = "no message";
    else if (is_error(EIO) && !strstr(message.at, strerror(EIO)))
        wrong = "a message without the reason";
    else if (!is_as_it_was(out, before))
        wrong = "the folder is not as it was";
    else if (printed.length > wanted_stdout.length ||
             memcmp(printed.at, wanted_stdout.at, printed.length) != 0)
        wrong = "other output than without faults";
    if (wrong)
        fwrite(message.at, 1, message.length, stdout);
    free(out.at);
    free(left.at);
    free(printed.at);
    free(message.at);
    return wrong;
}

/* Runs the command without faults and keeps the results, unless that has been done. */
static void run_whole(void)
{
    if (access(path_of("whole"), F_OK) == 0)
        return;
    char status[16];
    const char *call = getenv("FAULT_CALL"), *names = getenv("FAULT_NAMES");
    unlink(path_of("sites"));
    setenv("FAULT_SITES", path_of("sites"), 1);
    setenv("FAULT_CALL", names ? names : call, 1);
    int result = run();
    setenv("FAULT_CALL", call, 1);
    unsetenv("FAULT_SITES");
    snprintf(status, sizeof status, "%d", WIFEXITED(result) ? WEXITSTATUS(result) : 2);
    unlink(path_of("whole.status"));
    if (symlink(status, path_of("whole.status")) != 0 ||
        rename(path_of("stdout"), path_of("whole.stdout")) != 0 ||
        rename(path_of("out"), path_of("whole")) != 0 || mkdir(path_of("out"), 0700) != 0)
        die("the run without faults");
}

static int whole_status(void)
{
    char status[16] = "";
    if (readlink(path_of("whole.status"), status, sizeof status - 1) < 0)
        die("whole.status");
    return atoi(status);
}

/* Makes one call after the other fail; returns the number of runs, or -1 if one was wrong. */
static int run_all(int must_succeed)
{
    char number[16];
    run_whole();
    find_sites(getenv("FAULT_CALL"), getenv("FAULT_ERROR"));
    struct bytes before = snapshot(path_of("seed")), after = snapshot(path_of("whole"));
    struct bytes wanted_stdout = contents(path_of("whole.stdout"));
    normal = whole_status();
    const char *wrong = normal < 2 ? NULL : "it fails without faults";
    int n = 0, step = 0, runs = 0;
    while (!wrong) {
        n = next_call(n, &step);
        if (skip && is_beyond(n))
            break;
        runs++;
        snprintf(number, sizeof number, "%d", n);
        setenv("FAULT_AT", number, 1);
        int result = run();
        wrong = judge(result, before, after, wanted_stdout, must_succeed);
        if (!wrong && access(path_of("hit"), F_OK) != 0)
            break;
        if (!wrong && n > MOST_CALLS)
            wrong = "there is no end of such calls";
    }
    if (wrong)
        printf("call %d: %s\n", n, wrong);
    free(before.at);
    free(after.at);
    free(wanted_stdout.at);
    return wrong ? -1 : runs;
}

int main(int count, char **arguments)
{
    if (count < 8) {
        fputs("Usage: faults SKIP LIBRARY WORK STDIN CALL ERROR COMMAND [ARGUMENT]...\n",
              stderr);
        return 99;
    }
    skip = atoi(arguments[1]);
    library = arguments[2];
    work = arguments[3];
    input = arguments[4];
    command = arguments + 7;
    int error = atoi(arguments[6]);
    setenv("FAULT_CALL", arguments[5], 1);
    setenv("FAULT_ERROR", arguments[6], 1);
    setenv("FAULT_AT", "0", 1);
    setenv("FAULT_HIT", path_of("hit"), 1);
    setenv("TMPDIR", path_of("tmp"), 1);
    signal(SIGALRM, lose_patience);
    int runs = run_all(error == -1 || error == EINTR);
    if (runs >= 0)
        printf("%d runs\n", runs);
    return runs >= 0 ? 0 : 1;
}
