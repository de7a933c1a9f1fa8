/* SPDX-License-Identifier: MIT */
/* The tracer's files stand beside this program (where it was built) or where they were
 * installed. The agent's settings are one word: a comma in a value is written %2C, a percent
 * sign %25. */
#include "arguments.h"

#include "io/codec.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MAX_OPTIONS = 6 };

static enum status check_limit(const char *option, const char *text, struct failure *why)
{
    const char *mark = text ? strchr(text, '#') : NULL;
    if (!text || strcmp(text, "SIGUSR1") == 0 || (mark && mark != text && mark[1]))
        return STATUS_OK;
    return fail(why, STATUS_MEANING, "%s=%s is neither CLASS#METHOD nor SIGUSR1", option, text);
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
    const char *unwritable = codec_unwritable(arguments->output);
    if (unwritable)
        return fail_at(why, STATUS_MEANING, arguments->output, 0,
                       "There is no %s output; let the name end with .zst, .gz or .xz, or with "
                       "none of these",
                       unwritable);
    if (arguments->check) {
        const char *digits = arguments->check;
        if (!*digits || digits[strspn(digits, "0123456789")] || strlen(digits) > 9 ||
            atol(digits) == 0)
            return fail(why, STATUS_MEANING, "--check=%s is no number of collections", digits);
    }
    enum status status = check_limit("--start-at", arguments->start_at, why);
    if (status == STATUS_OK)
        status = check_limit("--stop-at", arguments->stop_at, why);
    if (status != STATUS_OK)
        return status;
    if (arguments->check && strcmp(arguments->output, "-") == 0)
        return fail(why, STATUS_MEANING, "--check needs the name of a file for the trace");
    if (arguments->check && arguments->truth)
        return fail(why, STATUS_MEANING, "--check and --truth do not go together");
    if ((arguments->check || arguments->truth) && records && strcmp(records, "et3") == 0)
        return fail(why, STATUS_MEANING, "--check and --truth need the level stores or exact");
    return STATUS_OK;
}

/* The folder of this program, or where the tracer was installed. The caller owns it. */
static char *folder_of_files(void)
{
    char program[4096];
    ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
    char *path = NULL;
    if (length > 0) {
        program[length] = '\0';
        *strrchr(program, '/') = '\0';
        if (asprintf(&path, "%s/libettrace.so", program) > 0 && access(path, R_OK) == 0) {
            free(path);
            return strdup(program);
        }
        free(path);
    }
    return strdup(PKGLIBDIR);
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

/* The trace's name without its suffixes, and .check. The caller owns it; NULL: no memory. */
static char *check_file(const char *output)
{
    const struct codec *codec = codec_of_path(output);
    size_t length = strlen(output) - (codec ? strlen(codec->suffix) : 0);
    if (length > 6 && memcmp(output + length - 6, ".trace", 6) == 0)
        length -= 6;
    char *name = NULL;
    return asprintf(&name, "%.*s.check", (int)length, output) < 0 ? NULL : name;
}

/* The folder of the trace. The caller owns it; NULL: no memory. */
static char *folder_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    if (!slash)
        return strdup(".");
    return strndup(path, slash == path ? 1 : (size_t)(slash - path));
}

static void append_names(char **text, const struct arguments *arguments)
{
    char *folder = NULL;
    if (!arguments->names && strcmp(arguments->output, "-") != 0)
        folder = folder_of(arguments->output);
    append_setting(text, "names", arguments->names ? arguments->names : folder);
    free(folder);
}

/* The agent's settings. The caller owns them; NULL: no memory. */
static char *settings(const struct arguments *arguments, int descriptor)
{
    char *text = strdup("");
    const char *level = arguments->truth ? "exact" : "stores";
    append(&text, "records=%s", arguments->records ? arguments->records : level);
    append_setting(&text, "file", arguments->output);
    if (descriptor >= 0)
        append(&text, ",fd=%d", descriptor);
    append_names(&text, arguments);
    append_setting(&text, "include", arguments->include);
    append_setting(&text, "exclude", arguments->exclude);
    append_setting(&text, "start-at", arguments->start_at);
    append_setting(&text, "stop-at", arguments->stop_at);
    append_setting(&text, "check", arguments->check);
    if (arguments->check) {
        char *file = check_file(arguments->output);
        append_setting(&text, "check-file", file);
        free(file);
    }
    append(&text, "%s%s%s", arguments->truth ? ",truth=1" : "",
           arguments->force ? ",force=1" : "", arguments->verbose ? ",verbose=1" : "");
    return text;
}

static void free_options(char **options)
{
    for (size_t i = 0; i < MAX_OPTIONS; i++) {
        free(options[i]);
        options[i] = NULL;
    }
}

/* Compiled code holds less than the program's text says; and the collector clears soft
 * references that have not been used for so many milliseconds for each free megabyte. */
static bool add_truth(char **options)
{
    options[0] = strdup("-Xint");
    options[1] = strdup("-XX:+UseSerialGC");
    options[2] = strdup("-XX:SoftRefLRUPolicyMSPerMB=1000000000");
    return options[0] && options[1] && options[2];
}

/* Sets the options, ended by NULL; they are the caller's to free. */
static enum status make_options(char **options, const struct arguments *arguments,
                                int descriptor, struct failure *why)
{
    char *folder = folder_of_files();
    char *text = settings(arguments, descriptor);
    memset(options, 0, MAX_OPTIONS * sizeof *options);
    if (folder && text) {
        options[0] = strdup("-agentpath:");
        options[1] = strdup("-javaagent:");
        append(&options[0], "%s/libettrace.so=%s", folder, text);
        append(&options[1], "%s/ettrace.jar", folder);
    }
    bool fits = options[0] && options[1];
    if (fits && arguments->truth)
        fits = add_truth(options + 2);
    free(folder);
    free(text);
    if (fits)
        return STATUS_OK;
    free_options(options);
    return fail_memory(why);
}

enum status arguments_installed(struct failure *why)
{
    static const char *const names[] = {"libettrace.so", "ettrace.jar"};
    enum status status = STATUS_OK;
    char *folder = folder_of_files();
    for (size_t i = 0; i < sizeof names / sizeof *names && status == STATUS_OK; i++) {
        char *path = NULL;
        if (!folder || asprintf(&path, "%s/%s", folder, names[i]) < 0) {
            status = fail_memory(why);
            break;
        }
        if (access(path, R_OK) != 0)
            status = fail_errno(why, path, "read this part of the tracer", errno);
        else if (i == 0 && !dlopen(path, RTLD_LAZY | RTLD_LOCAL))
            status =
                fail(why, STATUS_MEANING, "Cannot load this part of the tracer: %s", dlerror());
        free(path);
    }
    free(folder);
    return status;
}

enum status arguments_command(char ***words, const struct arguments *arguments, int descriptor,
                              char **command, struct failure *why)
{
    char *options[MAX_OPTIONS];
    size_t count = 0, length = 0;
    enum status status = make_options(options, arguments, descriptor, why);
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

enum status arguments_print(const struct arguments *arguments, FILE *stream,
                            struct failure *why)
{
    char *options[MAX_OPTIONS];
    enum status status = make_options(options, arguments, -1, why);
    for (size_t i = 0; status == STATUS_OK && options[i]; i++)
        if (fprintf(stream, "%s\n", options[i]) < 0)
            status = fail_errno(why, NULL, "write to standard output", errno);
    if (status == STATUS_OK && fflush(stream) != 0)
        status = fail_errno(why, NULL, "write to standard output", errno);
    free_options(options);
    return status;
}
