#include "contest/act_word.h"

#include "base/assert.h"
#include "contest/act_field.h"
#include "contest/ballot_act.h"

#include <stdlib.h>
#include <string.h>

enum bl_status act_word_person(const char *word, enum contest_role *role, unsigned *number,
                               struct bl_diag *diag)
{
    static const char letters[] = CONTEST_LETTERS;
    const char *letter = *word ? strchr(letters, *word) : NULL;
    char *rest;
    unsigned long value =
        letter && word[1] >= '1' && word[1] <= '9' ? strtoul(word + 1, &rest, 10) : 0;
    if (value == 0 || *rest || value > contest_most((enum contest_role)(letter - letters)))
        return bl_fail(diag, BL_USAGE,
                       "'%.20s': expected J1 for a judge, E1 for an Entry or C1 for a confederate",
                       word);
    *role = (enum contest_role)(letter - letters);
    *number = (unsigned)value;
    return BL_OK;
}

enum bl_status act_word_who(const char *word, struct act_who *who, struct bl_diag *diag)
{
    unsigned number = 0;
    enum bl_status status = act_word_person(word, &who->role, &number, diag);
    who->number = number;
    return status;
}

enum bl_status act_word_of(const char *word, enum contest_role role, int64_t *number,
                           struct bl_diag *diag)
{
    struct act_who who;
    enum bl_status status = act_word_who(word, &who, diag);
    if (status == BL_OK && who.role != role)
        return bl_fail(diag, BL_USAGE, "'%.20s': expected %c1 and so on, for %s %s", word,
                       CONTEST_LETTERS[role],
                       strchr("aeiou", *contest_role_name(role)) ? "an" : "a",
                       contest_role_name(role));
    *number = who.number;
    return status;
}

static enum bl_status take_round(const char *word, int64_t *round, struct bl_diag *diag)
{
    char *rest;
    *round = strtol(word, &rest, 10);
    return *rest || *round < 1 || *round > SCHEDULE_MEETINGS_MAX
               ? bl_fail(diag, BL_USAGE, "'%.20s': expected the number of a round", word)
               : BL_OK;
}

/* A number, such as a question's or points of the screening. */
static enum bl_status take_number(const char *key, const char *word, int64_t *number,
                                  struct bl_diag *diag)
{
    char *rest;
    *number = strtol(word, &rest, 10);
    return *word && !*rest
               ? BL_OK
               : bl_fail(diag, BL_USAGE, "'%.20s': expected a number, of %s", word, key);
}

static enum bl_status take_session(const struct contest *contest, struct act_body *act,
                                   const char *word, struct bl_diag *diag)
{
    const struct act_field *round = act_field_find(act->kind, "round"),
                           *judge = act_field_find(act->kind, "judge");
    const struct meeting *meeting = contest_find_session(contest, word, diag);
    bl_assert(round && judge);
    if (!meeting)
        return BL_DATA;
    *(int64_t *)act_field_of(act, round) = meeting->round + 1;
    *(int64_t *)act_field_of(act, judge) = meeting->judge + 1;
    return BL_OK;
}

enum bl_status act_word(const struct contest *contest, struct act_body *act, const char *key,
                        const char *word, struct bl_diag *diag)
{
    const struct act_field *field = act_field_find(act->kind, key);
    if (strcmp(key, "session") == 0)
        return take_session(contest, act, word, diag);
    bl_assert(field);
    void *member = act_field_of(act, field);
    switch (field->type) {
    case FIELD_ROLE:
        return act_read_role(key, word, member, diag);
    case FIELD_WHO:
        return act_word_who(word, member, diag);
    case FIELD_NUMBER:
        return strcmp(key, "entry") == 0   ? act_word_of(word, CONTEST_ENTRY, member, diag)
               : strcmp(key, "judge") == 0 ? act_word_of(word, CONTEST_JUDGE, member, diag)
               : strcmp(key, "round") == 0 ? take_round(word, member, diag)
                                           : take_number(key, word, member, diag);
    default: /* a text, checked by act_body_read() */
        *(const char **)member = word;
        return BL_OK;
    }
}

/* Reads two numbers, "60:40". False: another text. */
static bool act_word_two(const char *text, long out[2])
{
    char *rest;
    out[0] = strtol(text, &rest, 10);
    if (rest == text || *rest != ':')
        return false;
    text = rest + 1;
    out[1] = strtol(text, &rest, 10);
    return rest != text && *rest == '\0';
}

enum bl_status act_word_votes(const struct contest *contest, struct act_votes *votes,
                              const char *word, bool panel, struct bl_diag *diag)
{
    long said[2] = {0, 0};
    if (!word || !act_word_two(word, said))
        return bl_fail(diag, BL_USAGE, "missing --votes FOR:AGAINST, such as 3:2");
    *votes = (struct act_votes){.given = true,
                                .for_it = said[0],
                                .against = said[1],
                                .judges = panel ? 0 : contest_there(contest, CONTEST_JUDGE),
                                .panel = panel};
    return BL_OK;
}
