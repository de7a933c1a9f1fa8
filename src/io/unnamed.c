/* SPDX-License-Identifier: MIT */
/* mkstemp gives the file mode 0600. O_TMPFILE would save the name that it has for a moment, but
 * not all file systems know it. */
#include "io/unnamed.h"

#include <errno.h>
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

enum status unnamed_open(int *descriptor, const char *folder, struct failure *why)
{
    static const char tail[] = "/etmerlin-XXXXXX";
    size_t length = strlen(folder);
    char *path = malloc(length + sizeof tail);
    *descriptor = -1;
    if (!path)
        return fail_memory(why);
    memcpy(path, folder, length);
    memcpy(path + length, tail, sizeof tail);
    enum status status = STATUS_OK;
    *descriptor = mkstemp(path);
    if (*descriptor < 0)
        status = fail_errno(why, folder, "make a temporary file", errno);
    else if (unlink(path) != 0)
        status = fail_errno(why, path, "unlink the temporary file", errno);
    free(path);
    return status;
}
