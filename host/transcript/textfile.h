/* Reads the lines of any text file as UTF-8: UTF-8, Windows-1252 or UTF-16, with line ends CR LF,
 * LF or CR. Drops byte order marks and the Ctrl-Z of DOS at the beginnings of lines, and Ctrl-Z at
 * the end of the file. Pure.
 *
 * * A line that is not UTF-8 is Windows-1252. If the file has more valid UTF-8 sequences than other
 * bytes beyond ASCII, that line's sequences are UTF-8, and its other bytes are Windows-1252. Longer
 * sequences count more, since they are rarely chance. */
#ifndef TRANSCRIPT_TEXTFILE_H
#define TRANSCRIPT_TEXTFILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define TEXTFILE_LOST 0xFFFDu /* replaces invalid bytes */

enum textfile_kind { TEXTFILE_UTF8, TEXTFILE_CP1252, TEXTFILE_UTF16 };
enum textfile_end { TEXTFILE_LF, TEXTFILE_CRLF, TEXTFILE_CR, TEXTFILE_CRCRLF, TEXTFILE_ENDS };

struct textfile {
    const uint8_t *at, *end;
    unsigned unit; /* bytes of a code unit, 1 or 2; `big`: the high byte of two is the first */
    bool big;
    uint64_t sequences, others; /* counts in the file: weighed UTF-8 sequences, and other bytes
                                 * beyond ASCII */
    uint64_t utf8;              /* number of UTF-8 lines that are not ASCII */

    /* The current line. */
    uint64_t number; /* from 1 */
    char *line;      /* a C string, valid until the next line */
    size_t length, room;
    bool ended;    /* the line has a line end */
    bool foreign;  /* the line is not UTF-8, in a file that is not UTF-16 */
    uint64_t lost; /* number of invalid bytes or units, each replaced by TEXTFILE_LOST */

    uint64_t ends[TEXTFILE_ENDS]; /* line ends read so far, by kind */
    bool failed;                  /* out of memory: reading has stopped */
};

/* Begins reading; the caller keeps the bytes. textfile_free() ends it. */
void textfile_begin(struct textfile *lines, const uint8_t *bytes, size_t length);
void textfile_free(struct textfile *lines);

/* The encoding of the whole file. */
enum textfile_kind textfile_kind(const struct textfile *lines);

/* Reads the next line; false at the end. */
bool textfile_next(struct textfile *lines);

/* True if the line `after` lines after the next one begins with the ASCII text. */
bool textfile_peek(const struct textfile *lines, unsigned after, const char *beginning);

#endif
