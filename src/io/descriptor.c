#include "io/descriptor.h"

#include <errno.h>
#include <sys/types.h>
#include <unistd.h>

int descriptor_read(int descriptor, void *bytes, size_t capacity, size_t *got)
{
    ssize_t count;
    do
        count = read(descriptor, bytes, capacity);
    while (count < 0 && errno == EINTR);
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

int descriptor_write(int descriptor, const void *bytes, size_t length)
{
    const char *from = bytes;
    while (length > 0) {
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
