/* JSON into a buffer of the caller's: all typed text is a string in it. Bounded:
 * text that does not fit sets `full`, and is to be thrown away. Pure. */
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

/* As it is: brackets, names, commas, numbers. */
void json_put(struct json_text *out, const char *text);
void json_number(struct json_text *out, int64_t number);

/* A string; NULL is "". Invalid UTF-8 shows as '?'. */
void json_string_of(struct json_text *out, const char *text);

/* Parts of a string: its code points, between two quotes that the caller puts. */
void json_point(struct json_text *out, uint32_t point);

/* "name":"text", and "name":number, with a comma before them unless they are first in their object.
 */
void json_field(struct json_text *out, const char *name, const char *text);
void json_field_number(struct json_text *out, const char *name, int64_t number);

/* The name and colon of a field, whose value follows. */
void json_name(struct json_text *out, const char *name);

/* The comma before another element, unless it is the first. */
void json_comma(struct json_text *out);

#endif
