/* SPDX-License-Identifier: MIT */
/* Runs a command with its standard output to a file. Prints the seconds that it took, the peak
 * of its memory in KiB (its own pages and those of mapped files, not of files that it reads),
 * and its seconds of processor time.
 *
 * Usage: measure OUTPUT COMMAND [ARGUMENT]... */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static void run(const char *output, char **command)
{
    int descriptor = open(output, O_WRONLY | O_CREAT | O_TRUNC, 0666);
    if (descriptor < 0 || dup2(descriptor, STDOUT_FILENO) < 0) {
        perror(output);
        _exit(126);
    }
    close(descriptor);
    execvp(command[0], command);
    perror(command[0]);
    _exit(127);
}

static double seconds_between(struct timespec start, struct timespec end)
{
    return (double)(end.tv_sec - start.tv_sec) + (double)(end.tv_nsec - start.tv_nsec) * 1e-9;
}

static double seconds_of(struct timeval time)
{
    return (double)time.tv_sec + (double)time.tv_usec * 1e-6;
}

int main(int count, char **arguments)
{
    struct timespec start, end;
    struct rusage usage;
    int status;
    if (count < 3) {
        fputs("Usage: measure OUTPUT COMMAND [ARGUMENT]...\n", stderr);
        return 2;
    }
    clock_gettime(CLOCK_MONOTONIC, &start);
    pid_t child = fork();
    if (child == 0)
        run(arguments[1], arguments + 2);
    if (child < 0 || wait4(child, &status, 0, &usage) < 0) {
        perror("measure");
        return 2;
    }
    clock_gettime(CLOCK_MONOTONIC, &end);
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) {
        fprintf(stderr, "measure: %s failed\n", arguments[2]);
        return 1;
    }
    printf("%.3f %ld %.3f\n", seconds_between(start, end), usage.ru_maxrss,
           seconds_of(usage.ru_utime) + seconds_of(usage.ru_stime));
    return 0;
}
