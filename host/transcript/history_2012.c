/* 2012 and 2013: four header lines, then "J1 013370152380273400 judge left H". 2012 writes the
 * program's name with the keys of both entities; 2013 writes "human" with the confederate's. In
 * 2013 a restarted program had a new log with a shorter header: "Transcripts of *restarted* program
 * NAME" and "Left=program". */
#include "transcript/history_private.h"

#include "transcript/words.h"

#include <string.h>

#define PUBLIC_DOMAIN "These transcripts are in the public domain"
#define HUMAN         "human"
#define RESTARTED     "Transcripts of *restarted* program "

struct read_2012 {
    enum format format;
    bool titled, public, named, placed; /* header lines read so far */
    bool record;                        /* a record was read, so the header is complete */
};

/* Reads "Transcripts of judge 1 program NAME round 2", after its first words. */
static void read_names(struct reader *reader, struct piece rest)
{
    struct piece judge, program;
    reader_part(reader, NULL);
    if (!piece_until(&rest, " program ", &judge) || !piece_until_last(&rest, " round ", &program)) {
        reader_fault_quoted(reader, FAULT_FIELD,
                            "it should be \"Transcripts of judge J program NAME round R\"");
        return;
    }
    reader_want(reader, FIELD_JUDGE, judge.text, judge.length);
    reader_want(reader, FIELD_PROGRAM, program.text, program.length);
    reader_want(reader, FIELD_ROUND, rest.text, rest.length);
}

static void read_restarted(struct reader *reader, struct piece program)
{
    struct history_part *part;
    reader_part(reader, NULL);
    part = reader_last_part(reader);
    if (!part)
        return;
    part->restarted = true;
    reader_want(reader, FIELD_PROGRAM, program.text, program.length);
}

static void read_left(struct reader *reader, struct piece who)
{
    struct history_part *part = reader_last_part(reader);
    while (who.length && who.text[who.length - 1] == ' ')
        who.length--;
    while (who.length && who.text[0] == ' ')
        piece_skip(&who, " ");
    if (!part)
        return;
    part->left = (uint8_t)who_of_name(&who);
    if (part->left == WHO_UNKNOWN)
        reader_fault_quoted(reader, FAULT_FIELD,
                            "it should be \"Left =human\" or \"Left =program\"");
}

/* True if the line begins like a record. */
static bool is_record(struct piece line)
{
    struct piece judge, stamp;
    uint64_t us;
    return piece_skip(&line, "J") && piece_until(&line, " ", &judge) &&
           piece_until(&line, " ", &stamp) && stamp_read(&stamp, &us);
}

/* True for the first line of a header. A file may have several headers, for sessions or
 * contests. */
static bool is_title(const struct reader *reader, const struct read_2012 *state, struct piece line)
{
    if (is_record(line))
        return false;
    return reader->number == 1 || (state->titled && piece_is(&line, reader->head.title)) ||
           textfile_peek(&reader->lines, 0, PUBLIC_DOMAIN);
}

static bool read_header(struct reader *reader, struct read_2012 *state)
{
    struct piece line = {reader->line, reader->length};
    if (piece_is(&line, PUBLIC_DOMAIN)) {
        state->public = true;
    } else if (piece_skip(&line, "Transcripts of judge ")) {
        read_names(reader, line);
        state->named = true;
    } else if (state->format == FORMAT_2013 && piece_skip(&line, RESTARTED)) {
        read_restarted(reader, line);
        state->named = true;
    } else if (piece_skip(&line, "Left =") || piece_skip(&line, "Left=")) {
        read_left(reader, line);
        state->placed = true;
    } else if (is_title(reader, state, line)) {
        if (line.length == 0)
            reader_fault(reader, FAULT_FIELD, "empty in the header: the title");
        reader_head(reader, FIELD_TITLE, line.text, line.length);
        state->titled = true;
    } else {
        return false;
    }
    return true;
}

static void end_header(struct reader *reader, struct read_2012 *state)
{
    if (state->record)
        return;
    state->record = true;
    if (!state->titled)
        reader_fault(reader, FAULT_HEADER, "the header's line with the contest is missing");
    if (!state->public)
        reader_fault(reader, FAULT_HEADER, "the line \"" PUBLIC_DOMAIN "\" is missing");
    if (!state->named)
        reader_fault(reader, FAULT_HEADER, "the line \"Transcripts of judge\" is missing");
    if (!state->placed)
        reader_fault(reader, FAULT_HEADER, "the line \"Left =\" is missing");
}

/* True for "entity", and for the name of the part's program in the writer's spelling. */
static bool is_program(const struct history_part *part, const struct piece *who)
{
    const char *name = part->program;
    if (piece_is(who, "entity"))
        return true;
    if (strlen(name) != who->length)
        return false;
    for (size_t i = 0; i < who->length; i++)
        if (who->text[i] != (name[i] == ' ' ? '_' : name[i]))
            return false;
    return true;
}

static void check_judge(struct reader *reader, struct history_part *part, const struct piece *judge)
{
    const bool told = part->restarted &&
                      !part->judge[0]; /* a restarted program's header does not name the judge */
    if (piece_is(judge, part->judge))
        return;
    if (!part->judge[0] && judge->length)
        reader_set(reader, FIELD_JUDGE, judge->text, judge->length);
    if (!told)
        reader_fault_quoted(reader, FAULT_WHO, "the header names another judge");
}

static void check_program(struct reader *reader, struct history_part *part, const struct piece *who)
{
    if (is_program(part, who))
        return;
    if (!part->program[0])
        reader_set(reader, FIELD_PROGRAM, who->text, who->length);
    reader_fault_quoted(reader, FAULT_WHO, "the header names another program");
}

/* Checks in 2013, where each key of the confederate is marked, that the mark agrees with the key's
 * side. */
static void check_side(struct reader *reader, struct history_part *part, enum side side, bool human)
{
    const enum history_who left = (side == SIDE_LEFT) == human ? WHO_HUMAN : WHO_PROGRAM;
    if (part->left == WHO_UNKNOWN && human)
        part->left = (uint8_t)left;
    else if (part->left != WHO_UNKNOWN && part->left != left)
        reader_fault_quoted(reader, FAULT_WHO, "the header has the human at the other side");
}

static void read_line(struct reader *reader, enum format format)
{
    struct piece rest = {reader->line, reader->length}, judge, stamp, who, side;
    struct history_part *part = reader_last_part(reader);
    struct history_key key = {.posted_us = 0};
    enum side where;
    if (!part)
        return;
    if (!piece_skip(&rest, "J") || !piece_until(&rest, " ", &judge) ||
        !piece_until(&rest, " ", &stamp) || !piece_until(&rest, " ", &who) ||
        !piece_until(&rest, " ", &side)) {
        reader_bad(reader, "a record is \"J1 TIME judge left KEY\"");
        return;
    }
    if (!stamp_read(&stamp, &key.posted_us) || !words_find_side(side.text, side.length, &where)) {
        reader_bad(reader, "a record has a time of 18 digits, and left or right");
        return;
    }
    key.side = (uint8_t)where;
    key.party = piece_is(&who, "judge") ? PARTY_JUDGE : PARTY_ENTITY;
    if (!reader_keyname(reader, &rest, &key))
        return;
    check_judge(reader, part, &judge);
    if (key.party == PARTY_ENTITY) {
        const bool human = format == FORMAT_2013 && piece_is(&who, HUMAN);
        if (!human)
            check_program(reader, part, &who);
        if (format == FORMAT_2013)
            check_side(reader, part, where, human);
    }
    reader_key(reader, &key);
}

void read_2012(struct reader *reader, enum format format)
{
    struct read_2012 state = {.format = format};
    reader->history->back_over_return = true;
    while (reader_next(reader)) {
        if (read_header(reader, &state))
            continue;
        if (reader->length == 0 && reader->ended) {
            reader_fault(reader, FAULT_FIELD, "an empty line");
            continue;
        }
        end_header(reader, &state);
        read_line(reader, format);
    }
    end_header(reader, &state);
}

static void write_header(struct writer *writer, const struct history_part *part, enum format format)
{
    const bool restarted = part->restarted && format == FORMAT_2013;
    writer_text(writer, part->title);
    writer_end_line(writer);
    writer_text(writer, PUBLIC_DOMAIN);
    writer_end_line(writer);
    if (restarted) {
        writer_text(writer, RESTARTED);
        writer_word(writer, part->program, "");
    } else {
        writer_text(writer, "Transcripts of judge ");
        writer_text(writer, part->judge);
        writer_text(writer, " program ");
        writer_word(writer, part->program, "");
        writer_text(writer, " round ");
        writer_text(writer, part->round);
    }
    writer_end_line(writer);
    writer_text(writer, restarted ? "Left=" : "Left =");
    writer_text(writer, history_who_name((enum history_who)part->left));
    writer_text(writer, restarted ? "" : " ");
    writer_end_line(writer);
}

/* Writes the party of a key in the words of the year. */
static void write_who(struct writer *writer, const struct history_part *part,
                      const struct history_key *key, enum format format)
{
    const enum side human = part->left == WHO_HUMAN ? SIDE_LEFT : SIDE_RIGHT;
    if (key->party == PARTY_JUDGE)
        writer_text(writer, "judge");
    else if (format == FORMAT_2013 && part->left != WHO_UNKNOWN && key->side == human)
        writer_text(writer, HUMAN);
    else /* a program may have any name */
        writer_word(writer,
                    strcmp(part->program, "judge") == 0 || strcmp(part->program, HUMAN) == 0
                        ? ""
                        : part->program,
                    "entity");
}

enum bl_status write_2012(struct writer *writer, const struct history *history, enum format format)
{
    static const struct history_part nobody;
    size_t at = 0;
    if (history->parts == 0)
        write_header(writer, &nobody, format);
    for (size_t i = 0; i < history->parts; i++) {
        const struct history_part *part = &history->part[i];
        write_header(writer, part, format);
        for (; at < history->keys && history->key[at].part == i; at++) {
            const struct history_key *key = &history->key[at];
            writer_text(writer, "J");
            writer_text(writer, part->judge);
            writer_text(writer, " ");
            writer_stamp(writer, key->posted_us);
            writer_text(writer, " ");
            write_who(writer, part, key, format);
            writer_text(writer, " ");
            writer_text(writer, words_side((enum side)key->side));
            writer_text(writer, " ");
            writer_keyname(writer, key);
            writer_end_line(writer);
        }
    }
    return BL_OK;
}
