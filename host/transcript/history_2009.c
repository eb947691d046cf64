/* 2009: no header; a line with one star for each round, a line with two stars for each subround,
 * and a record for each key. Only printed excerpts of such records are known. */
#include "transcript/history_private.h"

#include <string.h>

/* Reads "P3 human H2 judge J2 left is P3 right is Human", or "... other is P3", into the last
 * part. */
static bool read_names(struct reader *reader, struct piece rest, struct piece *who)
{
    struct piece program, human, judge;
    bool round = true;
    if (!piece_until(&rest, " human ", &program) || !piece_until(&rest, " judge ", &human))
        return false;
    if (!piece_until(&rest, " left is ", &judge)) {
        round = false;
        if (!piece_until(&rest, " other is ", &judge))
            return false;
    }
    *who = rest;
    if (round && !piece_until(&rest, " right is ", who))
        return false;
    piece_skip(&program, "P");
    piece_skip(&human, "H");
    piece_skip(&judge, "J");
    reader_want(reader, FIELD_PROGRAM, program.text, program.length);
    reader_want(reader, FIELD_HUMAN, human.text, human.length);
    reader_want(reader, FIELD_JUDGE, judge.text, judge.length);
    return true;
}

static void check_who(struct reader *reader, enum history_who who)
{
    if (who == WHO_UNKNOWN)
        reader_fault_quoted(reader, FAULT_FIELD, "it does not say where the human is");
}

static void read_round(struct reader *reader, struct piece rest)
{
    struct piece round, left;
    struct history_part *part;
    reader_part(reader, NULL);
    if (!piece_until(&rest, " program ", &round) || !read_names(reader, rest, &left)) {
        reader_fault_quoted(reader, FAULT_FIELD,
                            "it should be \"*Starting round R program P human H judge J "
                            "left is P right is Human\"");
        return;
    }
    reader_want(reader, FIELD_ROUND, round.text, round.length);
    part = reader_last_part(reader);
    if (part)
        part->left = (uint8_t)who_of_name(&left);
    check_who(reader, who_of_name(&left));
}

/* Reads the line of a subround. fresh: the line before began the round. */
static void read_subround(struct reader *reader, struct piece rest, bool fresh)
{
    struct piece subround, other;
    struct history_part *part = reader_last_part(reader), like;
    if (!part)
        return;
    if (!fresh) {
        like = *part;
        reader_part(reader, &like);
        part = reader_last_part(reader);
    }
    if (!piece_until(&rest, " program ", &subround) || !read_names(reader, rest, &other)) {
        reader_fault_quoted(reader, FAULT_FIELD,
                            "it should be \"**Starting subround S program P human H judge J "
                            "other is P\"");
        return;
    }
    reader_want(reader, FIELD_SUBROUND, subround.text, subround.length);
    part->other = (uint8_t)who_of_name(&other);
    check_who(reader, who_of_name(&other));
}

void read_2009(struct reader *reader, enum format format)
{
    bool begun = false, fresh = false;
    (void)format;
    reader->history->back_over_return = true;
    while (reader_next(reader)) {
        struct piece line = {reader->line, reader->length};
        if (line.length && line.text[0] == '*') {
            reader->trailing += line.text[line.length - 1] == ' ';
            while (line.text[line.length - 1] == ' ')
                line.length--;
        }
        if (piece_skip(&line, "*Starting round ")) {
            read_round(reader, line);
            begun = fresh = true;
        } else if (piece_skip(&line, "**Starting subround ")) {
            if (!begun)
                reader_fault(reader, FAULT_HEADER, "the line \"*Starting round\" is missing");
            read_subround(reader, line, fresh || reader->history->parts == 0);
            begun = true;
            fresh = false;
        } else {
            if (!begun)
                reader_fault(reader, FAULT_HEADER, "the line \"*Starting round\" is missing");
            begun = true;
            fresh = false;
            read_record(reader);
        }
    }
    if (!begun)
        reader_fault(reader, FAULT_HEADER, "the line \"*Starting round\" is missing");
    reader->number = 0;
    if (reader->trailing)
        reader_fault(reader, FAULT_FIELD, "blanks at the ends of lines: they are not kept");
}

static void write_names(struct writer *writer, const struct history_part *part)
{
    writer_text(writer, " program P");
    writer_word(writer, part->program, "");
    writer_text(writer, " human H");
    writer_text(writer, part->human);
    writer_text(writer, " judge J");
    writer_text(writer, part->judge);
}

static void write_who(struct writer *writer, const struct history_part *part, enum history_who who)
{
    switch (who) {
    case WHO_UNKNOWN:
        writer_text(writer, "?");
        break;
    case WHO_HUMAN:
        writer_text(writer, "Human");
        break;
    case WHO_PROGRAM:
        writer_text(writer, "P");
        writer_word(writer, part->program, "");
        break;
    }
}

static enum history_who opposite(enum history_who who)
{
    return who == WHO_HUMAN ? WHO_PROGRAM : who == WHO_PROGRAM ? WHO_HUMAN : WHO_UNKNOWN;
}

static bool is_same_round(const struct history_part *a, const struct history_part *b)
{
    return strcmp(a->round, b->round) == 0 && strcmp(a->program, b->program) == 0 &&
           strcmp(a->human, b->human) == 0 && strcmp(a->judge, b->judge) == 0 && a->left == b->left;
}

enum bl_status write_2009(struct writer *writer, const struct history *history, enum format format)
{
    size_t at = 0;
    (void)format;
    for (size_t i = 0; i < history->parts; i++) {
        const struct history_part *part = &history->part[i];
        /* A further subround of a round has no line for the round. */
        if (i == 0 || !part->subround[0] || !part[-1].subround[0] ||
            !is_same_round(part, &part[-1])) {
            writer_text(writer, "*Starting round ");
            writer_text(writer, part->round);
            write_names(writer, part);
            writer_text(writer, " left is ");
            write_who(writer, part, (enum history_who)part->left);
            writer_text(writer, " right is ");
            write_who(writer, part, opposite((enum history_who)part->left));
            writer_end_line(writer);
        }
        if (part->subround[0]) {
            writer_text(writer, "**Starting subround ");
            writer_text(writer, part->subround);
            write_names(writer, part);
            writer_text(writer, " other is ");
            write_who(writer, part, (enum history_who)part->other);
            writer_end_line(writer);
        }
        for (; at < history->keys && history->key[at].part == i; at++)
            write_record(writer, history, &history->key[at]);
    }
    return BL_OK;
}
