/* The lines of a text file of anybody's: UTF-8, Windows-1252 or UTF-16, and lines ending with CR
 * LF, LF or CR. Each comes as UTF-8. Byte order marks, and the Ctrl-Z by which DOS ends a file, are
 * dropped at the ends of lines. Pure.
 *
 * A line that is not UTF-8 is Windows-1252. But in a file with more legal sequences of UTF-8 than
 * other bytes beyond ASCII those sequences are UTF-8 there, too, and the other bytes alone are
 * Windows-1252. A longer sequence counts more, for it hardly comes by chance. */
#ifndef TRANSCRIPT_TEXTFILE_H
#define TRANSCRIPT_TEXTFILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define TEXTFILE_LOST 0xFFFDu /* stands for bytes that are no character */

enum textfile_kind { TEXTFILE_UTF8, TEXTFILE_CP1252, TEXTFILE_UTF16 };
enum textfile_end { TEXTFILE_LF, TEXTFILE_CRLF, TEXTFILE_CR, TEXTFILE_CRCRLF, TEXTFILE_ENDS };

struct textfile {
    const uint8_t *at, *end;
    unsigned unit; /* bytes of a code unit: 1, or 2 with their order: */
    bool big;
    uint64_t sequences, others; /* of the file: legal sequences of UTF-8, weighed; other bytes */
    uint64_t utf8;              /* its lines that are UTF-8 and not ASCII */

    /* The line: */
    uint64_t number; /* from 1 */
    char *line;      /* a string; good until the next one */
    size_t length, room;
    bool ended;    /* has it a line end? */
    bool foreign;  /* it is not UTF-8, and its file is not UTF-16 */
    uint64_t lost; /* bytes (or units) that are no character: each is TEXTFILE_LOST */

    uint64_t ends[TEXTFILE_ENDS]; /* seen so far */
    bool failed;                  /* there was no memory: no line comes any more */
};

/* The bytes are the caller's. textfile_free() ends it. */
void textfile_begin(struct textfile *lines, const uint8_t *bytes, size_t length);
void textfile_free(struct textfile *lines);

/* Of the whole file. */
enum textfile_kind textfile_kind(const struct textfile *lines);

/* The next line; false: there is none. */
bool textfile_next(struct textfile *lines);

/* True if the line `after` lines behind the next one begins with the ASCII given. */
bool textfile_peek(const struct textfile *lines, unsigned after, const char *beginning);

#endif
