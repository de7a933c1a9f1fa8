/* SPDX-License-Identifier: MIT */
/* What the readers of lifetime formats have in common. Each of them decodes single records;
 * this code makes batches of records of their events. */
#ifndef ETMERLIN_FORMATS_LIFETIME_READER_H
#define ETMERLIN_FORMATS_LIFETIME_READER_H

#include "base/digest.h"
#include "formats/lifetime/events.h"
#include "io/window.h"
#include "trace/reader.h"

struct event_reader;

/* The position of a record in the file, and its event if it is an alloc or a free. */
struct decoded {
    uint64_t offset;
    bool is_event;
    bool is_comment;
    bool is_cut_off; /* with a failure: the file ends within the record */
    struct lifetime_event event;
};

struct lifetime_format {
    size_t longest; /* bytes that must be in view to decode any record */
    /* Starts again at the first record. */
    void (*begin)(struct event_reader *reader);
    /* Takes the next record from `load`, which is not empty and has `longest` bytes or all that
     * are left. Sets *decoded, whose members except the offset are zero before. */
    enum status (*decode)(struct event_reader *reader, struct load *load,
                          struct decoded *decoded, struct failure *why);
    /* Called at the end of the file, which is at `offset`: fails if the file may not end there.
     * NULL: it may end after any record. */
    enum status (*end)(const struct event_reader *reader, uint64_t offset, struct failure *why);
};

enum event_remark {
    REMARK_ALLOCATED_ALIVE,
    REMARK_FREED_DEAD,
    REMARK_BACKWARD,
    REMARK_GUESS,
    REMARK_UNFINISHED,
    EVENT_REMARKS
};

/* The first member of each such reader. */
struct event_reader {
    struct reader base;
    const struct lifetime_format *format;
    const char *guess;  /* a remark on how the file is read; NULL: none */
    const char *advice; /* the end of messages about what cannot be read; NULL: none */
    struct window window;
    XXH3_state_t *digest;
    bool any_order;      /* time may go backwards */
    uint64_t last_time;  /* the latest of the events so far */
    struct map is_alive; /* by address */
    struct remark remarks[EVENT_REMARKS];
};

/* Initializes *reader, which is the first member of a struct that calloc returned.
 * The caller owns it (event_reader_close); after a failure it is freed already. */
enum status event_reader_begin(struct event_reader *reader, const struct reader_class *methods,
                               const struct lifetime_format *format, struct source *source,
                               const struct reader_options *options,
                               struct failure *why) MUST_CHECK;

/* The methods of their reader classes. */
enum status event_reader_next(struct reader *reader, struct batch *batch, struct failure *why);
void event_reader_rewind(struct reader *reader);
uint64_t event_reader_digest(const struct reader *reader);
const struct remark *event_reader_remarks(const struct reader *reader, size_t *count);
void event_reader_close(struct reader *reader);

#endif
