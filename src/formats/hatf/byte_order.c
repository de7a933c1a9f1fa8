/* SPDX-License-Identifier: MIT */
/* Where no setting decides, the first events may: after the settings stand the first threads
 * and allocations, whose times are small, for the clock has just begun: in the wrong order they
 * are enormous. If all times are 0, addresses decide, or else sizes, or the numbers of threads.
 */
#include "formats/hatf/byte_order.h"

#include "formats/hatf/codec.h"

#include <string.h>

enum { EVENTS_LOOKED_AT = 64 };

/* The largest numbers of the first events, read in one order. */
struct largest {
    bool is_wrong; /* a record cannot be */
    uint64_t time, address, size, thread;
};

static void raise(uint64_t *largest, uint64_t value)
{
    if (value > *largest)
        *largest = value;
}

static struct largest read_first(const uint8_t *head, size_t length, bool little_endian)
{
    struct largest largest = {.is_wrong = false};
    struct hatf_state state;
    struct load load = load_from(head, length);
    struct hatf_record record;
    hatf_state_init(&state, little_endian);
    for (unsigned events = 0; events < EVENTS_LOOKED_AT && load_left(&load) > 0;) {
        enum hatf_result result = hatf_decode(&state, &load, &record);
        if (result == HATF_CUT_OFF)
            break;
        if (result != HATF_OK) {
            largest.is_wrong = true;
            break;
        }
        if (record.tag == HATF_METADATA || record.tag == HATF_COMMENT)
            continue;
        events++;
        raise(&largest.time, record.numbers[HATF_TIME]);
        raise(&largest.address, record.numbers[HATF_ADDRESS]);
        raise(&largest.size, record.numbers[HATF_SIZE]);
        raise(&largest.thread, record.numbers[HATF_THREAD]);
    }
    return largest;
}

/* Numbers that programs have: those above are read in the wrong order, or mean nothing. */
static const uint64_t plausible = UINT64_C(1) << 53;

/* Whether the numbers show the order: they differ, and one at least is plausible. */
static bool decides(uint64_t big, uint64_t little)
{
    return big != little && (big < plausible || little < plausible);
}

bool hatf_read_byte_order(const uint8_t *head, size_t length, bool *little_endian)
{
    /* Metadata of 4 bytes each, then the record in question. */
    static const uint8_t before[] = {
        HATF_METADATA, HATF_SET_WIDTH,          HATF_ADDRESS, 8,
        HATF_METADATA, HATF_SET_INTERPRETATION, HATF_THREAD,  HATF_NONE,
        HATF_METADATA, HATF_SET_WIDTH,          HATF_THREAD,  4,
        HATF_METADATA, HATF_SET_INTERPRETATION, HATF_TIME,    HATF_DEFAULT};
    uint64_t big = 0, little = 0;
    if (length < sizeof before || memcmp(head, before, sizeof before) != 0)
        return false;
    struct load load = load_from(head + sizeof before, length - sizeof before), again = load;
    bool has = load_big(&load, 8, &big) && load_little(&again, 8, &little);
    *little_endian = little == 1;
    return has && (big == 1 || little == 1);
}

bool hatf_find_byte_order(const uint8_t *head, size_t length, bool *little_endian)
{
    struct largest big = read_first(head, length, false);
    struct largest little = read_first(head, length, true);
    if (big.is_wrong != little.is_wrong)
        *little_endian = big.is_wrong;
    else if (decides(big.time, little.time))
        *little_endian = little.time < big.time;
    else if (decides(big.address, little.address))
        *little_endian = little.address < big.address;
    else if (decides(big.size, little.size))
        *little_endian = little.size < big.size;
    else if (decides(big.thread, little.thread))
        *little_endian = little.thread < big.thread;
    else
        return false;
    return true;
}
