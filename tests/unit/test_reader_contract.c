/* SPDX-License-Identifier: MIT */
/* What every class of reader promises for its second readings (trace/reader.h). Each class
 * reads samples and made-up traces with rewind, filters and skim, and each of these readings is
 * compared with the first one, which has all records. */
#include "formats/formats.h"
#include "selogger.h"
#include "support.h"
#include "trace/record.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

TestSuite(reader_contract, .fini = scratch_remove);

/* A record, its offsets in the trace, and its text. */
struct seen {
    struct record record;
    uint64_t line;
    uint64_t text; /* a digest of its bytes */
};

struct reading {
    struct seen *seen;
    size_t count, capacity;
    uint64_t digest;     /* of the reader */
    XXH64_state_t *text; /* of all batches */
};

static void see_batch(struct reading *reading, const struct batch *batch)
{
    XXH64_update(reading->text, batch->text, batch->text_length);
    for (size_t i = 0; i < batch->count; i++) {
        const struct record *record = &batch->records[i];
        if (reading->count == reading->capacity) {
            reading->capacity = 2 * reading->capacity + 1024;
            reading->seen = realloc(reading->seen, reading->capacity * sizeof *reading->seen);
            must(reading->seen, "no memory");
        }
        must(record->begin <= record->end && record->end <= batch->text_length,
             "a record outside of its batch");
        reading->seen[reading->count++] =
            (struct seen){*record, batch->first_line + record->line,
                          XXH64(batch->text + record->begin, record->end - record->begin, 0)};
    }
}

/* Reads to the end. Returns false if the trace is bad. */
static bool read_on(struct reading *reading, struct reader *reader)
{
    struct batch batch = BATCH_EMPTY;
    enum status status;
    *reading = (struct reading){.text = XXH64_createState()};
    XXH64_reset(reading->text, 0);
    while ((status = reader_next(reader, &batch, &cause)) == STATUS_OK)
        see_batch(reading, &batch);
    batch_free(&batch);
    reading->digest = reader_digest(reader);
    return status == STATUS_END;
}

static void forget(struct reading *reading)
{
    XXH64_freeState(reading->text);
    free(reading->seen);
}

static bool is_same_place(const struct seen *a, const struct seen *b)
{
    return a->record.kind == b->record.kind && a->line == b->line && a->text == b->text;
}

static bool has_same_fields(const struct seen *a, const struct seen *b)
{
    const struct record_layout *layout = record_layout_find(a->record.kind);
    for (size_t i = 0; i < layout->count; i++)
        if (record_value(&a->record, &layout->fields[i]) !=
            record_value(&b->record, &layout->fields[i]))
            return false;
    return is_same_place(a, b);
}

/* Expects that both readings have seen the same bytes of input and the same text. */
static void expect_same_trace(const struct reading *all, const struct reading *other,
                              const char *what)
{
    must(other->digest == all->digest, "%s: another digest", what);
    must(XXH64_digest(other->text) == XXH64_digest(all->text), "%s: another text", what);
}

/* Rewinds, reads all records, and expects those of the first reading. */
static void expect_all_again(const struct reading *all, struct reader *reader, const char *name)
{
    struct reading again;
    reader_rewind(reader, NULL);
    must(read_on(&again, reader), "%s: bad when it is read again", name);
    must(again.count == all->count, "%s: another number of records", name);
    for (size_t i = 0; i < all->count; i++)
        must(has_same_fields(&all->seen[i], &again.seen[i]), "%s: record %zu differs", name, i);
    expect_same_trace(all, &again, name);
    forget(&again);
}

/* The boundaries that a filter wants, at random steps of at most `step`; 0: none. */
struct wanted {
    uint64_t seed, step, last;
};

static uint64_t next_wanted(void *context)
{
    struct wanted *wanted = context;
    if (wanted->step == 0)
        return UINT64_MAX;
    return wanted->last += 1 + random_below(&wanted->seed, wanted->step);
}

/* Reads with a filter, and expects the records of `all` that it wants. */
static void expect_filtered(const struct reading *all, struct reader *reader, const char *name,
                            uint64_t step)
{
    struct wanted given = {.seed = 7, .step = step}, expected = given;
    struct boundary_filter filter = {.next = next_wanted, .context = &given};
    struct reading found;
    uint64_t next = next_wanted(&expected), boundaries = 0;
    size_t at = 0;
    reader_rewind(reader, &filter);
    must(read_on(&found, reader), "%s: bad when it is filtered", name);
    for (size_t i = 0; i < all->count; i++) {
        const struct seen *seen = &all->seen[i];
        bool is_boundary = strchr("MEX", seen->record.kind) != NULL;
        boundaries += is_boundary;
        bool is_wanted = is_boundary && boundaries == next;
        if (is_wanted)
            next = next_wanted(&expected);
        if (!is_wanted && seen->record.kind != 'D')
            continue;
        must(at < found.count && is_same_place(seen, &found.seen[at]),
             "%s, every %" PRIu64 "th: %c in line %" PRIu64 " is missing", name, step,
             seen->record.kind, seen->line);
        at++;
    }
    must(at == found.count, "%s, every %" PRIu64 "th: %c in line %" PRIu64 " is not wanted",
         name, step, found.seen[at].record.kind, found.seen[at].line);
    expect_same_trace(all, &found, name);
    forget(&found);
}

/* Expects that reader_skim may leave the record out. */
static void expect_skippable(const struct seen *seen, const struct seen *before,
                             const char *name)
{
    must(strchr("EMXUWTH", seen->record.kind) && before &&
             before->record.thread == seen->record.thread,
         "%s: %c in line %" PRIu64 " was skimmed away", name, seen->record.kind, seen->line);
}

static void expect_skimmed(const struct reading *all, struct reader *reader, const char *name)
{
    struct reading found;
    const struct seen *before = NULL;
    size_t at = 0;
    reader_skim(reader);
    must(read_on(&found, reader), "%s: bad when it is skimmed", name);
    for (size_t i = 0; i < all->count; i++) {
        const struct seen *seen = &all->seen[i];
        bool is_kept = at < found.count && is_same_place(seen, &found.seen[at]);
        bool is_whole = strchr("NAIPVD", seen->record.kind) != NULL;
        if (!is_kept)
            expect_skippable(seen, before, name);
        else
            must(is_whole ? has_same_fields(seen, &found.seen[at])
                          : seen->record.thread == found.seen[at].record.thread,
                 "%s: skimmed record in line %" PRIu64 " differs", name, seen->line);
        must(is_kept || !strchr("MEX", seen->record.kind), "%s: a boundary is missing", name);
        at += is_kept;
        if (seen->record.kind != 'D')
            before = seen;
    }
    must(at == found.count, "%s: more records when skimmed", name);
    must(found.digest == all->digest, "%s: another digest when skimmed", name);
    forget(&found);
}

/* What the moments of a trace are compared with. */
struct moments_seen {
    const struct reading *all;
    size_t at; /* in it */
    uint64_t objects;
    uint64_t frees;
};

/* Expects that moments have the allocations of the records, numbered in their order. */
static enum status see_moment(void *context, const struct moment *moment, struct failure *why)
{
    struct moments_seen *seen = context;
    (void)why;
    seen->frees += moment->kind == MOMENT_FREED;
    if (moment->kind != MOMENT_ALLOCATED)
        return STATUS_OK;
    while (seen->at < seen->all->count && seen->all->seen[seen->at].record.kind != 'N')
        seen->at++;
    must(seen->at < seen->all->count, "a moment allocates what no record does");
    const struct record *record = &seen->all->seen[seen->at++].record;
    must(record->object == moment->object && record->type == moment->type,
         "a moment allocates another object than the record");
    must(moment->serial == ++seen->objects, "a serial number is out of order");
    return STATUS_OK;
}

static uint64_t count_kinds(const struct reading *all, const char *kinds)
{
    uint64_t count = 0;
    for (size_t i = 0; i < all->count; i++)
        count += strchr(kinds, all->seen[i].record.kind) != NULL;
    return count;
}

/* Expects that the moments of a class that has them fit its records. */
static void expect_moments(const struct reading *all, struct reader *reader, const char *name)
{
    struct moments_seen seen = {.all = all};
    if (!reader->methods->moments)
        return;
    ok(reader->methods->moments(reader, see_moment, &seen, &cause));
    must(seen.objects == count_kinds(all, "NAIPV"), "%s: objects without a moment", name);
    uint64_t deaths = count_kinds(all, "D");
    must(deaths == 0 || deaths == seen.frees, "%s: frees without a moment", name);
}

/* Reads a trace in all ways, each way after each other. Returns false if the trace is bad. */
static bool keeps_contract(struct reader *reader, const char *name)
{
    static const uint64_t steps[] = {0, 1, 2, 5, 100};
    struct reading all;
    bool is_good = read_on(&all, reader);
    if (is_good)
        expect_moments(&all, reader, name);
    for (size_t i = 0; is_good && i < ITEMS(steps); i++) {
        expect_filtered(&all, reader, name, steps[i]);
        expect_all_again(&all, reader, name);
        expect_filtered(&all, reader, name, steps[i]);
        expect_skimmed(&all, reader, name);
    }
    forget(&all);
    return is_good;
}

/* Begins a filtered reading, and leaves the reader in the middle of it. */
static void begin_filtered(struct reader *reader)
{
    struct wanted wanted = {.seed = 1, .step = 3};
    struct boundary_filter filter = {.next = next_wanted, .context = &wanted};
    struct batch batch = BATCH_EMPTY;
    reader_rewind(reader, &filter);
    enum status status = reader_next(reader, &batch, &cause);
    must(status == STATUS_OK || status == STATUS_END || status == STATUS_SYNTAX,
         "the start cannot be read");
    batch_free(&batch);
    reader_rewind(reader, NULL);
}

/* Opens the trace, and checks that its reader keeps the contract. Returns the reader's class,
 * or NULL if this is no trace or a bad one. */
static const struct reader_class *check_source(struct source *source, const char *name,
                                               const struct reader_options *options)
{
    struct reader *reader = NULL;
    const struct reader_class *methods = NULL;
    if (formats_open_reader(&reader, source, options, &cause) == STATUS_OK) {
        begin_filtered(reader);
        if (keeps_contract(reader, name))
            methods = reader->methods;
    }
    reader_close(reader);
    return methods;
}

static const struct reader_options ways[] = {
    {.lenient = false},
    {.lenient = true},
    {.deaths_from_free = true},
    {.dialect = DIALECT_THREAD},
};

static const struct reader_class *check_file(const char *path)
{
    const struct reader_class *methods = NULL;
    for (size_t i = 0; i < ITEMS(ways); i++) {
        struct source *source;
        if (source_open(&source, path, NULL, &cause) != STATUS_OK)
            return NULL;
        const struct reader_class *found = check_source(source, path, &ways[i]);
        methods = found ? found : methods;
        source_close(source);
    }
    return methods;
}

/* Checks the samples of a folder, of which some may be bad. Adds to good[i] the number of good
 * ones of class i. */
static void check_folder(const char *folder, size_t good[], size_t classes)
{
    const struct reader_class *const *readers = formats_readers(&classes);
    char path[PATH_SIZE * 2];
    const char *root = getenv("srcdir");
    snprintf(path, sizeof path, "%s/testdata/%s", root ? root : "..", folder);
    DIR *directory = opendir(path);
    must(directory, "%s cannot be read", path);
    struct dirent *entry;
    while ((entry = readdir(directory))) {
        if (entry->d_name[0] == '.')
            continue;
        snprintf(path, sizeof path, "%s/testdata/%s/%s", root ? root : "..", folder,
                 entry->d_name);
        const struct reader_class *methods = check_file(path);
        for (size_t i = 0; i < classes; i++)
            good[i] += methods == readers[i];
    }
    closedir(directory);
}

/* Each class has a title, and each option is accepted by exactly one class. */
Test(reader_contract, what_is_declared)
{
    size_t count;
    const struct reader_class *const *readers = formats_readers(&count);
    unsigned taken = 0;
    for (size_t i = 0; i < count; i++) {
        cr_expect(readers[i]->title && *readers[i]->title, "%s has no title", readers[i]->name);
        cr_expect_eq(taken & readers[i]->takes, 0, "%s takes what another class does",
                     readers[i]->name);
        taken |= readers[i]->takes;
    }
    for (unsigned option = TAKES_DEATHS_FROM_FREE; option <= TAKES_TYPE_SIZES; option *= 2)
        cr_expect(taken & option, "no class takes option %u", option);
    cr_expect_str_eq(formats_title_taking(TAKES_DEATHS_FROM_FREE), "TraceVis");
    cr_expect_str_eq(formats_title_taking(TAKES_TYPE_SIZES), "SELogger");
}

/* Expects that the option for frees as deaths adds deaths and changes nothing else, where the
 * class accepts it, and changes nothing at all elsewhere. */
static void expect_deaths_of_frees(const char *text, const char *kinds)
{
    struct source *source = source_from(text);
    struct reader *reader = NULL;
    struct reading all;
    static const struct reader_options from_free = {.deaths_from_free = true};
    ok(formats_open_reader(&reader, source, &from_free, &cause));
    must(read_on(&all, reader), "the trace is bad");
    for (size_t i = 0; i < all.count; i++)
        must(kinds[i] == all.seen[i].record.kind, "record %zu is another one", i);
    expect_number(all.count, strlen(kinds));
    forget(&all);
    reader_close(reader);
    source_close(source);
}

Test(reader_contract, frees_that_are_deaths)
{
    expect_deaths_of_frees("VS:1\nOA:1:A:7\nOF:2:A:7\nVD:3\n", "ND");
    expect_deaths_of_frees("N 7 8 1 1 0 1\nE 1 1\n", "NE");
}

enum { CLASSES_MAX = 16 };

Test(reader_contract, samples)
{
    static const char *const folders[] = {"good",    "compare",  "lifetimes",
                                          "reports", "tracevis", "validate"};
    size_t good[CLASSES_MAX] = {0}, classes;
    const struct reader_class *const *readers = formats_readers(&classes);
    must(classes <= CLASSES_MAX, "too many classes");
    for (size_t i = 0; i < ITEMS(folders); i++)
        check_folder(folders[i], good, classes);
    for (size_t i = 0; i < classes; i++)
        cr_expect(good[i] > 0 || readers[i]->index, "no good sample of %s", readers[i]->name);
}

/* Writes a random record as Elephant Tracks text, often in another form than tracers write. */
static void put_record(FILE *out, uint64_t *seed)
{
    const struct record_layout *layout =
        &record_layouts[random_below(seed, record_layout_count)];
    bool is_plain = random_below(seed, 4) > 0;
    fprintf(out, "%s%c", is_plain ? "" : "  ", layout->kind);
    for (size_t i = 0; i < layout->count; i++) {
        enum field_role role = layout->fields[i].role;
        uint64_t value = role == ROLE_THREAD_OR_TIME ? 1 + random_below(seed, 2)
                                                     : 1 + random_below(seed, 40);
        fprintf(out, "%s%" PRIu64, is_plain ? " " : "\t ", value);
    }
    fputs(is_plain ? "\n" : " \r\n", out);
}

/* A trace of `count` lines, longer than a batch. */
static char *make_et(size_t count, size_t *length)
{
    static const char *const others[] = {"# E 1 1\n", "\n", "B 1 2\n", "  \n"};
    char *text = NULL;
    uint64_t seed = 11;
    FILE *out = open_memstream(&text, length);
    for (size_t i = 0; i < count; i++)
        if (random_below(&seed, 20) == 0)
            fputs(others[random_below(&seed, ITEMS(others))], out);
        else
            put_record(out, &seed);
    fclose(out);
    return text;
}

static void expect_made(struct source *source, const char *format)
{
    for (size_t i = 0; i < ITEMS(ways); i++) {
        const struct reader_class *methods = check_source(source, format, &ways[i]);
        must(methods, "a made-up trace of %s is bad: %s", format,
             cause.text ? cause.text : "?");
        cr_expect_str_eq(methods->name, format);
        source_rewind(source);
    }
    source_close(source);
}

Test(reader_contract, made_up_elephant_tracks)
{
    size_t length;
    char *text = make_et(30000, &length);
    expect_made(source_of(text, length), "et");
    free(text);
}

/* Times go up at each boundary, and stay the same between boundaries. */
Test(reader_contract, made_up_times)
{
    char *text = NULL;
    size_t length;
    uint64_t seed = 5, time = 0;
    FILE *out = open_memstream(&text, &length);
    for (unsigned i = 1; i <= 30000; i++) {
        uint64_t what = random_below(&seed, 5);
        if (what == 0)
            fprintf(out, "N %u 8 3 4 0 %" PRIu64 "\n", i, time);
        else if (what == 1)
            fprintf(out, "W %u 2 %" PRIu64 "\n", i, time);
        else
            fprintf(out, "M 3 0 %" PRIu64 "\n", ++time);
    }
    fclose(out);
    struct source *source = source_of(text, length);
    static const struct reader_options time_options = {.dialect = DIALECT_TIME};
    must(check_source(source, "times", &time_options), "the made-up trace is bad");
    source_close(source);
    free(text);
}

/* Writes allocations and deaths in `format`, and checks the reader of that. */
static void check_written(const char *format)
{
    char path[PATH_SIZE];
    struct sink *sink;
    struct writer *writer;
    ok(sink_open(&sink, scratch_path(path, format), &replacing, &cause));
    ok(formats_open_writer(&writer, format, sink,
                           &(const struct writer_options){.explicit_time = true}, &cause));
    for (uint64_t i = 1; i <= 20000; i++) {
        struct record born = {.kind = RECORD_OBJECT,
                              .object = 8 * i,
                              .size = 16,
                              .type = i % 9,
                              .site = i % 7,
                              .time = i};
        struct record dead = {.kind = RECORD_DEATH, .object = 8 * (i - 5), .time = i};
        ok(writer_record(writer, &born, &cause));
        if (i > 5)
            ok(writer_record(writer, &dead, &cause));
    }
    ok(writer_finish(writer, &cause));
    cr_expect_str_eq(writer->methods->reader->name, format);
    writer_close(writer);
    ok(sink_commit(sink, &cause));
    struct source *source;
    ok(source_open(&source, path, NULL, &cause));
    expect_made(source, format);
}

Test(reader_contract, made_up_hatf)
{
    check_written("hatf");
}

Test(reader_contract, made_up_metatf)
{
    check_written("metatf");
}

/* Calls, allocations and frees are random, and many of them do not fit together, as in real
 * traces. */
Test(reader_contract, made_up_tracevis)
{
    char *text = NULL;
    size_t length;
    uint64_t seed = 3;
    FILE *out = open_memstream(&text, &length);
    fputs("VS:1\n", out);
    for (unsigned i = 2; i < 30000; i++) {
        uint64_t object = 1 + random_below(&seed, 50), thread = 1 + random_below(&seed, 3);
        switch (random_below(&seed, 4)) {
        case 0:
            fprintf(out, "OA:%u:A:%" PRIu64 "\n", i, object);
            break;
        case 1:
            fprintf(out, "MN:%u:%" PRIu64 ":A:f:%" PRIu64 "\n", i, thread, object);
            break;
        case 2:
            fprintf(out, "MX:%u:%" PRIu64 ":A:f\n", i, thread);
            break;
        default:
            fprintf(out, "OF:%u:A:%" PRIu64 "\n", i, object);
        }
    }
    fputs("VD:30000\n", out);
    fclose(out);
    expect_made(source_of(text, length), "tracevis");
    free(text);
}

/* main() creates objects whose constructors call the constructor of Object. */
static const char make_nodes[] =
    "1 Main 0 METHOD_ENTRY V methodtype=static\n"
    "1 Main 2 NEW_OBJECT V objecttype=Node\n"
    "1 Main 4 CALL V owner=Node,name=<init>,desc=()V,methodtype=constructor,created=2\n"
    "2 Node 0 METHOD_ENTRY V methodtype=constructor\n"
    "2 Node 3 METHOD_OBJECT_INITIALIZED Ljava/lang/Object; null\n"
    "2 Node 9 METHOD_NORMAL_EXIT V type=void\n"
    "1 Main 4 CALL_RETURN V type=void\n"
    "1 Main 4 NEW_OBJECT_CREATED Ljava/lang/Object; created=2\n";

Test(reader_contract, made_up_selogger)
{
    enum { NODES = 5000, EVENTS = 7 };
    static struct made_event events[1 + NODES * EVENTS] = {{0, 7, 0}};
    char path[PATH_SIZE];
    struct source *source;
    for (unsigned i = 0; i < NODES; i++)
        for (unsigned event = 0; event < EVENTS; event++)
            events[1 + i * EVENTS + event] = (struct made_event){
                event + 1, 7, event == 3 || event == 6 ? (int64_t)i + 1 : 0};
    make_index(make_nodes);
    make_log("log-00001.slg", events, ITEMS(events));
    ok(source_open(&source, scratch_path(path, "dataids.txt"), NULL, &cause));
    expect_made(source, "selogger");
}
