#ifndef TRANSCRIPT_HISTORY_PRIVATE_H
#define TRANSCRIPT_HISTORY_PRIVATE_H

#include "transcript/format.h"
#include "transcript/textfile.h"
#include "transcript/standing.h"

struct reader {
    struct history *history;
    struct textfile lines;
    enum bl_status status; /* BL_NOMEM ends the reading */

    /* The current line as UTF-8, valid until the next line. */
    uint64_t number; /* number from 1; 0: the whole file */
    const char *line;
    size_t length;
    bool ended; /* the line has a line end */

    struct history_part head; /* header of the current run, which is copied to its parts */
    uint64_t last_us;         /* time of the latest key */
    uint64_t trailing;        /* 2009: lines with a blank after their text */
    bool named; /* 2007: the third header line names a round's program, as our writer's does */
    bool full;  /* the history is full; reported once */
    bool cut;   /* the file ends inside a record; reported once */
};

/* Begins to read, and sets the history's encoding. The caller keeps `bytes`. reader_end() ends the
 * reading. */
void reader_begin(struct reader *reader, struct history *history, const uint8_t *bytes,
                  size_t length);
/* Reads the next line; false at the end. Reports invalid or mixed characters. */
bool reader_next(struct reader *reader);
/* Ends the reading. A header without keys becomes a part. Unless says_ends, reports mixed line ends
 * and sets the history's line ends. */
enum bl_status reader_end(struct reader *reader, bool says_ends);

/* Reports a fault of this line; reader_fault_quoted() adds the line's text. */
void reader_fault(struct reader *reader, enum history_fault_kind kind, const char *text);
void reader_fault_quoted(struct reader *reader, enum history_fault_kind kind, const char *text);
/* Reports a line that is not a record; if it is the last line and has no end, a truncated file. */
void reader_bad(struct reader *reader, const char *why);

void reader_part(struct reader *reader,
                 const struct history_part *like);            /* NULL: a copy of the header */
struct history_part *reader_last_part(struct reader *reader); /* adds a part if there is none */
/* True if the point stands for invalid bytes of the line, which were reported. */
bool reader_is_lost(const struct reader *reader, uint32_t point);
/* Adds a key to the last part; reports a time that steps back. */
void reader_key(struct reader *reader, const struct history_key *key);
/* Set a field of the header, or of the last part; report an invalid value. */
void reader_head(struct reader *reader, enum history_field field, const char *text, size_t length);
void reader_set(struct reader *reader, enum history_field field, const char *text, size_t length);
/* Like reader_set(), for a field that must not be empty. */
void reader_want(struct reader *reader, enum history_field field, const char *text, size_t length);

/* A piece of text. piece_skip() removes a prefix; false: the text does not begin with it. */
struct piece {
    const char *text;
    size_t length;
};
bool piece_skip(struct piece *piece, const char *beginning);
/* Removes the text before the next (last) `mark`, and the mark. */
bool piece_until(struct piece *piece, const char *mark, struct piece *before);
bool piece_until_last(struct piece *piece, const char *mark, struct piece *before);
bool piece_is(const struct piece *piece, const char *text);

/* A time of 18 digits, used by several families: 11 of seconds since 1970, 7 of microseconds. */
bool stamp_read(const struct piece *piece, uint64_t *us);
/* Reads the key's name at the end of a record in the manner of those years' judge programs: a blank
 * is a space, an empty name no key. False, with the fault reported: no key. */
bool reader_keyname(struct reader *reader, const struct piece *name, struct history_key *key);

struct writer {
    const struct out *out;
    const char *eol;
    bool cp1252;  /* only characters of Windows-1252 may be written */
    bool as_utf8; /* with cp1252: these characters are written as UTF-8 */
    bool of_2007; /* names of keys as in 2007: punctuation stands for itself, Return is CR */
};
void writer_begin(struct writer *writer, const struct history *history, const struct out *out);
void writer_text(struct writer *writer, const char *utf8);
void writer_point(struct writer *writer, uint32_t point);
void writer_number(struct writer *writer, uint64_t number, unsigned digits);
void writer_end_line(struct writer *writer);
/* Writes a name as one word: blanks become '_', "" becomes `empty`. */
void writer_word(struct writer *writer, const char *name, const char *empty);
void writer_stamp(struct writer *writer, uint64_t us);
void writer_keyname(struct writer *writer, const struct history_key *key);

/* The families. */
void read_1996(struct reader *reader, enum format format);
enum bl_status write_1996(struct writer *writer, const struct history *history, enum format format);
void read_2007(struct reader *reader, enum format format);
enum bl_status write_2007(struct writer *writer, const struct history *history, enum format format);
void read_2009(struct reader *reader, enum format format);
enum bl_status write_2009(struct writer *writer, const struct history *history, enum format format);
void read_2012(struct reader *reader, enum format format);
enum bl_status write_2012(struct writer *writer, const struct history *history, enum format format);
void read_2016(struct reader *reader, enum format format);
enum bl_status write_2016(struct writer *writer, const struct history *history, enum format format);
void read_keys(struct reader *reader, enum format format);
enum bl_status write_keys(struct writer *writer, const struct history *history, enum format format);
void read_cast(struct reader *reader, enum format format);
enum bl_status write_cast(struct writer *writer, const struct history *history, enum format format);
enum bl_status write_text(struct writer *writer, const struct history *history, enum format format);
enum bl_status write_html(struct writer *writer, const struct history *history, enum format format);

/* Finds the standing keys of a history, for each part separately; the index is the key's index + 1.
 * The caller frees the result. BL_NOMEM. */
enum bl_status history_standing(const struct history *history, struct standing *standing);

/* Finds the places where a new judge types the line "@@nn" and two Returns (1996 rules, spec 1a),
 * in a part with another number. *newcomer has a byte for each key: nn + 1 for the Return of such a
 * line; otherwise 0. The caller frees it. BL_NOMEM. */
enum bl_status history_newcomers(const struct history *history, const struct standing *standing,
                                 uint8_t **newcomer);

/* Draws a history as text, or as an asciicast without keys. */
enum bl_status history_draw(const struct history *history, enum format format,
                            const struct out *out);

/* Reads one line of the keys format, for read_keys and read_cast. */
struct keys_reader {
    uint64_t n[SIDES];
    bool blank; /* the next key is a space that was named by a blank */
};
void write_keys_lines(const struct out *out, const struct history *history);
void read_keys_line(struct reader *reader, struct keys_reader *keys, const char *text,
                    size_t length);

/* Reads a record of 2007 or 2009: judge, posted, pressed, local or remote, side, key. */
void read_record(struct reader *reader);
void write_record(struct writer *writer, const struct history *history,
                  const struct history_key *key);

enum history_who who_of_name(const struct piece *piece);

#endif
