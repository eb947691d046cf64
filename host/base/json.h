/* Writes JSON into the caller's buffer. A text that does not fit sets `full`; the buffer's contents
 * are then of no use. Pure. */
#ifndef BASE_JSON_H
#define BASE_JSON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct json_text {
    char *at;
    size_t length, room;
    bool full;
};

/* Writes the text without change: for brackets, commas and ready-made JSON. */
void json_put(struct json_text *out, const char *text);
void json_number(struct json_text *out, int64_t number);

/* Writes a string with its quotes; NULL: an empty string. Invalid UTF-8 becomes '?'. */
void json_string_of(struct json_text *out, const char *text);

/* Writes one code point of a string; the caller writes the quotes. */
void json_point(struct json_text *out, uint32_t point);

/* Write the fields "name":"text" and "name":number, after a comma unless the field is the first of
 * its object. */
void json_field(struct json_text *out, const char *name, const char *text);
void json_field_number(struct json_text *out, const char *name, int64_t number);

/* Writes the name and the colon of a field; the caller writes the value. */
void json_name(struct json_text *out, const char *name);

/* Writes a comma unless the next element is the first of its array or object. */
void json_comma(struct json_text *out);

#endif
