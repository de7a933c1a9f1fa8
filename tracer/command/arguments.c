/* SPDX-License-Identifier: MIT */
/* The agent's settings are one word (settings.h). They go into the command of java, or into an
 * environment variable, which reaches virtual machines that other programs start. */
#include "arguments.h"

#include "base/number.h"
#include "io/codec/codec.h"
#include "io/path.h"
#include "parts.h"
#include "places.h"
#include "settings.h"

#include <errno.h>
#include <glob.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MAX_OPTIONS = 12 };

static enum status check_limit(const char *option, const char *text, struct failure *why)
{
    struct limit_words words;
    const char *fault =
        text && strcmp(text, "SIGUSR1") != 0 ? settings_limit(&words, text) : NULL;
    return fault ? fail(why, STATUS_MEANING, "%s=%s %s", option, text, fault) : STATUS_OK;
}

/* Whether a name has the number of the process in it. */
static bool has_process(const char *name)
{
    for (; (name = strchr(name, '%')); name += 2)
        if (name[1] == 'p')
            return true;
        else if (!name[1])
            return false;
    return false;
}

static bool has_header_ids(const struct arguments *arguments)
{
    return arguments->ids && strcmp(arguments->ids, "header") == 0;
}

/* Checks that the name of the trace promises nothing that ettrace does not write. */
static enum status check_name(const char *output, struct failure *why)
{
    const char *unwritable = codec_unwritable(output), *form = form_of_name(output);
    unsigned index;
    if (unwritable)
        return fail_at(why, STATUS_MEANING, output, 0,
                       "There is no %s output; let the name end with .zst, .gz or .xz, or with "
                       "none of these",
                       unwritable);
    if (!form || form_find("text|trace", form, &index))
        return STATUS_OK;
    return fail_at(why, STATUS_MEANING, output, 0,
                   "A trace is not written as %s; etmerlin makes pictures, tables and heap "
                   "dumps of it",
                   form);
}

static const char *level_of(const struct arguments *arguments)
{
    return arguments->records ? arguments->records : "exact";
}

/* Where --tick-bytes is not given: at the level stores, what only variables hold would die at a
 * tick, and at those of --truth no collection is made. */
static uint64_t default_tick_bytes(const struct arguments *arguments)
{
    return strcmp(level_of(arguments), "exact") == 0 && !arguments->truth ? 1024 : 0;
}

/* Sets *bytes to the value of --tick-bytes, or to its default. */
static enum status read_tick_bytes(const struct arguments *arguments, uint64_t *bytes,
                                   struct failure *why)
{
    const char *size = arguments->tick_bytes;
    struct failure no_size = {0};
    *bytes = size ? 0 : default_tick_bytes(arguments);
    if (!size || strcmp(size, "0") == 0 || parse_size(size, bytes, &no_size) == STATUS_OK)
        return STATUS_OK;
    failure_clear(&no_size);
    return fail(why, STATUS_MEANING,
                "--tick-bytes=%s is no number of bytes, perhaps with K, M, G or T after it",
                size);
}

static enum status check_ticks(const struct arguments *arguments, struct failure *why)
{
    uint64_t bytes;
    enum status status = read_tick_bytes(arguments, &bytes, why);
    if (status != STATUS_OK || !bytes)
        return status;
    if (arguments->records && strcmp(arguments->records, "et3") == 0)
        return fail(why, STATUS_MEANING, "--tick-bytes needs the level stores or exact");
    if (arguments->truth)
        return fail(why, STATUS_MEANING, "--tick-bytes and --truth do not go together");
    return STATUS_OK;
}

enum status arguments_check(const struct arguments *arguments, struct failure *why)
{
    const char *records = arguments->records;
    if (records && strcmp(records, "stores") != 0 && strcmp(records, "exact") != 0 &&
        strcmp(records, "et3") != 0)
        return fail(why, STATUS_MEANING,
                    "There is no level of records \"%s\"; there are stores, "
                    "exact and et3",
                    records);
    if (arguments->ids && strcmp(arguments->ids, "tags") != 0 && !has_header_ids(arguments))
        return fail(why, STATUS_MEANING,
                    "--ids=%s is no place for ids; there are tags and header", arguments->ids);
    enum status status = check_name(arguments->output, why);
    if (status != STATUS_OK)
        return status;
    if (arguments->check) {
        const char *digits = arguments->check;
        if (!*digits || digits[strspn(digits, "0123456789")] || strlen(digits) > 9 ||
            atol(digits) == 0)
            return fail(why, STATUS_MEANING, "--check=%s is no number of collections", digits);
    }
    status = check_limit("--start-at", arguments->start_at, why);
    if (status == STATUS_OK)
        status = check_limit("--stop-at", arguments->stop_at, why);
    if (status == STATUS_OK)
        status = check_ticks(arguments, why);
    if (status != STATUS_OK)
        return status;
    if (arguments->check && is_standard_stream(arguments->output))
        return fail(why, STATUS_MEANING, "--check needs the name of a file for the trace");
    if (arguments->check && arguments->truth)
        return fail(why, STATUS_MEANING, "--check and --truth do not go together");
    if ((arguments->check || arguments->truth) && records && strcmp(records, "et3") == 0)
        return fail(why, STATUS_MEANING, "--check and --truth need the level stores or exact");
    if (arguments->names && has_process(arguments->output) && !has_process(arguments->names))
        return fail(why, STATUS_MEANING,
                    "--names needs a %%p, too: each process has name lists of its own");
    return STATUS_OK;
}

/* A text that grows; it is NULL as soon as memory has run out. */
static void append(char **text, const char *format, ...) PRINTF_LIKE(2, 3);

static void append(char **text, const char *format, ...)
{
    char *more = NULL, *both = NULL;
    va_list arguments;
    va_start(arguments, format);
    int length = vasprintf(&more, format, arguments);
    va_end(arguments);
    if (*text && length >= 0 && asprintf(&both, "%s%s", *text, more) < 0)
        both = NULL;
    if (length >= 0)
        free(more);
    free(*text);
    *text = both;
}

/* Appends ",NAME=VALUE", if there is a value. */
static void append_setting(char **text, const char *name, const char *value)
{
    if (!value)
        return;
    append(text, ",%s=", name);
    for (; *value; value++) {
        if (*value == ',' || *value == '%')
            append(text, *value == ',' ? "%%2C" : "%%25");
        else
            append(text, "%c", *value);
    }
}

/* The program that gets the settings. */
struct target {
    int descriptor; /* the trace; -1: the agent opens it itself */
    bool is_later;  /* another program starts it, perhaps in another folder */
    bool is_shared; /* several programs may get these settings */
};

/* The names of the outputs; NULL: there is no such output. */
struct output_names {
    char *trace, *names, *check;
};

static void free_names(struct output_names *names)
{
    free(names->trace);
    free(names->names);
    free(names->check);
}

/* The path from the root on. The caller owns it; NULL: no memory. */
static char *absolute(const char *path)
{
    char *folder = *path == '/' ? NULL : getcwd(NULL, 0);
    char *made = folder ? place_in(folder, path) : strdup(path);
    free(folder);
    return made;
}

/* Makes the names. With `is_later` they are absolute, so that they are right in any folder. */
static enum status make_names(struct output_names *names, const struct arguments *arguments,
                              bool is_later, struct failure *why)
{
    const char *output = arguments->output;
    bool is_file = !is_standard_stream(output);
    bool has_names = arguments->names || is_file;
    char *lists =
        arguments->names ? strdup(arguments->names) : trace_stem_path(output, ".names");
    char *check = arguments->check ? trace_stem_path(output, ".check") : NULL;
    *names = (struct output_names){
        .trace = is_later ? absolute(output) : strdup(output),
        .names = has_names && lists ? is_later ? absolute(lists) : strdup(lists) : NULL,
        .check = check ? is_later ? absolute(check) : strdup(check) : NULL};
    free(lists);
    free(check);
    if (names->trace && (names->names || !has_names) && (names->check || !arguments->check))
        return STATUS_OK;
    free_names(names);
    return fail_memory(why);
}

enum status arguments_check_places(const struct arguments *arguments, struct failure *why)
{
    struct output_names names;
    const struct replacing replacing = {.force = arguments->force};
    enum status status = make_names(&names, arguments, false, why);
    if (status != STATUS_OK)
        return status;
    struct output_names own = {.trace = place_of_process(names.trace),
                               .names = place_of_process(names.names),
                               .check = place_of_process(names.check)};
    const struct places places = {.trace =
                                      is_standard_stream(arguments->output) ? NULL : own.trace,
                                  .names = own.names,
                                  .check = own.check};
    if (!own.trace || !own.names != !names.names || !own.check != !names.check)
        status = fail_memory(why);
    else
        status = places_check(&places, &replacing, why);
    free_names(&own);
    free_names(&names);
    return status;
}

/* Appends the file that was there before all programs with these settings, so that only the
 * first of them replaces it. Not if each program has a file of its own. */
static void append_shared(char **text, const struct arguments *arguments)
{
    struct stat facts;
    if (has_process(arguments->output))
        return;
    char *file = place_of_process(arguments->output); /* there is no %p, but there may be %% */
    if (!file) {
        free(*text);
        *text = NULL;
        return;
    }
    bool is_there = stat(file, &facts) == 0 && S_ISREG(facts.st_mode);
    free(file);
    append(text, ",shared=1,former=%llu", is_there ? (unsigned long long)facts.st_ino : 0);
}

/* The agent's settings. The caller owns them; NULL: no memory. */
static char *settings(const struct arguments *arguments, const struct target *target)
{
    struct failure no_memory = {0};
    struct output_names names;
    char *text = strdup("");
    uint64_t tick_bytes;
    if (read_tick_bytes(arguments, &tick_bytes, &no_memory) != STATUS_OK ||
        make_names(&names, arguments, target->is_later, &no_memory) != STATUS_OK) {
        free(text);
        return NULL;
    }
    append(&text, "records=%s", level_of(arguments));
    append_setting(&text, "file", names.trace);
    if (target->descriptor >= 0)
        append(&text, ",fd=%d", target->descriptor);
    if (has_header_ids(arguments))
        append_setting(&text, "ids", arguments->ids);
    append_setting(&text, "names", names.names);
    append_setting(&text, "include", arguments->include);
    append_setting(&text, "exclude", arguments->exclude);
    append_setting(&text, "start-at", arguments->start_at);
    append_setting(&text, "stop-at", arguments->stop_at);
    if (tick_bytes)
        append(&text, ",tick-bytes=%" PRIu64, tick_bytes);
    append_setting(&text, "check", arguments->check);
    append_setting(&text, "check-file", names.check);
    append(&text, "%s%s%s%s", arguments->truth ? ",truth=1" : "",
           arguments->force ? ",force=1" : "", arguments->no_cache ? ",no-cache=1" : "",
           arguments->verbose ? ",verbose=1" : "");
    if (target->is_shared)
        append_shared(&text, arguments);
    if (!target->is_later)
        append(&text, ",alone=1");
    free_names(&names);
    return text;
}

static void free_options(char **options)
{
    for (size_t i = 0; i < MAX_OPTIONS; i++) {
        free(options[i]);
        options[i] = NULL;
    }
}

/* Has the virtual machine count the identity hashes that it makes, so that ids, which are
 * larger, are distinguished from them. */
static bool add_hash(char **options)
{
    options[0] = strdup("-XX:+UnlockExperimentalVMOptions");
    options[1] = strdup("-XX:hashCode=3");
    return options[0] && options[1];
}

/* Compiled code holds fewer objects than the program's variables, so nothing is compiled. Soft
 * references are cleared after so many milliseconds without use for each free megabyte: never.
 */
static bool add_truth(char **options)
{
    options[0] = strdup("-Xint");
    options[1] = strdup("-XX:+UseSerialGC");
    options[2] = strdup("-XX:SoftRefLRUPolicyMSPerMB=1000000000");
    return options[0] && options[1] && options[2];
}

/* The virtual machine would print warnings, such as that it cannot use an archive of classes
 * with an agent, on standard output, where the program's output goes. Options of the user come
 * later and still count. */
static const char no_log[] = "-Xlog:all=off:stdout";
static const char log_warnings[] = "-Xlog:all=warning:stderr";

/* A frame of a method with probes is up to three times as large, so threads get a stack of
 * three times the size that HotSpot gives them. An option of the program's own comes later and
 * counts; but the launcher puts those of one variable before all others. */
#if defined __aarch64__ || defined __powerpc64__ || defined __riscv
static const char stack_size[] = "-Xss6m";
#else
static const char stack_size[] = "-Xss3m";
#endif

static bool has_stack_size(const char *variable)
{
    const char *options = getenv(variable);
    return options && (strstr(options, "-Xss") || strstr(options, "ThreadStackSize"));
}

/* Sets the options, ended by NULL; the caller frees them. After a failure, all are NULL. */
static enum status make_options(char **options, const struct arguments *arguments,
                                const struct target *target, struct failure *why)
{
    char *folder = parts_folder();
    char *text = settings(arguments, target);
    memset(options, 0, MAX_OPTIONS * sizeof *options);
    if (folder && text) {
        options[0] = strdup("-agentpath:");
        append(&options[0], "%s/libettrace.so=%s", folder, text);
    }
    options[1] = strdup(no_log);
    options[2] = strdup(log_warnings);
    bool fits = options[0] && options[1] && options[2];
    size_t count = 3;
    if (fits && !has_stack_size("JDK_JAVA_OPTIONS") && !has_stack_size("JAVA_TOOL_OPTIONS"))
        fits = (options[count++] = strdup(stack_size)) != NULL;
    if (fits && has_header_ids(arguments)) {
        fits = add_hash(options + count);
        count += 2;
    }
    if (fits && arguments->truth)
        fits = add_truth(options + count);
    free(folder);
    free(text);
    if (fits)
        return STATUS_OK;
    free_options(options);
    return fail_memory(why);
}

enum status arguments_command(char ***words, const struct arguments *arguments, int descriptor,
                              char **command, struct failure *why)
{
    const struct target target = {.descriptor = descriptor};
    char *options[MAX_OPTIONS];
    size_t count = 0, length = 0;
    enum status status = make_options(options, arguments, &target, why);
    if (status != STATUS_OK)
        return status;
    while (options[count])
        count++;
    while (command[length])
        length++;
    char **all = calloc(count + length + 1, sizeof *all);
    if (!all) {
        free_options(options);
        return fail_memory(why);
    }
    all[0] = command[0];
    memcpy(all + 1, options, count * sizeof *all);
    memcpy(all + 1 + count, command + 1, (length - 1) * sizeof *all);
    *words = all;
    return STATUS_OK;
}

/* Appends a word, quoted for the way in which the virtual machine splits the variable: it
 * knows quotes, and no other escape. */
static void append_quoted(char **text, const char *word)
{
    append(text, "%s", **text ? " " : "");
    while (*word) {
        bool is_quote = *word == '\'';
        size_t length = is_quote ? strspn(word, "'") : strcspn(word, "'");
        bool is_plain = !is_quote && strcspn(word, " \t\n\r\f\v\"") >= length;
        const char *quote = is_plain ? "" : is_quote ? "\"" : "'";
        append(text, "%s%.*s%s", quote, (int)length, word, quote);
        word += length;
    }
}

enum status arguments_environment(const struct arguments *arguments, struct failure *why)
{
    static const char variable[] = "JAVA_TOOL_OPTIONS";
    const struct target target = {.descriptor = -1, .is_later = true, .is_shared = true};
    const char *former = getenv(variable);
    char *options[MAX_OPTIONS];
    enum status status = make_options(options, arguments, &target, why);
    if (status != STATUS_OK)
        return status;
    char *text = strdup(former ? former : "");
    for (size_t i = 0; options[i]; i++)
        if (text)
            append_quoted(&text, options[i]);
    if (!text || setenv(variable, text, 1) != 0)
        status = fail_memory(why);
    free(text);
    free_options(options);
    return status;
}

/* A number that changes when a file with the name of the output is made or
 * replaced. In `path`, "%p" stands for the number of any process. */
static uint64_t sum_files(const char *path)
{
    char *pattern = place_pattern(path);
    glob_t found;
    struct stat facts;
    uint64_t sum = 0;
    if (pattern && glob(pattern, GLOB_NOSORT, NULL, &found) == 0) {
        for (size_t i = 0; i < found.gl_pathc; i++)
            if (stat(found.gl_pathv[i], &facts) == 0 && S_ISREG(facts.st_mode) && facts.st_size)
                sum += (uint64_t)facts.st_ino + (uint64_t)facts.st_ctim.tv_sec * 1000000007 +
                       (uint64_t)facts.st_ctim.tv_nsec;
        globfree(&found);
    }
    free(pattern);
    return sum;
}

/* The lists show a trace that goes into a pipe or a device. */
uint64_t arguments_made(const struct arguments *arguments)
{
    struct failure why = {0};
    struct output_names names;
    if (make_names(&names, arguments, false, &why) != STATUS_OK) {
        failure_clear(&why);
        return 0;
    }
    char *list = names.names ? place_in(names.names, list_names[LIST_TYPES]) : NULL;
    uint64_t sum = sum_files(names.trace) + (list ? sum_files(list) : 0);
    free(list);
    free_names(&names);
    return sum;
}

enum status arguments_print(const struct arguments *arguments, FILE *stream,
                            struct failure *why)
{
    const struct target target = {.descriptor = -1, .is_later = true};
    char *options[MAX_OPTIONS];
    enum status status = make_options(options, arguments, &target, why);
    for (size_t i = 0; status == STATUS_OK && options[i]; i++)
        if (fprintf(stream, "%s\n", options[i]) < 0)
            status = fail_errno(why, NULL, "write to standard output", errno);
    if (status == STATUS_OK && fflush(stream) != 0)
        status = fail_errno(why, NULL, "write to standard output", errno);
    free_options(options);
    return status;
}
