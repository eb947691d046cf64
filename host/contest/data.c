#include "contest/data.h"

#include "base/utf8.h"
#include "contest/draw.h"
#include "contest/survey.h"
#include "rules/ballot_kind.h"
#include "transcript/words.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ID_MAX 16

const struct data_layout data_layouts[DATA_TABLES] = {
    {"people",
     "one row for each Entry, and for each time that a person sat on a place",
     {{"person", "id", "E an Entry, J a judge, C a confederate; J2.1 sat first on J2's place"},
      {"role", "text", "entry, judge or confederate"},
      {"name", "text", "as spelt then; a person who came back has two rows"},
      {"human", "yes/no", "no: an Entry, a program"},
      {"left_after_round", "integer", "of those who were replaced or withdrew; empty: stayed"},
      {"withdrawn", "yes/no", "left the contest"},
      {"disqualified", "yes/no", "an Entry, by the judges or the rules"},
      {NULL, NULL, NULL}}},
    {"sessions",
     "one row for each session held or to be held in a round that was begun, spoiled ones too",
     {{"session", "id", "round and judge; with a number behind: held again"},
      {"meeting", "id", "the same for all sessions of one meeting"},
      {"round", "integer", "from 1"},
      {"trial", "integer", "from 1; of the long bet"},
      {"judge", "id", "a person, who sat there when it was held"},
      {"left", "id", "the person or Entry on the judge's left"},
      {"right", "id", "on the right; the same where one entity is met alone"},
      {"counts", "yes/no", "no: it was spoiled, and another one counts; or it is excluded"},
      {"why", "text", "the reason for holding it again, or for excluding it"},
      {"excluded", "yes/no", "it counts for nothing, and its ballot is not missing"},
      {"recorded", "yes/no", "its judge's record was read"},
      {"first_us", "integer", "when the first key was placed"},
      {"last_us", "integer", "when the last key was placed"},
      {"keys", "integer", "placed, of both sides and parties"},
      {"damaged", "integer", "places at which the record is damaged: keys may be missing there"},
      {NULL, NULL, NULL}}},
    {"verdicts",
     "one row for each ballot that counts, or is of an excluded session, and each entity on it",
     {{"session", "id", "the one that counts of the meeting"},
      {"judge", "id", "who gave it"},
      {"entity", "id", "of whom it speaks"},
      {"human", "yes/no", "no: the entity is a program"},
      {"taken_human", "yes/no", "51 points or more, the vote for the human, or that verdict"},
      {"points", "integer", "of 100 between the two; where the ballot asks for points"},
      {"rating", "number", "where the ballot asks for a rating"},
      {"rank", "integer", "the judge's rank for it, 1 the least human; where ranks were given"},
      {"given_us", "integer", "when it came to the manager's record"},
      {"late", "yes/no", "given after the moment of sealing"},
      {"corrected", "yes/no", "it took the place of an earlier one"},
      {"notes", "text", "the judge's reasons"},
      {"excluded", "yes/no", "it counts for nothing, for its session is excluded"},
      {"act", "integer", "the number of its act"},
      {NULL, NULL, NULL}}},
    {"fields",
     "one row for each other field of these ballots, such as a confidence",
     {{"session", "id", "the one that counts of the meeting"},
      {"judge", "id", "who gave it"},
      {"field", "text", "its name in the ruleset"},
      {"value", "text", "as it was given"},
      {"number", "integer", "the same, of a field that is a number"},
      {"act", "integer", "the number of its act"},
      {NULL, NULL, NULL}}},
    {"messages",
     "one row for each line that was typed, up to its Return",
     {{"session", "id", "of the sessions"},
      {"side", "text", "left or right"},
      {"message", "integer", "from 1, by session and side"},
      {"author", "id", "who typed it"},
      {"human", "yes/no", "no: a program did"},
      {"text", "text", "as its BackSpaces left it"},
      {"sent", "yes/no", "no: the session ended before its Return"},
      {"first_us", "integer", "when its first key was placed"},
      {"posted_us", "integer", "when its last key was placed"},
      {"latency_us", "integer", "from the other party's last Return on that side to the first key"},
      {"keys", "integer", "all of it, Return and BackSpaces included"},
      {"backspaces", "integer", "of these"},
      {NULL, NULL, NULL}}},
    {"keys",
     "one row for each key, in the order of the record",
     {{"session", "id", "of the sessions"},
      {"side", "text", "left or right"},
      {"message", "integer", "of the messages"},
      {"author", "id", "who typed it"},
      {"key", "text", "itself, space, Return, BackSpace, Tab, or U+00E9"},
      {"placed_us", "integer", "when it got its place on the page"},
      {"pressed_us", "integer", "by the clock of the machine where it was pressed; may be empty"},
      {NULL, NULL, NULL}}},
    {"acts",
     "one row for each act of the contest's record",
     {{"act", "integer", "from 1, without gaps"},
      {"at_us", "integer", "by the manager's machine"},
      {"author", "text", "who did it"},
      {"kind", "text", "see boothlink-contest(5)"},
      {"hash", "text", "of this act and all before it"},
      {"body", "text", "a JSON object, commitments opened; of a bundle with pseudonyms"},
      {NULL, NULL, NULL}}},
    {"answers",
     "one row for each field of a survey that a person answered; of one without fields one row",
     {{"person", "id", "of the people"},
      {"page", "text", "before the person's first session, or after the last"},
      {"field", "text", "its name in the ruleset, or notes; empty: the page was read"},
      {"value", "text", "as it was given"},
      {"number", "integer", "the same, of a field that is a number"},
      {"given_us", "integer", "when it came to the manager's record"},
      {"corrected", "yes/no", "it took the place of an earlier one"},
      {"act", "integer", "the number of its act"},
      {NULL, NULL, NULL}}},
};

unsigned data_tables(const struct contest *c)
{
    return c->ruleset.survey[SURVEY_BEFORE].line[0][0] || c->ruleset.survey[SURVEY_AFTER].line[0][0]
               ? DATA_TABLES
               : DATA_ANSWERS;
}

static enum bl_status put(const struct data_out *out, enum data_table table, json_t *values)
{
    return out->row(out->ctx, table, values);
}

static json_t *known_integer(bool known, int64_t number)
{
    return known ? json_integer((json_int_t)number) : json_null();
}

/* The id of the person of a seat (result.h, struct seat). */
static void person_id(const struct contest *c, enum contest_role role, unsigned seat,
                      char out[ID_MAX])
{
    unsigned number = seat, before = 0;
    if (seat >= SCHEDULE_PEOPLE_MAX) {
        number = c->sitter[seat - SCHEDULE_PEOPLE_MAX].number;
        for (unsigned s = 0; s <= seat - SCHEDULE_PEOPLE_MAX; s++)
            before += contest_sits(c, &c->sitter[s], role) && c->sitter[s].number == number;
    }
    snprintf(out, ID_MAX, before ? "%c%u.%u" : "%c%u", CONTEST_LETTERS[role], number + 1, before);
}

static void sitter_id(const struct contest *c, enum contest_role role, unsigned number,
                      const struct meeting *m, unsigned times, char out[ID_MAX])
{
    const struct spoiled *spoiled = contest_spoiled(c, m, times);
    person_id(c, role,
              spoiled ? contest_spoiled_seat(c, spoiled, role, number)
                      : contest_seat(c, role, number, m),
              out);
}

/* The id of a candidate in the meeting's session after `times` repeats. True: a confederate. */
static bool candidate_id(const struct contest *c, const struct meeting *m, unsigned candidate,
                         unsigned times, char out[ID_MAX])
{
    unsigned entries = c->people[CONTEST_ENTRY];
    bool human = candidate >= entries;
    if (human)
        sitter_id(c, CONTEST_CONFEDERATE, candidate - entries, m, times, out);
    else
        person_id(c, CONTEST_ENTRY, candidate, out);
    return human;
}

static json_t *person_row(const struct contest *c, enum contest_role role, unsigned seat)
{
    const char *name;
    unsigned rounds = 0;
    bool gone = true, withdrawn = false;
    char id[ID_MAX];
    if (seat >= SCHEDULE_PEOPLE_MAX) {
        const struct sitter *sitter = &c->sitter[seat - SCHEDULE_PEOPLE_MAX];
        name = sitter->name;
        rounds = sitter->rounds;
    } else {
        const struct person *person = &c->person[role][seat];
        name = person->name;
        rounds = person->withdrawn_after;
        gone = withdrawn = person->withdrawn;
    }
    person_id(c, role, seat, id);
    return json_pack("[s,s,s,b,o,b,b]", id, contest_role_name(role), name, role != CONTEST_ENTRY,
                     known_integer(gone, rounds), withdrawn,
                     role == CONTEST_ENTRY && seat < SCHEDULE_ENTRIES_MAX && c->disqualified[seat]);
}

enum bl_status data_people(const struct contest *c, const struct data_out *out)
{
    enum bl_status status = BL_OK;
    for (unsigned r = CONTEST_ENTRY; r <= CONTEST_CONFEDERATE; r++) {
        enum contest_role role = (enum contest_role)r;
        for (unsigned i = 0; status == BL_OK && i < c->people[r]; i++)
            status = put(out, DATA_PEOPLE, person_row(c, role, i));
        for (unsigned s = 0; status == BL_OK && s < c->sitters; s++)
            if (contest_sits(c, &c->sitter[s], (enum contest_role)r))
                status = put(out, DATA_PEOPLE, person_row(c, role, SCHEDULE_PEOPLE_MAX + s));
    }
    return status;
}

/* Makes a row for an entity of a ballot. `which` 0: the Entry, or the candidate met alone; 1: the
 * confederate. */
static json_t *verdict_row(const struct contest *c, const struct ballot *b, const struct meeting *m,
                           unsigned which, const struct data_given *given)
{
    const struct ballot_row *kind = ballot_row(c->ruleset.ballot);
    unsigned candidate = which ? c->people[CONTEST_ENTRY] + b->confederate : b->entry;
    const struct ranking of = {
        .judge = b->judge, .candidate = (person_number)candidate, .trial = b->trial};
    unsigned rank = contest_rank_by(c, &of);
    struct ballot_worth worth[2];
    char session[CONTEST_SESSION_MAX], judge[ID_MAX], entity[ID_MAX];
    kind->worth(b, worth);
    contest_session(c, m, session);
    unsigned times = contest_repeated(c, m);
    sitter_id(c, CONTEST_JUDGE, m->judge, m, times, judge);
    bool human = candidate_id(c, m, candidate, times, entity);
    const struct ballot_worth *w = &worth[which];
    return json_pack("[s,s,s,b,o,o,o,o,o,b,b,o,b,I]", session, judge, entity, human,
                     kind->rated ? json_null() : json_boolean(w->win),
                     known_integer(c->ruleset.ballot == BALLOT_POINTS, w->points),
                     w->rating < 0 || !kind->rated
                         ? json_null()
                         : json_real((double)w->rating / VOTE_RATING_UNIT),
                     known_integer(rank > 0, rank), json_integer((json_int_t)given->at_us), b->late,
                     given->corrected, given->notes ? json_string(given->notes) : json_null(),
                     contest_excluded(c, m) != NULL, (json_int_t)b->act);
}

/* Ballot i of those that count, then of the ballots of excluded sessions. NULL: an excluded session
 * without a ballot. */
static const struct ballot *ballot_at(const struct contest *c, unsigned i)
{
    if (i < c->ballots)
        return &c->ballot[i];
    return c->excluded[i - c->ballots].given ? &c->excluded[i - c->ballots].ballot : NULL;
}

enum bl_status data_verdicts(const struct contest *c, const struct data_given *given,
                             const struct data_out *out)
{
    enum bl_status status = BL_OK;
    for (unsigned i = 0; status == BL_OK && i < c->ballots + c->excludeds; i++) {
        const struct ballot *b = ballot_at(c, i);
        const struct meeting *m = b ? contest_meeting(c, b) : NULL;
        if (!m)
            continue;
        status = put(out, DATA_VERDICTS, verdict_row(c, b, m, 0, &given[b->act - 1]));
        if (status == BL_OK && b->confederate != PERSON_NOBODY)
            status = put(out, DATA_VERDICTS, verdict_row(c, b, m, 1, &given[b->act - 1]));
    }
    return status;
}

/* Writes the fields of a ballot, in the rules' order. */
static enum bl_status put_fields(const struct contest *c, const struct ballot *b,
                                 const struct meeting *m, const json_t *fields,
                                 const struct data_out *out)
{
    const struct ballot_asked *asked = &c->ruleset.asked;
    struct ballot_values values;
    char session[CONTEST_SESSION_MAX], judge[ID_MAX];
    enum bl_status status = ballot_values_from_json(asked, fields, &values, NULL);
    contest_session(c, m, session);
    sitter_id(c, CONTEST_JUDGE, m->judge, m, contest_repeated(c, m), judge);
    for (unsigned i = 0; status == BL_OK && i < asked->count; i++)
        if (values.text[i][0])
            status =
                put(out, DATA_FIELDS,
                    json_pack("[s,s,s,s,o,I]", session, judge, asked->field[i].name, values.text[i],
                              known_integer(asked->field[i].type == ASKS_NUMBER,
                                            strtol(values.text[i], NULL, 10)),
                              (json_int_t)b->act));
    return status;
}

enum bl_status data_fields(const struct contest *c, const struct data_given *given,
                           const struct data_out *out)
{
    enum bl_status status = BL_OK;
    for (unsigned i = 0; status == BL_OK && i < c->ballots + c->excludeds; i++) {
        const struct ballot *b = ballot_at(c, i);
        const struct meeting *m = b ? contest_meeting(c, b) : NULL;
        if (m && given[b->act - 1].fields)
            status = put_fields(c, b, m, given[b->act - 1].fields, out);
    }
    return status;
}

/* The id of a survey's person, who may have left the place. */
static void surveyed_id(const struct contest *c, const struct surveyed *at, char out[ID_MAX])
{
    unsigned seat = at->number, order = 0;
    for (unsigned s = 0; s < c->sitters; s++) {
        if (c->sitter[s].role != at->role || c->sitter[s].number != at->number)
            continue;
        if (++order == at->sitter)
            seat = SCHEDULE_PEOPLE_MAX + s;
    }
    person_id(c, (enum contest_role)at->role, seat, out);
}

static enum bl_status put_answer(const struct contest *c, const struct surveyed *at,
                                 const struct data_given *given, const char *field,
                                 const char *value, bool number, const struct data_out *out)
{
    char person[ID_MAX];
    surveyed_id(c, at, person);
    return put(out, DATA_ANSWERS,
               json_pack("[s,s,s,s,o,I,b,I]", person, survey_words[at->page], field, value,
                         known_integer(number, strtol(value, NULL, 10)), (json_int_t)given->at_us,
                         given->corrected, (json_int_t)at->act));
}

/* Writes a page's answers in the rules' order, then the notes. A page without either has one
 * row. */
static enum bl_status put_answers(const struct contest *c, const struct surveyed *at,
                                  const struct data_given *given, const struct data_out *out)
{
    const struct ballot_asked *asked = &c->ruleset.survey[at->page].asked;
    struct ballot_values values;
    unsigned rows = given->notes != NULL;
    enum bl_status status = ballot_values_from_json(asked, given->fields, &values, NULL);
    for (unsigned i = 0; status == BL_OK && i < asked->count; i++) {
        if (!values.text[i][0])
            continue;
        rows++;
        status = put_answer(c, at, given, asked->field[i].name, values.text[i],
                            asked->field[i].type == ASKS_NUMBER, out);
    }
    if (status == BL_OK && given->notes)
        status = put_answer(c, at, given, "notes", given->notes, false, out);
    return status == BL_OK && !rows ? put_answer(c, at, given, "", "", false, out) : status;
}

enum bl_status data_answers(const struct contest *c, const struct data_given *given,
                            const struct data_out *out)
{
    enum bl_status status = BL_OK;
    for (unsigned i = 0; status == BL_OK && i < c->surveys; i++)
        status = put_answers(c, &c->surveyed[i], &given[c->surveyed[i].act - 1], out);
    return status;
}

/* The line a party is typing on a side. */
struct typed_line {
    uint32_t *point; /* the keys not taken back; room for all keys of the history */
    size_t points;
    uint64_t first_us, last_us;
    unsigned number, keys, backspaces;
};

struct telling {
    const struct contest *contest;
    const struct data_out *out;
    const char *session;
    char author[SIDES][PARTIES][ID_MAX];
    bool human[SIDES][PARTIES];
    struct typed_line line[SIDES][PARTIES];
    uint64_t returned_us[SIDES][PARTIES]; /* the last Return; 0: none yet */
    unsigned messages[SIDES];
};

static json_t *text_of(const struct typed_line *line)
{
    char *text = malloc(4 * line->points + 1);
    size_t length = 0;
    for (size_t i = 0; text && i < line->points; i++)
        length += utf8_encode(line->point[i], (uint8_t *)text + length);
    json_t *json = text ? json_stringn(text, length) : NULL;
    free(text);
    return json;
}

static enum bl_status end_line(struct telling *t, unsigned side, unsigned party, bool sent)
{
    struct typed_line *line = &t->line[side][party];
    uint64_t before = t->returned_us[side][!party];
    json_t *values = json_pack(
        "[s,s,i,s,b,o,b,I,I,o,i,i]", t->session, words_side((enum side)side), (int)line->number,
        t->author[side][party], t->human[side][party], text_of(line), sent,
        (json_int_t)line->first_us, (json_int_t)line->last_us,
        known_integer(before && before <= line->first_us, (int64_t)(line->first_us - before)),
        (int)line->keys, (int)line->backspaces);
    uint32_t *kept = line->point;
    if (sent)
        t->returned_us[side][party] = line->last_us;
    *line = (struct typed_line){.point = kept};
    return put(t->out, DATA_MESSAGES, values);
}

static enum bl_status take_key(struct telling *t, const struct history_key *key)
{
    struct typed_line *line = &t->line[key->side][key->party];
    char name[WORDS_KEY_MAX + 1];
    if (line->keys == 0) {
        line->first_us = key->posted_us;
        line->number = ++t->messages[key->side];
    }
    line->keys++;
    line->last_us = key->posted_us;
    if (key->point == KEY_BACKSPACE) {
        line->backspaces++;
        line->points -= line->points > 0;
    } else if (key->point != KEY_RETURN) {
        line->point[line->points++] = key->point;
    }
    name[words_key(key->point, name)] = '\0';
    enum bl_status status =
        put(t->out, DATA_KEYS,
            json_pack("[s,s,i,s,s,I,o]", t->session, words_side((enum side)key->side),
                      (int)line->number, t->author[key->side][key->party], name,
                      (json_int_t)key->posted_us,
                      known_integer(key->pressed_us > 0, (int64_t)key->pressed_us)));
    return status == BL_OK && key->point == KEY_RETURN ? end_line(t, key->side, key->party, true)
                                                       : status;
}

/* Writes the keys with their messages, in the record's order. */
static enum bl_status tell_keys(struct telling *t, const struct history *history)
{
    enum bl_status status = BL_OK;
    for (unsigned i = 0; i < SIDES * PARTIES; i++) {
        struct typed_line *line = &t->line[i / PARTIES][i % PARTIES];
        line->point = malloc((history->keys + 1) * sizeof *line->point);
        if (!line->point)
            status = BL_NOMEM;
    }
    for (size_t i = 0; status == BL_OK && i < history->keys; i++)
        status = take_key(t, &history->key[i]);
    for (unsigned i = 0; i < SIDES * PARTIES; i++) {
        if (status == BL_OK && t->line[i / PARTIES][i % PARTIES].keys)
            status = end_line(t, i / PARTIES, i % PARTIES, false);
        free(t->line[i / PARTIES][i % PARTIES].point);
    }
    return status;
}

/* The reason for holding the meeting's session after `times` repeats again; "": it is not held
 * again. */
static const char *why_again(const struct contest *c, const struct meeting *m, unsigned times,
                             const struct data_given *given)
{
    const struct spoiled *spoiled = contest_spoiled(c, m, times);
    return spoiled && given[spoiled->act - 1].why ? given[spoiled->act - 1].why : "";
}

enum bl_status data_session(const struct contest *c, const struct meeting *m, unsigned times,
                            const struct data_given *given, const struct history *history,
                            const struct data_out *out)
{
    char session[CONTEST_SESSION_MAX], meeting[CONTEST_SESSION_MAX];
    struct telling t = {.contest = c, .out = out, .session = session};
    bool last = times == contest_repeated(c, m);
    const struct excluded *excluded = last ? contest_excluded(c, m) : NULL;
    bool any = history && history->keys;
    contest_session_before(m, times, session);
    contest_session_before(m, 0, meeting);
    for (unsigned side = 0; side < SIDES; side++) {
        sitter_id(c, CONTEST_JUDGE, m->judge, m, times, t.author[side][PARTY_JUDGE]);
        t.human[side][PARTY_JUDGE] = true;
        t.human[side][PARTY_ENTITY] = candidate_id(
            c, m, contest_candidate_at(c, m, (enum side)side), times, t.author[side][PARTY_ENTITY]);
    }
    enum bl_status status = put(
        out, DATA_SESSIONS,
        json_pack(
            "[s,s,i,o,s,s,s,b,s,b,b,o,o,o,o]", session, meeting, m->round + 1,
            known_integer(c->ruleset.trials_least > 0, (int64_t)contest_trial_of(c, m->round) + 1),
            t.author[0][PARTY_JUDGE], t.author[SIDE_LEFT][PARTY_ENTITY],
            t.author[SIDE_RIGHT][PARTY_ENTITY], last && !excluded,
            excluded ? excluded->why : why_again(c, m, times, given), excluded != NULL,
            history != NULL, known_integer(any, any ? (int64_t)history->key[0].posted_us : 0),
            known_integer(any, any ? (int64_t)history->key[history->keys - 1].posted_us : 0),
            known_integer(history != NULL, history ? (int64_t)history->keys : 0),
            known_integer(history != NULL, history ? (int64_t)history->damaged : 0)));
    return status == BL_OK && history ? tell_keys(&t, history) : status;
}

enum bl_status data_act(const struct act *act, const struct data_out *out)
{
    char hash[2 * ACT_HASH_BYTES + 1], author[ACT_AUTHOR_MAX + 1];
    contest_hex(act->hash, ACT_HASH_BYTES, hash);
    utf8_plain(author, sizeof author, act->author, strlen(act->author));
    return put(out, DATA_ACTS,
               json_pack("[I,I,s,s,s,s]", (json_int_t)act->number, (json_int_t)act->at_us, author,
                         act->kind, hash, act->body));
}
