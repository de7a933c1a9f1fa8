/* A message for each remark that was met: what it is about, what was made of that, and how
 * often. */
#include "cli/remarks.h"

#include "cli/message.h"

#include <inttypes.h>

void remarks_print(const struct reader *reader)
{
    size_t count;
    const struct remark *remarks = reader_remarks(reader, &count);
    for (size_t i = 0; i < count; i++) {
        if (remarks[i].count == 0)
            continue;
        if (remarks[i].once)
            message(reader->name, "%s", remarks[i].text);
        else
            message(reader->name, "%s: %" PRIu64, remarks[i].text, remarks[i].count);
    }
}
