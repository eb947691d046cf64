/* A field that a ruleset adds to the ballot's own. Codecs of its value are for ballot files and
 * scripts, for JSON, and for the keys of a form. Pure.
 *
 * The form in a ruleset; a ballot file's head has commas instead of the blanks:
 *
 *   confidence: 0..100          a whole number; from -9999 to 9999
 *   sure: guess think know      one of these words
 *   reason: text 400 required   one line of UTF-8, of at most 400 bytes
 *
 * "required" at the end: a ballot needs the value. A value is kept as its text. In a vote's text
 * the value follows its field's name; a text has double quotes:
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
#define BALLOT_FIELD_LINE 120 /* bytes of a field's line in a ruleset */
#define BALLOT_FIELD_SAY  180
#define BALLOT_VALUE_MAX  400
/* Bytes of all values in a vote's text. */
#define BALLOT_VALUES_TEXT (BALLOT_FIELDS * (BALLOT_FIELD_NAME + 2 * BALLOT_VALUE_MAX + 4))

enum ballot_field_type { ASKS_CHOICE = 1, ASKS_NUMBER, ASKS_TEXT };

struct ballot_field {
    char name[BALLOT_FIELD_NAME + 1];
    enum ballot_field_type type;
    bool required;
    int least, most;               /* NUMBER: the range. TEXT: `most` bytes at most */
    char words[BALLOT_FIELD_LINE]; /* CHOICE: the words, separated by blanks */
};

struct ballot_asked {
    struct ballot_field field[BALLOT_FIELDS];
    unsigned count;
};

/* The values in the order of the fields; "" is no value. */
struct ballot_values {
    char text[BALLOT_FIELDS][BALLOT_VALUE_MAX + 1];
};

struct vote_words;

/* Parses a field's line. BL_DATA names the fault and the correct form. */
enum bl_status ballot_field_parse(struct ballot_field *field, const char *text, size_t length,
                                  struct bl_diag *diag);

/* Writes a field's line without blanks, as ballot_field_parse() reads it. Returns the length. */
size_t ballot_field_print(const struct ballot_field *field, char out[BALLOT_FIELD_LINE + 1]);

/* Returns the index of a CHOICE's word, from 0, or -1 for an unknown word. ballot_choice_word()
 * writes the word of an index. */
int ballot_choice_find(const struct ballot_field *field, const char *word, size_t length);
void ballot_choice_word(const struct ballot_field *field, unsigned place,
                        char out[BALLOT_FIELD_LINE]);

/* True if a ballot file has the fields of the rules; otherwise diag names the first difference. */
bool ballot_asked_is_same(const struct ballot_asked *file, const struct ballot_asked *rules,
                          struct bl_diag *diag);

/* Check one value, or all values. "" is no value, which is an error for a required field. BL_DATA:
 * a fault, in the judge's words. */
enum bl_status ballot_value_check(const struct ballot_field *field, const char *answer,
                                  struct bl_diag *diag);
enum bl_status ballot_values_check(const struct ballot_asked *asked,
                                   const struct ballot_values *values, struct bl_diag *diag);

/* Takes the values at the front of the text, in the order of the fields; each may be absent. Checks
 * only the form. False if the text after a field's name is not a value. */
bool ballot_values_take(const struct ballot_asked *asked, struct vote_words *words,
                        struct ballot_values *values);

/* Parses and checks a text that has only values. */
enum bl_status ballot_values_parse(const struct ballot_asked *asked, const char *text,
                                   struct ballot_values *values, struct bl_diag *diag);

/* Writes the values with a blank before each. Returns the length. */
size_t ballot_values_print(const struct ballot_asked *asked, const struct ballot_values *values,
                           char out[BALLOT_VALUES_TEXT + 1]);

/* Write and read the member "fields" of an act: {"confidence": 80, "reason": "quick"}. NULL stands
 * for no values. Reading checks the values. */
json_t *ballot_values_to_json(const struct ballot_asked *asked, const struct ballot_values *values);
enum bl_status ballot_values_from_json(const struct ballot_asked *asked, const json_t *json,
                                       struct ballot_values *values, struct bl_diag *diag);

/* A digest for comparison: equal sets of values have equal digests; 0: no values. */
uint64_t ballot_values_digest(const struct ballot_asked *asked, const struct ballot_values *values);

/* Applies a typed key to a form's value. fresh: the first digit replaces the old number. False: the
 * key is refused, the text is unchanged, and `why` has the reason, or "". */
bool ballot_value_type(const struct ballot_field *field, char text[BALLOT_VALUE_MAX + 1],
                       uint32_t point, bool fresh, char why[BALLOT_FIELD_SAY]);

#endif
