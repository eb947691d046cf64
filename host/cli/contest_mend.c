/* The verbs for mishaps on the day: rename, substitute, limit, repeat, undo, copy. Each is an act
 * of its own with its reason; nothing is overwritten. */
#include "cli/contest.h"
#include "contest/ballot_act.h"
#include "contest/people.h"

#include <stdio.h>
#include <string.h>

static enum bl_status make_rename(const struct contest_making *m)
{
    struct act_who *who = &m->act->rename.who;
    enum bl_status status = contest_take_who(m->call->word[1], who, m->diag);
    m->act->rename.name = m->call->word[2];
    return status == BL_OK ? contest_name_free(m->contest, who->role, (unsigned)who->number - 1,
                                               m->call->word[2], m->diag)
                           : status;
}

struct contest_substitute_options {
    struct contest_options common;
    const char *family;
    bool unknown, now;
};

/* Old contests may have substitutes who were not asked. */
static enum bl_status make_substitute(const struct contest_making *m)
{
    const struct contest_substitute_options *options = m->call->options;
    struct act_substitute *act = &m->act->substitute;
    enum bl_status status = contest_take_who(m->call->word[1], &act->who, m->diag);
    bool foil = act->who.role == CONTEST_CONFEDERATE;
    act->name = m->call->word[2];
    act->family.text = options->family;
    act->unknown = options->unknown;
    act->round = options->now ? m->contest->begun : 0;
    if (status == BL_OK && options->now && !m->contest->begun)
        return bl_fail(m->diag, BL_USAGE, "--now is for a round that has begun");
    if (status == BL_OK && options->unknown && !foil)
        return bl_fail(m->diag, BL_USAGE, "--unknown is for a confederate");
    if (status == BL_OK && foil && !options->unknown &&
        m->contest->ruleset.foils_unknown == WORD_YES)
        return bl_fail(m->diag, BL_DATA,
                       "missing --unknown: that no judge knows the foil, personally or by "
                       "reputation (%s)",
                       ruleset_rule(&m->contest->ruleset, "register", "foils-unknown", 0).text);
    return status == BL_OK ? people_check_names("--family", options->family, m->diag) : status;
}

static bool tell_rename(const struct contest_making *m)
{
    command_print("%s is %s\n", m->call->word[1], m->call->word[2]);
    return false;
}

/* Also the sessions waiting to be held again. */
static bool tell_substitute(const struct contest_making *m)
{
    const struct contest *contest = m->contest;
    const struct act_who *who = &m->act->substitute.who;
    char name[CONTEST_SESSION_MAX];
    command_print("%s is %s from round %u on\n", m->call->word[1], m->call->word[2],
                  contest->begun + (m->act->substitute.round ? 0 : 1));
    for (unsigned i = 0; i < contest->schedule.count; i++) {
        const struct meeting *meeting = &contest->schedule.meeting[i];
        unsigned number = who->role == CONTEST_JUDGE
                              ? meeting->judge
                              : schedule_confederate(meeting, contest->people[CONTEST_ENTRY]);
        if (number + 1 != who->number || !contest_repeated(contest, meeting) ||
            contest_ballot_of(contest, meeting))
            continue;
        contest_session(contest, meeting, name);
        command_print("and in %s, which has no ballot yet\n", name);
    }
    contest_tickets_anew(contest, m->call->word[0]);
    return true;
}

static enum bl_status make_limit(const struct contest_making *m)
{
    const struct contest_options *options = m->call->options;
    if (!options->text)
        return bl_fail(m->diag, BL_USAGE, "missing --text TEXT, for the record");
    m->act->limit.text = options->text;
    return contest_take_who(m->call->word[1], &m->act->limit.who, m->diag);
}

static bool tell_limit(const struct contest_making *m)
{
    const struct contest_options *options = m->call->options;
    command_print("%s is limited (%s): %s\n", m->call->word[1],
                  ruleset_rule(&m->contest->ruleset, "session", "referees-limit", 0).text,
                  options->text);
    return false;
}

struct contest_repeat_options {
    struct contest_options common;
    bool further;
};

/* The session is named as on its ticket, so nobody repeats another one. */
static enum bl_status make_repeat(const struct contest_making *m)
{
    const struct meeting *meeting = contest_find_session(m->contest, m->call->word[1], m->diag);
    if (!meeting)
        return BL_DATA;
    m->act->repeat.further = ((const struct contest_repeat_options *)m->call->options)->further;
    m->act->repeat.round = meeting->round + 1;
    m->act->repeat.judge = meeting->judge + 1;
    return BL_OK;
}

static bool tell_repeat(const struct contest_making *m)
{
    const struct meeting meeting = {.round = (uint16_t)(m->act->repeat.round - 1),
                                    .judge = (uint8_t)(m->act->repeat.judge - 1)};
    char name[CONTEST_SESSION_MAX];
    bool further = m->act->repeat.further;
    (further ? contest_further_session : contest_session)(m->contest, &meeting, name);
    command_print("%s %s %s, by tickets %03u-%u.ticket\n", m->call->word[1],
                  further ? "counts until there is a ballot of"
                          : "does not count; it is held again as",
                  name, meeting.round + 1U, contest_repeated(m->contest, &meeting) + 1 + further);
    contest_tickets_anew(m->contest, m->call->word[0]);
    return true;
}

static bool tell_exclude(const struct contest_making *m)
{
    unsigned count = m->contest->excludeds;
    command_print("%s counts for nothing; %u session%s excluded\n", m->call->word[1], count,
                  count == 1 ? " is" : "s are");
    return false;
}

/* The act to be taken back. */
static enum bl_status make_undo(const struct contest_making *m)
{
    const char *what = m->call->word[1], *who = m->call->word[2];
    bool person = strcmp(what, "withdraw") == 0 || strcmp(what, "limit") == 0;
    bool entry = strcmp(what, "disqualify") == 0;
    bool ballot = strcmp(what, "ballot") == 0 || strcmp(what, "exclude") == 0; /* of a session */
    const struct meeting *meeting;
    if (!person && !entry && !ballot && strcmp(what, "begin") != 0 && strcmp(what, "seal") != 0)
        return bl_fail(m->diag, BL_USAGE,
                       "'%.20s': expected begin, withdraw, disqualify, limit, seal, ballot or "
                       "exclude",
                       what);
    if ((person || entry || ballot) != (who != NULL))
        return bl_fail(m->diag, BL_USAGE,
                       ballot            ? "missing the session: as in 'undo FILE ballot r2-j3'"
                       : person || entry ? "missing who: as in 'undo FILE withdraw J1'"
                                         : "begin and seal take no name: it is the last one");
    if (strcmp(what, "begin") == 0 && m->contest->begun &&
        m->contest->sealed_rounds == m->contest->begun)
        return bl_fail(m->diag, BL_DATA, "round %u is sealed: contest undo %s seal comes first",
                       m->contest->begun, m->call->word[0]);
    m->act->undo.what = what;
    if (ballot) {
        meeting = contest_find_session(m->contest, who, m->diag);
        m->act->undo.round = meeting ? meeting->round + 1 : 0;
        m->act->undo.judge = meeting ? meeting->judge + 1 : 0;
        return meeting ? BL_OK : BL_DATA;
    }
    return person  ? contest_take_who(who, &m->act->undo.who, m->diag)
           : entry ? contest_take(who, CONTEST_ENTRY, &m->act->undo.entry, m->diag)
                   : BL_OK;
}

static bool tell_undone(const struct contest_making *m)
{
    const char *what = m->call->word[1];
    bool limit = strcmp(what, "limit") == 0;
    if (strcmp(what, "begin") == 0)
        command_print("round %u has not begun\n", m->contest->begun + 1);
    else if (strcmp(what, "seal") == 0 && m->contest->sealed_rounds)
        command_print("round %u is open for corrections; round %u and before stay sealed\n",
                      m->contest->sealed_rounds + 1, m->contest->sealed_rounds);
    else if (strcmp(what, "seal") == 0)
        command_print("round 1 is open for corrections; no round is sealed\n");
    else if (strcmp(what, "ballot") == 0)
        command_print("the ballot of %s counts no longer\n", m->call->word[2]);
    else if (strcmp(what, "exclude") == 0)
        command_print("%s counts again\n", m->call->word[2]);
    else
        command_print("%s is %s\n", m->call->word[2],
                      limit ? "not limited" : "in the contest again");
    return (strcmp(what, "withdraw") == 0 || strcmp(what, "disqualify") == 0) &&
           contest_schedule_anew(m->contest, m->call->word[0]);
}

/* The copy is read again as a whole before it is called one. One that is there already and has all
 * acts was made by a `copy` that was ended before it could say so. */
static enum bl_status contest_copy(const struct command_call *call, struct bl_diag *diag)
{
    struct contest_file file = {.store = NULL};
    struct act last = {.number = 0}, copied = {.number = 0};
    enum bl_status status = contest_file_open(&file, call, diag);
    if (status == BL_OK)
        status = store_last(call->word[0], &last, diag);
    bool there = status == BL_OK && store_last(call->word[1], &copied, NULL) == BL_OK &&
                 memcmp(copied.hash, last.hash, sizeof last.hash) == 0;
    if (status == BL_OK && !there)
        status = store_copy(file.store, call->word[1], diag);
    if (status == BL_OK)
        status = store_last(call->word[1], &copied, diag);
    if (status == BL_OK && copied.number < file.contest->acts)
        status = bl_fail(diag, BL_IO, "%s: %lld acts, expected %lld", call->word[1],
                         (long long)copied.number, (long long)file.contest->acts);
    if (status == BL_OK)
        command_print("%s: all %lld acts\n", call->word[1], (long long)copied.number);
    if (status == BL_OK && file.contest->committed && !file.contest->drawn)
        command_print(
            "The secret seed, %s.seed, is not in it: whoever goes on with the copy brings "
            "it along, or draws again\n",
            call->word[0]);
    contest_file_close(&file);
    return status;
}

static const struct command_option copy_options[] = {{0}};

static const struct command_option mend_options[] = {
    CONTEST_WHY,
    CONTEST_AUTHOR,
    {0},
};

static const struct command_option repeat_options[] = {
    OPTION_ROW("--further", NULL, "it was not spoiled: one more opportunity (1996 r14, 2003 r42)",
               OPTION_FLAG, struct contest_repeat_options, further),
    CONTEST_WHY,
    CONTEST_AUTHOR,
    {0},
};

static const struct command_option substitute_options[] = {
    OPTION_ROW("--family", "NAME,NAME,...", "families and immediate associates, as far as known",
               OPTION_TEXT, struct contest_substitute_options, family),
    OPTION_ROW("--unknown", NULL, "confederate: no judge knows him or her", OPTION_FLAG,
               struct contest_substitute_options, unknown),
    OPTION_ROW("--now", NULL, "in the round that has begun, too: its session is to be held",
               OPTION_FLAG, struct contest_substitute_options, now),
    CONTEST_WHY,
    CONTEST_AUTHOR,
    {0},
};

static const struct command_option limit_options[] = {
    OPTION_ROW("--text", "TEXT", "what the confederate is told, one line", OPTION_TEXT,
               struct contest_options, text),
    CONTEST_WHY,
    CONTEST_AUTHOR,
    {0},
};

const struct command contest_mend_verbs[] = {
    {
        .name = "contest rename",
        .synopsis = "FILE J1 NAME --why TEXT",
        .help = "another name for the same person or Entry",
        .text = "As when it was misspelt. The old name stays on the record.",
        .examples = "boothlink contest rename c.db J2 'Ann Lee' --why 'misspelt'",
        .options = mend_options,
        .size = sizeof(struct contest_options),
        .least = 3,
        .most = 3,
        CONTEST_ACT(.kind = ACT_RENAME, .why = true, .make = make_rename, .tell = tell_rename),
    },
    {
        .name = "contest substitute",
        .synopsis = "FILE J1 NAME --why TEXT",
        .help = "somebody else takes a judge's or confederate's place",
        .text =
            "From the next round on, and in sessions to be held again that have no ballot yet, in "
            "the same column of votes; `contest show` and the report say who sat there before. Who "
            "comes back is the same person, known by the name. With --now in the session of the "
            "round that has begun, if it has no ballot. Print the sheets again.",
        .examples = "boothlink contest substitute c.db J2 'Bob Ray' --why 'J2 fell ill'",
        .options = substitute_options,
        .size = sizeof(struct contest_substitute_options),
        .least = 3,
        .most = 3,
        CONTEST_ACT(.kind = ACT_SUBSTITUTE, .why = true, .make = make_substitute,
                    .tell = tell_substitute),
    },
    {
        .name = "contest limit",
        .synopsis = "FILE C2 --text TEXT --why TEXT",
        .help = "a referee limits what a confederate communicates",
        .text =
            "Where the rules let referees do so (1996 r15, 2003 r53). His next `contest tickets` "
            "have TEXT; his terminal shows and records it, nothing of the judge's has it. A later "
            "limit replaces it, `contest undo FILE limit C2` takes it back. Until that ticket, "
            "start his terminal again between sessions, with --limit TEXT.",
        .examples = "boothlink contest limit c.db C2 --text 'No names.' --why 'two were told'",
        .options = limit_options,
        .size = sizeof(struct contest_options),
        .least = 2,
        .most = 2,
        CONTEST_ACT(.kind = ACT_LIMIT, .why = true, .make = make_limit, .tell = tell_limit),
    },
    {
        .name = "contest copy",
        .synopsis = "FILE OTHER",
        .help = "copy a contest's file, to keep it safe or to restore it",
        .text = "Safe while other programs have it open. If OTHER is there already it stays as it "
                "is. A copy gets that name only when it is whole and was read again. To restore a "
                "lost file, copy the copy back.",
        .examples = "boothlink contest copy c.db /media/stick/c.db",
        .options = copy_options,
        .size = sizeof(struct contest_options),
        .least = 2,
        .most = 2,
        .run = contest_copy,
    },
    {
        .name = "contest repeat",
        .synopsis = "FILE r2-j3 --why TEXT",
        .help = "hold a session again that was spoiled",
        .text =
            "The same people meet under a new session name, as r2-j3-2. What the spoiled session "
            "left is kept, and a ballot that was given on it counts no longer. `contest "
            "tickets` writes its tickets. With --further the ballot counts until the judge gives "
            "another one in that session.",
        .examples = "boothlink contest repeat c.db r2-j3 --why 'a cable was broken'",
        .options = repeat_options,
        .size = sizeof(struct contest_repeat_options),
        .least = 2,
        .most = 2,
        CONTEST_ACT(.kind = ACT_REPEAT, .why = true, .make = make_repeat, .tell = tell_repeat),
    },
    {
        .name = "contest exclude",
        .synopsis = "FILE r2-j3 --why TEXT",
        .help = "a session counts for nothing, as the plan of a study says",
        .text = "As when the two knew each other, one dropped out, there were too few messages, or "
                "somebody took part before. Nothing is deleted: what it left stays, and its ballot "
                "is neither counted nor missing. `contest undo FILE exclude r2-j3` takes it back.",
        .examples = "boothlink contest exclude c.db r2-j3 --why 'took part before'",
        .options = mend_options,
        .size = sizeof(struct contest_repeat_options),
        .least = 2,
        .most = 2,
        CONTEST_ACT(.kind = ACT_EXCLUDE, .why = true, .make = make_repeat, .tell = tell_exclude),
    },
    {
        .name = "contest undo",
        .synopsis = "FILE begin|seal|withdraw J1|disqualify E2|limit C2|ballot r2-j3|exclude r2-j3 "
                    "--why TEXT",
        .help = "take an act back",
        .text = "begin: the last round that has begun, as long as it has no ballots and no seal. "
                "seal: of the "
                "last sealed round, never of the whole contest. withdraw, disqualify: that person "
                "or Entry is in the contest "
                "again. limit: that confederate has none. ballot: it counts no longer, and a late "
                "one is "
                "not waited for. exclude: the session counts again. Both acts stay on the record.",
        .examples = "boothlink contest undo c.db begin --why 'the hall was not ready'",
        .options = mend_options,
        .size = sizeof(struct contest_options),
        .least = 2,
        .most = 3,
        CONTEST_ACT(.kind = ACT_UNDO, .why = true, .make = make_undo, .tell = tell_undone),
    },
    {0},
};
