/* SPDX-License-Identifier: MIT */
/* Results of library calls, the messages to users when one fails, and how a call learns that
 * the program is to end.
 *
 * Library code never prints and never exits: it returns a status and leaves an
 * explanation in a struct failure, which the command line shows. */
#ifndef ETMERLIN_BASE_STATUS_H
#define ETMERLIN_BASE_STATUS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#define MUST_CHECK __attribute__((warn_unused_result))

/* Returns the status of a call from the function in which it stands, unless that is STATUS_OK.
 * Only where nothing has to be released first. */
#define TRY(call)                                                                              \
    do {                                                                                       \
        enum status try_status_ = (call);                                                      \
        if (try_status_ != STATUS_OK)                                                          \
            return try_status_;                                                                \
    } while (0)
#define PRINTF_LIKE(text, first) __attribute__((format(printf, text, first)))

enum status {
    STATUS_OK = 0,
    STATUS_END,         /* nothing is left to read; not a failure */
    STATUS_IO,          /* the operating system refused: open, read, write, rename, ... */
    STATUS_SYNTAX,      /* the input is not written as its format demands */
    STATUS_MEANING,     /* the input is well written, but what it says cannot be used */
    STATUS_MEMORY,      /* no memory */
    STATUS_LIMIT,       /* more than this build can count */
    STATUS_INTERRUPTED, /* the program is to end; nothing needs to be said */
};

/* Why a call failed. Zero-initialize it; whoever declares it clears it. */
struct failure {
    enum status status;
    char *file;      /* owned; the file that the text is about, or NULL */
    uint64_t line;   /* line in that file, from 1; 0: the whole file */
    uint64_t offset; /* byte in that file, from 0, if it is binary */
    bool has_offset; /* it is binary, and `line` is not used */
    char *text;      /* owned; one sentence, without its full stop; NULL: out of memory */
};

/* Each fail function records in *why, in place of any earlier failure, why a call failed, and
 * returns `status` (or the status in its name), so that a caller can write `return fail(...)`.
 * The text is formatted as by printf. */
enum status fail(struct failure *why, enum status status, const char *format, ...)
    PRINTF_LIKE(3, 4);

/* As fail, about line `line` (from 1; 0: no line) of `file`. */
enum status fail_at(struct failure *why, enum status status, const char *file, uint64_t line,
                    const char *format, ...) PRINTF_LIKE(5, 6);

/* As fail, about the byte `offset` (from 0) of the binary `file`. */
enum status fail_at_offset(struct failure *why, enum status status, const char *file,
                           uint64_t offset, const char *format, ...) PRINTF_LIKE(5, 6);

/* STATUS_IO: the operation `doing` ("read", "write", ...) on `file` failed with
 * the error number `error`. STATUS_INTERRUPTED: it is ECANCELED. */
enum status fail_errno(struct failure *why, const char *file, const char *doing, int error);

/* Appends `more` to the text of *why, which stays as it is if there is no memory. */
void fail_adding(struct failure *why, const char *more);

/* Writes `PROGRAM: FILE:LINE: Text.` and a newline, with FILE@0xOFFSET, FILE or nothing in
 * place of FILE:LINE as far as *why has them. Bytes that are not to be shown
 * (text_shown_length) are escaped. `program` is the name of the running program. */
void failure_print(const struct failure *why, const char *program, FILE *stream);

/* Releases what *why owns and makes it zero again. */
void failure_clear(struct failure *why);

/* Moves the failure *from to *to, which is cleared first; *from is zero then. Returns the
 * status of the failure. */
static inline enum status failure_move(struct failure *to, struct failure *from)
{
    enum status status = from->status;
    failure_clear(to);
    *to = *from;
    *from = (struct failure){.status = STATUS_OK};
    return status;
}

/* Records STATUS_MEMORY in *why and returns it. Allocates no memory. It is inline so that
 * static analysers know that it never returns STATUS_OK. */
static inline enum status fail_memory(struct failure *why)
{
    failure_clear(why);
    why->status = STATUS_MEMORY;
    return STATUS_MEMORY;
}

/* How library code learns that the program is to end. The code that installs signal handlers
 * makes one of these and passes it to functions that may block or take long; these then stop
 * with STATUS_INTERRUPTED. */
struct interrupt {
    atomic_int signal; /* the signal that asks the program to end; 0: none has */
    int descriptor;    /* for poll: readable once a signal has asked; -1: there is none */
};

/* Whether the program is to end. NULL, for programs without handlers: never. */
static inline bool interrupt_requested(const struct interrupt *interrupt)
{
    return interrupt && atomic_load_explicit(&interrupt->signal, memory_order_relaxed) != 0;
}

/* STATUS_INTERRUPTED: the program is to end. */
static inline enum status MUST_CHECK interrupt_check(const struct interrupt *interrupt,
                                                     struct failure *why)
{
    return interrupt_requested(interrupt) ? fail(why, STATUS_INTERRUPTED, "Interrupted")
                                          : STATUS_OK;
}

#endif
