/* Writes JSON into the caller's buffer. If the text does not fit, `full` is set and the text is
 * useless. Pure. */
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

/* Writes text without change: brackets, names, commas, numbers. */
void json_put(struct json_text *out, const char *text);
void json_number(struct json_text *out, int64_t number);

/* Writes a string; NULL is written as "". Invalid UTF-8 becomes '?'. */
void json_string_of(struct json_text *out, const char *text);

/* Writes one code point of a string; the caller writes the quotes. */
void json_point(struct json_text *out, uint32_t point);

/* Write "name":"text" and "name":number, after a comma unless they are first in their object. */
void json_field(struct json_text *out, const char *name, const char *text);
void json_field_number(struct json_text *out, const char *name, int64_t number);

/* Writes the name and the colon of a field; the value follows. */
void json_name(struct json_text *out, const char *name);

/* Writes a comma unless the next element is the first. */
void json_comma(struct json_text *out);

#endif
