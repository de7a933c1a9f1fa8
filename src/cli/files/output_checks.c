/* SPDX-License-Identifier: MIT */
/* What is settled about outputs before anything is opened: that each has a place; its form; and
 * that it has a name of its own where there are several traces or moments. A name such as
 * a.json promises a form (io/path.h). It decides the form where there is a choice; a form that
 * contradicts the name is refused. Messages quote the command line as it should be. */
#include "cli/files/outputs.h"

#include "cli/options/option_table.h"
#include "io/path.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static enum status check_verify(const struct options *options, struct failure *why)
{
    if (!options->verify || !outputs_trace_is_standard(options))
        return STATUS_OK;
    return fail(why, STATUS_MEANING,
                "--verify reads the output back: it needs --output, --suffix or --in-place");
}

/* Checks that there is a file for each of the moments of --at. */
static enum status check_moments(const struct options *options, struct failure *why)
{
    for (unsigned i = 0; i < REPORT_COUNT; i++) {
        const char *file = options->reports[i];
        const char *name = options_report_name((enum report_kind)i);
        if (file && outputs_have_moments(options, (enum report_kind)i) &&
            !output_name_is_made(file))
            return fail(why, STATUS_MEANING,
                        "--%s would write one report for the moments %s: say --%s=FILE with a "
                        "%% in FILE, which stands for the name of the trace and the moment",
                        name, options->report.at.list, name);
    }
    return STATUS_OK;
}

/* Checks that at most one output goes to standard output. */
static enum status check_standard_output(const struct options *options, struct failure *why)
{
    bool has_trace = options_write_trace(options) && outputs_trace_is_standard(options);
    const char *taken = has_trace ? "output" : NULL;
    for (unsigned i = 0; i < REPORT_COUNT; i++) {
        const char *output = outputs_report_path(options, (enum report_kind)i);
        if (!output || !is_standard_stream(output))
            continue;
        const char *name = options_report_name((enum report_kind)i);
        if (report_class_of((enum report_kind)i, &options->report)->is_folder)
            return fail(why, STATUS_MEANING, "--%s writes a folder, not to standard output",
                        name);
        if (taken)
            return fail(why, STATUS_MEANING,
                        "--%s and --%s cannot both write to standard output", taken, name);
        taken = name;
    }
    return STATUS_OK;
}

static enum status check_places(const struct options *options, struct failure *why)
{
    TRY(check_verify(options, why));
    TRY(check_moments(options, why));
    return check_standard_output(options, why);
}

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

static enum status decide_forms(struct options *options, struct failure *why)
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

/* Checks that each output has a name, so that it can be seen whether it exists. */
static enum status check_skipping(const struct options *options, struct failure *why)
{
    if (!options->skip_existing)
        return STATUS_OK;
    if (options_write_trace(options) && outputs_trace_is_standard(options))
        return fail(why, STATUS_MEANING,
                    "--skip-existing needs files: the trace would go to standard output; say "
                    "--output or --suffix");
    for (unsigned i = 0; i < REPORT_COUNT; i++) {
        const char *output = outputs_report_path(options, (enum report_kind)i);
        if (output && is_standard_stream(output))
            return fail(why, STATUS_MEANING,
                        "--skip-existing needs files: --%s would go to standard output",
                        options_report_name((enum report_kind)i));
    }
    return STATUS_OK;
}

/* Whether the first trace may have been meant as the file of `option`: that was left out, and
 * no such trace exists. */
static bool may_be_file_of(const struct options *options, const char *option, const char *file)
{
    struct stat facts;
    const struct option_row *row = option_find(option);
    const char *trace = options->trace_count > 0 ? options->traces[0] : NULL;
    return row->is_optional && strcmp(file, row->left_out) == 0 && !is_standard_stream(trace) &&
           stat(trace, &facts) != 0 && errno == ENOENT;
}

/* Checks that with several traces, the file of `option` has a name for each. */
static enum status check_report_name(const struct options *options, const char *option,
                                     const char *file, struct failure *why)
{
    if (options->trace_count < 2 || output_name_is_made(file))
        return STATUS_OK;
    if (may_be_file_of(options, option, file))
        return fail(why, STATUS_MEANING,
                    "--%s would write one report for \"%s\" and \"%s\": to write it to a file, "
                    "say --%s=%s; for several traces say --%s=FILE with a %% in FILE, which "
                    "stands for the name of the trace",
                    option, options->traces[0], options->traces[1], option, options->traces[0],
                    option);
    return fail(why, STATUS_MEANING,
                "--%s would write one report for \"%s\" and \"%s\": say --%s=FILE with a %% in "
                "FILE, which stands for the name of the trace",
                option, options->traces[0], options->traces[1], option);
}

/* Checks that the only trace was not meant as the file of --stats, as a word of its own. */
static enum status check_only_trace(const struct options *options, struct failure *why)
{
    const char *stats = options->reports[REPORT_STATS];
    if (options->trace_count != 1 || !stats || !may_be_file_of(options, "stats", stats))
        return STATUS_OK;
    return fail_at(
        why, STATUS_MEANING, options->traces[0], 0,
        "There is no such trace; to write the statistics to a file of this name, say "
        "--stats=%s TRACE",
        options->traces[0]);
}

/* Checks that a report has a name for each of several traces. The file of one that reads it is
 * about one trace. */
static enum status check_output_name(const struct options *options, enum report_kind kind,
                                     struct failure *why)
{
    const char *output = outputs_report_path(options, kind);
    const char *name = options_report_name(kind);
    if (!output || output == outputs_shared_table(options))
        return STATUS_OK;
    if (options->trace_count > 1 && report_class_of(kind, &options->report)->reads)
        return fail(why, STATUS_MEANING,
                    "--%s is for one trace, but \"%s\" and \"%s\" are given", name,
                    options->traces[0], options->traces[1]);
    return check_report_name(options, name, output, why);
}

/* Checks that tables of --compare do not follow each other in one output: their rows do not
 * name the trace. */
static enum status check_compared_tables(const struct options *options, struct failure *why)
{
    bool is_one_file = !options->output || !output_name_is_made(options->output);
    if (options->command != COMMAND_COMPARE || options->format != FORMAT_TSV ||
        options->trace_count < 2 || !is_one_file)
        return STATUS_OK;
    return fail(why, STATUS_MEANING,
                "The tables of \"%s\" and \"%s\" would follow each other, and their rows do "
                "not name the trace: say --output=FILE with a %% in FILE, which stands for the "
                "name of the trace",
                options->traces[0], options->traces[1]);
}

/* Checks that options about a form of --stats are for the form that it has. */
static enum status check_stats_form(const struct options *options, struct failure *why)
{
    bool is_table = options->report.stats_format == FORMAT_TSV;
    if (options->report.chooses_rankings && is_table)
        return fail(why, STATUS_MEANING,
                    "--top and --min-count are for rankings, which the table of --stats does "
                    "not have");
    if (options->report.no_header && !is_table)
        return fail(
            why, STATUS_MEANING,
            "--no-header is for the table of --stats: say --format=tsv, or --stats=FILE "
            "with a FILE that ends in .tsv");
    return STATUS_OK;
}

/* Checks that each report on each trace has a name; first those that may have been given
 * without a file. */
static enum status check_names(const struct options *options, struct failure *why)
{
    const char *table = outputs_shared_table(options);
    const char *stats = options->reports[REPORT_STATS];
    TRY(check_compared_tables(options, why));
    TRY(check_stats_form(options, why));
    if (options_output_is_report(options) && options->output != table &&
        !is_standard_stream(options->output))
        TRY(check_report_name(options, "output", options->output, why));
    TRY(check_only_trace(options, why));
    if (stats && stats != table)
        TRY(check_report_name(options, "stats", stats, why));
    for (unsigned i = 0; i < REPORT_COUNT; i++)
        TRY(check_output_name(options, (enum report_kind)i, why));
    return check_skipping(options, why);
}

enum status outputs_settle(struct options *options, struct failure *why)
{
    if (options->command < COMMAND_VERSION)
        TRY(check_places(options, why));
    TRY(decide_forms(options, why));
    return check_names(options, why);
}
