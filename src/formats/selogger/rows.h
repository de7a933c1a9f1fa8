/* SPDX-License-Identifier: MIT */
/* How the lines of side files are split (etmerlin-formats(5), SELOGGER): those of classes.txt,
 * methods.txt and LOG$Types.txt, and the columns and attributes of dataids.txt. None of them
 * quotes the commas that names and locations may have. */
#ifndef ETMERLIN_FORMATS_SELOGGER_ROWS_H
#define ETMERLIN_FORMATS_SELOGGER_ROWS_H

#include "formats/selogger/loading.h"
#include "io/lines.h"

#include <stdbool.h>
#include <stdint.h>

/* A line of classes.txt:
 * ClassID,LoadedFrom,FileName,ClassName,LogLevel,ClassHash[,ClassLoaderID[,Annotations]]. */
struct class_row {
    struct piece id, name;
    struct piece loader; /* empty: the line does not have it */
    bool has_events;     /* false: the level is Failed, and no code was put into the class; old
                            versions write an empty name then, so it is not set */
};

/* False: the line is none, or its name cannot be told from what is next to it. */
bool class_row_split(const struct line *line, struct class_row *row) MUST_CHECK;

/* A line of methods.txt: ClassID,MethodID,ClassName,MethodName,MethodDesc,Access,... */
struct method_row {
    struct piece class_id, id;
    struct piece names; /* ClassName,MethodName (split_member) */
};

/* False: the line is none. */
bool method_row_split(const struct line *line, struct method_row *row) MUST_CHECK;

/* A line of LOG$Types.txt: TYPE,NAME[,LOCATION,SUPERCLASS,COMPONENT[,LOADER]]. */
struct type_row {
    struct piece id, name;
    bool has_parent; /* the line is not only TYPE,NAME */
    int64_t parent;  /* the number of the superclass; -1: there is none */
};

/* False: the line is none, or its name cannot be told from what is next to it. */
bool type_row_split(const struct line *line, struct type_row *row) MUST_CHECK;

/* The columns of a line of dataids.txt that are read. */
enum column {
    COLUMN_DATA_ID,
    COLUMN_CLASS_ID,
    COLUMN_METHOD_ID,
    COLUMN_CLASS_NAME, /* layout_split: both names, with a comma between them */
    COLUMN_METHOD_NAME,
    COLUMN_LINE,
    COLUMN_INDEX,
    COLUMN_EVENT,
    COLUMN_VALUE,
    COLUMN_ATTRIBUTES,
    COLUMNS
};

struct layout {
    int count;              /* of the columns; 0: not known yet */
    int names;              /* how many columns are before the names; -1: there are no names */
    int positions[COLUMNS]; /* of each column; -1: there is no such column */
};

/* Finds out the layout from the first line. Sets *is_header to whether that is a header. False:
 * it has no known layout. */
bool layout_find(const struct line *line, struct layout *layout, bool *is_header);

/* Sets columns[] to the columns of a line, but leaves the two names together: split_member
 * splits them. Returns what is wrong with the line; NULL: nothing. */
const char *layout_split(const struct line *line, const struct layout *layout,
                         struct piece columns[static COLUMNS]) MUST_CHECK;

/* The kind of an event, as far as its meaning differs from that of others. */
enum sel_event_kind {
    EVENT_USE, /* all that are not below: its value, if that is an object, is used */
    EVENT_ENTRY,
    EVENT_NORMAL_EXIT,
    EVENT_EXCEPTIONAL_EXIT,
    EVENT_THROW,
    EVENT_CATCH,
    EVENT_CATCH_LABEL,
    EVENT_CALL,
    EVENT_CALL_PARAM,
    EVENT_CALL_RETURN,
    EVENT_NEW_OBJECT,
    EVENT_NEW_OBJECT_CREATED,
    EVENT_OBJECT_INITIALIZED,
    EVENT_NEW_ARRAY,
    EVENT_NEW_ARRAY_RESULT,
    EVENT_MULTI_NEW_ARRAY,
    EVENT_MULTI_NEW_ARRAY_OWNER,
    EVENT_MULTI_NEW_ARRAY_ELEMENT,
    EVENT_DYNAMIC,
    EVENT_DYNAMIC_PARAM,
    EVENT_DYNAMIC_RESULT,
    EVENT_CONSTANT_LOAD,
    EVENT_PUT_STATIC,
    EVENT_PUT_FIELD,
    EVENT_PUT_FIELD_VALUE,
    EVENT_PUT_FIELD_EARLY, /* before the constructor of the superclass was called */
    EVENT_ARRAY_STORE,
    EVENT_ARRAY_STORE_INDEX,
    EVENT_ARRAY_STORE_VALUE,
    EVENT_GET_STATIC,
    EVENT_GET_FIELD,
    EVENT_GET_FIELD_RESULT,
    EVENT_ARRAY_LOAD,
    EVENT_ARRAY_LOAD_INDEX,
    EVENT_ARRAY_LOAD_RESULT,
};

/* Sets *event to the kind of the event with this name: EVENT_USE if no version of SELogger has
 * such an event, which is false. */
bool event_find(struct piece name, enum sel_event_kind *event);

/* Whether the instruction of the event names a field of the program. */
bool event_has_field(enum sel_event_kind event);

/* The attributes in the last column of a line of dataids.txt. */
enum sel_key {
    KEY_OWNER,
    KEY_NAME,
    KEY_TYPE,
    KEY_ELEMENT,
    KEY_DESCRIPTION,
    KEY_METHOD_TYPE,
    KEY_CREATED,
    KEY_NEW_PARENT,
    KEY_INDEX,
    KEY_LOCATION,
    KEY_BLOCK,
    KEY_BOOTSTRAP,
    KEYS_READ, /* those after it only end other attributes */
    KEYS = KEYS_READ + 11
};

/* Sets values[] to those of the attributes of an instruction with this event, which are `text`;
 * those that it does not have become empty. */
void attributes_read(enum sel_event_kind event, struct piece text,
                     struct piece values[static KEYS]);

/* The flags (enum instruction_flag) of an instruction with this event, as far as they follow
 * from its attributes. */
uint16_t attributes_flags(enum sel_event_kind event, const struct piece values[static KEYS]);

#endif
