/* SPDX-License-Identifier: MIT */
/* A file that never has a name cannot be left over. Some file systems know none; there it has
 * one for a moment, under which a signal that kills at once leaves it. Its mode is 0600. */
#include "io/unnamed.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const char *unnamed_folder(const char *folder)
{
    if (folder)
        return folder;
    folder = getenv("TMPDIR");
    return folder && *folder ? folder : "/tmp";
}

/* Makes the file under a name, and unlinks it. */
static enum status make_and_unlink(int *descriptor, const char *folder, struct failure *why)
{
    static const char tail[] = "/etmerlin-XXXXXX";
    size_t length = strlen(folder);
    char *path = malloc(length + sizeof tail);
    if (!path)
        return fail_memory(why);
    memcpy(path, folder, length);
    memcpy(path + length, tail, sizeof tail);
    enum status status = STATUS_OK;
    *descriptor = mkstemp(path);
    if (*descriptor < 0 && (errno == ENOENT || errno == ENOTDIR))
        status = fail_at(why, STATUS_IO, folder, 0,
                         "There is no folder of this name for temporary files: --tmpdir or "
                         "TMPDIR names another");
    else if (*descriptor < 0)
        status = fail_errno(why, folder, "make a temporary file", errno);
    else if (unlink(path) != 0)
        status = fail_errno(why, path, "unlink the temporary file", errno);
    free(path);
    return status;
}

enum status unnamed_open(int *descriptor, const char *folder, struct failure *why)
{
    *descriptor = open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
    return *descriptor >= 0 ? STATUS_OK : make_and_unlink(descriptor, folder, why);
}
