/* SPDX-License-Identifier: MIT */
/* Writes a trace of any length that resembles a real program: nested methods, many objects that
 * die young, a heap of old objects that a few long-lived hubs hold, random 31-bit object ids
 * that do not repeat, and the mix of records that a shape (see shapes) defines.
 *
 * Usage: gen RECORDS [SEED [SHAPE]]
 *
 * The same arguments give the same bytes. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    HUBS = 16,    /* objects that hold the old ones */
    YOUNG = 64,   /* the latest objects, which the program uses */
    DEEPEST = 60, /* the most frames */
    METHODS = 4096,
    TYPES = 500,
    BUFFER = 1 << 16,
    LONGEST_RECORD = 128
};

static const char thread[] = " 1645995473\n";

/* How a program treats its heap. */
struct shape {
    const char *name;
    uint32_t creating;  /* of 1000 steps, how many create an object */
    uint32_t retiring;  /* of 100 objects, how many become old */
    uint32_t replacing; /* of 3 such objects, how many replace another old one */
    size_t most;        /* the most old objects; from then on each replaces another one */
};

static const struct shape shapes[] = {
    {"usual", 20, 10, 1, SIZE_MAX}, /* a database run: the heap grows slowly */
    {"steady", 20, 5, 1, 37000}, /* the same, but the heap stops growing: 10^5 objects live */
    {"churn", 500, 1, 1, 1000},  /* hardly anything but objects that die at once */
    {"growing", 200, 50, 0, SIZE_MAX}, /* half of what is created lives to the end */
    {"turnover", 500, 2, 1,
     333000}, /* little else than objects, of which 10^6 live at a time */
};

struct frame {
    uint32_t method;
    uint32_t receiver;
};

struct program {
    const struct shape *shape;
    uint64_t random;
    uint64_t records;   /* the number of records written */
    uint32_t allocated; /* the number of objects allocated */
    uint32_t hubs[HUBS];
    uint32_t young[YOUNG];
    /* Old object i is in field i / HUBS of hub i % HUBS. */
    uint32_t *old;
    size_t old_count;
    size_t old_capacity;
    struct frame frames[DEEPEST];
    unsigned depth;
    size_t buffered;
    char buffer[BUFFER];
};

/* A random number below `below`, by splitmix64. */
static uint32_t draw(struct program *program, uint32_t below)
{
    uint64_t x = program->random += UINT64_C(0x9E3779B97F4A7C15);
    x = (x ^ (x >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    x = (x ^ (x >> 27)) * UINT64_C(0x94D049BB133111EB);
    return (uint32_t)(((x ^ (x >> 31)) >> 32) * below >> 32);
}

/* The id of object n. The ids are 1 to 2^31-1, each once, in an order that looks random. */
static uint32_t id_of(uint32_t n)
{
    const uint32_t mask = UINT32_MAX >> 1;
    uint32_t id = n;
    do { /* a permutation of the 31-bit numbers, applied again when it gives 0 */
        for (int round = 0; round < 3; round++) {
            id = (id * UINT32_C(0x2C1B3C6D) + 0x1234567) & mask;
            id ^= id >> 15;
        }
    } while (id == 0);
    return id;
}

static void flush(struct program *program)
{
    if (fwrite(program->buffer, 1, program->buffered, stdout) != program->buffered) {
        perror("gen");
        exit(2);
    }
    program->buffered = 0;
}

static void put_field(struct program *program, uint32_t value)
{
    char digits[10];
    size_t count = 0;
    do
        digits[count++] = (char)('0' + value % 10);
    while (value /= 10);
    program->buffer[program->buffered++] = ' ';
    while (count > 0)
        program->buffer[program->buffered++] = digits[--count];
}

static void put_record(struct program *program, char letter, const uint32_t *fields,
                       size_t count)
{
    if (program->buffered > BUFFER - LONGEST_RECORD)
        flush(program);
    program->buffer[program->buffered++] = letter;
    for (size_t i = 0; i < count; i++)
        put_field(program, fields[i]);
    for (const char *byte = thread; *byte; byte++)
        program->buffer[program->buffered++] = *byte;
    program->records++;
}

static void update(struct program *program, uint32_t container, uint32_t value, uint32_t field)
{
    put_record(program, 'U', (uint32_t[]){container, value, field}, 3);
}

static uint32_t allocate(struct program *program)
{
    uint32_t id = id_of(++program->allocated);
    uint32_t type = 1 + draw(program, TYPES), array = draw(program, 4) == 0;
    uint32_t length = array ? draw(program, 40) : 0;
    put_record(
        program, array ? 'A' : 'N',
        (uint32_t[]){id, 16 + 8 * (array ? length : draw(program, 6)), type, type * 3, length},
        5);
    return id;
}

/* Makes object `id` an old one, which is added to the others or replaces one of them. */
static void retire(struct program *program, uint32_t id)
{
    const struct shape *shape = program->shape;
    size_t place = program->old_count;
    if (place > 0 && (draw(program, 3) < shape->replacing || place == shape->most)) {
        place = draw(program, (uint32_t)program->old_count);
    } else if (place == program->old_capacity) {
        program->old_capacity = 2 * place + 1024;
        program->old = realloc(program->old, program->old_capacity * sizeof *program->old);
        if (!program->old) {
            perror("gen");
            exit(2);
        }
    }
    program->old_count += place == program->old_count;
    program->old[place] = id;
    update(program, program->hubs[place % HUBS], id, 1000 + (uint32_t)(place / HUBS));
}

static uint32_t receiver(const struct program *program)
{
    return program->depth ? program->frames[program->depth - 1].receiver : 0;
}

/* An object that the program can use: a receiver, a young object, an old one or a hub. */
static uint32_t pick(struct program *program)
{
    uint32_t kind = draw(program, 10);
    if (kind < 4 && receiver(program) != 0)
        return receiver(program);
    if (kind < 8 || program->old_count == 0)
        return program->young[draw(program, YOUNG)];
    if (kind < 9)
        return program->old[draw(program, (uint32_t)program->old_count)];
    return program->hubs[draw(program, HUBS)];
}

static void create(struct program *program)
{
    uint32_t id = allocate(program);
    program->young[draw(program, YOUNG)] = id;
    uint32_t fate = draw(program, 100);
    if (fate < program->shape->retiring)
        retire(program, id);
    else if (fate < 50)
        update(program, pick(program), id, 1 + draw(program, 4));
}

static void enter(struct program *program)
{
    uint32_t method = 1 + draw(program, 1 + draw(program, METHODS));
    uint32_t object = draw(program, 5) == 0 ? 0 : pick(program);
    put_record(program, 'M', (uint32_t[]){method, object}, 2);
    program->frames[program->depth++] = (struct frame){method, object};
}

static void leave(struct program *program)
{
    put_record(program, 'E', &program->frames[--program->depth].method, 1);
}

static void step(struct program *program)
{
    uint32_t what = draw(program, 1000);
    if (what < program->shape->creating)
        create(program);
    else if (what < program->shape->creating + 250)
        put_record(program, 'W', (uint32_t[]){pick(program), 1 + draw(program, TYPES)}, 2);
    else if (program->depth == 0 || (draw(program, 2) == 0 && program->depth < DEEPEST))
        enter(program);
    else
        leave(program);
}

static void start(struct program *program)
{
    for (unsigned i = 0; i < HUBS; i++) {
        program->hubs[i] = allocate(program);
        update(program, 0, program->hubs[i], 1 + i);
    }
    for (unsigned i = 0; i < YOUNG; i++)
        program->young[i] = allocate(program);
}

/* The shape with this name, or NULL. */
static const struct shape *find_shape(const char *name)
{
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
        if (strcmp(shapes[i].name, name) == 0)
            return &shapes[i];
    return NULL;
}

int main(int count, char **arguments)
{
    static struct program program;
    program.shape = find_shape(count > 3 ? arguments[3] : shapes[0].name);
    if (count < 2 || !program.shape) {
        fputs("Usage: gen RECORDS [SEED [usual|steady|churn|growing|turnover]]\n", stderr);
        return 2;
    }
    uint64_t wanted = strtoull(arguments[1], NULL, 10);
    program.random = count > 2 ? strtoull(arguments[2], NULL, 10) : 1;
    start(&program);
    while (program.records < wanted)
        step(&program);
    flush(&program);
    free(program.old);
    return fflush(stdout) == 0 ? 0 : 2;
}
