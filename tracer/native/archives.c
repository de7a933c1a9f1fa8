/* SPDX-License-Identifier: MIT */
/* Archives are found by their paths, and stay open: classes are asked for one at a time. One
 * that is replaced meanwhile is read as it was, as the virtual machine reads it. */
#include "archives.h"

#include "base/memory.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zip.h>

static struct {
    pthread_mutex_t lock; /* a thread at a time may use the library */
    struct archive {
        char *path;
        zip_t *zip;
    } *items;
    size_t count, capacity;
} archives = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* The value of a hexadecimal digit; -1: it is none. */
static int digit_value(char digit)
{
    static const char digits[] = "0123456789abcdef";
    const char *at = digit ? strchr(digits, digit | ('a' ^ 'A')) : NULL;
    return at ? (int)(at - digits) : -1;
}

/* Decodes the text in place. */
static void decode(char *text)
{
    char *to = text;
    for (const char *from = text; *from; from++) {
        int high = *from == '%' ? digit_value(from[1]) : -1;
        int low = high >= 0 ? digit_value(from[2]) : -1;
        *to++ = low >= 0 ? (char)(high << 4 | low) : *from;
        from += low >= 0 ? 2 : 0;
    }
    *to = '\0';
}

/* Reads all of the descriptor's file into the buffer; false: there is less. */
static bool read_whole(int descriptor, unsigned char *bytes, size_t length)
{
    size_t done = 0;
    while (done < length) {
        ssize_t got = read(descriptor, bytes + done, length - done);
        if (got == 0 || (got < 0 && errno != EINTR))
            return false;
        done += got > 0 ? (size_t)got : 0;
    }
    return true;
}

static unsigned char *read_file(const char *path, size_t *length)
{
    struct stat about;
    unsigned char *bytes = NULL;
    int descriptor = open(path, O_RDONLY | O_CLOEXEC);
    if (descriptor < 0)
        return NULL;
    if (fstat(descriptor, &about) == 0 && S_ISREG(about.st_mode)) {
        *length = (size_t)about.st_size;
        bytes = malloc(*length + 1);
    }
    if (bytes && !read_whole(descriptor, bytes, *length)) {
        free(bytes);
        bytes = NULL;
    }
    close(descriptor);
    return bytes;
}

/* The archive at that path, opened if it is not; NULL: it cannot be opened. */
static zip_t *find_archive(const char *path)
{
    for (size_t i = 0; i < archives.count; i++)
        if (strcmp(archives.items[i].path, path) == 0)
            return archives.items[i].zip;
    zip_t *zip = zip_open(path, ZIP_RDONLY, NULL);
    char *copy = zip ? strdup(path) : NULL;
    if (!copy || !ARRAY_RESERVE(archives.items, archives.capacity, archives.count + 1)) {
        free(copy);
        if (zip)
            zip_discard(zip);
        return NULL;
    }
    archives.items[archives.count++] = (struct archive){copy, zip};
    return zip;
}

static unsigned char *read_entry(zip_t *zip, const char *name, size_t *length)
{
    zip_stat_t about;
    if (zip_stat(zip, name, 0, &about) != 0 || !(about.valid & ZIP_STAT_SIZE))
        return NULL;
    *length = (size_t)about.size;
    unsigned char *bytes = about.size < SIZE_MAX ? malloc(*length + 1) : NULL;
    zip_file_t *entry = bytes ? zip_fopen_index(zip, about.index, 0) : NULL;
    bool is_read = entry && zip_fread(entry, bytes, about.size) == (zip_int64_t)about.size;
    if (entry)
        zip_fclose(entry);
    if (is_read)
        return bytes;
    free(bytes);
    return NULL;
}

static unsigned char *read_archived(const char *path, const char *name, size_t *length)
{
    pthread_mutex_lock(&archives.lock);
    zip_t *zip = find_archive(path);
    unsigned char *bytes = zip ? read_entry(zip, name, length) : NULL;
    pthread_mutex_unlock(&archives.lock);
    return bytes;
}

unsigned char *archives_read_in(const char *path, const char *name, size_t *length)
{
    struct stat about;
    char *file = NULL;
    if (stat(path, &about) != 0)
        return NULL;
    if (!S_ISDIR(about.st_mode))
        return read_archived(path, name, length);
    if (asprintf(&file, "%s/%s", path, name) < 0)
        return NULL;
    unsigned char *bytes = read_file(file, length);
    free(file);
    return bytes;
}

/* What comes after the prefix; NULL: the text begins otherwise. */
static char *after(char *text, const char *prefix)
{
    size_t length = strlen(prefix);
    return strncmp(text, prefix, length) == 0 ? text + length : NULL;
}

unsigned char *archives_read(const char *url, size_t *length)
{
    static const char between[] = "!/";
    char *copy = strdup(url);
    char *archived = copy ? after(copy, "jar:") : NULL;
    char *path = copy ? after(archived ? archived : copy, "file:") : NULL;
    char *end = path && archived ? strstr(path, between) : NULL;
    unsigned char *bytes = NULL;
    if (end) {
        char *name = end + strlen(between);
        *end = '\0';
        decode(name);
        decode(path);
        bytes = read_archived(path, name, length);
    } else if (path && !archived) {
        decode(path);
        bytes = read_file(path, length);
    }
    free(copy);
    return bytes;
}
