/* SPDX-License-Identifier: MIT */
/* Each relative is recognised by the form of its lines. A trace may have one such line by
 * mistake, so two are needed, before any record that only present Elephant Tracks traces can
 * have. */
#include "formats/et/relatives.h"

#include <string.h>

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

static bool is_space(char byte)
{
    return byte == ' ' || byte == '\t' || byte == '\r';
}

static struct words split_words(const char *line, size_t length)
{
    struct words words = {.count = 0};
    const char *end = line + length;
    while (words.count < WORDS_MAX) {
        while (line < end && is_space(*line))
            line++;
        if (line == end)
            break;
        const char *begin = line;
        while (line < end && !is_space(*line))
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

void relative_look_at(struct relative_evidence *evidence, const char *line, size_t length,
                      uint64_t number)
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

enum status relative_refuse(const struct relative_evidence *evidence, const char *name,
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
