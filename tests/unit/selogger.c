/* SPDX-License-Identifier: MIT */
#include "selogger.h"

#include "support.h"

#include "formats/classes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void make_text(const char *name, const char *text)
{
    char path[PATH_SIZE];
    write_file(scratch_path(path, name), text, strlen(text));
}

void make_index(const char *lines)
{
    char *text = NULL;
    size_t length;
    FILE *out = open_memstream(&text, &length);
    fputs("DataID,ClassID,MethodID,ClassName,MethodName,Line,InstructionIndex,EventType,"
          "ValueDesc,Attributes\n",
          out);
    for (unsigned id = 0; *lines; id++) {
        char method[16], methods[64], index[16], event[64], value[32], attributes[256];
        int used = 0;
        must(sscanf(lines, " %15s %63s %15s %63s %31s %255s%n", method, methods, index, event,
                    value, attributes, &used) == 6,
             "bad line: %s", lines);
        fprintf(out, "%u,0,%s,%s,m%s,%u,%s,%s,%s,\"%s\"\n", id, method, methods, method,
                100 + id, index, event, value, attributes);
        lines += used;
        lines += strspn(lines, "\n ");
    }
    fclose(out);
    make_text("dataids.txt", text);
    free(text);
}

static void put_big(uint8_t *out, unsigned width, uint64_t value)
{
    for (unsigned i = 0; i < width; i++)
        out[i] = (uint8_t)(value >> 8 * (width - 1 - i));
}

void make_log(const char *name, const struct made_event *events, size_t count)
{
    char path[PATH_SIZE];
    uint8_t *bytes = calloc(count + 1, 16);
    for (size_t i = 0; i < count; i++) {
        put_big(bytes + 16 * i, 4, events[i].data_id);
        put_big(bytes + 16 * i + 4, 4, events[i].thread);
        put_big(bytes + 16 * i + 8, 8, (uint64_t)events[i].value);
    }
    write_file(scratch_path(path, name), bytes, 16 * count);
    free(bytes);
}

void make_text_log(const char *name, const struct made_event *events, size_t count,
                   uint64_t first)
{
    char *text = NULL;
    size_t length;
    FILE *out = open_memstream(&text, &length);
    fputs("Seqnum,DataId,ThreadId,Value\n", out);
    for (size_t i = 0; i < count; i++)
        fprintf(out, "%" PRIu64 ",%u,%u,%" PRId64 "\n", first + i, events[i].data_id,
                events[i].thread, events[i].value);
    fclose(out);
    make_text(name, text);
    free(text);
}

static void print_record(FILE *out, const struct record *record)
{
    fprintf(out, "%c", record->kind);
    if (record->kind != RECORD_EXIT && record->kind != RECORD_ENTRY && record->kind != 'X' &&
        record->kind != 'T' && record->kind != 'H')
        fprintf(out, " %" PRIu64, record->object);
    switch (record->kind) {
    case RECORD_OBJECT:
    case RECORD_ARRAY:
        fprintf(out, " %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64, record->size,
                record->type, record->site, record->length);
        break;
    case RECORD_ENTRY:
        fprintf(out, " %" PRIu64 " %" PRIu64, record->method, record->receiver);
        break;
    case RECORD_EXIT:
        fprintf(out, " %" PRIu64, record->method);
        break;
    case RECORD_UPDATE:
        fprintf(out, " %" PRIu64 " %" PRIu64, record->value, record->field);
        break;
    case RECORD_WITNESS:
        fprintf(out, " %" PRIu64, record->class_id);
        break;
    default:
        fprintf(out, " %" PRIu64 " %" PRIu64 " %" PRIu64, record->method, record->receiver,
                record->exception);
    }
    fprintf(out, " %" PRIu64 "\n", record->thread);
}

static void print_failure(FILE *out, const struct failure *why)
{
    const char *file = why->file ? strrchr(why->file, '/') : NULL;
    fprintf(out, "%s", file ? file + 1 : "-");
    if (why->has_offset)
        fprintf(out, "@0x%" PRIx64, why->offset);
    else if (why->line)
        fprintf(out, ":%" PRIu64, why->line);
    fprintf(out, ": %s\n", why->text ? why->text : "Out of memory");
}

static enum status print_all(FILE *out, struct reader *reader)
{
    struct batch batch = BATCH_EMPTY;
    enum status status;
    while ((status = reader_next(reader, &batch, &cause)) == STATUS_OK)
        for (size_t i = 0; i < batch.count; i++)
            print_record(out, &batch.records[i]);
    batch_free(&batch);
    return status == STATUS_END ? STATUS_OK : status;
}

/* What is printed: records, or some of the reader's remarks. */
enum wanted { RECORDS_ONLY, NOTES, HINTS };

static void print_notes(FILE *out, const struct reader *reader, enum wanted wanted)
{
    static const char hint[] = "The log has no ";
    size_t count;
    const struct remark *remarks = reader_remarks(reader, &count);
    for (size_t i = 0; i < count; i++)
        if ((strncmp(remarks[i].text, hint, strlen(hint)) == 0) == (wanted == HINTS))
            fprintf(out, "%s\n", remarks[i].text);
}

/* Reads the trace twice, expects the same records both times, and prints what is wanted. */
static char *read_it(const struct reader_options *options, enum wanted wanted)
{
    char path[PATH_SIZE], *texts[2];
    size_t length;
    struct source *source;
    struct reader *reader = NULL;
    ok(source_open(&source, scratch_path(path, "dataids.txt"), NULL, &cause));
    enum status status = selogger_reader_class.open(&reader, source, options, &cause);
    for (int i = 0; i < 2; i++) {
        FILE *out = open_memstream(&texts[i], &length);
        if (reader) {
            reader_rewind(reader, NULL);
            status = print_all(out, reader);
        }
        if (status != STATUS_OK)
            print_failure(out, &cause);
        if (wanted != RECORDS_ONLY && i == 1 && reader) {
            fclose(out);
            free(texts[1]);
            out = open_memstream(&texts[1], &length);
            print_notes(out, reader, wanted);
        }
        fclose(out);
    }
    cr_expect(wanted != RECORDS_ONLY || strcmp(texts[0], texts[1]) == 0,
              "read twice, differs:\n%s\n%s", texts[0], texts[1]);
    free(texts[0]);
    reader_close(reader);
    source_close(source);
    failure_clear(&cause);
    return texts[1];
}

char *read_made(const struct reader_options *options)
{
    return read_it(options, RECORDS_ONLY);
}

char *read_notes(void)
{
    return read_it(&(const struct reader_options){.lenient = false}, NOTES);
}

char *read_hints(void)
{
    return read_it(&(const struct reader_options){.lenient = false}, HINTS);
}

void expect_read(const struct reader_options *options, const char *wanted)
{
    char *text = read_made(options);
    cr_expect_str_eq(text, wanted, "gives\n%swanted\n%s", text, wanted);
    free(text);
}
