/* SPDX-License-Identifier: MIT */
/*
 * Random traces. Ids come from small ranges, so that records collide in every way: ids are
 * allocated twice, named too early, stored over themselves. The probabilities are random, too,
 * so that one seed makes deep stacks, and another many slots.
 *
 * An expression draws at most one random number: C does not define the order in which operands
 * are evaluated, and the trace must depend on the seed alone.
 */
#include "generate.h"

#include <stdlib.h>
#include <string.h>

/* ---- Random numbers ---- */

/* A number that looks random, and depends only on the seed (splitmix64's output function). */
static uint64_t scramble(uint64_t seed)
{
    uint64_t z = seed + UINT64_C(0x9e3779b97f4a7c15);

    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

struct random {
    uint64_t state;
};

static uint64_t draw(struct random *random)
{
    uint64_t number = scramble(random->state);

    random->state += UINT64_C(0x9e3779b97f4a7c15);
    return number;
}

/* A number below limit, which must not be 0. */
static uint64_t below(struct random *random, uint64_t limit)
{
    return draw(random) % limit;
}

static bool chance(struct random *random, unsigned percent)
{
    return below(random, 100) < percent;
}

#define CHOOSE(random, array) ((array)[below((random), sizeof(array) / sizeof((array)[0]))])

/* ---- Properties of a whole trace, which the seed determines ---- */

/* How the generator's small numbers are converted to the ids in the trace. */
enum id_style {
    IDS_SMALL,     /* 1 2 3: objects, methods and others have the same ids */
    IDS_HASHES,    /* 31 bits, scattered */
    IDS_HUGE,      /* 2^64 - 1 and down */
    IDS_SAME_LOW,  /* equal in the low 32 bits */
    IDS_SAME_HIGH, /* equal in all but the lowest bits, the highest bit set */
    IDS_MIXED,     /* every other one huge */
    ID_STYLES
};

/* Letters that can be drawn; '#' is a comment, '?' an unknown record. */
static const char letters[] = "NAIPVMEXTHUWD#?";
#define LETTERS (sizeof letters - 1)

struct profile {
    unsigned length; /* lines to draw */
    unsigned weight[LETTERS];
    enum id_style object_style;
    enum id_style method_style;
    enum id_style field_style;
    enum id_style thread_style;
    unsigned methods;
    unsigned fields;
    unsigned threads;
    unsigned window;     /* records name objects among this many newest ones */
    unsigned null;       /* percent of object fields that are 0 */
    unsigned fresh;      /* percent of allocations with a new id */
    unsigned early;      /* percent of object fields whose id is allocated later */
    unsigned again;      /* percent of stores into the slot of the store before */
    unsigned self;       /* percent of stores of the container into itself */
    unsigned wild_exit;  /* percent of exits of a random method */
    unsigned unwind;     /* percent of exits that may leave several frames */
    unsigned new_thread; /* percent of records before which the thread may change */
    unsigned jump;       /* percent of clock steps that are not by one */
    unsigned messy;      /* percent of positions with unnecessary blanks */
    unsigned zeros;      /* percent of numbers with leading zeros */
    unsigned crlf;       /* percent of lines that end in CRLF */
    bool close_all;      /* frames that are open at the end are left */
    bool long_head;      /* a thousand boundaries first */
    bool long_comment;   /* a comment of many thousand characters */
    bool drop_last_newline;
};

/* A frame that is open; numbers, not ids. */
struct open_frame {
    unsigned thread;
    unsigned method;
};

struct generator {
    struct random random;
    struct profile profile;
    struct text *text;
    bool time_dialect;
    uint64_t clock;   /* time dialect: LAST of the latest record */
    unsigned thread;  /* the thread of the next record */
    unsigned objects; /* objects have the numbers 0 to objects - 1 so far */
    struct open_frame *frames;
    size_t frame_count;
    size_t frame_room;
    uint64_t container; /* of the latest U, as ids */
    uint64_t field;
};

static void choose_weights(struct random *random, struct profile *profile)
{
    static const unsigned usual[LETTERS] = {8, 3, 1, 1, 1, 10, 8, 2, 1, 1, 12, 4, 0, 2, 1};
    static const unsigned factors[] = {0, 1, 2, 2, 2, 2, 3, 6};
    bool no_boundary = chance(random, 3);
    bool only_comments = chance(random, 2);

    for (size_t i = 0; i < LETTERS; i++) {
        profile->weight[i] = usual[i] * CHOOSE(random, factors);
        if (no_boundary && strchr("MEX", letters[i]) != NULL)
            profile->weight[i] = 0;
        if (only_comments)
            profile->weight[i] = letters[i] == '#';
    }
    profile->weight[0] += !only_comments; /* so that not all are 0 */
}

static void choose_length(struct random *random, struct profile *profile)
{
    static const struct {
        unsigned least, most;
    } lengths[] = {
        {0, 3},   {1, 12},  {8, 30},   {20, 60},  {20, 60},
        {40, 90}, {40, 90}, {60, 120}, {80, 150}, {80, 150},
    };
    size_t i = (size_t)below(random, sizeof lengths / sizeof lengths[0]);
    unsigned spread = lengths[i].most - lengths[i].least + 1;

    profile->length = lengths[i].least + (unsigned)below(random, spread);
}

static void choose_ids(struct random *random, struct profile *profile)
{
    static const unsigned windows[] = {1, 2, 3, 5, 8, 1000};

    profile->object_style = (enum id_style)below(random, ID_STYLES);
    profile->method_style = (enum id_style)below(random, ID_STYLES);
    profile->field_style = (enum id_style)below(random, ID_STYLES);
    profile->thread_style = (enum id_style)below(random, ID_STYLES);
    if (chance(random, 50)) /* thread ids that are object ids as well */
        profile->thread_style = profile->object_style;
    profile->methods = 1 + (unsigned)below(random, 5);
    profile->fields = 1 + (unsigned)below(random, 4);
    profile->threads = 1 + (unsigned)below(random, 4);
    profile->window = CHOOSE(random, windows);
}

static void choose_percents(struct random *random, struct profile *profile)
{
    static const unsigned fresh[] = {0, 30, 70, 90, 100, 100};
    static const unsigned some[] = {0, 0, 5, 15, 40};
    static const unsigned thread_changes[] = {0, 5, 25, 70};
    static const unsigned line_ends[] = {0, 0, 0, 0, 0, 100, 100, 50};

    profile->null = CHOOSE(random, some);
    profile->fresh = CHOOSE(random, fresh);
    profile->early = CHOOSE(random, some);
    profile->again = CHOOSE(random, some);
    profile->self = CHOOSE(random, some);
    profile->wild_exit = CHOOSE(random, some);
    profile->unwind = CHOOSE(random, some);
    profile->new_thread = CHOOSE(random, thread_changes);
    profile->jump = CHOOSE(random, some);
    profile->messy = CHOOSE(random, some);
    profile->zeros = CHOOSE(random, some);
    profile->crlf = CHOOSE(random, line_ends);
}

static void choose_profile(struct generator *generator)
{
    struct random *random = &generator->random;
    struct profile *profile = &generator->profile;

    choose_weights(random, profile);
    choose_length(random, profile);
    choose_ids(random, profile);
    choose_percents(random, profile);
    profile->close_all = chance(random, 33);
    profile->long_comment = below(random, 250) == 0;
    profile->drop_last_newline = chance(random, 25);
    profile->long_head = below(random, 100) == 0 && generator->time_dialect;
    generator->objects = (unsigned)below(random, 9);
}

/* ---- Numbers of the generator, ids of the trace ---- */

/* The id of a number: never 0, and different for different numbers of the same style. */
static uint64_t id_of(enum id_style style, unsigned number)
{
    switch (style) {
    case IDS_HASHES:
        return (UINT64_C(0x9e3779b1) * (number + 1)) & 0x7fffffff;
    case IDS_HUGE:
        return UINT64_MAX - number;
    case IDS_SAME_LOW:
        return ((uint64_t)number << 32) + 7;
    case IDS_SAME_HIGH:
        return (UINT64_C(1) << 63) + number;
    case IDS_MIXED:
        return number % 2 == 0 ? UINT64_MAX - number : number;
    default:
        return (uint64_t)number + 1;
    }
}

/* The id of an object for a record: 0 (null), one of the newest ones, or one not allocated yet.
 */
static uint64_t choose_object(struct generator *generator)
{
    struct random *random = &generator->random;
    unsigned window = generator->profile.window;
    unsigned number;

    if (chance(random, generator->profile.null))
        return 0;
    if (generator->objects == 0 || chance(random, generator->profile.early)) {
        number = generator->objects + (unsigned)below(random, 3);
    } else {
        if (window > generator->objects)
            window = generator->objects;
        number = generator->objects - 1 - (unsigned)below(random, window);
    }
    return id_of(generator->profile.object_style, number);
}

/* The id of an object that is not null, since W and D need one. */
static uint64_t choose_real_object(struct generator *generator)
{
    uint64_t object = choose_object(generator);

    return object == 0 ? id_of(generator->profile.object_style, 0) : object;
}

static uint64_t choose_new_object(struct generator *generator)
{
    if (generator->objects == 0 || chance(&generator->random, generator->profile.fresh))
        return id_of(generator->profile.object_style, generator->objects++);
    return choose_real_object(generator);
}

static uint64_t choose_field(struct generator *generator)
{
    unsigned number = (unsigned)below(&generator->random, generator->profile.fields);

    /* A field id may be 0: only object ids have a null. */
    if (number == 3)
        return 0;
    return id_of(generator->profile.field_style, number);
}

static uint64_t method_id(const struct generator *generator, unsigned method)
{
    return method == 4 ? 0 : id_of(generator->profile.method_style, method);
}

static uint64_t thread_id(const struct generator *generator, unsigned thread)
{
    return thread == 3 ? 0 : id_of(generator->profile.thread_style, thread);
}

/* ---- Frames and the clock ---- */

static void push(struct generator *generator, unsigned method)
{
    generator->frames = array_room(generator->frames, generator->frame_count,
                                   &generator->frame_room, sizeof *generator->frames);
    generator->frames[generator->frame_count++] =
        (struct open_frame){generator->thread, method};
}

/* Leaves the innermost frame of the method in the current thread, and the frames above it. Does
 * nothing if there is none. */
static void pop(struct generator *generator, unsigned method)
{
    struct open_frame *frames = generator->frames;
    size_t kept = generator->frame_count;
    size_t innermost = kept;

    while (innermost-- > 0)
        if (frames[innermost].thread == generator->thread && frames[innermost].method == method)
            break;
    if (innermost == SIZE_MAX)
        return;
    kept = innermost;
    for (size_t i = innermost; i < generator->frame_count; i++)
        if (frames[i].thread != generator->thread)
            frames[kept++] = frames[i];
    generator->frame_count = kept;
}

/* The method to leave: that of the innermost frame, that of an outer frame, or a random one. */
static unsigned choose_exit(struct generator *generator)
{
    struct random *random = &generator->random;
    bool wild = chance(random, generator->profile.wild_exit);
    bool unwind = chance(random, generator->profile.unwind);

    for (size_t i = generator->frame_count; i-- > 0 && !wild;) {
        if (generator->frames[i].thread != generator->thread)
            continue;
        if (!unwind || chance(random, 30))
            return generator->frames[i].method;
    }
    return (unsigned)below(random, generator->profile.methods);
}

/* The last field of the next record: its thread, or the clock. */
static uint64_t next_last(struct generator *generator, bool boundary)
{
    struct random *random = &generator->random;
    bool jump = chance(random, generator->profile.jump);
    uint64_t step = boundary ? 1 : 0;

    if (!generator->time_dialect)
        return thread_id(generator, generator->thread);
    if (jump && (boundary || chance(random, 10))) {
        step = below(random, 4);
        if (step == 3)
            step = below(random, UINT64_C(1) << below(random, 62));
    }
    if (step > UINT64_MAX - generator->clock)
        step = UINT64_MAX - generator->clock;
    generator->clock += step;
    return generator->clock;
}

static void choose_thread(struct generator *generator)
{
    if (generator->time_dialect)
        generator->thread = 0; /* there is one stack of frames */
    else if (chance(&generator->random, generator->profile.new_thread))
        generator->thread = (unsigned)below(&generator->random, generator->profile.threads);
}

/* ---- Text ---- */

static void put_blanks(struct generator *generator, bool needed)
{
    static const char *const blanks[] = {" ", "  ", "\t", " \t ", "\t\t", "      "};

    if (chance(&generator->random, generator->profile.messy))
        text_string(generator->text, CHOOSE(&generator->random, blanks));
    else if (needed)
        text_string(generator->text, " ");
}

static void put_letter(struct generator *generator, char letter)
{
    put_blanks(generator, false);
    text_append(generator->text, &letter, 1);
}

static void put(struct generator *generator, uint64_t number)
{
    static const char *const zeros[] = {"0", "00", "000000000000000000000000000000"};

    put_blanks(generator, true);
    if (chance(&generator->random, generator->profile.zeros))
        text_string(generator->text, CHOOSE(&generator->random, zeros));
    text_number(generator->text, number);
}

static void end_line(struct generator *generator)
{
    bool crlf = chance(&generator->random, generator->profile.crlf);

    text_string(generator->text, crlf ? "\r\n" : "\n");
}

static void put_last(struct generator *generator, uint64_t last)
{
    put(generator, last);
    put_blanks(generator, false);
    end_line(generator);
}

static void put_comment(struct generator *generator)
{
    static const char *const comments[] = {
        "",
        "",
        " ",
        "\t  ",
        "#",
        "# a comment",
        "#M 1 1 1",
        "# D 1 1 1",
        "#\tD 1 1 1 ",
        "## caf\xc3\xa9, 100 %, \"quoted\" \\n",
    };

    text_string(generator->text, CHOOSE(&generator->random, comments));
    end_line(generator);
}

static void put_long_comment(struct generator *generator)
{
    uint64_t length = 4000 + below(&generator->random, 70000);

    text_string(generator->text, "# ");
    for (uint64_t i = 0; i < length; i++)
        text_append(generator->text, i % 50 == 0 ? "D" : " ", 1);
    end_line(generator);
}

static void put_unknown(struct generator *generator)
{
    static const char *const records[] = {
        "Z 1 2",        "Z",     "e 1 1", "m 1 1 1", "Q\t3  4", "R 1 1 1 1 1 1 1 1",
        "L some words", " Y 1 ",
    };

    text_string(generator->text, CHOOSE(&generator->random, records));
    end_line(generator);
}

/* ---- Records ---- */

static void put_allocation(struct generator *generator, char letter)
{
    uint64_t object = choose_new_object(generator);
    uint64_t length = letter == 'A' ? below(&generator->random, 20) : 0;
    bool huge = chance(&generator->random, 3);

    put_letter(generator, letter);
    put(generator, object);
    put(generator, huge ? UINT64_MAX : 16);
    put(generator, 200);
    put(generator, 100);
    put(generator, length);
    put_last(generator, next_last(generator, false));
}

static void put_entry(struct generator *generator)
{
    unsigned method = (unsigned)below(&generator->random, generator->profile.methods);
    uint64_t receiver = choose_object(generator);

    push(generator, method);
    put_letter(generator, 'M');
    put(generator, method_id(generator, method));
    put(generator, receiver);
    put_last(generator, next_last(generator, true));
}

static void put_exit_of(struct generator *generator, unsigned method)
{
    pop(generator, method);
    put_letter(generator, 'E');
    put(generator, method_id(generator, method));
    put_last(generator, next_last(generator, true));
}

static void put_exit(struct generator *generator)
{
    put_exit_of(generator, choose_exit(generator));
}

/* Writes X, which leaves a method, or T or H, which name one and leave none. */
static void put_exception(struct generator *generator, char letter)
{
    unsigned method = choose_exit(generator);
    uint64_t receiver = choose_object(generator);
    uint64_t exception = choose_object(generator);

    if (letter == 'X')
        pop(generator, method);
    put_letter(generator, letter);
    put(generator, method_id(generator, method));
    put(generator, receiver);
    put(generator, exception);
    put_last(generator, next_last(generator, letter == 'X'));
}

static void put_store(struct generator *generator)
{
    bool again = chance(&generator->random, generator->profile.again);
    bool root = chance(&generator->random, 10);
    uint64_t value = choose_object(generator);

    if (!again) {
        generator->container = root ? 0 : choose_object(generator);
        generator->field = choose_field(generator);
    }
    if (chance(&generator->random, generator->profile.self))
        value = generator->container;
    put_letter(generator, 'U');
    put(generator, generator->container);
    put(generator, value);
    put(generator, generator->field);
    put_last(generator, next_last(generator, false));
}

static void put_witness(struct generator *generator)
{
    uint64_t object = choose_real_object(generator);

    put_letter(generator, 'W');
    put(generator, object);
    put(generator, 200);
    put_last(generator, next_last(generator, false));
}

/* Writes a death as if from another tool, right or wrong. */
static void put_death(struct generator *generator)
{
    uint64_t object = choose_real_object(generator);
    uint64_t time = below(&generator->random, 200);

    put_letter(generator, 'D');
    put(generator, object);
    put(generator, thread_id(generator, generator->thread));
    put_last(generator, generator->time_dialect ? generator->clock : time);
}

static void put_line(struct generator *generator, char letter)
{
    choose_thread(generator);
    switch (letter) {
    case 'M':
        put_entry(generator);
        break;
    case 'E':
        put_exit(generator);
        break;
    case 'X':
    case 'T':
    case 'H':
        put_exception(generator, letter);
        break;
    case 'U':
        put_store(generator);
        break;
    case 'W':
        put_witness(generator);
        break;
    case 'D':
        put_death(generator);
        break;
    case '#':
        put_comment(generator);
        break;
    case '?':
        put_unknown(generator);
        break;
    default:
        put_allocation(generator, letter);
        break;
    }
}

/* ---- The trace ---- */

static char choose_letter(struct generator *generator)
{
    unsigned total = 0;
    uint64_t at;

    for (size_t i = 0; i < LETTERS; i++)
        total += generator->profile.weight[i];
    at = below(&generator->random, total);
    for (size_t i = 0; i < LETTERS; i++) {
        if (at < generator->profile.weight[i])
            return letters[i];
        at -= generator->profile.weight[i];
    }
    return '#';
}

/*
 * Writes about as many boundaries as --dialect=auto looks at, which is 1000, each a tick after
 * the one before. Then the clock jumps: too late for auto, or just in time.
 */
static void put_long_head(struct generator *generator)
{
    unsigned jump = generator->profile.jump;
    uint64_t length = 998 + below(&generator->random, 4);

    generator->profile.jump = 0;
    for (uint64_t i = 0; i < length; i++)
        put_exit(generator);
    generator->profile.jump = jump;
    if (generator->clock < UINT64_MAX - 5)
        generator->clock += 5;
    put_entry(generator);
}

static void close_frames(struct generator *generator)
{
    while (generator->frame_count > 0) {
        const struct open_frame *frame = &generator->frames[generator->frame_count - 1];

        generator->thread = frame->thread;
        put_exit_of(generator, frame->method);
    }
}

/* Removes the end of the last line, or only the LF of a CRLF. */
static void drop_last_newline(struct generator *generator)
{
    struct text *text = generator->text;
    bool keep_return = chance(&generator->random, 25);

    if (text->size > 0)
        text->size--;
    if (text->size > 0 && text->data[text->size - 1] == '\r' && !keep_return)
        text->size--;
}

static void put_lines(struct generator *generator)
{
    const struct profile *profile = &generator->profile;
    unsigned comment_at = profile->long_comment ? profile->length / 2 : profile->length;

    if (profile->long_head)
        put_long_head(generator);
    for (unsigned i = 0; i < profile->length; i++) {
        if (i == comment_at)
            put_long_comment(generator);
        put_line(generator, choose_letter(generator));
    }
    if (profile->close_all)
        close_frames(generator);
    if (profile->drop_last_newline)
        drop_last_newline(generator);
}

static void choose_deaths(struct generator *generator, struct generated_trace *trace)
{
    trace->has_deaths = chance(&generator->random, 15);
    for (size_t i = 0; i < LETTERS; i++)
        if (trace->has_deaths && letters[i] == 'D')
            generator->profile.weight[i] = 5;
}

static void choose_clock(struct generator *generator)
{
    static const uint64_t starts[] = {
        0,
        0,
        0,
        0,
        1,
        1000000,
        UINT32_MAX - 5,
        UINT64_C(1) << 62,
        INT64_MAX - 5,
        UINT64_MAX - 20,
    };

    generator->clock = CHOOSE(&generator->random, starts);
}

void generate_trace(uint64_t seed, struct generated_trace *trace)
{
    struct generator generator = {.random = {scramble(seed)}, .text = &trace->text};

    *trace = (struct generated_trace){0};
    trace->time_dialect = chance(&generator.random, 50);
    generator.time_dialect = trace->time_dialect;
    choose_profile(&generator);
    choose_deaths(&generator, trace);
    choose_clock(&generator);
    put_lines(&generator);
    free(generator.frames);
}
