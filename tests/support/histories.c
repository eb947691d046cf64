#include "tests/support/histories.h"

#include "base/cp1252.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NOTICE "(c)1995 Cambridge Center For Behavioral Studies all rights reserved"

void text_free(struct text *text)
{
    free(text->bytes);
    memset(text, 0, sizeof *text);
}

static void text_write(void *ctx, const char *bytes, size_t length)
{
    struct text *text = ctx;
    while (text->length + length + 1 > text->room) {
        text->room = text->room ? text->room * 2 : 4096;
        text->bytes = realloc(text->bytes, text->room);
        if (!text->bytes)
            abort();
    }
    memcpy(text->bytes + text->length, bytes, length);
    text->length += length;
    text->bytes[text->length] = '\0';
}

struct out text_out(struct text *text)
{
    return (struct out){.write = text_write, .ctx = text};
}

void histories_write(enum format format, const struct history *history, struct text *text)
{
    const struct out out = text_out(text);
    text->length = 0;
    text_write(text, "", 0);
    if (format_write(format, history, &out) != BL_OK)
        abort();
}

void histories_read(enum format format, const char *bytes, size_t length, struct history *history)
{
    memset(history, 0, sizeof *history);
    if (format_read(format, (const uint8_t *)bytes, length, history) != BL_OK)
        abort();
}

/* Letters of names; Windows-1252 ones that are never UTF-8 in a row. */
static void make_name(struct dice *dice, char *name, size_t most, bool blanks)
{
    static const char *const letters[] = {"a", "J", "7", "-", "\xC3\xA9", "P", "H", "_", " ", "["};
    size_t length = dice_below(dice, most);
    name[0] = '\0';
    for (size_t i = 0; i < length; i++)
        strcat(name, letters[dice_below(dice, blanks ? 10 : 8)]);
}

/* The header of a run. */
static void make_run(struct dice *dice, struct history_part *part, uint64_t now_us)
{
    make_name(dice, part->title, 30, true);
    make_name(dice, part->contestant, 12, true);
    if (dice_below(dice, 2)) {
        strcpy(part->notice, dice_below(dice, 2) ? "(c) " : "(c) 2");
        strcpy(part->header2, "second line");
        strcpy(part->header3, "third line");
        part->start_us = now_us - 60000000u;
    }
}

static void copy_run(struct history_part *to, const struct history_part *from)
{
    memcpy(to->title, from->title, sizeof to->title);
    memcpy(to->notice, from->notice, sizeof to->notice);
    memcpy(to->contestant, from->contestant, sizeof to->contestant);
    memcpy(to->header2, from->header2, sizeof to->header2);
    memcpy(to->header3, from->header3, sizeof to->header3);
    to->start_us = from->start_us;
}

static bool differ_runs(const struct history_part *a, const struct history_part *b)
{
    return strcmp(a->title, b->title) != 0 || strcmp(a->notice, b->notice) != 0 ||
           strcmp(a->contestant, b->contestant) != 0 || strcmp(a->header2, b->header2) != 0 ||
           strcmp(a->header3, b->header3) != 0 || a->start_us != b->start_us;
}

static void make_part(struct dice *dice, struct history *history, uint64_t now_us)
{
    struct history_part part = {.left = (uint8_t)dice_below(dice, 3)};
    if (history->parts == 0 || dice_below(dice, 3) == 0)
        make_run(dice, &part, now_us);
    else
        copy_run(&part, &history->part[history->parts - 1]);
    make_name(dice, part.program, 12, true);
    make_name(dice, part.judge, 3, false);
    make_name(dice, part.round, 3, false);
    make_name(dice, part.human, 3, false);
    part.restarted = dice_below(dice, 5) == 0;
    if (dice_below(dice, 2)) {
        make_name(dice, part.subround, 3, false);
        strcat(part.subround, "1");
        part.other = (uint8_t)dice_below(dice, 3);
    }
    if (history->parts && !differ_runs(&part, &history->part[history->parts - 1]) &&
        dice_below(dice, 3) == 0) {
        /* Another subround of the same round. */
        struct history_part same = history->part[history->parts - 1];
        memcpy(same.subround, part.subround, sizeof same.subround);
        same.other = part.other;
        part = same;
    }
    if (history_add_part(history, &part) != BL_OK)
        abort();
}

static uint32_t make_point(struct dice *dice, bool cp1252)
{
    static const uint32_t some[] = {KEY_RETURN, KEY_BACKSPACE, KEY_TAB, ' ',     0xE9,
                                    0x20AC,     0xDF,          0x4E2D,  0x1F600, 0x301};
    uint64_t roll = dice_below(dice, 30);
    if (roll < (cp1252 ? 8 : 10))
        return some[roll];
    return (uint32_t)(0x20 + dice_below(dice, 0x5F));
}

/* What the formats of lines could take for a judge's line of their own: "@@nn" and Returns, and the
 * line itself. With a key of the other party now and then. */
static void make_judge(struct dice *dice, struct history *history, struct history_key key)
{
    static const char *const texts[] = {
        "@@04\r\r", "@@04\r\r",          "@@07\r\r",        "@@77\r\r",           "@@04\r",
        "@@x4\r\r", "*** JUDGE04 ***\r", "***JUDGE04***\r", "*** JUDGE04 ***\r\r"};
    const char *text = texts[dice_below(dice, sizeof texts / sizeof *texts)];
    for (size_t i = 0; text[i]; i++) {
        struct history_key other = key;
        other.party = key.party == PARTY_JUDGE ? PARTY_ENTITY : PARTY_JUDGE;
        key.point = text[i] == '\r' ? KEY_RETURN : (uint32_t)(uint8_t)text[i];
        other.point = dice_below(dice, 2) ? KEY_RETURN : 'x';
        if (history_add_key(history, &key) != BL_OK ||
            (dice_below(dice, 20) == 0 && history_add_key(history, &other) != BL_OK))
            abort();
    }
}

/* As a round of 2016 is. */
static void make_untimed(struct history *history)
{
    for (size_t i = 0; i < history->parts; i++)
        history->part[i].start_us = 0;
    for (size_t i = 0; i < history->keys; i++)
        history->key[i].posted_us = history->key[i].pressed_us = 0;
}

void histories_make(struct dice *dice, struct history *history)
{
    uint64_t now_us = 1252281590000000u + dice_below(dice, 20000000u); /* before midnight */
    size_t parts = 1 + dice_below(dice, 4);
    memset(history, 0, sizeof *history);
    history->eol = (enum history_eol)dice_below(dice, 4);
    history->encoding = (enum history_encoding)dice_below(dice, 2);
    history->back_over_return = dice_below(dice, 2);
    for (size_t i = 0; i < parts; i++) {
        size_t keys = dice_below(dice, 40);
        make_part(dice, history, now_us);
        for (size_t k = 0; k < keys; k++) {
            const bool judge = dice_below(dice, k == 0 ? 4 : 25) == 0;
            struct history_key key = {.posted_us = now_us,
                                      .point = make_point(dice, history->encoding),
                                      .part = (uint16_t)i,
                                      .side = (uint8_t)dice_below(dice, SIDES),
                                      .party = (uint8_t)dice_below(dice, PARTIES)};
            key.blank = key.point == ' ' && dice_below(dice, 2);
            if (dice_below(dice, 2))
                key.pressed_us = now_us - dice_below(dice, 100000);
            if (history_add_key(history, &key) != BL_OK)
                abort();
            if (key.point == KEY_RETURN && dice_below(dice, 3) == 0) {
                key.point = KEY_BACKSPACE;
                if (history_add_key(history, &key) != BL_OK)
                    abort();
            }
            key.blank = false;
            if (judge)
                make_judge(dice, history, key);
            now_us += dice_below(dice, 3000000u);
            if (dice_below(dice, 20) == 0)
                now_us -= 4000000u;
        }
    }
    if (dice_below(dice, 8) == 0)
        make_untimed(history);
}

static bool lacks(enum format format, enum loss loss)
{
    return format_row(format)->cannot & 1u << loss;
}

static bool is_of_lines(enum format format)
{
    return format <= FORMAT_2004;
}

/* é is two bytes of UTF-8 in a name, and there is nothing beyond Windows-1252. */
static void strip_words(enum format format, char *name)
{
    for (; *name; name++) {
        if (is_of_lines(format))
            *name = *name == '[' ? '(' : *name == ']' ? ')' : *name;
        else if (*name == ' ')
            *name = '_';
    }
}

/* The program that the header above part `at` names. */
static const char *program_of_run(const struct history *from, size_t at)
{
    while (at > 0 && from->part[at].start_us == from->part[at - 1].start_us &&
           strcmp(from->part[at].notice, from->part[at - 1].notice) == 0 &&
           strcmp(from->part[at].contestant, from->part[at - 1].contestant) == 0)
        at--;
    return from->part[at].program;
}

/* The formats of lines say a start in any case: the run's earliest key's. */
static uint64_t start_of_run(const struct history *from, size_t at)
{
    const char *program = program_of_run(from, at);
    uint64_t first_us = UINT64_MAX;
    if (from->part[at].start_us)
        return from->part[at].start_us;
    for (size_t i = 0; i < from->keys; i++)
        if (program_of_run(from, from->key[i].part) == program && from->key[i].posted_us < first_us)
            first_us = from->key[i].posted_us;
    return first_us == UINT64_MAX ? 0 : first_us;
}

static void strip_run(enum format format, const struct history *from, size_t at,
                      struct history_part *part)
{
    if (lacks(format, LOSS_TITLE))
        part->title[0] = '\0';
    if (lacks(format, LOSS_NOTICE))
        part->notice[0] = '\0';
    if (lacks(format, LOSS_HEADERS))
        part->header2[0] = part->header3[0] = '\0';
    if (lacks(format, LOSS_CONTESTANT))
        part->contestant[0] = '\0';
    if (lacks(format, LOSS_START))
        part->start_us = 0;
    if (!is_of_lines(format))
        return;
    strip_words(format, part->contestant);
    part->start_us = start_of_run(from, at) / 1000000u * 1000000u;
    if (format != FORMAT_2004 && !part->notice[0])
        strcpy(part->notice, NOTICE);
}

static void strip_part(enum format format, const struct history *from, size_t at,
                       struct history_part *part)
{
    bool empty = true;
    strip_run(format, from, at, part);
    for (size_t i = 0; i < from->keys; i++)
        empty = empty && from->key[i].part != at;
    if (lacks(format, LOSS_PROGRAMS))
        memcpy(part->program, program_of_run(from, at), sizeof part->program);
    if (lacks(format, LOSS_WORDS))
        strip_words(format, part->program);
    if (lacks(format, LOSS_EMPTY) && empty)
        part->judge[0] = '\0';
    if (lacks(format, LOSS_ROUND))
        part->round[0] = '\0';
    if (format == FORMAT_2013 && part->restarted) {
        part->round[0] = '\0';
        if (empty)
            part->judge[0] = '\0';
    }
    if (lacks(format, LOSS_RESTARTED))
        part->restarted = false;
    if (lacks(format, LOSS_HUMAN))
        part->human[0] = '\0';
    if (lacks(format, LOSS_LEFT))
        part->left = WHO_UNKNOWN;
    if (lacks(format, LOSS_SUBROUND)) {
        part->subround[0] = '\0';
        part->other = WHO_UNKNOWN;
    }
}

/* Does key number at stand: is it one, and has nothing later taken it back? Found by looking ahead:
 * of its party's later keys as many come as are taken back before it is. */
static bool stands(const struct history *from, size_t at)
{
    const struct history_key *key = &from->key[at];
    size_t above = 0;
    if (key->point == KEY_BACKSPACE)
        return false;
    for (size_t i = at + 1; i < from->keys; i++) {
        const struct history_key *next = &from->key[i];
        if (next->part != key->part || next->side != key->side || next->party != key->party)
            continue;
        if (next->point != KEY_BACKSPACE) {
            if (next->point == KEY_RETURN && !from->back_over_return)
                return true; /* nothing gets past it */
            above++;
        } else if (above) {
            above--;
        } else if (key->point != KEY_RETURN || from->back_over_return) {
            return false;
        }
    }
    return true;
}

/* A line as a screen shows it: the keys that stand, and one time. */
struct shown {
    enum party party;
    uint64_t at_us;
    bool cut; /* it had no Return */
    uint32_t *point;
    size_t points; /* the Return counted */
};

/* The lines of a part, in the order of their ends; to be freed. */
static struct shown *show_lines(const struct history *from, size_t part, size_t *lines)
{
    struct shown *shown = calloc(from->keys + SIDES * PARTIES, sizeof *shown);
    struct shown open[SIDES * PARTIES] = {{0}};
    *lines = 0;
    for (size_t i = 0; i <= from->keys; i++) {
        bool last = i == from->keys;
        size_t who;
        struct history_key key;
        if (last) {
            /* What is left over, the earliest first. */
            who = SIDES * PARTIES;
            for (size_t w = 0; w < SIDES * PARTIES; w++)
                if (open[w].points && (who == SIDES * PARTIES || open[w].at_us < open[who].at_us))
                    who = w;
            if (who == SIDES * PARTIES)
                break;
            i--;
            key = (struct history_key){.point = KEY_RETURN, .posted_us = open[who].at_us};
        } else {
            key = from->key[i];
            if (key.part != part || !stands(from, i))
                continue;
            who = key.side * PARTIES + key.party;
        }
        if (!open[who].point)
            open[who].point = calloc(from->keys + 1, sizeof *open[who].point);
        open[who].at_us = key.posted_us;
        open[who].point[open[who].points++] = key.point;
        if (key.point != KEY_RETURN)
            continue;
        shown[*lines] = open[who];
        shown[*lines].party = (enum party)(who % PARTIES);
        shown[(*lines)++].cut = last;
        open[who] = (struct shown){0};
    }
    return shown;
}

/* The number of the judge who names himself in a line by "@@nn" and two Returns; "" if none does.
 * *end is the line of the second Return. */
static void name_newcomer(const struct shown *shown, size_t lines, size_t at, char number[3],
                          size_t *end)
{
    const uint32_t *point = shown[at].point;
    number[0] = '\0';
    if (shown[at].party != PARTY_JUDGE || shown[at].points != 5 || point[0] != '@' ||
        point[1] != '@')
        return;
    for (*end = at + 1; *end < lines && shown[*end].party != PARTY_JUDGE;)
        ++*end;
    if (*end == lines || shown[*end].points != 1)
        return;
    for (size_t i = 2; i < 4; i++)
        if (point[i] < '0' || point[i] > '9')
            return;
    if (point[2] == '0')
        snprintf(number, 3, "%c", (char)point[3]);
    else
        snprintf(number, 3, "%c%c", (char)point[2], (char)point[3]);
}

/* Puts the lines into the last part, and begins another one where another judge does. */
static void strip_lines(const struct history *from, size_t part, struct history *to)
{
    size_t lines, end = 0, first = 0; /* line of the section */
    struct shown *shown = show_lines(from, part, &lines);
    for (size_t at = 0; at < lines; at++) {
        struct history_part *section = &to->part[to->parts - 1];
        char number[3];
        name_newcomer(shown, lines, at, number, &end);
        if (number[0] && !(at == first && strcmp(section->judge, number) == 0) &&
            !(end + 1 == lines && part + 1 < from->parts &&
              strcmp(from->part[part + 1].judge, number) == 0)) {
            struct history_part like = *section;
            strcpy(like.judge, number);
            if (at == 0 && !section->judge[0])
                *section = like;
            else if (history_add_part(to, &like) != BL_OK)
                abort();
            first = at;
        }
        for (size_t k = 0; k < shown[at].points; k++) {
            struct history_key key = {.posted_us = shown[at].at_us / 1000000u * 1000000u,
                                      .point = shown[at].point[k],
                                      .part = (uint16_t)(to->parts - 1),
                                      .party = (uint8_t)shown[at].party};
            if (from->encoding == ENCODING_CP1252 && !cp1252_byte(key.point))
                key.point = '?';
            if (history_add_key(to, &key) != BL_OK)
                abort();
        }
    }
    for (size_t at = 0; at < lines; at++)
        free(shown[at].point);
    free(shown);
}

void histories_strip(enum format format, const struct history *from, struct history *to)
{
    memset(to, 0, sizeof *to);
    to->eol = from->eol;
    to->encoding = from->encoding;
    to->back_over_return = format == FORMAT_2009 || format == FORMAT_2012 ||
                           format == FORMAT_2013 ||
                           (from->back_over_return && format >= FORMAT_KEYS);
    for (size_t i = 0; i < from->parts; i++) {
        struct history_part part = from->part[i];
        strip_part(format, from, i, &part);
        if (history_add_part(to, &part) != BL_OK)
            abort();
        if (is_of_lines(format))
            strip_lines(from, i, to);
    }
    for (size_t i = 0; i < from->keys && !is_of_lines(format); i++) {
        struct history_key key = from->key[i];
        if (lacks(format, LOSS_PRESSED))
            key.pressed_us = 0;
        if (lacks(format, LOSS_BLANK))
            key.blank = false;
        if (history_add_key(to, &key) != BL_OK)
            abort();
    }
}

const char *histories_differ(const struct history *a, const struct history *b)
{
    static char text[200];
    if (a->parts != b->parts || a->keys != b->keys) {
        snprintf(text, sizeof text, "%zu and %zu parts, %zu and %zu keys", a->parts, b->parts,
                 a->keys, b->keys);
        return text;
    }
    for (enum history_field field = 0; field < FIELDS; field++)
        for (size_t part = 0; part == 0 || part < a->parts; part++) {
            const char *one = history_field_of(a, part, field);
            const char *two = history_field_of(b, part, field);
            if (strcmp(one, two) != 0) {
                snprintf(text, sizeof text, "%s of part %zu: \"%.60s\" and \"%.60s\"",
                         history_field_name(field), part, one, two);
                return text;
            }
        }
    for (size_t i = 0; i < a->parts; i++)
        if (a->part[i].start_us != b->part[i].start_us)
            return "start";
    for (size_t i = 0; i < a->parts; i++)
        if (a->part[i].left != b->part[i].left || a->part[i].other != b->part[i].other ||
            a->part[i].restarted != b->part[i].restarted)
            return "who is who";
    for (size_t i = 0; i < a->keys; i++) {
        const struct history_key *x = &a->key[i], *y = &b->key[i];
        if (x->posted_us != y->posted_us || x->pressed_us != y->pressed_us ||
            x->point != y->point || x->part != y->part || x->side != y->side ||
            x->party != y->party || x->blank != y->blank) {
            snprintf(
                text, sizeof text,
                "key %zu of %zu: U+%04X of %d at %d in part %d, and U+%04X of %d at %d in part "
                "%d; times %lld and %lld",
                i, a->keys, x->point, x->party, x->side, x->part, y->point, y->party, y->side,
                y->part, (long long)x->posted_us, (long long)y->posted_us);
            return text;
        }
    }
    return NULL;
}
