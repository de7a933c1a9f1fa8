/* SPDX-License-Identifier: MIT */
/* The forms of outputs. A name such as a.json promises a form. It decides the form where there
 * is a choice; a form that contradicts the name is refused (io/path.h). */
#include "cli/files/outputs.h"

#include "cli/options/option_table.h"
#include "io/path.h"

#include <string.h>
#include <unistd.h>

/* An output, and the forms that it can have. */
struct formed_output {
    const char *option; /* the option that asks for it */
    const char *path;
    const char *forms; /* "a|b" */
    bool chooses;      /* --format says which */
};

/* Room for the suffixes of all forms. */
enum { FORM_NAMES_ROOM = 128 };

/* Writes the suffixes of the forms "a|b|c" to `list`: ".a, .b or .c". */
static void list_suffixes(char list[FORM_NAMES_ROOM], const char *forms)
{
    size_t length = 0;
    *list = '\0';
    for (size_t left = strlen(forms) + 1; left > 0;) {
        size_t word = strcspn(forms, "|");
        bool is_text = word == 4 && memcmp(forms, "text", word) == 0;
        const char *before = length == 0 ? "" : forms[word] == '|' ? ", " : " or ";
        length += (size_t)snprintf(list + length, FORM_NAMES_ROOM - length, "%s.%.*s", before,
                                   is_text ? 3 : (int)word, is_text ? "txt" : forms);
        left -= word + 1;
        forms += word + 1;
    }
}

/* The end of a message that a form is not written, with a semicolon before it: where pictures
 * or tables come from instead. "": there is nothing to say. */
static const char *form_advice(const char *form)
{
    static const struct {
        const char *forms, *advice;
    } advices[] = {
        {"pdf|svg|png|jpg|jpeg|gif|eps|ps|webp",
         "; --page=FILE.html has plots, from which a browser saves SVG and PNG and prints PDF, "
         "and etmerlin-reports(5) has scripts of gnuplot"},
        {"xlsx|xls|ods", "; spreadsheets open .tsv and .csv"},
        {"parquet|feather|arrow|npy|npz|h5|rds",
         "; --columns=DIR writes the table of objects for NumPy, pandas, R and DuckDB"},
    };
    unsigned index;
    for (size_t i = 0; i < sizeof advices / sizeof *advices; i++)
        if (form_find(advices[i].forms, form, &index))
            return advices[i].advice;
    return "";
}

static enum status refuse_form(const struct formed_output *output, const char *form,
                               struct failure *why)
{
    char list[FORM_NAMES_ROOM];
    list_suffixes(list, output->forms);
    return fail_at(why, STATUS_MEANING, output->path, 0,
                   "--%s does not write %s: let the name end with %s%s", output->option, form,
                   list, form_advice(form));
}

/* The word of --format that is in force. */
static const char *chosen_form(const struct options *options, size_t *length)
{
    const char *word = option_find("format")->words;
    for (unsigned i = 0; i < (unsigned)options->format; i++)
        word += strcspn(word, "|") + 1;
    *length = strcspn(word, "|");
    return word;
}

/* Checks that an output can have the form that --format says. */
static enum status check_chosen_form(const struct options *options,
                                     const struct formed_output *output, struct failure *why)
{
    unsigned index;
    size_t length;
    char form[FORM_NAMES_ROOM];
    const char *word = chosen_form(options, &length);
    snprintf(form, sizeof form, "%.*s", (int)length, word);
    if (form_find(output->forms, form, &index))
        return STATUS_OK;
    return fail(why, STATUS_MEANING, "--%s does not write %s: --format is one of %s here",
                output->option, form, output->forms);
}

/* Has the name of an output decide its form. */
static enum status decide_form(struct options *options, const struct formed_output *output,
                               struct failure *why)
{
    const char *form = output->path ? form_of_name(output->path) : NULL;
    bool is_given = output->chooses && options->has_format;
    unsigned index;
    if (is_given && check_chosen_form(options, output, why) != STATUS_OK)
        return why->status;
    if (!form)
        return STATUS_OK;
    if (!form_find(output->forms, form, &index))
        return strcmp(form, "text") == 0 ? STATUS_OK : refuse_form(output, form, why);
    if (!output->chooses)
        return STATUS_OK;
    if (!is_given) {
        options->format =
            (enum report_format)index; /* the words are in the order of the enum */
        return STATUS_OK;
    }
    if (options->format == (enum report_format)index)
        return STATUS_OK;
    return fail_at(
        why, STATUS_MEANING, output->path, 0,
        "The suffix of this name is for %s, and --format for another form: change one of them",
        form);
}

/* The name alone decides the form of --simulate: a table, unless it promises JSON. */
static enum simulate_format simulate_format_of(const char *path)
{
    const char *form = path ? form_of_name(path) : NULL;
    return form && strcmp(form, "json") == 0 ? SIMULATE_JSON : SIMULATE_TSV;
}

/* Whether the text of --stats is for a screen, and all of it has not been asked for. */
static bool is_brief(const struct options *options)
{
    const char *path = options->reports[REPORT_STATS];
    return path && is_standard_stream(path) && options->format == FORMAT_TEXT &&
           !options->report.chooses_rankings && isatty(STDOUT_FILENO);
}

/* Refuses to make a folder with the name of a file. */
static enum status check_folder_name(const char *option, const char *path, struct failure *why)
{
    const char *form = form_of_name(path);
    if (!form)
        return STATUS_OK;
    return fail_at(why, STATUS_MEANING, path, 0,
                   "--%s writes a folder, not %s: give a name without this suffix; "
                   "--lifetimes=FILE writes a table",
                   option, form);
}

static enum status decide_report_forms(struct options *options, struct failure *why)
{
    enum status status = STATUS_OK;
    options->report.live_check_format = options->format; /* its output has no name */
    for (unsigned i = 0; i < REPORT_COUNT && status == STATUS_OK; i++) {
        const char *path = outputs_report_path(options, (enum report_kind)i);
        const struct option_row *row = option_find(options_report_name((enum report_kind)i));
        struct formed_output output = {row->name, path, row->forms, row->chooses_form};
        if (path && row->forms)
            status = decide_form(options, &output, why);
        else if (path && row->kind == OPTION_FOLDER)
            status = check_folder_name(row->name, path, why);
    }
    options->report.stats_format = options->format;
    options->report.stats_is_brief = is_brief(options);
    options->report.simulate_format = simulate_format_of(options->reports[REPORT_SIMULATE]);
    return status;
}

/* Refuses to write a trace to a file with the name of something else: that was meant. */
static enum status check_trace_name(const char *path, struct failure *why)
{
    const char *form = path ? form_of_name(path) : NULL;
    unsigned index;
    if (!form || form_find("text|trace", form, &index))
        return STATUS_OK;
    const char *advice = form_advice(form);
    return fail_at(
        why, STATUS_MEANING, path, 0, "A trace is not written as %s%s", form,
        *advice ? advice : "; a report is given a name by its own option, as in --stats=FILE");
}

enum status outputs_decide_forms(struct options *options, struct failure *why)
{
    static const char *const commands[] = {
        [COMMAND_COMPARE] = "compare",
        [COMMAND_VALIDATE] = "validate",
        [COMMAND_CHECK_ORACLE] = "check-oracle",
        [COMMAND_MATCH] = "match",
    };
    TRY(decide_report_forms(options, why));
    if (options->command >= COMMAND_VERSION)
        return STATUS_OK;
    if (options->command == COMMAND_ADD_DEATHS)
        return check_trace_name(options->output ? options->output : options->suffix, why);
    const struct option_row *row =
        option_find(options->advise ? "advise" : commands[options->command]);
    const struct formed_output output = {row->name, options->output, row->forms, true};
    return decide_form(options, &output, why);
}
