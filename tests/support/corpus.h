/* A corpus of transcripts, made by a program: each historic format in each encoding, with each line
 * end and each kind of damage. */
#ifndef SUPPORT_CORPUS_H
#define SUPPORT_CORPUS_H

#include "tests/support/random.h"
#include "transcript/format.h"

#define CORPUS_SAMPLES   9
#define CORPUS_FILE_MOST (1u << 20)

/* The makings of a file. */
extern const struct corpus_sample {
    enum format format;
    size_t keys;
    const char *text;  /* UTF-8, with LF */
    const char *title; /* of the appended copy: "7" stands for the first "1" */
    enum history_field field;
    const char *other;
} corpus_samples[CORPUS_SAMPLES];

enum corpus_encoding {
    IN_UTF8,
    IN_UTF8_BOM,
    IN_ASCII,  /* e for an e with its accent, an apostrophe for a quotation mark */
    IN_LATIN1, /* an apostrophe likewise */
    IN_CP1252,
    IN_UTF16_LE,
    IN_UTF16_BE,
    IN_UTF16_NO_BOM,
    CORPUS_ENCODINGS
};

enum corpus_ends { END_LF, END_CRLF, END_CR, END_CRCRLF, END_MIXED, CORPUS_ENDS };

enum corpus_damage {
    SOUND,
    CTRL_Z,     /* at the end, as DOS had it */
    TWO_RUNS,   /* another one's log was appended */
    TWO_CTRL_Z, /* with a Ctrl-Z between them */
    GARBAGE,    /* a line that is none */
    LONG_LINE,  /* such a line of 100,000 letters */
    NO_TIME,    /* the last record says no time */
    STRAY,      /* a character that has become a byte of no encoding */
    ZEROS,      /* a block of zeros in place of the last record's end */
    CUT,        /* the last record breaks off */
    CORPUS_DAMAGES
};

struct corpus_file {
    uint8_t bytes[CORPUS_FILE_MOST];
    size_t length;
    enum corpus_encoding encoding;
    enum corpus_ends ends;
    unsigned lines;
};

/* False: that sample has no such damage. */
bool corpus_make(struct corpus_file *file, const struct corpus_sample *sample,
                 enum corpus_encoding encoding, enum corpus_ends ends, enum corpus_damage damage);

/* The same text in another encoding, with other line ends. The text is UTF-8 with LF or CR LF. */
void corpus_recode(struct corpus_file *file, const char *text, size_t length,
                   enum corpus_encoding encoding, enum corpus_ends ends);

#endif
