/* A field of a ballot a ruleset asks beside its kind's own, with the codecs of its value: for
 * ballot files and scripts, for JSON, and for the keys of a form. Pure.
 *
 * As a ruleset has it, and in a ballot file's head, where commas stand for the blanks:
 *
 *   confidence: 0..100          a whole number; from -9999 to 9999
 *   sure: guess think know      one of these words
 *   reason: text 400 required   one line of UTF-8, so many bytes at most
 *
 * "required" at the end: no ballot is given without it. A value is kept as its text. In a vote's
 * text it stands behind its field's name, a text in double quotes:
 *
 *   human left confidence 80 reason "said \"aye\"" notes quick */
#ifndef RULES_BALLOT_FIELD_H
#define RULES_BALLOT_FIELD_H

#include "base/status.h"

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

#define BALLOT_FIELDS     6
#define BALLOT_FIELD_NAME 20  /* bytes */
#define BALLOT_FIELD_LINE 120 /* of a field as a ruleset has it */
#define BALLOT_FIELD_SAY  180
#define BALLOT_VALUE_MAX  400
/* Of all values in a vote's text. */
#define BALLOT_VALUES_TEXT (BALLOT_FIELDS * (BALLOT_FIELD_NAME + 2 * BALLOT_VALUE_MAX + 4))

enum ballot_field_type { ASKS_CHOICE = 1, ASKS_NUMBER, ASKS_TEXT };

struct ballot_field {
    char name[BALLOT_FIELD_NAME + 1];
    enum ballot_field_type type;
    bool required;
    int least, most;               /* NUMBER: the range; TEXT: `most` bytes */
    char words[BALLOT_FIELD_LINE]; /* CHOICE: with a blank between them */
};

struct ballot_asked {
    struct ballot_field field[BALLOT_FIELDS];
    unsigned count;
};

/* In the fields' order; "" none. */
struct ballot_values {
    char text[BALLOT_FIELDS][BALLOT_VALUE_MAX + 1];
};

struct vote_words;

/* Reads a field. BL_DATA names the fault and the right form. */
enum bl_status ballot_field_parse(struct ballot_field *field, const char *text, size_t length,
                                  struct bl_diag *diag);

/* Writes it so that it is read again, without blanks; the length. */
size_t ballot_field_print(const struct ballot_field *field, char out[BALLOT_FIELD_LINE + 1]);

/* The place of a CHOICE's word, from 0; -1: it is none of them. And the word of a place. */
int ballot_choice_find(const struct ballot_field *field, const char *word, size_t length);
void ballot_choice_word(const struct ballot_field *field, unsigned place,
                        char out[BALLOT_FIELD_LINE]);

/* True: a ballot file asks for the rules' fields; diag names the first field that differs. */
bool ballot_asked_is_same(const struct ballot_asked *file, const struct ballot_asked *rules,
                          struct bl_diag *diag);

/* The value that is right, in words: "a whole number from 0 to 100". */
void ballot_field_expected(const struct ballot_field *field, char out[BALLOT_FIELD_SAY]);

/* The check of a value; "" may be none unless it is required. BL_DATA, as for all
 * that follow: in the judge's words. */
enum bl_status ballot_value_check(const struct ballot_field *field, const char *answer,
                                  struct bl_diag *diag);
enum bl_status ballot_values_check(const struct ballot_asked *asked,
                                   const struct ballot_values *values, struct bl_diag *diag);

/* Takes those standing at the front, in the fields' order, each or not. False: the text there is no
 * value. Only the text's form is checked. */
bool ballot_values_take(const struct ballot_asked *asked, struct vote_words *words,
                        struct ballot_values *values);

/* A text of them alone, checked. */
enum bl_status ballot_values_parse(const struct ballot_asked *asked, const char *text,
                                   struct ballot_values *values, struct bl_diag *diag);

/* Writes them, a blank before each; the length. */
size_t ballot_values_print(const struct ballot_asked *asked, const struct ballot_values *values,
                           char out[BALLOT_VALUES_TEXT + 1]);

/* An act's member "fields", {"confidence": 80, "reason": "quick"}: NULL where none was given; a
 * number is a number. Read they are checked. */
json_t *ballot_values_to_json(const struct ballot_asked *asked, const struct ballot_values *values);
enum bl_status ballot_values_from_json(const struct ballot_asked *asked, const json_t *json,
                                       struct ballot_values *values, struct bl_diag *diag);

/* Two sets of values have the same if they are the same; 0 where none was given. */
uint64_t ballot_values_digest(const struct ballot_asked *asked, const struct ballot_values *values);

/* A key typed behind a value on a form: the text as it is then. False: it stays, and why ("" for
 * no reason that needs words). `fresh`: a number begins anew. */
bool ballot_value_type(const struct ballot_field *field, char text[BALLOT_VALUE_MAX + 1],
                       uint32_t point, bool fresh, char why[BALLOT_FIELD_SAY]);

#endif
