/* The table of acts: each member's key, type and limits, for JSON (act_body.c) and for words of a
 * command line (act_word.h). Pure. */
#ifndef CONTEST_ACT_FIELD_H
#define CONTEST_ACT_FIELD_H

#include "contest/act_body.h"

#include <stddef.h>

enum field_type {
    FIELD_END,
    FIELD_ROLE,
    FIELD_WHO,    /* a role and a number; their keys begin with `key` */
    FIELD_NUMBER, /* of `least` to `most` */
    FIELD_LINE,   /* a text of at most `most` bytes, without control characters */
    FIELD_NAME,   /* a FIELD_LINE without blanks at its ends */
    FIELD_TEXT,   /* any text */
    FIELD_HEX,    /* of `most` bytes */
    FIELD_FLAG,   /* true, or missing */
    FIELD_LIST,   /* the JSON itself */
    FIELD_OBJECT, /* the JSON itself, or NULL */
    FIELD_ENTRIES,
    FIELD_NAMES,
    FIELD_VOTES,    /* "for" and "against", "judges" and "panel" */
    FIELD_MAJORITY, /* true, false, or missing */
    FIELD_DATES,    /* all days, by their names */
    FIELD_VOTE,     /* members of the body itself */
};

struct act_field {
    char key[24]; /* an array: the loader would have to relocate pointers */
    enum field_type type;
    bool needed;
    size_t offset; /* of the member in the kind's struct */
    int64_t least, most;
};

/* The field of a kind by its key; "who" is a person's role and number. NULL: none. */
const struct act_field *act_field_find(enum act_kind kind, const char *key);

/* The field's member in the body. */
void *act_field_of(struct act_body *body, const struct act_field *field);

#endif
