#include "rules/ballot_file.h"

#include "base/crc32c.h"
#include "rules/ballot_kind.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define MAGIC           "boothlink-ballot 1"
#define CHECK           10    /* " *0123abcd" */
#define SIGNATURES_MOST 10000 /* most signatures in one file, as each check takes time */

static const char *const words[] = {"draft", "given", "late", "sealed", "signed"};
static const char *const sealings[] = {"session", "contest"};

static size_t end_line(char out[BALLOT_LINE_MAX], int length)
{
    uint32_t crc = crc32c(0, out, (size_t)length);
    return (size_t)(length + snprintf(out + length, BALLOT_LINE_MAX - (size_t)length,
                                      " *%08" PRIx32 "\n", crc));
}

static int write_field(char *out, size_t size, const struct ballot_field *field)
{
    char text[BALLOT_FIELD_LINE + 1];
    ballot_field_print(field, text);
    return snprintf(out, size, " field=%s", text);
}

size_t ballot_head_write(const struct ballot_head *head, char out[BALLOT_LINE_MAX])
{
    int length = snprintf(out, BALLOT_LINE_MAX, MAGIC " session=%s rules=%s sealed=%s",
                          head->session, head->rules, sealings[head->sealing - 1]);
    if (head->contest[0])
        length +=
            snprintf(out + length, BALLOT_LINE_MAX - (size_t)length, " contest=%s", head->contest);
    struct ballot_field own;
    if (ballot_kind_field(head->vote.kind, head->vote.most, &own))
        length += write_field(out + length, BALLOT_LINE_MAX - (size_t)length, &own);
    if (head->vote.kind == BALLOT_SURVEY) /* without kind= a survey's first field could pass for a
                                           * kind's own */
        length += snprintf(out + length, BALLOT_LINE_MAX - (size_t)length, " kind=%s",
                           ballot_kind_name(BALLOT_SURVEY));
    for (unsigned i = 0; i < head->vote.ranks; i++)
        length += snprintf(out + length, BALLOT_LINE_MAX - (size_t)length, " rank=%s:%s",
                           head->item[i].session, head->item[i].side ? "right" : "left");
    for (unsigned i = 0; i < head->vote.asked.count; i++)
        length +=
            write_field(out + length, BALLOT_LINE_MAX - (size_t)length, &head->vote.asked.field[i]);
    if (head->keyed) {
        length += snprintf(out + length, BALLOT_LINE_MAX - (size_t)length, " key=");
        for (unsigned i = 0; i < BALLOT_KEY; i++)
            length +=
                snprintf(out + length, BALLOT_LINE_MAX - (size_t)length, "%02x", head->key[i]);
    }
    return end_line(out, length);
}

size_t ballot_signature_write(const struct ballot_signer *signer, const uint8_t chain[BALLOT_CHAIN],
                              uint64_t at_us, char out[BALLOT_LINE_MAX])
{
    char text[2 * BALLOT_SIGNATURE + 1];
    ballot_sign(signer, chain, text);
    return end_line(out, snprintf(out, BALLOT_LINE_MAX, "%" PRIu64 " %s %s", at_us,
                                  words[BALLOT_SIGNED], text));
}

size_t ballot_line_write(const struct ballot_line *line, const struct vote_rules *rules,
                         char out[BALLOT_LINE_MAX])
{
    char text[VOTE_TEXT_MAX + 1] = "";
    int length;
    if (line->has_vote) {
        vote_format(&line->vote, rules, text);
    } else if (line->word != BALLOT_SEALED) {
        text[0] = '-';
        size_t used = 1 + ballot_values_print(&rules->asked, &line->vote.values, text + 1);
        snprintf(text + used, sizeof text - used, "%s%s", line->vote.notes[0] ? " notes " : "",
                 line->vote.notes);
    }
    length = snprintf(out, BALLOT_LINE_MAX, "%" PRIu64 " %s%s%s", line->at_us, words[line->word],
                      text[0] ? " " : "", text);
    return end_line(out, length);
}

struct span {
    const char *at, *end;
};

static size_t span_length(const struct span *span)
{
    return (size_t)(span->end - span->at);
}

static bool take(struct span *span, const char *text)
{
    size_t length = strlen(text);
    if (span_length(span) < length || memcmp(span->at, text, length) != 0)
        return false;
    span->at += length;
    return true;
}

/* Takes a word, which may not be empty, and the blank after it. */
static bool take_word(struct span *span, struct span *word)
{
    const char *blank = memchr(span->at, ' ', span_length(span));
    word->at = span->at;
    word->end = blank ? blank : span->end;
    span->at = blank ? blank + 1 : span->end;
    return word->at < word->end;
}

/* Finds the index of a word among `count` words. */
static bool take_choice(const struct span *word, const char *const *choice, unsigned count,
                        unsigned *which)
{
    for (unsigned i = 0; i < count; i++) {
        if (strlen(choice[i]) == span_length(word) &&
            memcmp(choice[i], word->at, span_length(word)) == 0) {
            *which = i;
            return true;
        }
    }
    return false;
}

static bool take_digits(const struct span *word, uint64_t most, uint64_t *number)
{
    uint64_t value = 0;
    for (const char *at = word->at; at < word->end; at++) {
        if (*at < '0' || *at > '9' || value > most)
            return false;
        value = value * 10 + (uint64_t)(*at - '0');
    }
    *number = value;
    return value <= most;
}

static bool copy(const struct span *word, char *out, size_t size)
{
    if (span_length(word) >= size)
        return false;
    for (const char *at = word->at; at < word->end; at++)
        if (*at <= ' ' || *at > '~')
            return false;
    memcpy(out, word->at, span_length(word));
    out[span_length(word)] = '\0';
    return true;
}

static bool take_item(const struct span *word, struct ballot_head *head)
{
    struct span session = *word;
    struct ballot_item *item;
    if (head->vote.ranks == VOTE_RANKS_MAX)
        return false;
    item = &head->item[head->vote.ranks];
    while (session.end > session.at && session.end[-1] != ':')
        session.end--;
    if (session.end <= session.at + 1)
        return false;
    struct span side = {session.end, word->end};
    session.end--;
    if (take(&side, "right"))
        item->side = 1;
    else if (!take(&side, "left"))
        return false;
    if (side.at < side.end || !copy(&session, item->session, sizeof item->session))
        return false;
    head->vote.ranks++;
    if (!head->vote.kind)
        head->vote.kind = BALLOT_RANKS;
    return true;
}

static bool take_key(const struct span *word, struct ballot_head *head)
{
    if (head->keyed || span_length(word) != 2 * BALLOT_KEY)
        return false;
    for (unsigned i = 0; i < BALLOT_KEY; i++) {
        static const char digits[] = "0123456789abcdef";
        const char *high = memchr(digits, word->at[2 * i], 16);
        const char *low = memchr(digits, word->at[2 * i + 1], 16);
        if (!high || !low)
            return false;
        head->key[i] = (uint8_t)((high - digits) << 4 | (low - digits));
    }
    head->keyed = true;
    return true;
}

/* Takes a field of the form. The first field is the kind's own. Older files have kind= and most=
 * instead. */
static bool take_asked(const struct span *word, struct ballot_head *head)
{
    struct vote_rules *vote = &head->vote;
    struct ballot_field field;
    int kind;
    if (ballot_field_parse(&field, word->at, span_length(word), NULL))
        return false;
    if (!vote->kind && ballot_kind_of(&field, &kind, &vote->most)) {
        vote->kind = (enum ballot_kind)kind;
        return true;
    }
    if (vote->asked.count == BALLOT_FIELDS)
        return false;
    vote->asked.field[vote->asked.count++] = field;
    return true;
}

static bool take_field(struct span word, struct ballot_head *head)
{
    uint64_t number;
    unsigned which;
    if (take(&word, "session="))
        return !head->session[0] && copy(&word, head->session, sizeof head->session);
    if (take(&word, "rules="))
        return !head->rules[0] && copy(&word, head->rules, sizeof head->rules);
    if (take(&word, "contest="))
        return !head->contest[0] && copy(&word, head->contest, sizeof head->contest) &&
               contest_id_is(head->contest);
    if (take(&word, "kind="))
        return !head->vote.kind && ballot_kind_find(word.at, span_length(&word), &head->vote.kind);
    if (take(&word, "most=")) {
        if (!take_digits(&word, 9999, &number))
            return false;
        head->vote.most = (int)number;
        return true;
    }
    if (take(&word, "sealed=")) {
        if (!take_choice(&word, sealings, 2, &which))
            return false;
        head->sealing = which == 0 ? SEALED_WITH_SESSION : SEALED_WITH_CONTEST;
        return true;
    }
    if (take(&word, "field="))
        return take_asked(&word, head);
    if (take(&word, "key="))
        return take_key(&word, head);
    return take(&word, "rank=") && take_item(&word, head);
}

static bool read_head(struct span line, struct ballot_head *head)
{
    struct span word;
    bool rated;
    if (!take(&line, MAGIC " "))
        return false;
    while (line.at < line.end)
        if (!take_word(&line, &word) || !take_field(word, head))
            return false;
    rated = ballot_row(head->vote.kind)->rated;
    return head->session[0] && head->rules[0] && head->vote.kind && head->sealing &&
           (head->vote.most > 0) == rated &&
           (head->vote.ranks > 0) == (head->vote.kind == BALLOT_RANKS);
}

/* Reads a draft without a vote: the values of fields, and notes. */
static bool read_draft(struct span text, const struct vote_rules *rules, struct vote *vote)
{
    struct vote_words rest = {text.at, text.end};
    if (!ballot_values_take(&rules->asked, &rest, &vote->values))
        return false;
    if (rest.at == rest.end)
        return true;
    if (!vote_take_word(&rest, "notes"))
        return false;
    size_t notes = (size_t)(rest.end - rest.at);
    if (!vote_notes_good(rest.at, notes))
        return false;
    memcpy(vote->notes, rest.at, notes);
    return true;
}

static bool read_line(struct span text, const struct vote_rules *rules, struct ballot_line *line,
                      struct span *signature)
{
    struct span word;
    unsigned which;
    memset(line, 0, sizeof *line);
    if (!take_word(&text, &word) || !take_digits(&word, UINT64_MAX / 10 - 1, &line->at_us) ||
        !take_word(&text, &word) || !take_choice(&word, words, BALLOT_SIGNED + 1, &which))
        return false;
    line->word = (enum ballot_word)which;
    if (line->word == BALLOT_SIGNED) {
        *signature = text;
        return true;
    }
    if (line->word == BALLOT_SEALED)
        return text.at == text.end;
    if (line->word == BALLOT_DRAFT && take(&text, "-"))
        return text.at == text.end || (take(&text, " ") && read_draft(text, rules, &line->vote));
    line->has_vote = true;
    return vote_parse(&line->vote, rules, text.at, span_length(&text), NULL) == BL_OK;
}

static bool checked(struct span *line)
{
    char wanted[CHECK + 1];
    if (span_length(line) < CHECK)
        return false;
    line->end -= CHECK;
    snprintf(wanted, sizeof wanted, " *%08" PRIx32, crc32c(0, line->at, span_length(line)));
    return memcmp(line->end, wanted, CHECK) == 0;
}

static void take_line(struct ballot_file *file, const struct ballot_line *line)
{
    switch (line->word) {
    case BALLOT_DRAFT:
        file->has_draft = true;
        file->draft = *line;
        break;
    case BALLOT_LATE:
    case BALLOT_GIVEN:
        file->late = line->word == BALLOT_LATE;
        file->given = true;
        file->given_us = line->at_us;
        file->vote = line->vote;
        file->versions++;
        file->has_draft = false;
        break;
    case BALLOT_SEALED:
        file->sealed = true;
        file->sealed_us = line->at_us;
        break;
    case BALLOT_SIGNED:
        break;
    }
}

/* The state of reading a file. */
struct ballot_reading {
    struct ballot_file *file;
    struct ballot_line waits; /* the line that must be signed by the next line */
    bool waiting;
    unsigned signatures;
};

/* Takes a valid line of a signed file. A ballot or a seal counts if its signature is the next line.
 * False: the line is ignored. */
static bool take_keyed(struct ballot_reading *reading, const struct ballot_line *line,
                       const struct span *signature)
{
    struct ballot_file *file = reading->file;
    bool waited = reading->waiting;
    reading->waiting = false;
    if (line->word == BALLOT_SIGNED) {
        if (!waited || reading->signatures++ >= SIGNATURES_MOST ||
            !ballot_is_signed(file->head.key, file->chain, signature->at, span_length(signature)))
            return false;
        take_line(file, &reading->waits);
        return true;
    }
    file->damaged += waited;
    if (line->word == BALLOT_DRAFT) {
        take_line(file, line);
    } else {
        reading->waits = *line;
        reading->waiting = true;
    }
    return true;
}

/* Reads a line after the head. False if the line is ignored. */
static bool read_next(struct ballot_reading *reading, struct span line, bool good)
{
    struct ballot_file *file = reading->file;
    struct span signature = {NULL, NULL};
    struct ballot_line got;
    if (!good || file->sealed || !read_line(line, &file->head.vote, &got, &signature)) {
        file->damaged += reading->waiting;
        reading->waiting = false;
        return false;
    }
    if (file->head.keyed)
        return take_keyed(reading, &got, &signature);
    if (got.word == BALLOT_SIGNED)
        return false;
    take_line(file, &got);
    return true;
}

enum bl_status ballot_file_read(struct ballot_file *file, const char *text, size_t length,
                                const char *name, struct bl_diag *diag)
{
    struct ballot_reading reading = {.file = file};
    bool headed = false;
    memset(file, 0, sizeof *file);
    for (size_t at = 0; at < length;) {
        const char *newline = memchr(text + at, '\n', length - at);
        struct span line = {text + at, newline ? newline : text + length};
        size_t next = newline ? (size_t)(newline - text) + 1 : length;
        unsigned signatures = reading.signatures;
        bool good = newline && checked(&line);
        if (!headed) {
            if (!good || !read_head(line, &file->head))
                return bl_fail(diag, BL_DATA,
                               "%s: its first line is not that of a ballot; give a file that a "
                               "judge's terminal wrote, or see boothlink-ballot(5)",
                               name);
            headed = true;
            file->signed_length = next;
        } else if (!read_next(&reading, line, good)) {
            file->damaged++;
        } else if (reading.signatures > signatures) {
            file->signed_length = next;
        }
        if (newline)
            file->good_length = next;
        if (newline && file->head.keyed)
            ballot_chain(file->chain, text + at, next - at);
        at = next;
    }
    file->damaged += reading.waiting;
    if (!headed)
        return bl_fail(diag, BL_DATA, "%s: is empty; a ballot begins with '" MAGIC "'", name);
    return BL_OK;
}
