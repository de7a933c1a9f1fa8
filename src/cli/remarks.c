/* SPDX-License-Identifier: MIT */
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

void remarks_print_passed_over(const struct reader *reader, uint64_t malformed)
{
    if (malformed > 0)
        message(reader->name, "%" PRIu64 " malformed line%s passed over", malformed,
                malformed == 1 ? " was" : "s were");
    remarks_print(reader);
}
