/* SPDX-License-Identifier: MIT */
/* What follows from several options: which outputs they ask for, and whether they go together.
 * First what their rows say about this is checked, in the same way for all, then a few rules
 * about values and traces. What outputs are called is checked later (files/output_checks.c). */
#include "cli/options/option_table.h"

#include "cli/options/options.h"
#include "report/simulate/plan.h"

#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

bool options_want_reports(const struct options *options)
{
    for (size_t i = 0; i < REPORT_COUNT; i++)
        if (options->reports[i])
            return true;
    return false;
}

/* The traits of a kind of report, in the variant that is asked for. */
static unsigned traits_of(const struct options *options, unsigned kind)
{
    return report_traits(report_class_of((enum report_kind)kind, &options->report));
}

bool options_any_report(const struct options *options, enum report_trait trait)
{
    for (unsigned i = 0; i < REPORT_COUNT; i++)
        if (options->reports[i] && traits_of(options, i) & trait)
            return true;
    return false;
}

bool options_output_is_report(const struct options *options)
{
    return options->command == COMMAND_COMPARE || options->command == COMMAND_VALIDATE ||
           options->command == COMMAND_MATCH;
}

bool options_write_trace(const struct options *options)
{
    return options->command == COMMAND_MATCH || options->output || options->suffix ||
           options->in_place || !options_want_reports(options);
}

/* The option that was given to ask for a command. */
static const char *command_name(enum command command, const struct option_set *given)
{
    size_t count, i = 0;
    const struct option_row *table = option_table(&count);
    while (!given->rows[i] || table[i].command != command)
        i++;
    return table[i].name;
}

/* The name of the first option that asks for one of `commands`. */
static const char *first_command_name(unsigned commands)
{
    size_t count;
    const struct option_row *row = option_table(&count);
    while (row->command == COMMAND_ADD_DEATHS || !(commands >> row->command & 1))
        row++;
    return row->name;
}

/* Checks that an option which was given applies to the command. */
static enum status check_command(const struct option_row *row, const struct options *options,
                                 const struct option_set *given, struct failure *why)
{
    if (row->commands >> options->command & 1)
        return STATUS_OK;
    if (options->command != COMMAND_ADD_DEATHS)
        return fail(why, STATUS_MEANING, "--%s cannot be used together with --%s", row->name,
                    command_name(options->command, given));
    return fail(why, STATUS_MEANING, "--%s needs --%s", row->name,
                first_command_name(row->commands));
}

static void add_option(struct option_set *set, const char *name)
{
    size_t count;
    set->rows[option_find(name) - option_table(&count)] = true;
}

/* The options of which one must be given with `row`; empty: there is no such condition. */
static struct option_set options_needed(const struct option_row *row,
                                        const struct options *options)
{
    struct option_set needed = {.rows = {false}};
    for (const char *name = row->needs; name; name = option_next_name(name))
        add_option(&needed, name);
    for (unsigned i = 0; options->command == COMMAND_ADD_DEATHS && i < REPORT_COUNT; i++)
        if (traits_of(options, i) & row->for_reports)
            add_option(&needed, options_report_name((enum report_kind)i));
    return needed;
}

static enum status check_needs(const struct option_row *row, const struct options *options,
                               const struct option_set *given, struct failure *why)
{
    char list[OPTION_NAMES_ROOM];
    struct option_set needed = options_needed(row, options);
    for (size_t i = 0; i < OPTION_ROWS_MOST; i++)
        if (needed.rows[i] && given->rows[i])
            return STATUS_OK;
    if (option_list_names(list, &needed) == 0)
        return STATUS_OK;
    return fail(why, STATUS_MEANING, "--%s needs %s", row->name, list);
}

static enum status check_conflicts(const struct option_row *row, const struct option_set *given,
                                   struct failure *why)
{
    for (const char *name = row->conflicts; name; name = option_next_name(name))
        if (option_is_in(given, name))
            return fail(why, STATUS_MEANING, "--%s cannot be used together with --%.*s%s%s",
                        row->name, (int)strcspn(name, " "), name, row->because ? ": " : "",
                        row->because ? row->because : "");
    return STATUS_OK;
}

/* Checks that an option has something to apply to: deaths that are frees are not computed, and
 * with reports alone no trace is written. */
static enum status check_purpose(const struct option_row *row, const struct options *options,
                                 struct failure *why)
{
    if (row->of_computed && options->command != COMMAND_COMPARE &&
        options->reader.deaths_from_free)
        return fail(
            why, STATUS_MEANING,
            "--%s is for computed deaths: it cannot be used together with --death-from=free",
            row->name);
    if (row->of_trace && !options_write_trace(options))
        return fail(why, STATUS_MEANING,
                    "With a report, a trace is written only with --output, which --%s needs "
                    "(--output=-: to standard output)",
                    row->name);
    return STATUS_OK;
}

/* Checks what the row of an option that was given says. */
static enum status check_row(const struct option_row *row, const struct options *options,
                             const struct option_set *given, struct failure *why)
{
    TRY(check_purpose(row, options, why));
    TRY(check_conflicts(row, given, why));
    return check_needs(row, options, given, why);
}

/* Checks the commands first: what an option needs does not matter if it does not apply to the
 * command. */
static enum status check_rows(const struct options *options, const struct option_set *given,
                              struct failure *why)
{
    size_t count;
    const struct option_row *table = option_table(&count);
    for (size_t i = 0; i < count; i++)
        if (given->rows[i])
            TRY(check_command(&table[i], options, given, why));
    for (size_t i = 0; i < count; i++)
        if (given->rows[i])
            TRY(check_row(&table[i], options, given, why));
    return STATUS_OK;
}

/* Whether there is an output for each of several traces. */
static bool may_be_several(const struct options *options)
{
    if (options_output_is_report(options))
        return !options->recorded;
    return options->suffix || options->in_place ||
           (options_want_reports(options) && !options_write_trace(options));
}

/* Checks that each trace has a name, and that the command takes so many. */
static enum status check_traces(const struct options *options, struct failure *why)
{
    const char *hint = "";
    size_t pipes = 0;
    for (size_t i = 0; i < options->trace_count; i++) {
        if (!*options->traces[i])
            return fail(why, STATUS_MEANING, "The name of the trace is empty");
        pipes += is_standard_stream(options->traces[i]);
    }
    if (may_be_several(options) && pipes > 1)
        return fail(why, STATUS_MEANING, "Standard input can be read only once");
    if (options->trace_count < 2 || may_be_several(options))
        return STATUS_OK;
    if (options->command == COMMAND_ADD_DEATHS)
        hint = ": with --suffix, each gets an output of its own";
    else if (options->command == COMMAND_COMPARE)
        hint = "; --compare without RECORDED takes several, with deaths of their own";
    if (options->reports[REPORT_STATS])
        hint = "; the file of the statistics is given as --stats=FILE";
    return fail(why, STATUS_MEANING, "More than one trace is given, \"%s\" and \"%s\"%s",
                options->traces[0], options->traces[1], hint);
}

/* The name of the option for which a report needs computed deaths. */
static const char *option_of_computed(enum report_kind kind)
{
    if (kind == REPORT_CONTEXTS)
        return "contexts-by";
    return kind == REPORT_FOLDED ? "folded-by" : options_report_name(kind);
}

/* Checks that no report which needs computed deaths is made from others. */
static enum status check_computed(const struct options *options, struct failure *why)
{
    for (unsigned i = 0; i < REPORT_COUNT; i++) {
        if (options->reports[i] && options->no_deaths && traits_of(options, i) & TRAIT_COMPUTED)
            return fail(why, STATUS_MEANING,
                        "--%s is for computed deaths: it cannot be used together with --%s",
                        option_of_computed((enum report_kind)i),
                        options->reader.deaths_from_free ? "death-from=free" : "no-deaths");
    }
    return STATUS_OK;
}

/* Checks that the program can make a page before any work is done for it. */
static enum status check_page(const struct options *options, struct failure *why)
{
    if (!options->reports[REPORT_PAGE] || page_is_built())
        return STATUS_OK;
    return fail(why, STATUS_MEANING,
                "This program has no --page, since it was built without Chart.js: "
                "install libjs-chart.js and build it again");
}

/* Checks that the lists of sizes and collectors go together. */
static enum status check_simulation(const struct options *options, struct failure *why)
{
    const struct plan *plan = &options->report.simulate;
    if (!options->reports[REPORT_SIMULATE])
        return STATUS_OK;
    TRY(plan_check(plan, why));
    if (plan_has_nurseries(plan) || (!plan->names_nurseries && !plan->names_tenures))
        return STATUS_OK;
    return fail(why, STATUS_MEANING, "--%s needs generational or ideal among --collectors",
                plan->names_nurseries ? "nurseries" : "tenure");
}

static enum status check_reports(const struct options *options, struct failure *why)
{
    if (!options_want_reports(options))
        return STATUS_OK;
    TRY(check_page(options, why));
    TRY(check_computed(options, why));
    return check_simulation(options, why);
}

/* Whether a file can be read only once, as standard input and pipes can. */
static bool is_passing(const char *file)
{
    struct stat facts;
    return is_standard_stream(file) || (stat(file, &facts) == 0 && !S_ISREG(facts.st_mode));
}

/* Checks that the file of `option`, which is read with each trace, is not used up before. */
static enum status check_list(const struct options *options, const char *option,
                              const char *file, struct failure *why)
{
    bool is_read_again = options->trace_count > 1 || options->match || options->recorded;
    if (!file)
        return STATUS_OK;
    if (is_standard_stream(file) && is_standard_stream(options->trace))
        return fail(why, STATUS_MEANING,
                    "Standard input cannot be both the file of --%s and TRACE", option);
    if (is_standard_stream(file) && options->oracle && is_standard_stream(options->oracle))
        return fail(why, STATUS_MEANING,
                    "Standard input cannot be both the file of --%s and ORACLE", option);
    if (is_read_again && is_passing(file))
        return fail(why, STATUS_MEANING,
                    "--%s is read with each trace: it needs a file that can be read again",
                    option);
    return STATUS_OK;
}

static enum status check_standard_input(const struct options *options, struct failure *why)
{
    TRY(check_list(options, "type-sizes", options->reader.type_sizes, why));
    if (options->trace_count < 2)
        TRY(check_list(options, "live-check", options->reports[REPORT_LIVE_CHECK], why));
    const char *second = options->recorded ? options->recorded : options->oracle;
    if (second && is_standard_stream(second) && is_standard_stream(options->trace))
        return fail(why, STATUS_MEANING, "Standard input cannot be both %s and TRACE",
                    options->recorded ? "RECORDED" : "ORACLE");
    if (options->match && is_standard_stream(options->match) &&
        (is_standard_stream(options->trace) || options->trace_count > 1))
        return fail(
            why, STATUS_MEANING,
            "Standard input can be read only once: it cannot be both A and TRACE, nor A "
            "of several traces");
    return STATUS_OK;
}

enum status options_check(const struct options *options, const struct option_set *given,
                          struct failure *why)
{
    if (options->command >= COMMAND_VERSION)
        return STATUS_OK;
    TRY(check_rows(options, given, why));
    TRY(check_traces(options, why));
    TRY(check_reports(options, why));
    return check_standard_input(options, why);
}
