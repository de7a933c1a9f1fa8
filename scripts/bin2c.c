/* SPDX-License-Identifier: MIT */
/* Converts files to C, so that a program has their bytes and needs no files. For each
 * NAME=FILE, writes a `struct page_asset page_NAME` to standard output, with the hash of the
 * bytes for a content security policy (SHA-256 in base64). NAME= without FILE has no bytes.
 *
 * Usage: bin2c HEADER NAME=FILE... */
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The bytes of a file; the owner frees them. */
struct content {
    unsigned char *bytes;
    size_t length;
};

enum { BLOCK = 64, HASH_BYTES = 32, WORDS = 8 };

static void stop(const char *what, const char *file)
{
    fprintf(stderr, "bin2c: %s: %s\n", file, what);
    exit(1);
}

static struct content read_file(const char *name)
{
    struct content content = {NULL, 0};
    size_t capacity = 0, got;
    FILE *file = fopen(name, "rb");
    if (!file)
        stop(strerror(errno), name);
    do {
        capacity = capacity * 2 + 65536;
        content.bytes = realloc(content.bytes, capacity);
        if (!content.bytes)
            stop("There is not enough memory", name);
        got = fread(content.bytes + content.length, 1, capacity - content.length, file);
        content.length += got;
    } while (content.length == capacity);
    if (ferror(file))
        stop("This file cannot be read", name);
    fclose(file);
    return content;
}

static const uint32_t rounds[BLOCK] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4,
    0xab1c5ed5, 0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe,
    0x9bdc06a7, 0xc19bf174, 0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f,
    0x4a7484aa, 0x5cb0a9dc, 0x76f988da, 0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7,
    0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967, 0x27b70a85, 0x2e1b2138, 0x4d2c6dfc,
    0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85, 0xa2bfe8a1, 0xa81a664b,
    0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070, 0x19a4c116,
    0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7,
    0xc67178f2};

static uint32_t turn(uint32_t word, unsigned by)
{
    return word >> by | word << (32 - by);
}

static void spread_block(uint32_t schedule[BLOCK], const unsigned char *block)
{
    for (size_t i = 0; i < 16; i++)
        schedule[i] = (uint32_t)block[4 * i] << 24 | (uint32_t)block[4 * i + 1] << 16 |
                      (uint32_t)block[4 * i + 2] << 8 | block[4 * i + 3];
    for (size_t i = 16; i < BLOCK; i++) {
        uint32_t a = schedule[i - 15], b = schedule[i - 2];
        schedule[i] = schedule[i - 16] + (turn(a, 7) ^ turn(a, 18) ^ a >> 3) + schedule[i - 7] +
                      (turn(b, 17) ^ turn(b, 19) ^ b >> 10);
    }
}

static void hash_block(uint32_t state[WORDS], const unsigned char *block)
{
    uint32_t schedule[BLOCK], s[WORDS];
    spread_block(schedule, block);
    memcpy(s, state, sizeof s);
    for (size_t i = 0; i < BLOCK; i++) {
        uint32_t one = s[7] + (turn(s[4], 6) ^ turn(s[4], 11) ^ turn(s[4], 25)) +
                       ((s[4] & s[5]) ^ (~s[4] & s[6])) + rounds[i] + schedule[i];
        uint32_t two = (turn(s[0], 2) ^ turn(s[0], 13) ^ turn(s[0], 22)) +
                       ((s[0] & s[1]) ^ (s[0] & s[2]) ^ (s[1] & s[2]));
        memmove(s + 1, s, (WORDS - 1) * sizeof *s);
        s[4] += one;
        s[0] = one + two;
    }
    for (size_t i = 0; i < WORDS; i++)
        state[i] += s[i];
}

static void hash_content(unsigned char hash[HASH_BYTES], const struct content *content)
{
    uint32_t state[WORDS] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                             0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
    unsigned char last[2 * BLOCK] = {0};
    size_t whole = content->length / BLOCK * BLOCK, left = content->length - whole;
    for (size_t i = 0; i < whole; i += BLOCK)
        hash_block(state, content->bytes + i);
    memcpy(last, content->bytes + whole, left);
    last[left] = 0x80;
    size_t end = left + 9 <= BLOCK ? BLOCK : 2 * BLOCK;
    for (size_t i = 0; i < 8; i++)
        last[end - 1 - i] = (unsigned char)((uint64_t)content->length * 8 >> 8 * i);
    for (size_t i = 0; i < end; i += BLOCK)
        hash_block(state, last + i);
    for (size_t i = 0; i < HASH_BYTES; i++)
        hash[i] = (unsigned char)(state[i / 4] >> (24 - 8 * (i % 4)));
}

static void print_base64(const unsigned char *bytes, size_t length)
{
    static const char digits[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (size_t i = 0; i < length; i += 3) {
        uint32_t group = (uint32_t)bytes[i] << 16;
        if (i + 1 < length)
            group |= (uint32_t)bytes[i + 1] << 8;
        if (i + 2 < length)
            group |= bytes[i + 2];
        printf("%c%c%c%c", digits[group >> 18], digits[group >> 12 & 63],
               i + 1 < length ? digits[group >> 6 & 63] : '=',
               i + 2 < length ? digits[group & 63] : '=');
    }
}

static void print_asset(const char *name, size_t name_length, const struct content *content)
{
    unsigned char hash[HASH_BYTES];
    printf("static const unsigned char %.*s_bytes[] = {", (int)name_length, name);
    for (size_t i = 0; i < content->length; i++)
        printf("%s%u,", i % 24 == 0 ? "\n" : "", content->bytes[i]);
    hash_content(hash, content);
    printf("0};\nconst struct page_asset page_%.*s = {%.*s_bytes, %zu, \"sha256-",
           (int)name_length, name, (int)name_length, name, content->length);
    print_base64(hash, HASH_BYTES);
    printf("\"};\n");
}

/* Stops if the content would end the element that holds it in a page: "</script" does so even
 * within a string. */
static void check_ends_nothing(const struct content *content, const char *file)
{
    static const char *const ends[] = {"</script", "</style", "<!--"};
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
        for (size_t at = 0; at + strlen(ends[i]) <= content->length; at++)
            if (memcmp(content->bytes + at, ends[i], strlen(ends[i])) == 0)
                stop("This file cannot be part of a page: it would end a script there", file);
}

int main(int count, char **arguments)
{
    if (count < 2)
        stop("Usage: bin2c HEADER NAME=FILE...", "(none)");
    printf("/* Made by scripts/bin2c.c. */\n#include \"%s\"\n", arguments[1]);
    for (int i = 2; i < count; i++) {
        const char *file = strchr(arguments[i], '=');
        if (!file)
            stop("This is not NAME=FILE", arguments[i]);
        size_t name_length = (size_t)(file++ - arguments[i]);
        struct content content = {NULL, 0};
        if (*file) {
            content = read_file(file);
            if (!strstr(file, ".html"))
                check_ends_nothing(&content, file);
            print_asset(arguments[i], name_length, &content);
        } else {
            printf("const struct page_asset page_%.*s = {0};\n", (int)name_length,
                   arguments[i]);
        }
        free(content.bytes);
    }
    return ferror(stdout) || fflush(stdout) != 0;
}
