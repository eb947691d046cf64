#include "transcript/history_private.h"

#include "base/utf8.h"
#include "base/word.h"
#include "transcript/keys.h"

#include <string.h>

#define BIT(loss) (1u << (loss))

#define LINES                                                                                      \
    (BIT(LOSS_SIDE) | BIT(LOSS_KEY_TIMES) | BIT(LOSS_ORDER) | BIT(LOSS_BACKSPACE) |                \
     BIT(LOSS_UNFINISHED) | BIT(LOSS_PRESSED) | BIT(LOSS_TITLE) | BIT(LOSS_HEADERS) |              \
     BIT(LOSS_ROUND) | BIT(LOSS_SUBROUND) | BIT(LOSS_HUMAN) | BIT(LOSS_LEFT) |                     \
     BIT(LOSS_PROGRAMS) | BIT(LOSS_RESTARTED) | BIT(LOSS_BLANK) | BIT(LOSS_BACK) |                 \
     BIT(LOSS_JUDGE) | BIT(LOSS_CHARACTERS) | BIT(LOSS_NAMES) | BIT(LOSS_WORDS) |                  \
     BIT(LOSS_UNTIMED))
#define KEYS                                                                                       \
    (BIT(LOSS_RESTARTED) | BIT(LOSS_NOTICE) | BIT(LOSS_START) | BIT(LOSS_CONTESTANT) |             \
     BIT(LOSS_NAMES) | BIT(LOSS_WORDS))

static const struct {
    struct format_row row;
    void (*read)(struct reader *reader, enum format format);
    enum bl_status (*write)(struct writer *writer, const struct history *history,
                            enum format format);
} rows[FORMATS] = {
    [FORMAT_1996] = {{"1996", "1995, 1996", "lines of the screen, LP95-nn.TXT (1996 rules)", true,
                      LINES},
                     read_1996,
                     write_1996},
    [FORMAT_2002] = {{"2002", "2002", "as 1996, with other blanks", true, LINES},
                     read_1996,
                     write_1996},
    [FORMAT_2004] = {{"2004", "2004", "as 1996, in the public domain (2004 rules, A11)", true,
                      LINES | BIT(LOSS_NOTICE)},
                     read_1996,
                     write_1996},
    [FORMAT_2007] = {{"2007", "2007", "keys, posted and pressed", true,
                      KEYS | BIT(LOSS_BACK) | BIT(LOSS_SUBROUND) | BIT(LOSS_HUMAN) |
                          BIT(LOSS_EMPTY)},
                     read_2007,
                     write_2007},
    [FORMAT_2009] = {{"2009", "2009", "keys, posted and pressed, in rounds and subrounds", true,
                      KEYS | BIT(LOSS_TITLE) | BIT(LOSS_HEADERS)},
                     read_2009,
                     write_2009},
    [FORMAT_2012] = {{"2012", "2012", "keys, as received by the judge's program", true,
                      KEYS | BIT(LOSS_PRESSED) | BIT(LOSS_HEADERS) | BIT(LOSS_SUBROUND) |
                          BIT(LOSS_HUMAN)},
                     read_2012,
                     write_2012},
    [FORMAT_2013] = {{"2013", "2013", "as 2012, with \"human\" for the confederate's keys", true,
                      (KEYS & ~BIT(LOSS_RESTARTED)) | BIT(LOSS_PRESSED) | BIT(LOSS_HEADERS) |
                          BIT(LOSS_SUBROUND) | BIT(LOSS_HUMAN)},
                     read_2012,
                     write_2012},
    [FORMAT_KEYS] = {{"keys", "", "boothlink's own: a line for each key", true, 0},
                     read_keys,
                     write_keys},
    [FORMAT_ASCIICAST] = {{"asciicast", "", "a recording for players, which holds the keys too",
                           true, 0},
                          read_cast,
                          write_cast},
    [FORMAT_TEXT] = {{"text", "", "the conversation, for people", false, BIT(LOSS_EVERYTHING)},
                     NULL,
                     write_text},
    [FORMAT_HTML] = {{"html", "", "a page that plays the conversation with its pauses", false,
                      BIT(LOSS_EVERYTHING)},
                     NULL,
                     write_html},
    [FORMAT_2016] = {{"2016", "2016 to 2019", "messages in JSON, Round0, of the server of LPP v2",
                      true,
                      (LINES & ~(BIT(LOSS_KEY_TIMES) | BIT(LOSS_UNTIMED) | BIT(LOSS_CHARACTERS) |
                                 BIT(LOSS_NAMES) | BIT(LOSS_JUDGE) | BIT(LOSS_HUMAN) |
                                 BIT(LOSS_PROGRAMS))) |
                          BIT(LOSS_TIMES) | BIT(LOSS_NOTICE) | BIT(LOSS_START) |
                          BIT(LOSS_CONTESTANT) | BIT(LOSS_EMPTY)},
                     read_2016,
                     write_2016},
    [FORMAT_2003] = {{"2003", "", "as 1996, of 2003: its own form is lost, 2004's is like it (A11)",
                      false, LINES},
                     NULL,
                     write_1996},
    [FORMAT_PRINTED] = {{"1996-printed", "", "as 1996, without what its rules' example leaves out",
                         false, LINES | BIT(LOSS_TURNS)},
                        NULL,
                        write_1996},
};

const struct format_row *format_row(enum format format)
{
    return &rows[format].row;
}

bool format_find(const char *name, enum format *format)
{
    for (*format = 0; *format < FORMATS; ++*format)
        if (strcmp(rows[*format].row.name, name) == 0)
            return true;
    return false;
}

const char *loss_text(enum loss loss)
{
    static const char *const words[] = {
        [LOSS_SIDE] = "left and right",
        [LOSS_KEY_TIMES] = "the time of each key: a line has that of its end, in seconds of a day",
        [LOSS_TIMES] = "all times: it has none",
        [LOSS_UNTIMED] = "that no time is known: 00:00:00 stands for each",
        [LOSS_ORDER] = "how the keys of unfinished lines lay between each other",
        [LOSS_BACKSPACE] = "keys that were taken back, and the BackSpaces",
        [LOSS_UNFINISHED] = "that a last line had no Return",
        [LOSS_PRESSED] = "when keys were pressed",
        [LOSS_TITLE] = "the line with the contest's name",
        [LOSS_NOTICE] = "the copyright line",
        [LOSS_HEADERS] = "further header lines",
        [LOSS_START] = "the start of the program",
        [LOSS_CONTESTANT] = "the contestant's name",
        [LOSS_ROUND] = "rounds",
        [LOSS_SUBROUND] = "subrounds",
        [LOSS_HUMAN] = "the confederate's number",
        [LOSS_LEFT] = "who sat on the left",
        [LOSS_PROGRAMS] = "the names of other programs than the first",
        [LOSS_RESTARTED] = "that a program was started again",
        [LOSS_BLANK] = "that a space was named by a blank",
        [LOSS_BACK] = "that a BackSpace took back a Return",
        [LOSS_WORDS] = "blanks or brackets in a name",
        [LOSS_EMPTY] = "the judge of a part without keys",
        [LOSS_JUDGE] =
            "the record's number of the judge, from a typed @@nn on, which names another",
        [LOSS_CHARACTERS] =
            "typed characters that Windows-1252 lacks, in a transcript in Windows-1252",
        [LOSS_NAMES] = "characters in names and titles that Windows-1252 lacks",
        [LOSS_TURNS] = "the judge's empty lines, and @@nn",
        [LOSS_EVERYTHING] = "it is for people: it cannot be read again",
    };
    return WORD_OF(words, loss, "");
}

enum bl_status format_read(enum format format, const uint8_t *bytes, size_t length,
                           struct history *history)
{
    struct reader reader;
    if (!rows[format].read)
        return BL_USAGE;
    reader_begin(&reader, history, bytes, length);
    rows[format].read(&reader, format);
    /* A file of these formats has the line ends and encoding of its original. */
    return reader_end(&reader, format == FORMAT_KEYS || format == FORMAT_ASCIICAST);
}

/* Detects bytes of Windows-1252 that a reader would take for UTF-8, such as a sharp s before a
 * quotation mark. The whole file is then written as UTF-8. */
struct doubtful {
    struct utf8_decoder decoder;
    bool found;
};

static void see_bytes(void *ctx, const char *bytes, size_t length)
{
    struct doubtful *doubtful = ctx;
    uint32_t point = 0;
    for (size_t i = 0; i < length; i++) {
        enum utf8_step step = utf8_feed(&doubtful->decoder, (uint8_t)bytes[i], &point);
        if (step == UTF8_AGAIN)
            step = utf8_feed(&doubtful->decoder, (uint8_t)bytes[i], &point);
        doubtful->found = doubtful->found || (step == UTF8_POINT && point >= 0x80);
    }
}

enum bl_status format_write(enum format format, const struct history *history,
                            const struct out *out)
{
    struct doubtful doubtful = {.found = false};
    const struct out seen = {see_bytes, &doubtful};
    enum bl_status status = BL_OK;
    struct writer writer;
    writer_begin(&writer, history, &seen);
    if (writer.cp1252)
        status = rows[format].write(&writer, history, format);
    writer_begin(&writer, history, out);
    writer.as_utf8 = doubtful.found;
    return status == BL_OK ? rows[format].write(&writer, history, format) : status;
}

static bool begins(const struct piece *line, const char *text)
{
    struct piece copy = *line;
    return piece_skip(&copy, text);
}

/* Detects "J1 18 digits", followed by 18 more digits or a name. */
static bool detect_record(struct piece line, enum format *format)
{
    struct piece field;
    uint64_t us;
    if (!piece_skip(&line, "J") || !piece_until(&line, " ", &field) ||
        !piece_until(&line, " ", &field) || !stamp_read(&field, &us))
        return false;
    *format =
        piece_until(&line, " ", &field) && stamp_read(&field, &us) ? FORMAT_2007 : FORMAT_2012;
    return true;
}

/* True for an object with the three words of a message, in any order. */
static bool is_message(struct piece line)
{
    static const char *const words[] = {"\"content\"", "\"to\"", "\"id\""};
    bool is = begins(&line, "{");
    for (unsigned i = 0; is && i < sizeof words / sizeof *words; i++) {
        struct piece rest = line, before;
        is = piece_until(&rest, words[i], &before);
    }
    return is;
}

static bool detect_line(struct piece line, bool public, enum format *format)
{
    struct piece before;
    struct keys_line keys;
    const char *why;
    if (begins(&line, "# boothlink keys") ||
        keys_read(line.text, line.length, &keys, &why) == KEYS_LINE)
        *format = FORMAT_KEYS;
    else if (begins(&line, "{\"version\":"))
        *format = FORMAT_ASCIICAST;
    else if (is_message(line))
        *format = FORMAT_2016;
    else if (begins(&line, "***JUDGE"))
        *format = FORMAT_2002;
    else if (begins(&line, "*** JUDGE") || begins(&line, "PROGRAM[") || begins(&line, "Start at:"))
        *format = public ? FORMAT_2004 : FORMAT_1996;
    else if (begins(&line, "JUDGE") && piece_until(&line, "[", &before) && before.length < 12)
        *format = public ? FORMAT_2004 : FORMAT_1996;
    else if (begins(&line, "*Starting round ") || begins(&line, "**Starting subround "))
        *format = FORMAT_2009;
    else if (begins(&line, "starting round "))
        *format = FORMAT_2007;
    else if (begins(&line, "Transcripts of *restarted* program ") || begins(&line, "Left="))
        *format = FORMAT_2013;
    else if (begins(&line, "Transcripts of judge ") || begins(&line, "Left ="))
        *format = FORMAT_2012;
    else
        return detect_record(line, format);
    return true;
}

/* Finds the family by the first characteristic line. */
static bool detect_family(struct textfile *lines, enum format *format)
{
    bool public = false, found = false;
    while (lines->number < 64 && textfile_next(lines)) {
        const struct piece line = {lines->line, lines->length};
        public = public ||
                 (lines->number == 1 && begins(&line, "This transcript is in the public domain"));
        /* Files of 2002 and 1996 have equal starts; their judges' lines differ. */
        if (found && !begins(&line, "***JUDGE"))
            return true;
        if (detect_line(line, public, format)) {
            found = true;
            if (!begins(&line, "Start at:"))
                return true;
        }
    }
    return found;
}

/* True if all times are followed by a blank, as in 2002. In 1996 a single blank may be typed
 * text. */
static bool has_blanks(struct textfile *lines)
{
    size_t blanks = 0, others = 0;
    while (textfile_next(lines)) {
        struct piece line = {lines->line, lines->length}, before;
        if (!(begins(&line, "PROGRAM[") || begins(&line, "JUDGE")) ||
            !piece_until(&line, "]", &before))
            continue;
        *(begins(&line, " ") ? &blanks : &others) += 1;
    }
    return blanks > 1 && others == 0;
}

/* Recognises 2013 by the title, or by a key of the confederate. */
static bool is_2013(struct textfile *lines)
{
    while (textfile_next(lines)) {
        struct piece line = {lines->line, lines->length}, field;
        if (begins(&line, "Transcripts of *restarted* program "))
            return true;
        if (lines->number == 1 && !begins(&line, "J") && piece_until(&line, "2013", &field))
            return true;
        if (begins(&line, "J") && piece_until(&line, " ", &field) &&
            piece_until(&line, " ", &field) && piece_until(&line, " ", &field) &&
            piece_is(&field, "human"))
            return true;
    }
    return false;
}

bool format_detect(const uint8_t *bytes, size_t length, enum format *format)
{
    struct textfile all, lines;
    bool found;
    textfile_begin(&all, bytes, length < HISTORY_BYTES ? length : HISTORY_BYTES);
    lines = all;
    found = detect_family(&lines, format);
    textfile_free(&lines);
    lines = all;
    if (found && *format == FORMAT_1996 && has_blanks(&lines))
        *format = FORMAT_2002;
    else if (found && *format == FORMAT_2012 && is_2013(&lines))
        *format = FORMAT_2013;
    textfile_free(&lines);
    return found;
}
