/* SPDX-License-Identifier: MIT */
/* Runs a command. Prints the seconds that it took, its seconds of processor time, the peak of
 * its memory in MiB, and the processor time of its threads by the beginnings of their names: of
 * those given, and then of all others. Threads are looked at every 50 ms, so that up to 50 ms
 * may be missing of each.
 *
 * Usage: thread_times NAME,NAME... COMMAND [ARGUMENT]... */
#include <dirent.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { MOST_NAMES = 16, NAME_SIZE = 16, LOOK_NANOSECONDS = 50 * 1000 * 1000 };

struct thread {
    long id;
    char name[NAME_SIZE];
    uint64_t nanoseconds; /* at the last look */
};

struct threads {
    struct thread *items;
    size_t count;
};

/* Reads the first line of a file of the thread, without its end. Returns false if the thread
 * has ended. */
static bool read_line(char *line, int size, pid_t process, long id, const char *file)
{
    char path[96];
    snprintf(path, sizeof path, "/proc/%d/task/%ld/%s", (int)process, id, file);
    FILE *stream = fopen(path, "re");
    bool is_read = stream && fgets(line, size, stream);
    if (stream)
        fclose(stream);
    if (is_read)
        line[strcspn(line, "\n")] = '\0';
    return is_read;
}

static struct thread *thread_of(struct threads *threads, long id)
{
    for (size_t i = 0; i < threads->count; i++)
        if (threads->items[i].id == id)
            return &threads->items[i];
    struct thread *items = realloc(threads->items, (threads->count + 1) * sizeof *items);
    if (!items)
        abort();
    threads->items = items;
    items[threads->count] = (struct thread){.id = id};
    return &items[threads->count++];
}

static void look_at(struct threads *threads, pid_t process, long id)
{
    char line[96], name[NAME_SIZE + 1];
    if (!read_line(line, sizeof line, process, id, "schedstat") ||
        !read_line(name, sizeof name, process, id, "comm"))
        return;
    struct thread *thread = thread_of(threads, id);
    thread->nanoseconds = strtoull(line, NULL, 10);
    snprintf(thread->name, sizeof thread->name, "%.15s", name);
}

static void look(struct threads *threads, pid_t process)
{
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/task", (int)process);
    DIR *folder = opendir(path);
    for (const struct dirent *entry; folder && (entry = readdir(folder));)
        if (entry->d_name[0] != '.')
            look_at(threads, process, strtol(entry->d_name, NULL, 10));
    if (folder)
        closedir(folder);
}

static void print(const struct threads *threads, char *names, double total)
{
    double known = 0;
    for (const char *name = strtok(names, ","); name; name = strtok(NULL, ",")) {
        double seconds = 0;
        for (size_t i = 0; i < threads->count; i++)
            if (strncmp(threads->items[i].name, name, strlen(name)) == 0)
                seconds += (double)threads->items[i].nanoseconds * 1e-9;
        known += seconds;
        printf(" %.3f", seconds);
    }
    printf(" %.3f\n", total > known ? total - known : 0);
}

static double seconds_of(struct timeval time)
{
    return (double)time.tv_sec + (double)time.tv_usec * 1e-6;
}

int main(int count, char **arguments)
{
    struct timespec start, end;
    struct threads threads = {0};
    struct rusage usage;
    int status;
    if (count < 3) {
        fputs("Usage: thread_times NAME,NAME... COMMAND [ARGUMENT]...\n", stderr);
        return 2;
    }
    clock_gettime(CLOCK_MONOTONIC, &start);
    pid_t child = fork();
    if (child == 0) {
        dup2(STDERR_FILENO, STDOUT_FILENO);
        execvp(arguments[2], arguments + 2);
        _exit(127);
    }
    pid_t ended;
    while ((ended = wait4(child, &status, WNOHANG, &usage)) == 0) {
        look(&threads, child);
        nanosleep(&(struct timespec){.tv_nsec = LOOK_NANOSECONDS}, NULL);
    }
    clock_gettime(CLOCK_MONOTONIC, &end);
    if (ended < 0 || !WIFEXITED(status) || WEXITSTATUS(status) != 0) {
        fprintf(stderr, "thread_times: %s failed\n", arguments[2]);
        return 1;
    }
    double total = seconds_of(usage.ru_utime) + seconds_of(usage.ru_stime);
    printf("%.3f %.3f %.1f",
           (double)(end.tv_sec - start.tv_sec) + (double)(end.tv_nsec - start.tv_nsec) * 1e-9,
           total, (double)usage.ru_maxrss / 1024);
    print(&threads, arguments[1], total);
    free(threads.items);
    return 0;
}
