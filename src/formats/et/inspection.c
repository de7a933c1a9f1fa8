/* SPDX-License-Identifier: MIT */
/* One reading answers all questions. It ends when they are answered; the order of updates is
 * given up after so many records that the beginning of a trace cannot show it any more. */
#include "formats/et/inspection.h"

#include "base/map.h"
#include "base/status.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* Files that are often taken for Elephant Tracks traces (etmerlin-formats(5), "Relatives").
 * Each relative is recognised by the form of its lines. A trace may have one such line by
 * mistake, so two are needed, before any record that only present Elephant Tracks traces can
 * have. */

enum relative {
    RELATIVE_FIRST_GENERATION, /* of Elephant Tracks */
    RELATIVE_FIRST_NAMES,      /* its names file */
    RELATIVE_SIMULATOR,        /* TraceFileSim of GarCoSim */
    RELATIVE_NAME_LIST,        /* of a later tracer */
    RELATIVES
};

/* What the lines so far show. Zero-initialize it. */
struct relative_evidence {
    bool is_own; /* there was a record that no relative has */
    unsigned lines[RELATIVES];
    uint64_t first_lines[RELATIVES];
};

enum { LINES_WANTED = 2, WORDS_MAX = 9 };

struct word {
    const char *text;
    size_t length;
};

/* The words of a line; if there are nine or more, only the first nine. */
struct words {
    size_t count;
    struct word items[WORDS_MAX];
};

static bool is_blank(char byte)
{
    return byte == ' ' || byte == '\t' || byte == '\r';
}

static struct words split_words(const char *line, size_t length)
{
    struct words words = {.count = 0};
    const char *end = line + length;
    while (words.count < WORDS_MAX) {
        while (line < end && is_blank(*line))
            line++;
        if (line == end)
            break;
        const char *begin = line;
        while (line < end && !is_blank(*line))
            line++;
        words.items[words.count++] = (struct word){begin, (size_t)(line - begin)};
    }
    return words;
}

static bool is_digit(char byte)
{
    return byte >= '0' && byte <= '9';
}

static bool is_number(const char *text, size_t length)
{
    for (size_t i = 0; i < length; i++)
        if (!is_digit(text[i]))
            return false;
    return length > 0;
}

static bool has_prefix(const struct word *word)
{
    return word->length > 2 && memcmp(word->text, "0x", 2) == 0;
}

/* Whether a word is a number as the first generation writes it: hexadecimal, in lower case,
 * seldom with 0x. */
static bool is_hex(const struct word *word)
{
    size_t i = has_prefix(word) ? 2 : 0;
    if (word->length - i > 16)
        return false;
    for (; i < word->length; i++)
        if (!is_digit(word->text[i]) && (word->text[i] < 'a' || word->text[i] > 'f'))
            return false;
    return word->length > 0;
}

static bool are_hex(const struct words *words, size_t from, size_t to)
{
    for (size_t i = from; i < to; i++)
        if (!is_hex(&words->items[i]))
            return false;
    return true;
}

/* Whether a line is an allocation of an object whose type is written out: it has 5 or 6 fields,
 * of which the third begins like the descriptor of a class or array. */
static bool is_first_allocation(const struct words *words)
{
    const struct word *type = &words->items[3];
    return words->count >= 6 && words->count <= 7 &&
           (type->text[0] == 'L' || type->text[0] == '[') && are_hex(words, 1, 3) &&
           are_hex(words, 4, words->count);
}

static bool is_first_generation(const struct words *words)
{
    static const struct {
        char letter;
        size_t least, most; /* fields */
    } shapes[] = {{'M', 3, 3}, {'E', 3, 3}, {'X', 4, 4}, {'T', 4, 4},
                  {'H', 4, 4}, {'U', 4, 5}, {'D', 2, 2}};
    char letter = words->items[0].text[0];
    if (words->items[0].length != 1)
        return false;
    if (strchr("AINPV", letter))
        return is_first_allocation(words);
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
        if (shapes[i].letter == letter)
            return words->count - 1 >= shapes[i].least && words->count - 1 <= shapes[i].most &&
                   are_hex(words, 1, words->count);
    return false;
}

/* Whether a line is a letter, an id with 0x, and something that is no number. */
static bool is_first_name(const struct words *words)
{
    return words->items[0].length == 1 && strchr("CIEFNS", words->items[0].text[0]) &&
           words->count >= 3 &&
           (has_prefix(&words->items[1]) || has_prefix(&words->items[2])) &&
           !are_hex(words, 1, words->count);
}

/* Whether a line is a kind, then attributes, each a letter or # with its number. */
static bool is_simulator(const struct words *words)
{
    if (words->items[0].length != 1 || !strchr("a+-wcrsx", words->items[0].text[0]) ||
        words->count < 3)
        return false;
    for (size_t i = 1; i < words->count; i++) {
        const struct word *word = &words->items[i];
        bool is_name = strchr("TOPSNCIFVL#", word->text[0]) != NULL;
        if (!is_name || !is_number(word->text + 1, word->length - 1))
            return false;
    }
    return true;
}

/* Whether a line is NAME,ID or ID,NAME. */
static bool is_listed(const struct words *words)
{
    const struct word *word = &words->items[0];
    const char *comma = memchr(word->text, ',', word->length);
    if (words->count != 1 || !comma)
        return false;
    const char *last = memrchr(word->text, ',', word->length), *end = word->text + word->length;
    bool is_last = is_number(last + 1, (size_t)(end - last - 1));
    bool is_first = is_number(word->text, (size_t)(comma - word->text));
    return is_first != is_last;
}

/* Takes note of line number `number`, of `length` bytes, that is no record. */
static void relative_look_at(struct relative_evidence *evidence, const char *line,
                             size_t length, uint64_t number)
{
    static bool (*const forms[RELATIVES])(const struct words *) = {
        [RELATIVE_FIRST_GENERATION] = is_first_generation,
        [RELATIVE_FIRST_NAMES] = is_first_name,
        [RELATIVE_SIMULATOR] = is_simulator,
        [RELATIVE_NAME_LIST] = is_listed,
    };
    struct words words = split_words(line, length);
    if (evidence->is_own || words.count == 0)
        return;
    for (size_t i = 0; i < RELATIVES; i++)
        if (forms[i](&words) && evidence->lines[i]++ == 0)
            evidence->first_lines[i] = number;
}

/* STATUS_MEANING: the trace `name` is a relative, which *why names. */
static enum status relative_refuse(const struct relative_evidence *evidence, const char *name,
                                   struct failure *why)
{
    static const char *const texts[RELATIVES] = {
        [RELATIVE_FIRST_GENERATION] =
            "This looks like a trace of the first generation of Elephant Tracks, whose numbers "
            "are hexadecimal, whose types are written out and whose exits name the receiver; "
            "only traces of the later tracers, in decimal numbers, can be read",
        [RELATIVE_FIRST_NAMES] =
            "This looks like the file of names that belongs to a trace of the first generation "
            "of Elephant Tracks; it is neither a trace nor a list of names",
        [RELATIVE_SIMULATOR] =
            "This looks like a trace of GarCoSim (TraceFileSim), which has root sets and no "
            "methods; it cannot be read",
        [RELATIVE_NAME_LIST] = "This is a list of names, not a trace; give its trace, and the "
                               "list as --names=FILE",
    };
    for (size_t i = 0; i < RELATIVES; i++)
        if (evidence->lines[i] >= LINES_WANTED)
            return fail_at(why, STATUS_MEANING, name, evidence->first_lines[i], "%s", texts[i]);
    return STATUS_OK;
}

/* The format has no header to recognise it by, and a trace may begin with comments, or with
 * unknown or malformed lines. So input is refused only if nothing at its beginning has the form
 * of a record, or of a relative that the refusal names. */

/* What a line shows about the input that it is in. */
enum line_verdict { LINE_SAYS_NOTHING, LINE_IS_OURS, LINE_IS_FOREIGN };

static bool is_letter(char byte)
{
    return (byte >= 'A' && byte <= 'Z') || (byte >= 'a' && byte <= 'z');
}

static enum line_verdict judge_line(const char *line, size_t length)
{
    const char *end = line + length;
    while (line < end && is_blank(*line))
        line++;
    if (line == end || *line == '#')
        return LINE_SAYS_NOTHING;
    bool is_record = is_letter(*line) && (line + 1 == end || is_blank(line[1]));
    return is_record && !memchr(line, '\0', (size_t)(end - line)) ? LINE_IS_OURS
                                                                  : LINE_IS_FOREIGN;
}

static bool is_of_relative(const char *line, size_t length)
{
    struct relative_evidence evidence = {.is_own = false};
    relative_look_at(&evidence, line, length, 1);
    for (size_t i = 0; i < RELATIVES; i++)
        if (evidence.lines[i] > 0)
            return true;
    return false;
}

int et_bid(const char *head, size_t length)
{
    int bid = 1;
    while (length > 0) {
        const char *feed = memchr(head, '\n', length);
        size_t line = feed ? (size_t)(feed - head) : length;
        enum line_verdict verdict = judge_line(head, line);
        if (verdict == LINE_IS_OURS || is_of_relative(head, line))
            return 1;
        if (verdict == LINE_IS_FOREIGN)
            bid = 0;
        line += feed != NULL;
        head += line;
        length -= line;
    }
    return bid;
}

/* Times count up by one from boundary to boundary, and threads repeat: so the first boundaries
 * show which of the two their last fields are. */

/* How many last fields must count up for the dialect to be "time", if there are that many
 * boundaries, and how many for a dialect that breaks off to be remarked. */
enum { BOUNDARIES_LOOKED_AT = 1000, BOUNDARIES_LIKE_TIMES = 3 };

/* Whether no further record can change the result of dialect_decide. */
static bool dialect_is_known(const struct dialect_evidence *evidence)
{
    return evidence->broken_line > 0 || evidence->boundaries == BOUNDARIES_LOOKED_AT;
}

/* Takes note of a record in line `line` that was read with its last field as a thread. */
static void dialect_look_at(struct dialect_evidence *evidence, const struct record *record,
                            uint64_t line)
{
    if (!record_is_boundary(record->kind) || dialect_is_known(evidence))
        return;
    bool follows = evidence->last != UINT64_MAX && record->thread == evidence->last + 1;
    if (evidence->boundaries > 0 && !follows)
        evidence->broken_line = line;
    else
        evidence->counted++;
    evidence->last = record->thread;
    evidence->boundaries++;
}

enum dialect dialect_decide(const struct dialect_evidence *evidence)
{
    return evidence->broken_line == 0 && evidence->boundaries >= 2 ? DIALECT_TIME
                                                                   : DIALECT_THREAD;
}

bool dialect_breaks_off(const struct dialect_evidence *evidence)
{
    return evidence->broken_line > 0 && evidence->counted >= BOUNDARIES_LIKE_TIMES;
}

/* What the records so far show about the order of an update's fields: container, value and
 * field, or, as the second generation of tracers writes them, value, field and container
 * (etmerlin-formats(5), "Relatives"). An update's container and value are objects, and most
 * objects are allocated in the trace; its field is an id of another sort, a small number that
 * no object has. If updates are read as container, value, field, and that is right, the second
 * number is often an allocated object; if the other order is right, it never is, and the third
 * number often is. */
struct update_evidence {
    struct map allocated;
    uint64_t least;     /* the least id of the allocated objects */
    uint64_t updates;   /* all */
    uint64_t container; /* those that only container, value, field explains */
    uint64_t value;     /* those that value, field, container explains better */
    uint64_t clear; /* of these, those whose second number is less than the id of any object */
    uint64_t value_line; /* the line of the first of these */
};

enum {
    FEW = 16,  /* so many updates are decisive; if there are fewer, all of them must be clear */
    CHANCE = 8 /* how many times as often the other order must explain them */
};

static enum status note_allocation(struct update_evidence *evidence, uint64_t object,
                                   struct failure *why)
{
    uint64_t *is_allocated = map_insert(&evidence->allocated, object);
    if (!is_allocated)
        return fail_memory(why);
    *is_allocated = 1;
    if (evidence->least == 0 || object < evidence->least)
        evidence->least = object;
    return STATUS_OK;
}

static bool is_allocated(const struct update_evidence *evidence, uint64_t number)
{
    return number > 0 && map_find(&evidence->allocated, number);
}

static void note_update(struct update_evidence *evidence, const struct record *update,
                        uint64_t line)
{
    uint64_t second = update->value, third = update->field;
    evidence->updates++;
    if (is_allocated(evidence, second)) {
        evidence->container++;
        return;
    }
    if (second == 0 || second >= third || !is_allocated(evidence, third))
        return;
    if (evidence->value++ == 0)
        evidence->value_line = line;
    evidence->clear += second < evidence->least;
}

/* Takes note of a record in line `line` that was read as container, value, field. */
static enum status update_look_at(struct update_evidence *evidence, const struct record *record,
                                  uint64_t line, struct failure *why)
{
    if (record_is_allocation(record->kind))
        return note_allocation(evidence, record->object, why);
    if (record->kind == RECORD_UPDATE)
        note_update(evidence, record, line);
    return STATUS_OK;
}

/* Whether enough updates have been seen. */
static bool update_order_is_known(const struct update_evidence *evidence)
{
    return evidence->container >= FEW || evidence->value >= FEW * CHANCE;
}

/* Whether the order must be value, field, container. */
static bool update_order_is_value(const struct update_evidence *evidence)
{
    bool is_clear = evidence->container == 0 && evidence->clear == evidence->value;
    return evidence->value / CHANCE >= evidence->container && evidence->value > 0 &&
           (evidence->value >= FEW || is_clear);
}

/* More records than a trace needs to show the order of an update's fields. The dialect is
 * looked for further on: many objects can be older than the first boundary. */
enum { RECORDS_MAX = 200000 };

struct inspection {
    const struct reader *reader;
    bool asks_dialect;
    bool asks_order; /* of an update's fields */
    uint64_t records;
    struct dialect_evidence *dialect;
    struct update_evidence updates;
    struct relative_evidence relatives;
};

static enum status inspect_record(struct inspection *inspection, const struct batch *batch,
                                  const struct record *record, struct failure *why)
{
    uint64_t line = batch->first_line + record->line;
    if (record->kind == RECORD_MALFORMED || record->kind == RECORD_UNKNOWN) {
        const char *text = batch->text + record->begin;
        size_t length = record->end - record->begin;
        length -= length > 0 && text[length - 1] == '\n';
        relative_look_at(&inspection->relatives, text, length, line);
        return STATUS_OK;
    }
    if (record_is_about_reference(record->kind))
        return STATUS_OK;
    /* A relative has another number of fields, so its own records of these kinds are malformed.
     */
    inspection->relatives.is_own |=
        record_is_allocation(record->kind) || record->kind == RECORD_EXIT;
    dialect_look_at(inspection->dialect, record, line);
    return inspection->asks_order && inspection->records < RECORDS_MAX
               ? update_look_at(&inspection->updates, record, line, why)
               : STATUS_OK;
}

static bool inspection_is_done(const struct inspection *inspection)
{
    bool is_long = inspection->records >= RECORDS_MAX;
    bool order_is_known =
        is_long || !inspection->asks_order || update_order_is_known(&inspection->updates);
    bool needs_boundaries = !is_long || inspection->asks_dialect;
    return order_is_known && (dialect_is_known(inspection->dialect) || !needs_boundaries);
}

static enum status inspect_batch(struct inspection *inspection, const struct batch *batch,
                                 struct failure *why)
{
    enum status status = STATUS_OK;
    for (size_t i = 0;
         i < batch->count && status == STATUS_OK && !inspection_is_done(inspection); i++) {
        status = inspect_record(inspection, batch, &batch->records[i], why);
        inspection->records++;
    }
    return status;
}

static enum status inspect_all(struct inspection *inspection, struct reader *reader,
                               struct failure *why)
{
    struct batch batch = BATCH_EMPTY;
    enum status status = STATUS_OK;
    while (status == STATUS_OK && !inspection_is_done(inspection) &&
           (status = reader_next(reader, &batch, why)) == STATUS_OK)
        status = inspect_batch(inspection, &batch, why);
    batch_free(&batch);
    reader_rewind(reader, NULL);
    return status == STATUS_END ? STATUS_OK : status;
}

static enum status refuse_order(const struct inspection *inspection, struct failure *why)
{
    const struct update_evidence *updates = &inspection->updates;
    return fail_at(
        why, STATUS_MEANING, inspection->reader->name, updates->value_line,
        "This looks like a trace of the second generation of Elephant Tracks, whose updates "
        "are U value field container thread: of %" PRIu64 " updates, %" PRIu64
        " would have an allocated object as their field and none as their value. "
        "--update-order=value reads them so, --update-order=container as U container value "
        "field thread",
        updates->updates, updates->value);
}

enum status et_inspect(struct reader *reader, const struct reader_options *options,
                       struct dialect_evidence *evidence, struct failure *why)
{
    struct inspection inspection = {.reader = reader,
                                    .asks_dialect = options->dialect == DIALECT_AUTO,
                                    .asks_order = options->update_order == UPDATE_ORDER_AUTO,
                                    .dialect = evidence};
    enum status status = inspect_all(&inspection, reader, why);
    if (status == STATUS_OK && !options->lenient)
        status = relative_refuse(&inspection.relatives, reader->name, why);
    if (status == STATUS_OK && update_order_is_value(&inspection.updates))
        status = refuse_order(&inspection, why);
    map_free(&inspection.updates.allocated);
    return status;
}
