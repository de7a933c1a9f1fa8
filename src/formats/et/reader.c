/* SPDX-License-Identifier: MIT */
/* Makes records of the lines of a block. A full reading lexes each line, unless it repeats an
 * earlier one. One that skims lexes only lines that matter for lives, and a filtered one looks
 * only at the first byte of most lines. */
#include "formats/classes.h"

#include "base/text.h"
#include "formats/et/blocks.h"
#include "formats/et/inspection.h"
#include "formats/et/lexer.h"
#include "formats/et/scan.h"
#include "trace/reader_class.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum {
    SHORTEST_RECORD = 6, /* "E 1 1\n" */
    SHORTEST_OTHER = 2   /* "?\n" */
};

enum et_remark { ET_DIALECT, ET_UNFINISHED, ET_REMARKS };

struct et_reader {
    struct reader base;
    struct et_blocks blocks;
    bool lenient;
    bool keep_others;
    bool value_first; /* updates are value, field, container */
    struct et_memo memo;
    struct et_repeats *repeats;
    bool skims;          /* et_skim; never when lenient, since lines may be malformed then */
    bool has_appendices; /* a line has more than the fields of its record, so that its end may
                            look like the last field that skimming compares */

    bool in_long_line;  /* the next text belongs to a line that is too long */
    uint64_t lines;     /* that have ended so far */
    uint64_t last_time; /* the latest of all records but deaths, when times are explicit */

    struct et_ending ending;
    struct filtering filtering;

    struct remark remarks[ET_REMARKS];
    char *dialect_text; /* owned, of the remark on the dialect; NULL: there is none */
};

/* What the first byte of a line means to scan_lines, if the trace has no malformed lines. */
enum { LINE_BOUNDARY = 1, LINE_DEATH = 2, LINE_BLANK = 4 };

static const uint8_t meanings[256] = {
    [RECORD_ENTRY] = LINE_BOUNDARY,
    [RECORD_EXIT] = LINE_BOUNDARY,
    [RECORD_EXCEPTION_EXIT] = LINE_BOUNDARY,
    [RECORD_DEATH] = LINE_DEATH,
    [' '] = LINE_BLANK,
    ['\t'] = LINE_BLANK,
};

static struct et_reader *from_base(struct reader *reader)
{
    return (struct et_reader *)reader;
}

static void et_rewind_filtered(struct reader *reader, const struct boundary_filter *filter)
{
    struct et_reader *et = from_base(reader);
    et_blocks_rewind(&et->blocks);
    et->skims = et->in_long_line = false;
    et->lines = et->last_time = 0;
    et->filtering = filtering_begin(filter);
}

static void et_rewind(struct reader *reader)
{
    et_rewind_filtered(reader, NULL);
}

static void et_skim(struct reader *reader)
{
    struct et_reader *et = from_base(reader);
    et_rewind(reader);
    et->skims = !et->lenient && !et->has_appendices;
    et->memo.length = 0; /* skimming needs that of the line before */
}

static uint64_t et_digest(const struct reader *reader)
{
    return et_blocks_digest(&((const struct et_reader *)reader)->blocks);
}

static void et_reader_close(struct reader *reader)
{
    struct et_reader *et = from_base(reader);
    et_blocks_free(&et->blocks);
    free(et->repeats);
    free(et->dialect_text);
    free(et);
}

static enum status note_dialect(struct et_reader *et, const struct dialect_evidence *evidence,
                                struct failure *why)
{
    int length = asprintf(
        &et->dialect_text,
        "The last fields count up like times in the first %u boundaries, but not in line "
        "%" PRIu64 ", so they are taken for threads. If they are times, say --dialect=time; "
        "--dialect=thread ends this note",
        evidence->counted, evidence->broken_line);
    if (length < 0) {
        et->dialect_text = NULL;
        return fail_memory(why);
    }
    et->remarks[ET_DIALECT] =
        (struct remark){.text = et->dialect_text, .count = 1, .once = true};
    return STATUS_OK;
}

/* Finds out what the trace does not say and the user has not set. A malformed line is reported
 * later, in the real reading. */
static enum status inspect(struct et_reader *et, const struct reader_options *options,
                           struct failure *why)
{
    struct dialect_evidence evidence = {.boundaries = 0};
    et->lenient = et->keep_others = true;
    enum status status = et_inspect(&et->base, options, &evidence, why);
    bool finds_out = options->dialect == DIALECT_AUTO;
    enum dialect dialect = finds_out ? dialect_decide(&evidence) : options->dialect;
    et->base.explicit_time = dialect == DIALECT_TIME;
    if (status != STATUS_OK || !finds_out || !dialect_breaks_off(&evidence))
        return status;
    return note_dialect(et, &evidence, why);
}

static enum status et_reader_open(struct reader **out, struct source *source,
                                  const struct reader_options *options, struct failure *why)
{
    struct et_reader *et = calloc(1, sizeof *et);
    if (!et)
        return fail_memory(why);
    et->base.methods = &et_reader_class;
    et->base.name = source_name(source);
    et->repeats = calloc(1, sizeof *et->repeats);
    if (!et->repeats || !et_blocks_open(&et->blocks, source)) {
        et_reader_close(&et->base);
        return fail_memory(why);
    }
    /* The table of repeated lines is filled from the inspection on, so the order must not
     * change. */
    et->value_first = options->update_order == UPDATE_ORDER_VALUE;
    et_rewind(&et->base);
    enum status status = inspect(et, options, why);
    if (status != STATUS_OK) {
        et_reader_close(&et->base);
        return status;
    }
    et->base.has_records = false;
    et->base.unfinished = NULL; /* the real reading finds it out */
    et->base.is_whole = false;
    et->remarks[ET_UNFINISHED].count = 0;
    et->lenient = options->lenient || options->keep_others;
    et->keep_others = options->keep_others;
    *out = &et->base;
    return STATUS_OK;
}

/* Sets the position in the text of the line from `line` up to `next`. */
static void locate(const struct et_reader *et, const struct batch *batch, struct record *record,
                   const char *line, const char *next)
{
    const char *limit = batch->text + batch->text_length;
    record->line = (uint32_t)(et->lines + 1 - batch->first_line);
    record->begin = (uint32_t)(line - batch->text);
    record->end = (uint32_t)((next < limit ? next : limit) - batch->text);
}

/* Records in *why what is wrong with the line of `record`, and that it is cut off if it has no
 * line end. */
static enum status explain_line(const struct reader *reader, uint64_t number,
                                const struct batch *batch, const struct record *record,
                                struct failure *why)
{
    const char *line = batch->text + record->begin;
    size_t length = record->end - record->begin;
    bool has_end = length > 0 && line[length - 1] == '\n';
    enum status status =
        et_explain(why, reader->name, number, line, length - has_end, reader->explicit_time);
    if (!has_end && length <= ET_LINE_MAX)
        fail_adding(why, "; the file ends within this line");
    return status;
}

/* Counts the line of `record` as malformed if the reader is lenient; else fails because of it.
 */
static enum status et_reader_reject(struct et_reader *et, struct batch *batch,
                                    struct record *record, struct failure *why)
{
    const char *line = batch->text + record->begin;
    size_t length = record->end - record->begin;
    length -= length > 0 && line[length - 1] == '\n';
    if (!et->lenient)
        return explain_line(&et->base, et->lines + 1, batch, record, why);
    batch->malformed++;
    if (et->keep_others) {
        record->kind = RECORD_MALFORMED;
        record->fault = et_fault(line, length, et->base.explicit_time);
        batch->count++;
    }
    return STATUS_OK;
}

/* Counts a record whose time is lower than that of the record before as malformed if the reader
 * is lenient; else fails because of it. */
static enum status reject_time(const struct et_reader *et, struct batch *batch,
                               const struct record *record, struct failure *why)
{
    if (et->lenient) {
        batch->malformed++;
        return STATUS_OK;
    }
    char shown[TEXT_QUOTE_SIZE];
    const char *line = batch->text + record->begin;
    size_t length = text_line_length(line, record->end - record->begin);
    return fail_at(why, STATUS_SYNTAX, et->base.name, et->lines + 1,
                   "The time goes backwards, from %" PRIu64 " to %" PRIu64 ": %s",
                   et->last_time, record->time, text_quote(shown, line, length));
}

/* Whether the time of a record is lower than et->last_time; if it is not, sets that to it. The
 * times of deaths are not compared, nor those of lines about references, which are no records.
 */
static inline bool goes_backwards(struct et_reader *et, const struct record *record)
{
    if (!et->base.explicit_time || et->keep_others || record->kind == RECORD_DEATH ||
        record_is_about_reference(record->kind))
        return false;
    if (record->time < et->last_time)
        return true;
    et->last_time = record->time;
    return false;
}

/* Lexes a line of any form. Sets *next to the byte after it. */
static enum et_line lex_general(const struct batch *batch, const char *line,
                                struct record *record, const char **next)
{
    const char *limit = batch->text + batch->text_length;
    const char *line_end = memchr(line, '\n', (size_t)(limit - line) + 1);
    *next = line_end + 1;
    return et_lex(line, (size_t)(line_end - line), record);
}

/* Puts the fields of an update, which were read as container, value, field, in their places if
 * they are in the other order. */
static inline void et_reader_turn(const struct et_reader *et, struct record *record)
{
    if (!et->value_first || record->kind != RECORD_UPDATE)
        return;
    struct record read = *record;
    record->value = read.container;
    record->field = read.value;
    record->container = read.field;
}

/* Lexes a line that is not a record in canonical form. Sets *next to the byte after it. */
static enum et_line lex_other(struct et_reader *et, const struct batch *batch, const char *line,
                              struct record *record, const char **next)
{
    enum et_line what = lex_general(batch, line, record, next);
    et->has_appendices |= what == ET_RECORD_AND_MORE;
    if (what == ET_RECORD || what == ET_RECORD_AND_MORE)
        et_reader_turn(et, record);
    return what;
}

/* Lexes the line at `line`, which repeats no earlier line and has the short form *text. Sets
 * *next to the byte after it. */
static inline enum et_line lex(struct et_reader *et, const struct batch *batch,
                               const char *line, const struct et_short_line *text,
                               struct record *record, const char **next)
{
    *next = et_lex_canonical(line, record, &et->memo);
    if (!*next)
        return lex_other(et, batch, line, record, next);
    et_reader_turn(et, record);
    et_repeats_note(et->repeats, text, record);
    return ET_RECORD;
}

/* Lexes the line at `line` and adds its record to the batch. Sets *next to the byte after it.
 */
static enum status lex_line(struct et_reader *et, struct batch *batch, const char *line,
                            const struct et_short_line *text, const char **next,
                            struct failure *why)
{
    struct record *record = &batch->records[batch->count];
    enum et_line what = lex(et, batch, line, text, record, next);
    locate(et, batch, record, line, *next);
    switch (what) {
    case ET_RECORD:
    case ET_RECORD_AND_MORE:
        if (goes_backwards(et, record))
            return reject_time(et, batch, record, why);
        if (record_is_about_reference(record->kind)) {
            reference_counts_add(&batch->references, record);
            batch->count += et->keep_others || et->base.delivers_references;
            break;
        }
        batch->count += !et->filtering.filter || filtering_wants(&et->filtering, record->kind);
        break;
    case ET_COMMENT:
        et_ending_note(&et->ending, line, (size_t)(*next - line));
        batch->comments++;
        break;
    case ET_UNKNOWN:
        batch->unknown++;
        record->kind = RECORD_UNKNOWN;
        batch->count += et->keep_others;
        break;
    case ET_MALFORMED:
        return et_reader_reject(et, batch, record, why);
    }
    return STATUS_OK;
}

/* Ends the batch's text before `line`, at which lexing has failed; returns `status`. */
static enum status end_before(struct batch *batch, const char *line, enum status status)
{
    batch->text_length = (size_t)(line - batch->text);
    return status;
}

/* Adds the records of the lines from *line on, up to the first that repeats no earlier line or
 * the end of the batch's text. Moves *line there, and sets *text for lex_line. */
static void add_repeats(struct et_reader *et, struct batch *batch, const char **line,
                        struct et_short_line *text)
{
    const char *begin = batch->text, *limit = begin + batch->text_length, *at = *line, *next;
    struct record *record = &batch->records[batch->count], *first = record;
    uint32_t number = (uint32_t)(et->lines + 1 - batch->first_line);
    for (; at < limit && (next = et_repeats_find(et->repeats, at, text, record)); at = next) {
        record->line = number++;
        record->begin = (uint32_t)(at - begin);
        record->end = (uint32_t)((next < limit ? next : limit) - begin);
        record++;
    }
    batch->count += (size_t)(record - first);
    et->lines += (size_t)(record - first);
    *line = at;
}

/* Lexes all lines from `line` to the end of the batch's text. Lines with times are not looked
 * up, since they seldom repeat. */
static enum status lex_lines(struct et_reader *et, struct batch *batch, const char *line,
                             struct failure *why)
{
    const char *limit = batch->text + batch->text_length;
    struct et_short_line text = {.length = 0};
    bool repeats = !et->filtering.filter && !et->base.explicit_time;
    while (line < limit) {
        if (repeats)
            add_repeats(et, batch, &line, &text);
        if (line >= limit)
            break;
        const char *next;
        enum status status = lex_line(et, batch, line, &text, &next, why);
        if (status != STATUS_OK)
            return end_before(batch, line, status);
        et->lines++;
        line = next;
    }
    return STATUS_OK;
}

/* Whether a record with this letter matters for lives only by its thread. */
static bool is_aside(char letter)
{
    return letter == RECORD_UPDATE || letter == RECORD_WITNESS || letter == RECORD_THROW ||
           letter == RECORD_CATCH;
}

/* Adds the record of the line from `line` to `next`, unless skimming leaves it out. Its last
 * field is nearly always that of the line before, and then need not be lexed. */
static inline enum status skim_line(struct et_reader *et, struct batch *batch, const char *line,
                                    const char *next, struct failure *why)
{
    struct record *record = &batch->records[batch->count];
    bool is_boundary = record_is_boundary((uint8_t)*line);
    if ((is_boundary || is_aside(*line)) && line[1] == ' ' &&
        et_memo_ends(&et->memo, line, next)) {
        record->kind = (uint8_t)*line;
        record->thread = et->memo.value;
        locate(et, batch, record, line, next);
        batch->count += is_boundary;
        return STATUS_OK;
    }
    if (!et_lex_canonical(line, record, &et->memo)) {
        static const struct et_short_line not_short;
        et->memo.length = 0; /* it is not that of the line before any more */
        return lex_line(et, batch, line, &not_short, &next, why);
    }
    if (record->kind == RECORD_DEATH)
        et->memo.length = 0; /* the last field of a death is of another sort */
    locate(et, batch, record, line, next);
    if (goes_backwards(et, record))
        return reject_time(et, batch, record, why);
    batch->count++;
    return STATUS_OK;
}

/* Lexes the lines from `line` on as far as reader_skim promises their records. */
static enum status skim_lines(struct et_reader *et, struct batch *batch, const char *line,
                              struct failure *why)
{
    const char *limit = batch->text + batch->text_length;
    for (const char *block = line; block < limit; block += SCAN_BYTES) {
        uint64_t line_ends = scan_line_ends(block);
        for (; line_ends != 0 && line < limit; line_ends &= line_ends - 1) {
            const char *next = block + __builtin_ctzll(line_ends) + 1;
            enum status status = skim_line(et, batch, line, next, why);
            if (status != STATUS_OK)
                return end_before(batch, line, status);
            et->lines++;
            line = next;
        }
    }
    return line < limit ? lex_lines(et, batch, line, why) : STATUS_OK;
}

/* Adds the record at `line` if the filter wants it. There can be more records than there is
 * room for only in a file that has changed since the full reading, which its digest will show.
 */
static void scan_line(struct et_reader *et, struct batch *batch, const char *line,
                      const char *letter)
{
    const char *text = batch->text, *limit = text + batch->text_length;
    if (!filtering_wants(&et->filtering, (uint8_t)*letter) || batch->count == batch->capacity)
        return;
    const char *next = (const char *)rawmemchr(letter, '\n') + 1;
    batch->records[batch->count++] = (struct record){
        .kind = (uint8_t)*letter,
        .line = (uint32_t)(et->lines + 1 - batch->first_line),
        .begin = (uint32_t)(line - text),
        .end = (uint32_t)((next < limit ? next : limit) - text),
    };
}

/* Looks at the first byte of the line at `line`, which nearly always only needs to be counted.
 */
static inline void look_at_line(struct et_reader *et, struct batch *batch, const char *line)
{
    unsigned meaning = meanings[(uint8_t)*line];
    uint64_t boundaries = et->filtering.boundaries + (meaning & LINE_BOUNDARY);
    if (meaning > LINE_BOUNDARY || boundaries == et->filtering.wanted)
        scan_line(et, batch, line, line + strspn(line, " \t"));
    else
        et->filtering.boundaries = boundaries;
    et->lines++;
}

/* Finds the records that the filter wants, in text that an earlier reading has read in full.
 * The text from `line` on begins with a line, and a line follows each LF but the last. */
static void scan_lines(struct et_reader *et, struct batch *batch, const char *line)
{
    const char *limit = batch->text + batch->text_length;
    look_at_line(et, batch, line);
    for (const char *block = line; block < limit; block += SCAN_BYTES) {
        uint64_t line_ends = scan_line_ends(block);
        for (; line_ends != 0; line_ends &= line_ends - 1) {
            const char *next = block + __builtin_ctzll(line_ends) + 1;
            if (next >= limit)
                return;
            look_at_line(et, batch, next);
        }
    }
}

/* Handles text that begins or stays within a line that is too long. Sets *line to the beginning
 * of the next line, or to the end of the text. */
static enum status skip_long_line(struct et_reader *et, struct batch *batch, const char **line,
                                  struct failure *why)
{
    const char *line_end = memchr(batch->text, '\n', batch->text_length);
    if (!et->in_long_line) {
        if (line_end || batch->text_length <= ET_LINE_MAX || et->blocks.at_end)
            return STATUS_OK;
        struct record *record = &batch->records[batch->count];
        locate(et, batch, record, batch->text, batch->text + batch->text_length);
        TRY(et_reader_reject(et, batch, record, why));
    }
    et->in_long_line = !line_end;
    et->lines += line_end != NULL;
    *line = line_end ? line_end + 1 : batch->text + batch->text_length;
    return STATUS_OK;
}

/* Records what the end of a full reading shows. */
static void note_ending(struct et_reader *et)
{
    const char *why = et_ending_why(&et->ending, &et->blocks, &et->base.mark);
    et->remarks[ET_UNFINISHED] =
        (struct remark){.text = why, .count = why != NULL, .once = true};
    et->base.unfinished = why ? why + strlen(ET_UNFINISHED_TRACE) : NULL;
    et->base.is_whole =
        !et->base.unfinished && et->base.mark.is_of_ettrace && et->ending.is_closed;
}

static enum status et_next(struct reader *reader, struct batch *batch, struct failure *why)
{
    struct et_reader *et = from_base(reader);
    batch->first_line = et->lines + 1;
    size_t shortest = et->keep_others ? SHORTEST_OTHER : SHORTEST_RECORD;
    enum status status = et_blocks_next(&et->blocks, batch, shortest, et->in_long_line, why);
    if (status == STATUS_END && !et->skims && !et->filtering.filter)
        note_ending(et);
    if (status != STATUS_OK)
        return status;
    const char *line = batch->text;
    TRY(skip_long_line(et, batch, &line, why));
    if (et->skims)
        return skim_lines(et, batch, line, why);
    if (!et->filtering.filter || et->lenient)
        return lex_lines(et, batch, line, why);
    scan_lines(et, batch, line);
    return STATUS_OK;
}

static void et_explain_record(const struct reader *reader, const struct batch *batch,
                              const struct record *record, struct failure *why)
{
    (void)explain_line(reader, batch->first_line + record->line, batch, record, why);
}

static const struct remark *et_remarks(const struct reader *reader, size_t *count)
{
    *count = ET_REMARKS;
    return ((const struct et_reader *)reader)->remarks;
}

const struct reader_class et_reader_class = {
    .name = "et",
    .title = "Elephant Tracks",
    .takes = TAKES_DIALECT | TAKES_UPDATE_ORDER,
    .passes_malformed = true,
    .bid = et_bid,
    .open = et_reader_open,
    .next = et_next,
    .rewind = et_rewind,
    .rewind_filtered = et_rewind_filtered,
    .skim = et_skim,
    .digest = et_digest,
    .explain = et_explain_record,
    .close = et_reader_close,
    .remarks = et_remarks,
};
