/* Shared by the readers and writers of all families. Private to host/transcript. */
#ifndef TRANSCRIPT_HISTORY_PRIVATE_H
#define TRANSCRIPT_HISTORY_PRIVATE_H

#include "transcript/format.h"
#include "transcript/textfile.h"
#include "transcript/standing.h"

/* A file while it is read, line by line. */
struct reader {
    struct history *history;
    struct textfile lines;
    enum bl_status status; /* BL_NOMEM stops the reading */

    /* The line, which is UTF-8 whatever the file is; until the next one. */
    uint64_t number; /* from 1; 0: of the whole file */
    const char *line;
    size_t length;
    bool ended; /* has it a line end? */

    struct history_part head; /* the run's header so far: parts begin like it */
    uint64_t last_us;         /* the latest key's time */
    uint64_t trailing;        /* lines of 2009 with a blank behind their text */
    bool named; /* 2007: the third header line says the program of a round, as the writer does */
    bool full;  /* said once */
    bool cut;   /* said: the file ends within a record */
};

/* bytes are the caller's. Sets the history's encoding. reader_end() ends it. */
void reader_begin(struct reader *reader, struct history *history, const uint8_t *bytes,
                  size_t length);
/* The next line; false at the end. Names odd characters. */
bool reader_next(struct reader *reader);
/* Names mixed line ends, and sets the history's unless the file itself names them. A header without
 * anything behind it becomes a part. */
enum bl_status reader_end(struct reader *reader, bool says_ends);

/* Names a fault of this line; with its text when quoted. */
void reader_fault(struct reader *reader, enum history_fault_kind kind, const char *text);
void reader_fault_quoted(struct reader *reader, enum history_fault_kind kind, const char *text);
/* A line that is no record; the last one without a line end is a cut one. */
void reader_bad(struct reader *reader, const char *why);

void reader_part(struct reader *reader, const struct history_part *like); /* NULL: like the head */
struct history_part *reader_last_part(struct reader *reader); /* begins one if there is none */
/* Was there a key here, of which no character is left? That is named already. */
bool reader_is_lost(const struct reader *reader, uint32_t point);
/* Adds a key to the last part, and names steps back in time. */
void reader_key(struct reader *reader, const struct history_key *key);
/* Sets a field of the head, or of the last part; names a wrong value. */
void reader_head(struct reader *reader, enum history_field field, const char *text, size_t length);
void reader_set(struct reader *reader, enum history_field field, const char *text, size_t length);
/* The same, of one that must not be empty. */
void reader_want(struct reader *reader, enum history_field field, const char *text, size_t length);

/* Takes a beginning off a piece of text; false: the text has another. */
struct piece {
    const char *text;
    size_t length;
};
bool piece_skip(struct piece *piece, const char *beginning);
/* Takes off the text before the next (last) `mark`, and the mark. */
bool piece_until(struct piece *piece, const char *mark, struct piece *before);
bool piece_until_last(struct piece *piece, const char *mark, struct piece *before);
bool piece_is(const struct piece *piece, const char *text);

/* The families' 18 digits: 11 of seconds since 1970, 7 of microseconds. */
bool stamp_read(const struct piece *piece, uint64_t *us);
/* Key names of 2007 to 2012: the appendix of 2009, and a character standing for itself. */
uint32_t keyname_read(const struct piece *piece);
/* Takes the name at the end of a record as the judge's program of those years did: a blank is a
 * space, an empty name is nothing. false: there is no key; the fault is named. */
bool reader_keyname(struct reader *reader, const struct piece *name, struct history_key *key);

/* A file while it is written. */
struct writer {
    const struct out *out;
    const char *eol;
    bool cp1252;  /* no other characters than these */
    bool as_utf8; /* and yet their bytes are UTF-8 */
    bool of_2007; /* punctuation is named by itself, and Return is CR */
};
void writer_begin(struct writer *writer, const struct history *history, const struct out *out);
void writer_text(struct writer *writer, const char *utf8);
void writer_point(struct writer *writer, uint32_t point);
void writer_number(struct writer *writer, uint64_t number, unsigned digits);
void writer_end_line(struct writer *writer);
/* A name as one word: blanks become '_'; "" becomes `empty`. */
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

/* The standing keys of a history, by their index + 1, each part by itself; to be freed.
 * BL_NOMEM. */
enum bl_status history_standing(const struct history *history, struct standing *standing);

/* The places at which a new judge names himself by a line "@@nn" and two Returns (1996 rules, spec
 * 1a), though his part has another number. *newcomer has a byte for each key: nn + 1 if it is the
 * Return of such a line, else 0; to be freed. BL_NOMEM. */
enum bl_status history_newcomers(const struct history *history, const struct standing *standing,
                                 uint8_t **newcomer);

/* Draws it as text or as an asciicast without its keys. */
enum bl_status history_draw(const struct history *history, enum format format,
                            const struct out *out);

/* One line of the keys format, for read_keys and read_cast. */
struct keys_reader {
    uint64_t n[SIDES];
    bool blank; /* the next key's record named it by a blank */
};
void write_keys_lines(const struct out *out, const struct history *history);
void read_keys_line(struct reader *reader, struct keys_reader *keys, const char *text,
                    size_t length);

/* The record that 2007 and 2009 share: judge, posted, pressed, local or remote, side, key. */
void read_record(struct reader *reader);
void write_record(struct writer *writer, const struct history *history,
                  const struct history_key *key);

/* The words of the fields both know: "Human", "P3". */
enum history_who who_of_name(const struct piece *piece);

#endif
