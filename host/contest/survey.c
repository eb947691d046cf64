#include "contest/survey.h"

#include "contest/contest_private.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

const char *const survey_words[SURVEY_PAGES + 1] = {"before", "after", NULL};

/* The number of people who sat on a place before the present one. */
static unsigned count_sitters(const struct contest *c, enum contest_role role, unsigned number)
{
    unsigned count = 0;
    for (unsigned s = 0; s < c->sitters; s++)
        count += c->sitter[s].role == role && c->sitter[s].number == number;
    return count;
}

struct survey_person survey_person(const struct contest *c, enum contest_role role, unsigned number,
                                   const struct meeting *meeting)
{
    unsigned seat = contest_seat(c, role, number, meeting);
    struct survey_person person = {contest_register(c, role), number, 1};
    for (unsigned s = 0;
         s < c->sitters && (seat < SCHEDULE_PEOPLE_MAX || s + SCHEDULE_PEOPLE_MAX < seat); s++)
        person.sitter += c->sitter[s].role == person.role && c->sitter[s].number == number;
    return person;
}

static bool is_same(struct survey_person a, struct survey_person b)
{
    return a.role == b.role && a.number == b.number && a.sitter == b.sitter;
}

/* True if the person is a judge or a confederate of the meeting. */
static bool meets(const struct contest *c, struct survey_person person,
                  const struct meeting *meeting)
{
    unsigned confederate = schedule_confederate(meeting, c->people[CONTEST_ENTRY]);
    return is_same(survey_person(c, CONTEST_JUDGE, meeting->judge, meeting), person) ||
           (confederate != PERSON_NOBODY &&
            is_same(survey_person(c, CONTEST_CONFEDERATE, confederate, meeting), person));
}

void survey_due(const struct contest *c, enum contest_role role, unsigned number,
                const struct meeting *meeting, enum ruleset_survey_page page,
                char out[TICKET_SURVEY_MAX])
{
    const struct survey_person person = survey_person(c, role, number, meeting);
    out[0] = '\0';
    if (!c->ruleset.survey[page].line[0][0])
        return;
    /* From the end where the person's other meetings are likeliest: of 16,384 few are looked at. */
    for (unsigned i = 0; i < c->schedule.count; i++) {
        const struct meeting *other =
            &c->schedule.meeting[page == SURVEY_BEFORE ? i : c->schedule.count - 1 - i];
        bool beyond =
            page == SURVEY_BEFORE ? other->round < meeting->round : other->round > meeting->round;
        if (beyond && meets(c, person, other))
            return;
    }
    int length = snprintf(out, TICKET_SURVEY_MAX, "%c%u",
                          tolower((unsigned char)CONTEST_LETTERS[person.role]), person.number + 1);
    if (person.sitter > 1)
        snprintf(out + length, TICKET_SURVEY_MAX - (size_t)length, "-%u", person.sitter);
}

static bool read_name(const char *name, struct act_survey *act)
{
    static const char prefix[] = SURVEY_PREFIX;
    unsigned number, sitter = 1;
    char letter, rest;
    if (strncmp(name, prefix, sizeof prefix - 1) != 0)
        return false;
    name += sizeof prefix - 1;
    for (unsigned p = 0; survey_words[p] && !act->page; p++) {
        size_t length = strlen(survey_words[p]);
        if (strncmp(name, survey_words[p], length) == 0 && name[length] == '-') {
            act->page = survey_words[p];
            name += length + 1;
        }
    }
    if (!act->page || (sscanf(name, "%c%4u%c", &letter, &number, &rest) != 2 &&
                       sscanf(name, "%c%4u-%4u%c", &letter, &number, &sitter, &rest) != 3))
        return false;
    act->who = (struct act_who){letter == 'j' ? CONTEST_JUDGE : CONTEST_CONFEDERATE, number};
    act->sitter = sitter;
    return letter == 'j' || letter == 'c';
}

static enum ruleset_survey_page page_of(const struct act_survey *act)
{
    return strcmp(act->page, survey_words[SURVEY_AFTER]) == 0 ? SURVEY_AFTER : SURVEY_BEFORE;
}

static const struct surveyed *find(const struct contest *c, const struct act_survey *act)
{
    for (unsigned i = 0; i < c->surveys; i++) {
        const struct surveyed *at = &c->surveyed[i];
        if (at->role == act->who.role && at->number + 1 == act->who.number &&
            at->sitter == act->sitter && at->page == page_of(act))
            return at;
    }
    return NULL;
}

bool survey_missing(const struct contest *c, enum contest_role role, unsigned number,
                    const struct meeting *meeting, enum ruleset_survey_page page,
                    char out[SURVEY_NAME_MAX])
{
    const struct survey_person person = survey_person(c, role, number, meeting);
    const struct act_survey act = {.who = {person.role, (int64_t)person.number + 1},
                                   .sitter = person.sitter,
                                   .page = survey_words[page]};
    char due[TICKET_SURVEY_MAX];
    if (page == SURVEY_AFTER && (c->person[person.role][person.number].withdrawn ||
                                 person.sitter <= count_sitters(c, person.role, person.number)))
        return false;
    survey_due(c, role, number, meeting, page, due);
    snprintf(out, SURVEY_NAME_MAX, SURVEY_PREFIX "%s-%s", survey_words[page], due);
    return due[0] && !find(c, &act);
}

static enum bl_status check_person(const struct contest *c, const struct act_survey *act,
                                   struct bl_diag *diag)
{
    enum bl_status status = check_who(c, &act->who, diag);
    if (status == BL_OK && act->who.role != CONTEST_JUDGE && act->who.role != CONTEST_CONFEDERATE)
        status = bl_fail(diag, BL_DATA, "a survey is of judges and confederates");
    if (status == BL_OK &&
        act->sitter > count_sitters(c, act->who.role, (unsigned)act->who.number - 1) + 1)
        status = bl_fail(diag, BL_DATA, "nobody has taken that person's place yet");
    if (status == BL_OK && !c->ruleset.survey[page_of(act)].line[0][0])
        status = bl_fail(diag, BL_DATA, "the rules of %s have no survey %s the sessions",
                         c->ruleset.name, act->page);
    return status;
}

enum bl_status survey_read(const struct contest *c, const struct ballot_file *file,
                           struct act_body *act, bool *known, bool *some, struct bl_diag *diag)
{
    *act = (struct act_body){.kind = ACT_SURVEY};
    struct act_survey *survey = &act->survey;
    if (!read_name(file->head.session, survey))
        return bl_fail(diag, BL_DATA,
                       "'%.40s' is no survey's: expected a name as "
                       "survey-before-j2",
                       file->head.session);
    enum bl_status status = check_person(c, survey, diag);
    const struct ballot_asked *asked = &c->ruleset.survey[page_of(survey)].asked;
    if (status == BL_OK && !ballot_asked_is_same(&file->head.vote.asked, asked, diag))
        status = BL_DATA;
    if (status != BL_OK)
        return status;
    const struct surveyed *there = find(c, survey);
    *some = there;
    *known = there && there->fields == ballot_values_digest(asked, &file->vote.values);
    survey->correction = *some;
    survey->notes = file->vote.notes[0] ? file->vote.notes : NULL;
    if (*known)
        return BL_OK;
    survey->fields = ballot_values_to_json(asked, &file->vote.values);
    return BL_OK;
}

enum bl_status act_survey(struct contest *c, const struct act_body *body, struct bl_diag *diag)
{
    const struct act_survey *act = &body->survey;
    struct ballot_values values;
    if (strcmp(act->page, survey_words[page_of(act)]) != 0)
        return bl_fail(diag, BL_DATA, "'page': expected before or after");
    enum bl_status status = check_person(c, act, diag);
    const struct ballot_asked *asked = &c->ruleset.survey[page_of(act)].asked;
    if (status == BL_OK)
        status = ballot_values_from_json(asked, act->fields, &values, diag);
    if (status != BL_OK)
        return status;
    struct surveyed *there = (struct surveyed *)find(c, act);
    if (!there != !act->correction)
        return bl_fail(diag, BL_DATA,
                       there ? "that person has answered already; --correct replaces it"
                             : "there are no answers to correct");
    if (!there && c->surveys == CONTEST_SURVEYED)
        return bl_fail(diag, BL_DATA, "more than %d surveys", CONTEST_SURVEYED);
    if (!there)
        there = &c->surveyed[c->surveys++];
    *there = (struct surveyed){.role = (uint8_t)act->who.role,
                               .number = (person_number)(act->who.number - 1),
                               .sitter = (person_number)act->sitter,
                               .page = (uint8_t)page_of(act),
                               .act = c->now_act,
                               .fields = ballot_values_digest(asked, &values)};
    return BL_OK;
}
