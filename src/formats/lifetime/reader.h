/* SPDX-License-Identifier: MIT */
/* What the readers of lifetime formats have in common. Each knows how to decode one record;
 * here its events become batches of records. */
#ifndef ETMERLIN_FORMATS_LIFETIME_READER_H
#define ETMERLIN_FORMATS_LIFETIME_READER_H

#include "base/digest.h"
#include "formats/lifetime/events.h"
#include "io/window.h"
#include "trace/reader.h"

struct event_reader;

/* A record's place in the file, and its event, if it has one that matters: an alloc or a free.
 */
struct decoded {
    uint64_t offset;
    bool is_event;
    bool is_comment;
    bool is_cut_off; /* of a failure: the file ends within the record */
    struct lifetime_event event;
};

struct lifetime_format {
    size_t longest; /* bytes that must be in view to decode a record */
    /* Starts again before the first record. */
    void (*begin)(struct event_reader *reader);
    /* Takes the next record from `load`, which is not empty and holds `longest` bytes or all
     * that is left. Sets *decoded, which is all 0 but for the offset. */
    enum status (*decode)(struct event_reader *reader, struct load *load,
                          struct decoded *decoded, struct failure *why);
    /* Whether the file may end at `offset`. NULL: between any two records. */
    enum status (*end)(const struct event_reader *reader, uint64_t offset, struct failure *why);
};

enum event_remark {
    REMARK_ALLOCATED_ALIVE,
    REMARK_FREED_DEAD,
    REMARK_GUESS,
    REMARK_UNFINISHED,
    EVENT_REMARKS
};

/* What each of them begins with. */
struct event_reader {
    struct reader base;
    const struct lifetime_format *format;
    const char *guess;  /* a remark on how it is read; NULL: none */
    const char *advice; /* ends a message on what cannot be; NULL: none */
    struct window window;
    XXH3_state_t *digest;
    bool any_order;      /* time may go backwards */
    uint64_t last_time;  /* of the events so far */
    struct map is_alive; /* by address */
    struct remark remarks[EVENT_REMARKS];
};

/* Begins *reader, the first member of a zeroed struct from malloc, which event_reader_close
 * frees. After a failure it is closed already. */
enum status event_reader_begin(struct event_reader *reader, const struct reader_class *methods,
                               const struct lifetime_format *format, struct source *source,
                               const struct reader_options *options,
                               struct failure *why) MUST_CHECK;

/* The methods of their classes. */
enum status event_reader_next(struct reader *reader, struct batch *batch, struct failure *why);
void event_reader_rewind(struct reader *reader);
uint64_t event_reader_digest(const struct reader *reader);
const struct remark *event_reader_remarks(const struct reader *reader, size_t *count);
void event_reader_close(struct reader *reader);

#endif
