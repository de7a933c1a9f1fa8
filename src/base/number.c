#include "base/number.h"

#include <string.h>

static enum number_result parse_digits(const char *text, size_t length, uint64_t *value)
{
    uint64_t sum = 0;
    int overflow = 0;
    for (size_t i = 0; i < length; i++) {
        unsigned digit = (unsigned)(unsigned char)text[i] - '0';
        if (digit > 9)
            return NUMBER_NONE;
        overflow |= __builtin_mul_overflow(sum, (uint64_t)10, &sum);
        overflow |= __builtin_add_overflow(sum, (uint64_t)digit, &sum);
    }
    if (length == 0)
        return NUMBER_NONE;
    if (overflow)
        return NUMBER_TOO_LARGE;
    *value = sum;
    return NUMBER_OK;
}

enum number_result number_parse(const char *text, size_t length, uint64_t *value)
{
    if (length > 0 && text[0] == '-') {
        uint64_t magnitude;
        enum number_result result = parse_digits(text + 1, length - 1, &magnitude);
        return result == NUMBER_NONE ? NUMBER_NONE : NUMBER_NEGATIVE;
    }
    return parse_digits(text, length, value);
}

size_t number_format(char *out, uint64_t value)
{
    char digits[NUMBER_DIGITS];
    size_t length = 0;
    do {
        digits[NUMBER_DIGITS - ++length] = (char)('0' + value % 10);
        value /= 10;
    } while (value);
    memcpy(out, digits + NUMBER_DIGITS - length, length);
    return length;
}
