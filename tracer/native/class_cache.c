/* SPDX-License-Identifier: MIT */
/* The file has a head, a row for each entry, and the entries. The head has the digest of all
 * that follows it. Numbers are in the processor's order of bytes, since the file stays on its
 * machine. */
#include "class_cache.h"

#include "base/map.h"
#include "io/descriptor.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum {
    DIGITS = 32, /* of a kind, in the name of its file */
    NAME_SIZE = 64,
    STALE_SECONDS = 3600, /* after so long no process needs its temporary file */
};

static const char suffix[] = ".classes", temporary_suffix[] = ".new";
static const char magic[8] = "ettrace";

struct head {
    char magic[sizeof magic];
    XXH128_hash_t digest; /* of what follows it */
    XXH128_hash_t kind;
    uint64_t count; /* of rows */
};

struct row {
    XXH128_hash_t key;
    uint64_t offset, length; /* in the file, bytes */
};

struct entry {
    struct class_entry shown;
    struct entry *next;
    bool is_used;     /* found or added in this run */
    bool is_replaced; /* another has its key */
    uint8_t copy[];   /* of what was added */
};

struct class_cache {
    pthread_mutex_t lock;
    int folder;
    XXH128_hash_t kind;
    uint64_t most_in_file, most_in_folder;
    char name[NAME_SIZE];
    uint8_t *file;      /* as it was read; NULL: there is none */
    struct map entries; /* by the low half of the key; pointers */
    struct entry *first;
    uint64_t added; /* bytes, with their rows */
};

char *class_cache_folder(void)
{
    const char *caches = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    char *folder = NULL;
    bool is_made = false;
    if (caches && *caches == '/')
        is_made = asprintf(&folder, "%s/etmerlin", caches) >= 0;
    else if (home && *home == '/')
        is_made = asprintf(&folder, "%s/.cache/etmerlin", home) >= 0;
    return is_made ? folder : NULL;
}

/* Makes the folder and those that contain it, unless they exist. */
static void make_folders(char *path)
{
    for (char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        mkdir(path, 0700);
        *slash = '/';
    }
    mkdir(path, 0700);
}

/* Whether nobody else can have written it. */
static bool is_own(const struct stat *facts)
{
    return facts->st_uid == geteuid() && !(facts->st_mode & (S_IWGRP | S_IWOTH));
}

static enum status open_folder(int *folder, const char *path, struct failure *why)
{
    struct stat facts;
    char *copy = strdup(path);
    if (!copy)
        return fail_memory(why);
    make_folders(copy);
    free(copy);
    *folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (*folder < 0)
        return fail_errno(why, path, "use this folder for instrumented classes", errno);
    if (fstat(*folder, &facts) == 0 && is_own(&facts))
        return STATUS_OK;
    close(*folder);
    return fail_at(why, STATUS_MEANING, path, 0, "Others may write into this folder");
}

/* Reads the open file, if it is the user's own and not too large. The caller owns the bytes;
 * NULL: it was not read. */
static uint8_t *read_file(const struct class_cache *cache, int descriptor, size_t *size)
{
    struct stat facts;
    uint8_t *bytes = NULL;
    if (fstat(descriptor, &facts) != 0 || !S_ISREG(facts.st_mode) || !is_own(&facts) ||
        (uint64_t)facts.st_size > cache->most_in_file ||
        (size_t)facts.st_size < sizeof(struct head))
        return NULL;
    *size = (size_t)facts.st_size;
    bytes = malloc(*size);
    size_t got = 0;
    if (bytes && descriptor_read_at(descriptor, 0, bytes, *size, &got) == 0 && got == *size)
        return bytes;
    free(bytes);
    return NULL;
}

/* Whether the file is complete, and of the cache's kind. */
static bool is_sound(const struct class_cache *cache, const uint8_t *file, size_t size)
{
    enum { DIGESTED = offsetof(struct head, kind) };
    struct head head;
    memcpy(&head, file, sizeof head);
    return memcmp(head.magic, magic, sizeof magic) == 0 &&
           XXH128_isEqual(XXH3_128bits(file + DIGESTED, size - DIGESTED), head.digest) &&
           XXH128_isEqual(head.kind, cache->kind) &&
           head.count <= (size - sizeof head) / sizeof(struct row);
}

/* Makes the entry the one of its key; false: no memory. */
static bool insert(struct class_cache *cache, struct entry *entry)
{
    uint64_t *place = map_insert(&cache->entries, entry->shown.key.low64);
    if (!place)
        return false;
    if (*place)
        ((struct entry *)(uintptr_t)*place)->is_replaced = true;
    *place = (uintptr_t)entry;
    entry->next = cache->first;
    cache->first = entry;
    return true;
}

/* Makes an entry with room for a copy of `room` bytes; NULL: no memory. */
static struct entry *new_entry(const struct class_entry *shown, size_t room)
{
    struct entry *entry = malloc(sizeof *entry + room);
    if (entry)
        *entry = (struct entry){.shown = *shown};
    return entry;
}

static void take_row(struct class_cache *cache, const struct row *row, size_t size)
{
    if (row->offset > size || row->length > size - row->offset)
        return;
    struct entry *entry = new_entry(
        &(struct class_entry){row->key, cache->file + row->offset, (size_t)row->length}, 0);
    if (entry && !insert(cache, entry))
        free(entry);
}

/* Where memory runs out, the entry is left out: the class is instrumented anew. */
static void take_rows(struct class_cache *cache, size_t size)
{
    struct head head;
    struct row row;
    memcpy(&head, cache->file, sizeof head);
    for (uint64_t i = 0; i < head.count; i++) {
        memcpy(&row, cache->file + sizeof head + i * sizeof row, sizeof row);
        take_row(cache, &row, size);
    }
}

/* Reads the file of the cache, unless it is a pipe or the like, and sets its time, so that
 * trim_folder keeps it longest. */
static void load(struct class_cache *cache)
{
    size_t size = 0;
    int descriptor =
        openat(cache->folder, cache->name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (descriptor < 0)
        return;
    cache->file = read_file(cache, descriptor, &size);
    if (cache->file && is_sound(cache, cache->file, size)) {
        take_rows(cache, size);
        futimens(descriptor, NULL);
    }
    close(descriptor);
}

/* Makes a cache without entries, which owns `folder`. NULL: no memory. */
static struct class_cache *new_cache(int folder, XXH128_hash_t kind, uint64_t most_in_file)
{
    struct class_cache *cache = calloc(1, sizeof *cache);
    if (!cache)
        return NULL;
    pthread_mutex_init(&cache->lock, NULL);
    cache->folder = folder;
    cache->kind = kind;
    cache->most_in_file = most_in_file;
    snprintf(cache->name, sizeof cache->name, "%016" PRIx64 "%016" PRIx64 "%s", kind.high64,
             kind.low64, suffix);
    return cache;
}

enum status class_cache_open(struct class_cache **out,
                             const struct class_cache_options *options, struct failure *why)
{
    int folder;
    enum status status = open_folder(&folder, options->folder, why);
    if (status != STATUS_OK)
        return status;
    struct class_cache *cache = new_cache(folder, options->kind, options->most_in_file);
    if (!cache) {
        close(folder);
        return fail_memory(why);
    }
    cache->most_in_folder = options->most_in_folder;
    load(cache);
    *out = cache;
    return STATUS_OK;
}

static struct entry *find(const struct class_cache *cache, XXH128_hash_t key)
{
    const uint64_t *place = map_find(&cache->entries, key.low64);
    struct entry *entry = place ? (struct entry *)(uintptr_t)*place : NULL;
    return entry && XXH128_isEqual(entry->shown.key, key) ? entry : NULL;
}

const struct class_entry *class_cache_find(struct class_cache *cache, XXH128_hash_t key)
{
    pthread_mutex_lock(&cache->lock);
    struct entry *entry = find(cache, key);
    if (entry)
        entry->is_used = true;
    pthread_mutex_unlock(&cache->lock);
    return entry ? &entry->shown : NULL;
}

const struct class_entry *class_cache_add(struct class_cache *cache, XXH128_hash_t key,
                                          const uint8_t *bytes, size_t length)
{
    uint64_t room = cache->most_in_file - sizeof(struct head);
    pthread_mutex_lock(&cache->lock);
    struct entry *entry = NULL;
    if (length + sizeof(struct row) <= room - cache->added)
        entry = new_entry(&(struct class_entry){key, NULL, length}, length);
    if (entry) {
        memcpy(entry->copy, bytes, length);
        entry->shown.bytes = entry->copy;
        entry->is_used = true;
    }
    if (entry && !insert(cache, entry)) {
        free(entry);
        entry = NULL;
    }
    if (entry)
        cache->added += length + sizeof(struct row);
    pthread_mutex_unlock(&cache->lock);
    return entry ? &entry->shown : NULL;
}

/* Saving */

/* The entries that go into the file. */
struct choice {
    const struct class_entry **entries;
    uint64_t count, size; /* of the file, bytes */
};

static void choose(struct choice *choice, const struct class_cache *cache,
                   const struct entry *entry)
{
    uint64_t more = sizeof(struct row) + entry->shown.length;
    if (entry->is_replaced || more > cache->most_in_file - choice->size)
        return;
    choice->entries[choice->count++] = &entry->shown;
    choice->size += more;
}

/* Chooses the entries of this run first, then those of the file as it is now. False: no
 * memory. */
static bool choose_all(struct choice *choice, const struct class_cache *cache,
                       const struct class_cache *now)
{
    uint64_t count = 1;
    for (const struct entry *entry = cache->first; entry; entry = entry->next)
        count++;
    for (const struct entry *entry = now->first; entry; entry = entry->next)
        count++;
    *choice =
        (struct choice){.entries = malloc(count * sizeof(void *)), .size = sizeof(struct head)};
    if (!choice->entries)
        return false;
    for (const struct entry *entry = cache->first; entry; entry = entry->next)
        if (entry->is_used)
            choose(choice, cache, entry);
    for (const struct entry *entry = now->first; entry; entry = entry->next) {
        const struct entry *own = find(cache, entry->shown.key);
        if (!own || !own->is_used)
            choose(choice, cache, entry);
    }
    return true;
}

static bool put(FILE *file, XXH3_state_t *digest, const void *bytes, size_t length)
{
    XXH3_128bits_update(digest, bytes, length);
    return fwrite(bytes, 1, length, file) == length;
}

/* Writes what the digest covers. */
static bool put_body(FILE *file, XXH3_state_t *digest, const struct head *head,
                     const struct choice *choice)
{
    uint64_t offset = sizeof *head + choice->count * sizeof(struct row);
    bool fits = put(file, digest, &head->kind, sizeof *head - offsetof(struct head, kind));
    for (uint64_t i = 0; i < choice->count && fits; i++) {
        const struct class_entry *entry = choice->entries[i];
        fits = put(file, digest, &(struct row){entry->key, offset, entry->length},
                   sizeof(struct row));
        offset += entry->length;
    }
    for (uint64_t i = 0; i < choice->count && fits; i++)
        fits = put(file, digest, choice->entries[i]->bytes, choice->entries[i]->length);
    return fits;
}

/* False: the file could not be written; errno is the reason. */
static bool write_file(FILE *file, const struct class_cache *cache, const struct choice *choice)
{
    struct head head = {.kind = cache->kind, .count = choice->count};
    memcpy(head.magic, magic, sizeof magic);
    XXH3_state_t *digest = XXH3_createState();
    if (!digest)
        return false;
    XXH3_128bits_reset(digest);
    bool fits = fseek(file, (long)offsetof(struct head, kind), SEEK_SET) == 0 &&
                put_body(file, digest, &head, choice);
    head.digest = XXH3_128bits_digest(digest);
    XXH3_freeState(digest);
    return fits && fseek(file, 0, SEEK_SET) == 0 &&
           fwrite(&head, offsetof(struct head, kind), 1, file) == 1;
}

/* Opens a new file with a random name. -1: it could not be made; errno is the reason. */
static int open_new(const struct class_cache *cache, char name[NAME_SIZE])
{
    uint64_t number;
    if (getrandom(&number, sizeof number, 0) != sizeof number)
        return -1;
    snprintf(name, NAME_SIZE, "%016" PRIx64 "%s", number, temporary_suffix);
    return openat(cache->folder, name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
}

static enum status replace(const struct class_cache *cache, const struct choice *choice,
                           struct failure *why)
{
    char name[NAME_SIZE];
    int descriptor = open_new(cache, name);
    FILE *file = descriptor >= 0 ? fdopen(descriptor, "w") : NULL;
    if (!file && descriptor >= 0)
        close(descriptor);
    bool is_written = file && write_file(file, cache, choice);
    int error = errno;
    if (file && fclose(file) != 0) {
        error = is_written ? errno : error;
        is_written = false;
    }
    if (is_written && renameat(cache->folder, name, cache->folder, cache->name) == 0)
        return STATUS_OK;
    error = is_written ? errno : error;
    if (descriptor >= 0)
        unlinkat(cache->folder, name, 0);
    return fail_errno(why, cache->name, "keep the instrumented classes", error);
}

/* A file of the folder. */
struct old_file {
    char name[NAME_SIZE];
    struct timespec used;
    uint64_t size;
};

static int compare_use(const void *one, const void *other)
{
    const struct timespec *left = &((const struct old_file *)one)->used;
    const struct timespec *right = &((const struct old_file *)other)->used;
    if (left->tv_sec != right->tv_sec)
        return left->tv_sec < right->tv_sec ? -1 : 1;
    return (left->tv_nsec > right->tv_nsec) - (left->tv_nsec < right->tv_nsec);
}

static bool is_named(const char *name, size_t digits, const char *ending)
{
    return strspn(name, "0123456789abcdef") == digits && strcmp(name + digits, ending) == 0;
}

/* Removes the temporary file of a run that was killed. */
static void remove_stale(const struct class_cache *cache, const char *name,
                         const struct stat *facts)
{
    if (is_named(name, DIGITS / 2, temporary_suffix) &&
        facts->st_mtime < time(NULL) - STALE_SECONDS)
        unlinkat(cache->folder, name, 0);
}

/* Sets *files to the files of all kinds, an array that the caller owns, and returns their
 * number. Files for which there is no memory are left out. */
static size_t list_files(const struct class_cache *cache, struct old_file **files)
{
    size_t count = 0;
    int copy = openat(cache->folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *folder = copy >= 0 ? fdopendir(copy) : NULL;
    *files = NULL;
    if (!folder && copy >= 0)
        close(copy);
    for (const struct dirent *entry; folder && (entry = readdir(folder));) {
        struct stat facts;
        struct old_file *more;
        if (fstatat(cache->folder, entry->d_name, &facts, AT_SYMLINK_NOFOLLOW) != 0)
            continue;
        remove_stale(cache, entry->d_name, &facts);
        if (!is_named(entry->d_name, DIGITS, suffix) ||
            !(more = realloc(*files, (count + 1) * sizeof **files)))
            continue;
        *files = more;
        more[count] = (struct old_file){.used = facts.st_mtim, .size = (uint64_t)facts.st_size};
        strcpy(more[count++].name, entry->d_name);
    }
    if (folder)
        closedir(folder);
    return count;
}

static void trim_folder(const struct class_cache *cache)
{
    struct old_file *files;
    uint64_t size = 0;
    size_t count = list_files(cache, &files);
    for (size_t i = 0; i < count; i++)
        size += files[i].size;
    if (count)
        qsort(files, count, sizeof *files, compare_use);
    for (size_t i = 0; i < count && size > cache->most_in_folder; i++)
        if (strcmp(files[i].name, cache->name) != 0) {
            unlinkat(cache->folder, files[i].name, 0);
            size -= files[i].size;
        }
    free(files);
}

enum status class_cache_save(struct class_cache *cache, struct failure *why)
{
    struct choice choice;
    if (!cache->added)
        return STATUS_OK;
    struct class_cache *now = new_cache(-1, cache->kind, cache->most_in_file);
    if (!now)
        return fail_memory(why);
    now->folder = cache->folder;
    load(now);
    pthread_mutex_lock(&cache->lock);
    enum status status = STATUS_OK;
    if (choose_all(&choice, cache, now))
        status = replace(cache, &choice, why);
    else
        status = fail_memory(why);
    pthread_mutex_unlock(&cache->lock);
    free(choice.entries);
    now->folder = -1;
    class_cache_free(now);
    if (status == STATUS_OK)
        trim_folder(cache);
    return status;
}

void class_cache_free(struct class_cache *cache)
{
    if (!cache)
        return;
    for (struct entry *entry = cache->first, *next; entry; entry = next) {
        next = entry->next;
        free(entry);
    }
    map_free(&cache->entries);
    free(cache->file);
    if (cache->folder >= 0)
        close(cache->folder);
    pthread_mutex_destroy(&cache->lock);
    free(cache);
}
