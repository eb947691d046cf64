/* Reads .ini text into a struct by a table of fields, for tickets and rulesets. Pure: reads text,
 * not files. The parser is inih. */
#ifndef RULES_FIELDS_H
#define RULES_FIELDS_H

#include "base/status.h"

#include <stddef.h>

#define FIELDS_MAX        128
#define FIELD_COMMENT_MAX 160

struct field {
    const char *section, *key;
    size_t offset, size;       /* size of a char array in the target; 0: an int */
    const char *const *choice; /* NULL, or the words, ending with NULL; the int is the word's index
                                * + 1 */
    int most;                  /* largest number; 0: 9999 */
};

/* Rows of a table for the fields of struct `type`. */
#define FIELD_TEXT(type, section, key, field)                                                      \
    {                                                                                              \
        section, key, offsetof(struct type, field), sizeof(((struct type *)0)->field), NULL, 0     \
    }
#define FIELD_NUMBER(type, section, key, field)                                                    \
    {                                                                                              \
        section, key, offsetof(struct type, field), 0, NULL, 0                                     \
    }
#define FIELD_MONEY(type, section, key, field)                                                     \
    {                                                                                              \
        section, key, offsetof(struct type, field), 0, NULL, 99999999                              \
    }
#define FIELD_CHOICE(type, section, key, field, words)                                             \
    {                                                                                              \
        section, key, offsetof(struct type, field), 0, words, 0                                    \
    }

struct fields {
    const struct field *field;
    size_t count;       /* at most FIELDS_MAX */
    const char *manual; /* the manual page with the fields, "boothlink-ticket(5)" */
    /* Takes a value of a section in `more_sections`, which ends with NULL. Puts a fault into diag.
     * `comment` is the text after the value; "": none. NULL: there are no such sections. */
    const char *const *more_sections;
    enum bl_status (*take_more)(void *target, const char *section, const char *key,
                                const char *value, const char *comment, struct bl_diag *diag);
    /* Takes the comment after a field's value; `field` is the index in the table. May be NULL. */
    void (*take_comment)(void *target, size_t field, const char *comment);
    /* Checks the target after each field for contradictory values. Puts the fault into diag. May be
     * NULL. */
    enum bl_status (*check)(const void *target, struct bl_diag *diag);
};

/* Collects the faults of one or more texts. */
struct faults {
    void (*tell)(void *ctx, const char *text);
    void *ctx;
    unsigned count;
};

/* Reports and counts a fault: "NAME:LINE: ...". */
void faults_add(struct faults *faults, const char *name, int line, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* Fills the target, which the caller has zeroed. `text` is a C string, `name` is for messages.
 * BL_DATA with "NAME:LINE: [section] key: fault; remedy" for the first fault: an unknown section,
 * at its heading, an unknown or repeated field, a value too long or out of range. */
enum bl_status fields_read(const struct fields *fields, void *target, const char *text,
                           const char *name, struct bl_diag *diag);

/* The line of "[section]"; 0: none. */
int fields_section_line(const char *text, const char *section);

/* As fields_read(), but reports all faults. *line: the number of the line being read; at the end,
 * of the last line; `line` may be NULL. */
void fields_read_all(const struct fields *fields, void *target, const char *text, const char *name,
                     int *line, struct faults *faults);

#endif
