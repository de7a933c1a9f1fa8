/* A temporary file that has no name: it is unlinked as soon as it is open, so that nothing is
 * left behind however the program ends. It is read by offset, with pread, while another thread
 * may still append. */
#include "io/spool.h"

#include "io/descriptor.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct spool {
    int descriptor;
    uint64_t length;
    char *folder; /* for messages */
};

static const char *default_folder(void)
{
    const char *folder = getenv("TMPDIR");
    return folder && *folder ? folder : "/tmp";
}

/* Opens the unnamed file. mkstemp gives it mode 0600. */
static enum status open_unnamed(struct spool *spool, struct failure *why)
{
    static const char tail[] = "/etmerlin-XXXXXX";
    size_t length = strlen(spool->folder);
    char *path = malloc(length + sizeof tail);
    if (!path)
        return fail_memory(why);
    memcpy(path, spool->folder, length);
    memcpy(path + length, tail, sizeof tail);
    enum status status = STATUS_OK;
    spool->descriptor = mkstemp(path);
    if (spool->descriptor < 0)
        status = fail_errno(why, spool->folder, "make a temporary file", errno);
    else if (unlink(path) != 0)
        status = fail_errno(why, path, "unlink the temporary file", errno);
    free(path);
    return status;
}

enum status spool_open(struct spool **out, const char *folder, struct failure *why)
{
    struct spool *spool = calloc(1, sizeof *spool);
    if (!spool)
        return fail_memory(why);
    spool->descriptor = -1;
    spool->folder = strdup(folder ? folder : default_folder());
    enum status status = spool->folder ? open_unnamed(spool, why) : fail_memory(why);
    if (status != STATUS_OK) {
        spool_close(spool);
        return status;
    }
    *out = spool;
    return STATUS_OK;
}

enum status spool_append(struct spool *spool, const void *bytes, size_t length,
                         struct failure *why)
{
    int error = descriptor_write(spool->descriptor, bytes, length, NULL);
    if (error)
        return fail_errno(why, spool->folder, "write the temporary file", error);
    spool->length += length;
    return STATUS_OK;
}

enum status spool_read(struct spool *spool, uint64_t offset, void *bytes, size_t capacity,
                       size_t *got, struct failure *why)
{
    int error = descriptor_read_at(spool->descriptor, offset, bytes, capacity, got);
    if (error)
        return fail_errno(why, spool->folder, "read the temporary file", error);
    return STATUS_OK;
}

uint64_t spool_length(const struct spool *spool)
{
    return spool->length;
}

void spool_close(struct spool *spool)
{
    if (!spool)
        return;
    if (spool->descriptor >= 0)
        close(spool->descriptor);
    free(spool->folder);
    free(spool);
}
