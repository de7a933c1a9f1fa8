/* SPDX-License-Identifier: MIT */
/* Lists the events of a HATF 1.0 file, or of a Meta-TF file with the DTD of etmerlin, read from
 * standard input. It checks the program's files, so it shares no code with the program.
 *
 *     list_events big|little|metatf <FILE
 *
 *     alloc ADDRESS SIZE THREAD TIME DATA      DATA: the attributes as numbers
 *     free ADDRESS THREAD TIME
 *     create|destroy THREAD TIME               Meta-TF has no time: -
 *
 * Exit status: 0, or 2 if the file is bad. */
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool little;
static uint64_t offset;

static void give_up(const char *what)
{
    fflush(stdout);
    fprintf(stderr, "list_events: byte %" PRIu64 ": %s\n", offset, what);
    exit(2);
}

static unsigned next_byte(void)
{
    int byte = getchar();
    if (byte == EOF)
        give_up("the file ends too early");
    offset++;
    return (unsigned)byte;
}

static uint64_t next_number(unsigned width)
{
    uint64_t value = 0;
    for (unsigned i = 0; i < width; i++) {
        uint64_t byte = next_byte();
        value = little ? value | byte << 8 * i : value << 8 | byte;
    }
    return value;
}

static void list_data(unsigned length)
{
    if (length % 3 != 0)
        give_up("attributes are not three numbers");
    for (int i = 0; i < 3; i++)
        printf(" %" PRIu64, next_number(length / 3));
}

/* The types of fields: size, address, time, thread, heap, and the attributes. */
static struct type {
    unsigned width, restored, how;
    uint64_t argument, stride, before;
} types[6];

static uint64_t field(int number)
{
    struct type *type = &types[number];
    unsigned width = type->how == 1 || type->how == 4 ? 0 : type->width;
    uint64_t raw = next_number(width), value = raw, extended = raw;
    if (width > 0 && width < 8 && raw >> (8 * width - 1))
        extended = raw | ~UINT64_C(0) << 8 * width;
    if (type->how == 1)
        value = type->argument;
    else if (type->how == 2)
        value = type->argument + extended;
    else if (type->how == 3)
        value = type->before + extended;
    else if (type->how == 4)
        value = type->before + type->stride;
    type->before = value;
    return value;
}

static void metadata(void)
{
    unsigned operation = next_byte(), number = next_byte(), code = next_byte();
    if (number > 5)
        give_up("metadata of no field");
    struct type *type = &types[number];
    if (operation == 1) {
        type->width = code;
        if (code)
            type->restored = code;
        return;
    }
    if (operation != 2 || code > 4)
        give_up("metadata of no kind");
    type->how = code;
    type->argument = type->before = code ? next_number(8) : 0;
    type->stride = code == 4 ? next_number(8) : 0;
    type->width = type->restored;
}

static void hatf(void)
{
    types[0] = types[1] = (struct type){.width = 4, .restored = 4};
    for (int i = 2; i < 6; i++)
        types[i].how = 1;
    for (int tag; (tag = getchar()) != EOF;) {
        offset++;
        if (tag == 11) {
            metadata();
            continue;
        }
        uint64_t size = 0, address = 0;
        if (tag == 0)
            size = field(0);
        if (tag < 2)
            address = field(1);
        uint64_t thread = field(3);
        if (tag < 2)
            field(4);
        uint64_t time = field(2);
        unsigned length = types[5].width == 9 ? next_byte() : types[5].width;
        if (tag == 0)
            printf("alloc %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64, address, size, thread,
                   time);
        else if (tag == 1)
            printf("free %" PRIu64 " %" PRIu64 " %" PRIu64, address, thread, time);
        else if (tag == 8 || tag == 9)
            printf("%s %" PRIu64 " %" PRIu64, tag == 8 ? "create" : "destroy", thread, time);
        else
            give_up("an unexpected tag");
        if (tag == 0)
            list_data(length);
        else if (length != 0)
            give_up("unexpected attributes");
        putchar('\n');
    }
}

static void expect(uint64_t value, uint64_t expected, const char *what)
{
    if (value != expected)
        give_up(what);
}

/* Lists the records up to offset `end`; returns their number. */
static uint64_t metatf_records(uint64_t end)
{
    uint64_t records = 0;
    for (; offset < end; records++) {
        unsigned tag = next_byte();
        uint64_t size = tag == 4 ? next_number(8) : 0;
        uint64_t address = tag == 4 || tag == 6 ? next_number(8) : 0;
        uint64_t time = tag == 4 || tag == 6 ? next_number(8) : 0;
        uint64_t thread = next_number(8);
        unsigned length = next_byte();
        if (tag == 4)
            printf("alloc %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64, address, size, thread,
                   time);
        else if (tag == 6)
            printf("free %" PRIu64 " %" PRIu64 " %" PRIu64, address, thread, time);
        else if (tag == 9 || tag == 10)
            printf("%s %" PRIu64 " -", tag == 9 ? "create" : "destroy", thread);
        else
            give_up("an unexpected tag");
        if (tag == 4)
            list_data(length);
        else if (length != 0)
            give_up("unexpected data");
        putchar('\n');
    }
    return records;
}

static void metatf(void)
{
    static const char dtd[] = "et-lifetimes-1.dtd";
    little = true;
    expect(next_number(4), 0x46544d7f, "no magic");
    expect(next_number(4), 0x00120102, "not 64 bits, little-endian, with the name of the DTD");
    expect(next_number(8), 0, "padding is not zero");
    expect(next_number(4), 1, "not one section");
    expect(next_number(4), 58, "the records do not start where they should");
    uint64_t records = next_number(4);
    for (const char *letter = dtd; *letter; letter++)
        expect(next_byte(), (unsigned char)*letter, "another DTD");
    expect(next_number(4), 1, "not section 1");
    expect(next_number(4), 60, "the section does not start where it should");
    uint64_t size = next_number(4);
    expect(next_number(2), 0x0102, "no record of section 1");
    expect(metatf_records(60 + size), records, "another number of records");
    expect((uint64_t)getchar(), (uint64_t)EOF, "the file goes on");
}

int main(int count, char **arguments)
{
    const char *format = count == 2 ? arguments[1] : "";
    little = strcmp(format, "big") != 0;
    if (strcmp(format, "metatf") == 0)
        metatf();
    else if (strcmp(format, "big") == 0 || strcmp(format, "little") == 0)
        hatf();
    else
        give_up("say big, little or metatf");
    return ferror(stdin) || fflush(stdout) != 0 ? 2 : 0;
}
