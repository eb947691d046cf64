/* 1996, 2002, 2003 and 2004: three header lines, a line for each judge, and a line for each line of
 * the screen, "JUDGE04[14:12:32]Do you think that the". Source: 1996 rules, "2. Data file format"
 * (r2a to r2e); 2003 r27, which keeps the copyright line; 2004, A11. 2002 writes the judge's line
 * without blanks and a blank after "]". */
#include "transcript/history_private.h"

#include "base/growing.h"
#include "base/utf8.h"
#include "transcript/standing.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NOTICE        "(c)1995 Cambridge Center For Behavioral Studies all rights reserved"
#define NOTICE_2003   "(c)2003 Cambridge Center For Behavioral Studies all rights reserved"
#define PUBLIC_DOMAIN "This transcript is in the public domain"
#define START         "Start at:"
#define DAY_S         86400u
#define HALF_DAY_S    43200u

struct read_1996 {
    enum format format;
    bool started;     /* the third line has the start; the two lines before are a header */
    unsigned headers; /* header lines read so far */
    bool judged;      /* a judge's line was read */
    bool lines;       /* a line with a time was read */
    uint64_t day_s;   /* midnight of the last line's day */
    uint64_t last_s;
};

/* Days since 1970 of a Gregorian date from 1970 on. */
static uint64_t days_of(unsigned year, unsigned month, unsigned day)
{
    static const uint16_t before[] = {0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334};
    uint64_t y = year - 1;
    uint64_t days = (uint64_t)year * 365 + y / 4 - y / 100 + y / 400 + before[month - 1] + day - 1;
    if (month > 2 && ((year % 4 == 0 && year % 100 != 0) || year % 400 == 0))
        days++;
    return days - 719527u;
}

/* Reads numbers of a form such as "0000/00/00", in which 0 stands for a digit. */
static bool read_form(struct piece *piece, const char *form, unsigned *number)
{
    size_t length = strlen(form);
    if (piece->length < length)
        return false;
    *number = 0;
    for (size_t i = 0; i < length; i++) {
        char c = piece->text[i];
        if (form[i] == '0') {
            if (c < '0' || c > '9')
                return false;
            *number = *number * 10 + (unsigned)(c - '0');
        } else if (c != form[i]) {
            return false;
        } else {
            *++number = 0;
        }
    }
    piece->text += length;
    piece->length -= length;
    return true;
}

static bool read_clock(struct piece *piece, unsigned *second)
{
    unsigned hms[3];
    /* 23:59:60 is a leap second, which seconds since 1970 do not count: it is read as the next
     * second. */
    if (!read_form(piece, "00:00:00", hms) || hms[0] > 23 || hms[1] > 59 || hms[2] > 60)
        return false;
    *second = (hms[0] * 60 + hms[1]) * 60 + hms[2];
    return true;
}

static bool read_start(struct reader *reader, struct read_1996 *state, struct piece rest)
{
    unsigned ymd[3], second;
    while (piece_skip(&rest, " ") || piece_skip(&rest, "["))
        ;
    if (!read_form(&rest, "0000/00/00", ymd) || !piece_skip(&rest, " ") ||
        !read_clock(&rest, &second) || ymd[0] < 1970 || ymd[0] > 5000 || ymd[1] < 1 ||
        ymd[1] > 12 || ymd[2] < 1 || ymd[2] > 31)
        return false;
    state->day_s = days_of(ymd[0], ymd[1], ymd[2]) * DAY_S;
    state->last_s = state->day_s + second;
    reader_last_part(reader)->start_us = state->last_s * 1000000u;
    return true;
}

/* Reads "[PROGRAM] [CONTESTANT]"; without brackets the whole line is the program. */
static void read_names(struct reader *reader, struct piece line)
{
    struct piece program = line, contestant = {line.text, 0};
    if (piece_skip(&line, "[") && piece_until(&line, "]", &program)) {
        while (piece_skip(&line, " "))
            ;
        piece_skip(&line, "[");
        contestant = line;
        if (contestant.length && contestant.text[contestant.length - 1] == ']')
            contestant.length--;
    }
    reader_want(reader, FIELD_PROGRAM, program.text, program.length);
    reader_set(reader, FIELD_CONTESTANT, contestant.text, contestant.length);
}

/* True for "*** JUDGE04 ***" or "***JUDGE04***", alone on its line. A typed line begins with its
 * source and time (spec 2e). */
static bool is_judge(struct piece line, struct piece *judge)
{
    const char *blank;
    if (!piece_skip(&line, "***"))
        return false;
    while (piece_skip(&line, " "))
        ;
    if (!piece_skip(&line, "JUDGE") || !piece_until_last(&line, "***", judge))
        return false;
    while (piece_skip(&line, " "))
        ;
    while (piece_skip(judge, " "))
        ;
    while (judge->length && judge->text[judge->length - 1] == ' ')
        judge->length--;
    blank = judge->length ? memchr(judge->text, ' ', judge->length) : NULL;
    return line.length == 0 && !blank;
}

static bool read_judge(struct reader *reader, struct read_1996 *state)
{
    const struct piece line = {reader->line, reader->length};
    struct piece judge;
    const struct history *history = reader->history;
    struct history_part *part, like;
    if (!is_judge(line, &judge))
        return false;
    if (judge.length == 2 && judge.text[0] == '0')
        piece_skip(&judge, "0");
    part = reader_last_part(reader);
    if (!part)
        return true;
    /* The header's part is the first judge's. */
    if (state->judged ||
        (history->keys && history->key[history->keys - 1].part + 1u == history->parts)) {
        like = *part;
        reader_part(reader, &like);
    }
    state->judged = true;
    reader_want(reader, FIELD_JUDGE, judge.text, judge.length);
    return true;
}

static void check_judge(struct reader *reader, struct piece judge)
{
    struct history_part *part = reader_last_part(reader);
    if (judge.length == 2 && judge.text[0] == '0')
        piece_skip(&judge, "0");
    if (!part || piece_is(&judge, part->judge))
        return;
    if (part->judge[0])
        reader_fault_quoted(reader, FAULT_WHO, "the line above names another judge");
    else
        reader_set(reader, FIELD_JUDGE, judge.text, judge.length);
}

static void read_keys_of(struct reader *reader, struct piece text, struct history_key key)
{
    while (text.length && reader->status == BL_OK) {
        size_t taken = utf8_decode((const uint8_t *)text.text, text.length, &key.point);
        text.text += taken;
        text.length -= taken;
        reader_key(reader, &key);
    }
    key.point = KEY_RETURN;
    reader_key(reader, &key);
}

static void read_line(struct reader *reader, struct read_1996 *state)
{
    struct piece rest = {reader->line, reader->length}, judge = {NULL, 0};
    struct history_key key = {.party = PARTY_ENTITY};
    unsigned second;
    bool leap, good = piece_skip(&rest, "PROGRAM[");
    if (!good && piece_skip(&rest, "JUDGE")) {
        key.party = PARTY_JUDGE;
        good = piece_until(&rest, "[", &judge);
    }
    leap = rest.length > 7 && memcmp(rest.text + 6, "60", 2) == 0;
    if (!good || !read_clock(&rest, &second) || !piece_skip(&rest, "]")) {
        reader_bad(reader, "a line is \"PROGRAM[HH:MM:SS]TEXT\" or \"JUDGEnn[HH:MM:SS]TEXT\"");
        return;
    }
    if (!state->judged) {
        reader_fault(reader, FAULT_HEADER, "the line \"*** JUDGEnn ***\" is missing");
        state->judged = true;
    }
    if (leap)
        reader_fault_quoted(reader, FAULT_FIELD, "a leap second: read as the one behind it");
    if (key.party == PARTY_JUDGE)
        check_judge(reader, judge);
    if (state->format == FORMAT_2002)
        piece_skip(&rest, " ");
    if (state->day_s + second + HALF_DAY_S < state->last_s)
        state->day_s += DAY_S; /* past midnight */
    else if (state->lines && state->day_s + second > state->last_s + HALF_DAY_S &&
             state->day_s >= DAY_S)
        state->day_s -= DAY_S; /* the time steps back over midnight */
    state->lines = true;
    state->last_s = state->day_s + second;
    key.posted_us = state->last_s * 1000000u;
    read_keys_of(reader, rest, key);
}

/* Reads one of the three header lines; false if the line is something else. */
static bool read_header(struct reader *reader, struct read_1996 *state)
{
    struct piece line = {reader->line, reader->length};
    struct piece body = line;
    if (state->headers == 3 ||
        (!state->started &&
         (piece_skip(&body, "***") || piece_skip(&body, "PROGRAM[") || piece_skip(&body, "JUDGE"))))
        return false;
    if (!reader_last_part(reader))
        return true;
    if (state->headers == 0) {
        if (state->format != FORMAT_2004)
            reader_set(reader, FIELD_NOTICE, line.text, line.length);
        else if (!piece_is(&line, PUBLIC_DOMAIN))
            reader_fault_quoted(reader, FAULT_FIELD, "it should be \"" PUBLIC_DOMAIN "\"");
    } else if (state->headers == 1) {
        read_names(reader, line);
    } else if (!piece_skip(&line, START) || !read_start(reader, state, line)) {
        reader_fault_quoted(reader, FAULT_FIELD,
                            "it should be \"Start at: [YYYY/MM/DD HH:MM:SS]\"");
    }
    state->headers++;
    return true;
}

static bool is_line(const struct reader *reader)
{
    struct piece rest = {reader->line, reader->length}, judge;
    unsigned second;
    if (is_judge(rest, &judge))
        return true;
    return (piece_skip(&rest, "PROGRAM[") ||
            (piece_skip(&rest, "JUDGE") && piece_until(&rest, "[", &judge))) &&
           read_clock(&rest, &second);
}

/* Detects an appended run: this line or one of the next two has its start. */
static void begin_run(struct reader *reader, struct read_1996 *state)
{
    const struct piece line = {reader->line, reader->length};
    struct piece start = line;
    if (state->headers < 3 || is_line(reader))
        return;
    if (piece_skip(&start, START))
        state->headers = 2;
    else if (textfile_peek(&reader->lines, 0, START))
        state->headers = 1;
    else if (textfile_peek(&reader->lines, 1, START))
        state->headers = 0;
    else
        return;
    if (state->headers)
        reader_fault(reader, FAULT_HEADER, "fewer than three header lines");
    reader_part(reader, NULL);
    state->started = true;
    state->judged = state->lines = false;
    state->day_s = state->last_s = 0;
}

void read_1996(struct reader *reader, enum format format)
{
    struct read_1996 state = {.format = format, .started = textfile_peek(&reader->lines, 2, START)};
    while (reader_next(reader)) {
        if (reader->length == 0 && state.headers == 3 && reader->ended)
            continue; /* the rules' sample has no empty line; programs may write one */
        begin_run(reader, &state);
        if (read_header(reader, &state))
            continue;
        if (state.headers < 3)
            reader_fault(reader, FAULT_HEADER, "fewer than three header lines");
        state.headers = 3;
        if (!read_judge(reader, &state))
            read_line(reader, &state);
    }
    if (state.headers < 3)
        reader_fault(reader, FAULT_HEADER, "fewer than three header lines");
}

#define NOBODY 100u

/* The number in a judge's field, 0 to 99; NOBODY: none. */
static unsigned number_of(const char *judge)
{
    const size_t length = strlen(judge);
    const unsigned first = (unsigned)(judge[0] - '0');
    const unsigned second = length == 2 ? (unsigned)(judge[1] - '0') : 0;
    if (length < 1 || length > 2 || first > 9 || second > 9)
        return NOBODY;
    return length == 1 ? first : first * 10 + second;
}

struct newcomers {
    const struct history *history;
    const struct standing *standing;
    struct {
        uint32_t point[4];
        size_t points;
    } line[SIDES][PARTIES];
    unsigned judge;  /* the current section's judge */
    bool begun;      /* the section has a line */
    bool waits;      /* the last line was "@@nn"; an empty line should follow */
    unsigned number; /* the number nn */
    size_t at;       /* index of the Return that ended the line */
    bool first;      /* the line was the first of its section */
};

/* Ends a line. Returns nn if the line is "@@nn"; otherwise NOBODY. */
static unsigned take_line(struct newcomers *n, const struct history_key *key, size_t *points)
{
    const uint32_t *point = n->line[key->side][key->party].point;
    *points = n->line[key->side][key->party].points;
    n->line[key->side][key->party].points = 0;
    if (*points != 4 || point[0] != '@' || point[1] != '@' || point[2] < '0' || point[2] > '9' ||
        point[3] < '0' || point[3] > '9')
        return NOBODY;
    return (point[2] - '0') * 10 + point[3] - '0';
}

/* True if no standing key follows in the key's part, and the next part's judge has the number
 * nn. */
static bool is_said_next(const struct newcomers *n, size_t at)
{
    const struct history *history = n->history;
    const size_t part = history->key[at].part;
    for (unsigned i = 0; i < SIDES * PARTIES; i++)
        if (n->line[i / PARTIES][i % PARTIES].points)
            return false;
    for (size_t i = at + 1; i < history->keys && history->key[i].part == part; i++)
        if (standing_is(n->standing, i + 1))
            return false;
    return part + 1 < history->parts && number_of(history->part[part + 1].judge) == n->number;
}

static void take_newcomer(struct newcomers *n, size_t at, uint8_t *newcomer)
{
    const struct history_key *key = &n->history->key[at];
    size_t points = n->line[key->side][key->party].points;
    unsigned number;
    if (key->point != KEY_RETURN) {
        if (points < 4)
            n->line[key->side][key->party].point[points] = key->point;
        n->line[key->side][key->party].points++;
        return;
    }
    number = take_line(n, key, &points);
    if (key->party == PARTY_JUDGE && n->waits && points == 0 &&
        !(n->first && n->judge == n->number) && !is_said_next(n, at)) {
        newcomer[n->at] = (uint8_t)(n->number + 1);
        n->judge = n->number;
    }
    if (key->party == PARTY_JUDGE) {
        n->waits = number != NOBODY;
        n->number = number;
        n->at = at;
        n->first = !n->begun;
    }
    n->begun = true;
}

enum bl_status history_newcomers(const struct history *history, const struct standing *standing,
                                 uint8_t **newcomer)
{
    struct newcomers n = {.history = history};
    *newcomer = calloc(history->keys + 1, 1);
    if (!*newcomer)
        return BL_NOMEM;
    for (size_t i = 0; i < history->keys; i++) {
        const size_t part = history->key[i].part;
        if (i == 0 || part != history->key[i - 1].part)
            n = (struct newcomers){.history = history,
                                   .standing = standing,
                                   .judge = number_of(history->part[part].judge)};
        if (standing_is(standing, i + 1))
            take_newcomer(&n, i, *newcomer);
    }
    return BL_OK;
}

/* The unfinished line of a party on a side. */
struct line_1996 {
    uint32_t *point;
    size_t points, room;
    uint64_t at_us; /* time of the latest key */
    bool begun;
};

struct write_1996 {
    struct writer *writer;
    enum format format;
    char judge[HISTORY_WORD + 1]; /* judge of the current section */
    bool headed;                  /* the part's judge line is written */
    struct line_1996 line[SIDES][PARTIES];
};

/* Writes a name, with parentheses for brackets, since the format puts brackets around names. */
static void put_plain(struct writer *writer, const char *name)
{
    for (size_t left = strlen(name), taken; left; name += taken, left -= taken) {
        uint32_t point;
        taken = utf8_decode((const uint8_t *)name, left, &point);
        writer_point(writer, point == '[' ? '(' : point == ']' ? ')' : point);
    }
}

static void put_judge(struct writer *writer, const char *judge)
{
    writer_text(writer, "JUDGE");
    if (strlen(judge) == 1 && judge[0] >= '0' && judge[0] <= '9')
        writer_text(writer, "0");
    put_plain(writer, judge);
}

static void put_clock(struct writer *writer, uint64_t us)
{
    uint64_t second = us / 1000000u % DAY_S;
    writer_number(writer, second / 3600u, 2);
    writer_text(writer, ":");
    writer_number(writer, second / 60u % 60u, 2);
    writer_text(writer, ":");
    writer_number(writer, second % 60u, 2);
}

static void put_section(struct write_1996 *w)
{
    writer_text(w->writer, w->format == FORMAT_2002 ? "***" : "*** ");
    put_judge(w->writer, w->judge);
    writer_text(w->writer, w->format == FORMAT_2002 ? "***" : " ***");
    writer_end_line(w->writer);
    w->headed = true;
}

/* Begins a section before the first line of a part, and before a line "@@nn" of another judge,
 * which belongs to that judge (spec 1a). A part without a known judge takes the number from such a
 * line, if it comes first. */
static void put_sections(struct write_1996 *w, uint8_t newcomer)
{
    if (!w->headed && (newcomer == 0 || w->judge[0]))
        put_section(w);
    if (newcomer == 0)
        return;
    snprintf(w->judge, sizeof w->judge, "%u", newcomer - 1u);
    put_section(w);
}

/* True for lines that the example of spec 2e omits, against its text: the judge's empty line, which
 * ends a turn (1d), and the line with the judge's number (1a). */
static bool is_left_out(const struct write_1996 *w, enum party party, const struct line_1996 *line,
                        uint8_t newcomer)
{
    return w->format == FORMAT_PRINTED && party == PARTY_JUDGE &&
           (line->points == 0 || newcomer ||
            (line->points == 4 && line->point[0] == '@' && line->point[1] == '@' &&
             line->point[2] >= '0' && line->point[2] <= '9' && line->point[3] >= '0' &&
             line->point[3] <= '9' &&
             (line->point[2] - '0') * 10 + line->point[3] - '0' == number_of(w->judge)));
}

static void put_line(struct write_1996 *w, enum party party, struct line_1996 *line,
                     uint8_t newcomer)
{
    put_sections(w, newcomer);
    if (is_left_out(w, party, line, newcomer)) {
        line->points = 0;
        line->begun = false;
        return;
    }
    if (party == PARTY_JUDGE)
        put_judge(w->writer, w->judge);
    else
        writer_text(w->writer, "PROGRAM");
    writer_text(w->writer, "[");
    put_clock(w->writer, line->at_us);
    writer_text(w->writer, w->format == FORMAT_2002 ? "] " : "]");
    for (size_t i = 0; i < line->points; i++)
        writer_point(w->writer, line->point[i]);
    writer_end_line(w->writer);
    line->points = 0;
    line->begun = false;
}

static enum bl_status put_key(struct write_1996 *w, const struct history_key *key, uint8_t newcomer)
{
    struct line_1996 *line = &w->line[key->side][key->party];
    line->at_us = key->posted_us;
    if (key->point == KEY_RETURN) {
        put_line(w, (enum party)key->party, line, newcomer);
        return BL_OK;
    }
    uint32_t *more = growing_array(line->point, line->points, &line->room, sizeof *more);
    if (!more)
        return BL_NOMEM;
    line->point = more;
    line->point[line->points++] = key->point;
    line->begun = true;
    return BL_OK;
}

/* Writes lines without Return last, by time. */
static void put_rest(struct write_1996 *w)
{
    for (;;) {
        struct line_1996 *first = NULL;
        enum party of = PARTY_JUDGE;
        for (unsigned i = 0; i < SIDES * PARTIES; i++) {
            struct line_1996 *line = &w->line[i / PARTIES][i % PARTIES];
            if (line->begun && (!first || line->at_us < first->at_us)) {
                first = line;
                of = (enum party)(i % PARTIES);
            }
        }
        if (!first)
            return;
        put_line(w, of, first, 0);
    }
}

static void put_name(struct writer *writer, const char *name)
{
    writer_text(writer, "[");
    put_plain(writer, name);
    writer_text(writer, "]");
}

/* True if the run's header has fields of these formats. */
static bool begins_run(const struct history *history, size_t part)
{
    const struct history_part *this = &history->part[part], *last = this - 1;
    return part == 0 || this->start_us != last->start_us ||
           strcmp(this->notice, last->notice) != 0 ||
           strcmp(this->contestant, last->contestant) != 0;
}

/* The start of the run that begins with part `run`. If unknown, the time of the run's earliest key,
 * for finding each line's day. */
static uint64_t start_of(const struct history *history, size_t run)
{
    size_t end = run + 1;
    uint64_t us = UINT64_MAX;
    if (run >= history->parts)
        return 0;
    if (history->part[run].start_us)
        return history->part[run].start_us;
    while (end < history->parts && !begins_run(history, end))
        end++;
    for (size_t i = 0; i < history->keys; i++) {
        const struct history_key *key = &history->key[i];
        if (key->part >= run && key->part < end && key->posted_us < us)
            us = key->posted_us;
    }
    return us == UINT64_MAX ? 0 : us;
}

static void put_header(struct writer *writer, const struct history *history, size_t run,
                       enum format format)
{
    const char *notice = history_field_of(history, run, FIELD_NOTICE);
    uint64_t us = start_of(history, run);
    uint64_t days, year = 1970;
    unsigned month = 12;
    if (format == FORMAT_2004)
        writer_text(writer, PUBLIC_DOMAIN);
    else
        writer_text(writer, notice[0] ? notice : format == FORMAT_2003 ? NOTICE_2003 : NOTICE);
    writer_end_line(writer);
    put_name(writer, history_field_of(history, run, FIELD_PROGRAM));
    writer_text(writer, " ");
    put_name(writer, history_field_of(history, run, FIELD_CONTESTANT));
    writer_end_line(writer);
    days = us / 1000000u / DAY_S;
    year += days / 366u;
    while (days_of((unsigned)year + 1, 1, 1) <= days)
        year++;
    while (days_of((unsigned)year, month, 1) > days)
        month--;
    writer_text(writer, "Start at: [");
    writer_number(writer, year, 4);
    writer_text(writer, "/");
    writer_number(writer, month, 2);
    writer_text(writer, "/");
    writer_number(writer, days - days_of((unsigned)year, month, 1) + 1, 2);
    writer_text(writer, " ");
    put_clock(writer, us);
    writer_text(writer, "]");
    writer_end_line(writer);
}

enum bl_status write_1996(struct writer *writer, const struct history *history, enum format format)
{
    struct write_1996 w = {.writer = writer, .format = format};
    struct standing standing;
    enum bl_status status = history_standing(history, &standing);
    uint8_t *newcomer = NULL;
    size_t at = 0;
    if (status == BL_OK)
        status = history_newcomers(history, &standing, &newcomer);
    if (history->parts == 0)
        put_header(writer, history, 0, format);
    for (size_t i = 0; i < history->parts && status == BL_OK; i++) {
        if (begins_run(history, i))
            put_header(writer, history, i, format);
        memcpy(w.judge, history->part[i].judge, sizeof w.judge);
        w.headed = false;
        for (; status == BL_OK && at < history->keys && history->key[at].part == i; at++)
            if (standing_is(&standing, at + 1))
                status = put_key(&w, &history->key[at], newcomer[at]);
        put_rest(&w);
        if (!w.headed)
            put_section(&w);
    }
    for (unsigned i = 0; i < SIDES * PARTIES; i++)
        free(w.line[i / PARTIES][i % PARTIES].point);
    free(newcomer);
    standing_free(&standing);
    return status;
}
