/* SPDX-License-Identifier: MIT */
/* System calls on descriptors, with the rules that all of io/ needs: a call that a signal
 * interrupts is made again, a short write goes on, and an interrupt ends a wait at once. */
#include "io/descriptor.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/types.h>
#include <unistd.h>

void descriptor_widen(int descriptor)
{
#ifdef F_SETPIPE_SZ
    fcntl(descriptor, F_SETPIPE_SZ, 1024 * 1024);
#else
    (void)descriptor;
#endif
}

/* Waits until there is something to read, or a reason not to. A signal that comes just before
 * read() would otherwise not be noticed until there is, and other threads than the one that
 * handles the signal not even then. */
static int wait_for_input(int descriptor, const struct interrupt *interrupt)
{
    struct pollfd events[] = {{.fd = descriptor, .events = POLLIN},
                              {.fd = interrupt ? interrupt->descriptor : -1, .events = POLLIN}};
    while (!interrupt_requested(interrupt)) {
        if (poll(events, 2, -1) < 0) {
            if (errno != EINTR)
                return errno;
        } else if (events[0].revents != 0) {
            return 0;
        }
    }
    return ECANCELED;
}

int descriptor_read(int descriptor, void *bytes, size_t capacity, size_t *got,
                    const struct interrupt *interrupt)
{
    ssize_t count;
    do {
        int error = wait_for_input(descriptor, interrupt);
        if (error)
            return error;
        count = read(descriptor, bytes, capacity);
    } while (count < 0 && errno == EINTR);
    if (count < 0)
        return errno;
    *got = (size_t)count;
    return 0;
}

int descriptor_read_at(int descriptor, uint64_t offset, void *bytes, size_t capacity,
                       size_t *got)
{
    if (offset > INT64_MAX)
        return EOVERFLOW;
    ssize_t count;
    do
        count = pread(descriptor, bytes, capacity, (off_t)offset);
    while (count < 0 && errno == EINTR);
    if (count < 0)
        return errno;
    *got = (size_t)count;
    return 0;
}

int descriptor_write(int descriptor, const void *bytes, size_t length,
                     const struct interrupt *interrupt)
{
    const char *from = bytes;
    while (length > 0) {
        if (interrupt_requested(interrupt))
            return ECANCELED;
        ssize_t count = write(descriptor, from, length);
        if (count < 0 && errno == EINTR)
            continue;
        if (count < 0)
            return errno;
        from += count;
        length -= (size_t)count;
    }
    return 0;
}
