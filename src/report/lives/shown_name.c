/* SPDX-License-Identifier: MIT */
/* Names come from name lists, which have the names of methods in parts, and none of most sites;
 * what has no name there is called by its number. */
#include "report/lives/shown_name.h"

#include "base/memory.h"
#include "base/number.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static bool append(struct shown_name *name, const char *text, size_t length)
{
    if (!ARRAY_RESERVE(name->text, name->capacity, name->length + length + 1))
        return false;
    memcpy(name->text + name->length, text, length);
    name->length += length;
    name->text[name->length] = '\0';
    return true;
}

static bool append_word(struct shown_name *name, const char *word)
{
    return append(name, word, strlen(word));
}

bool shown_name_append(struct shown_name *name, const struct name_parts *parts)
{
    char shown[NAMES_SHOWN_WHOLE];
    return append(name, shown, name_parts_show(shown, parts));
}

/* What has no name is called by its id. */
static bool append_name(struct shown_name *name, enum name_space space, uint64_t id,
                        const struct names *names)
{
    struct name_parts parts = names_find_parts(names, space, id);
    char digits[NUMBER_DIGITS];
    if (!parts.own)
        return append(name, digits, number_format(digits, id));
    return shown_name_append(name, &parts);
}

const char *shown_name_of_id(struct shown_name *name, enum name_space space, uint64_t id,
                             const struct names *names)
{
    name->length = 0;
    return append_name(name, space, id, names) ? name->text : NULL;
}

bool site_has_line(const struct names *names, uint64_t site, uint64_t method)
{
    struct name_parts of = names_find_parts(names, NAMES_METHOD, method);
    struct name_parts at = names_find_parts(names, NAMES_SITE, site);
    bool has_line = at.line > 0;
    at.line = 0;
    if (!of.own || !at.own || has_line)
        return of.own && at.own && name_parts_equal(&of, &at);
    return of.owner == at.owner && at.own_length > of.own_length &&
           memcmp(at.own, of.own, of.own_length) == 0 && at.own[of.own_length] == ':';
}

/* Takes the line off the name of a site that has one. Returns it with its colon; `room` has
 * room for that. */
static const char *take_line(struct name_parts *parts, char *room)
{
    if (parts->line == 0) {
        const char *colon = strrchr(parts->own, ':');
        parts->own_length = (size_t)(colon - parts->own);
        return colon;
    }
    snprintf(room, 1 + NUMBER_DIGITS + 1, ":%" PRIu64, parts->line);
    parts->line = 0;
    return room;
}

/* Appends the class of a method. */
static bool append_class(struct shown_name *name, const struct name_parts *method)
{
    struct name_parts type = {.own = method->owner, .own_length = method->owner_length};
    if (!type.own)
        type =
            (struct name_parts){.own = method->own, .own_length = strcspn(method->own, "#:")};
    return shown_name_append(name, &type);
}

const char *shown_name_of_dhat_line(struct shown_name *name, uint64_t site,
                                    const struct names *names)
{
    struct name_parts method = names_find_parts(names, NAMES_SITE, site);
    char address[sizeof "0x: " + 2 * sizeof site], room[1 + NUMBER_DIGITS + 1];
    size_t length = (size_t)snprintf(address, sizeof address, "0x%" PRIX64 ": ", site);
    const char *line = take_line(&method, room);
    name->length = 0;
    return append(name, address, length) && shown_name_append(name, &method) &&
                   append_word(name, " (") && append_class(name, &method) &&
                   append_word(name, line) && append_word(name, ")")
               ? name->text
               : NULL;
}

const char *shown_name_of_context(struct shown_name *name, size_t count,
                                  append_method *append_of, const void *of)
{
    name->length = 0;
    bool is_complete = count > 0 || append_word(name, SHOWN_NO_METHODS);
    for (size_t i = 0; i < count && is_complete; i++)
        is_complete = (i == 0 || append_word(name, ";")) && append_of(name, of, i);
    return is_complete ? name->text : NULL;
}

/* The frame of a method in which the objects of a tally are allocated (NULL: none are). */
static struct shown_frame frame_of(uint64_t method, const struct tally *allocated,
                                   const struct names *names)
{
    bool has_line = allocated && !allocated->has_lines &&
                    site_has_line(names, allocated->line_site, method);
    return has_line ? (struct shown_frame){NAMES_SITE, allocated->line_site}
                    : (struct shown_frame){NAMES_METHOD, method};
}

size_t shown_frames(struct shown_frame frames[CONTEXT_DEPTH_MAX],
                    const struct contexts *contexts, uint32_t context,
                    const struct tally *allocated, const struct names *names)
{
    uint64_t methods[CONTEXT_DEPTH_MAX];
    size_t count = contexts_methods(contexts, context, methods);
    for (size_t i = 0; i < count; i++)
        frames[i] = frame_of(methods[i], i == 0 ? allocated : NULL, names);
    return count;
}

struct named_frames {
    struct shown_frame frames[CONTEXT_DEPTH_MAX];
    const struct names *names;
};

static bool append_frame(struct shown_name *name, const void *of, size_t at)
{
    const struct named_frames *named = of;
    return append_name(name, named->frames[at].space, named->frames[at].id, named->names);
}

static const char *make_context(struct shown_name *name, const struct contexts *contexts,
                                uint32_t context, const struct tally *allocated,
                                const struct names *names)
{
    struct named_frames named = {.names = names};
    size_t count = shown_frames(named.frames, contexts, context, allocated, names);
    return shown_name_of_context(name, count, append_frame, &named);
}

const char *shown_name_of_allocations(struct shown_name *name, const struct contexts *contexts,
                                      const struct tally *tally, const struct names *names)
{
    return make_context(name, contexts, tally->context, tally, names);
}

const char *shown_name_of_allocator(struct shown_name *name, const struct tally *tally,
                                    const struct names *names)
{
    const struct shown_frame frame = frame_of(tally->method, tally, names);
    return shown_name_of_id(name, frame.space, frame.id, names);
}

const char *shown_name_of_death(struct shown_name *name, const struct contexts *contexts,
                                bool is_alive, uint32_t context, const struct names *names)
{
    if (!is_alive)
        return make_context(name, contexts, context, NULL, names);
    name->length = 0;
    return append_word(name, "(alive)") ? name->text : NULL;
}

bool shown_name_of_site(struct shown_name *name, const struct pass *pass, uint64_t site,
                        const struct names *names, const char **out)
{
    struct site_method method = contexts_site_method(pass_contexts(pass), site);
    struct name_parts parts = names_find_parts(names, NAMES_SITE, site);
    bool is_listed = parts.own;
    if (!is_listed && method.number != 0)
        parts = names_find_parts(names, NAMES_METHOD,
                                 contexts_numbered(pass_contexts(pass), method.number));
    *out = NULL;
    if (!parts.own && method.number != 0)
        return true;
    name->length = 0;
    if (!(parts.own ? shown_name_append(name, &parts) : append_word(name, SHOWN_NO_METHODS)) ||
        !append_word(name, method.is_one_of_several && !is_listed ? "+" : ""))
        return false;
    *out = name->text;
    return true;
}
