/* The verbs for mishaps on the day: rename, substitute, limit, repeat, undo, copy. Each is an act
 * with its reason; nothing is overwritten. */
#include "cli/contest.h"
#include "contest/act_word.h"
#include "contest/people.h"

#include <stdio.h>
#include <string.h>

static enum bl_status make_rename(const struct contest_making *m)
{
    const struct act_rename *act = &m->act->rename;
    return contest_name_free(m->contest, act->who.role, (unsigned)act->who.number - 1, act->name,
                             m->diag);
}

struct contest_substitute_options {
    struct contest_options common;
    bool now;
};

/* Checks more of a substitute than the act, since acts of old contests have less. */
static enum bl_status make_substitute(const struct contest_making *m)
{
    const struct contest_substitute_options *options = m->call->options;
    struct act_substitute *act = &m->act->substitute;
    bool foil = act->who.role == CONTEST_CONFEDERATE;
    act->round = options->now ? m->contest->begun : 0;
    if (options->now && !m->contest->begun)
        return bl_fail(m->diag, BL_USAGE, "--now is for a round that has begun");
    if (act->unknown && !foil)
        return bl_fail(m->diag, BL_USAGE, "--unknown is for a confederate");
    if (foil && !act->unknown && m->contest->ruleset.foils_unknown == WORD_YES)
        return bl_fail(m->diag, BL_DATA,
                       "missing --unknown: that no judge knows the foil, personally or by "
                       "reputation (%s)",
                       ruleset_rule(&m->contest->ruleset, "register", "foils-unknown", 0).text);
    return people_check_names("--family", act->family.text, m->diag);
}

/* Prints the substitute's first round, and sessions waiting to be held again. */
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
    return m->act->limit.text ? BL_OK
                              : bl_fail(m->diag, BL_USAGE, "missing --text TEXT, for the record");
}

static bool tell_limit(const struct contest_making *m)
{
    command_print("%s is limited (%s): %s\n", m->call->word[1],
                  ruleset_rule(&m->contest->ruleset, "session", "referees-limit", 0).text,
                  m->act->limit.text);
    return false;
}

static bool tell_repeat(const struct contest_making *m)
{
    const struct meeting meeting = {.round = (uint16_t)(m->act->repeat.round - 1),
                                    .judge = (person_number)(m->act->repeat.judge - 1)};
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

/* The row of a verb whose act can be taken back; NULL: none. */
static const struct contest_verb *find_undone(const char *what)
{
    const struct command *verb = command_find(&command_contest, what, NULL);
    return verb && verb->act && (verb->act->undone || verb->act->untell) ? verb->act : NULL;
}

static enum bl_status make_undo(const struct contest_making *m)
{
    const char *what = m->call->word[1], *who = m->call->word[2];
    const char *key = act_undo_key(what);
    if (!key || !find_undone(what))
        return bl_fail(m->diag, BL_USAGE, "'%.20s': expected " ACT_UNDONE, what);
    if (!*key && who)
        return bl_fail(m->diag, BL_USAGE, "begin and seal take no name: it is the last one");
    if (*key && !who)
        return bl_fail(m->diag, BL_USAGE,
                       strcmp(key, "session") == 0
                           ? "missing the session: as in 'undo FILE %s r2-j3'"
                           : "missing who: as in 'undo FILE %s %s'",
                       what, strcmp(key, "entry") == 0 ? "E1" : "J1");
    if (strcmp(what, "begin") == 0 && m->contest->begun &&
        m->contest->sealed_rounds == m->contest->begun)
        return bl_fail(m->diag, BL_DATA, "round %u is sealed: contest undo %s seal comes first",
                       m->contest->begun, m->call->word[0]);
    return *key ? act_word(m->contest, m->act, key, who, m->diag) : BL_OK;
}

static bool tell_undone(const struct contest_making *m)
{
    const struct contest_verb *verb = find_undone(m->call->word[1]);
    if (verb->untell)
        verb->untell(m->contest);
    else
        contest_say(verb->undone, m->call);
    return verb->undone_next && verb->undone_next(m->contest, m->call->word[0]);
}

/* Copies the file and reads the whole copy. An existing complete copy is left from an interrupted
 * `copy`. */
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
        status =
            bl_fail(diag, BL_IO, "%s: %lld act%s, expected %lld", call->word[1],
                    (long long)copied.number, BL_S(copied.number), (long long)file.contest->acts);
    if (status == BL_OK)
        command_print("%s: all %lld act%s\n", call->word[1], (long long)copied.number,
                      BL_S(copied.number));
    if (status == BL_OK && file.contest->committed && !file.contest->drawn)
        command_print(
            "The secret seed, %s.seed, is not in it: whoever goes on with the copy brings "
            "it along, or draws again\n",
            call->word[0]);
    contest_file_close(&file);
    return status;
}

static const struct command_option repeat_options[] = {
    CONTEST_MEMBER("--further", NULL,
                   "it was not spoiled: one more opportunity (1996 r14, 2003 r42)", OPTION_FLAG,
                   repeat.further),
    CONTEST_WHY,
    CONTEST_AUTHOR,
    {0},
};

static const struct command_option substitute_options[] = {
    CONTEST_MEMBER("--family", "NAME,NAME,...",
                   "families and immediate associates, as far as known", OPTION_TEXT,
                   substitute.family.text),
    CONTEST_MEMBER("--unknown", NULL, "confederate: no judge knows him or her", OPTION_FLAG,
                   substitute.unknown),
    OPTION_ROW("--now", NULL, "in the round that has begun, too: its session is to be held",
               OPTION_FLAG, struct contest_substitute_options, now),
    CONTEST_WHY,
    CONTEST_AUTHOR,
    {0},
};

static const struct command_option limit_options[] = {
    CONTEST_MEMBER("--text", "TEXT", "what the confederate is told, one line", OPTION_TEXT,
                   limit.text),
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
        .options = contest_reason,
        .least = 3,
        .most = 3,
        CONTEST_ACT(.kind = ACT_RENAME, .words = {"who", "name"}, .why = true, .make = make_rename,
                    .done = "$1 is $2"),
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
        CONTEST_ACT_BY(.kind = ACT_SUBSTITUTE, .words = {"who", "name"}, .why = true,
                       .make = make_substitute, .tell = tell_substitute),
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
        .least = 2,
        .most = 2,
        CONTEST_ACT(.kind = ACT_LIMIT, .words = {"who"}, .why = true, .make = make_limit,
                    .tell = tell_limit, .undone = "$2 is not limited"),
    },
    {
        .name = "contest copy",
        .synopsis = "FILE OTHER",
        .help = "copy a contest's file, to keep it safe or to restore it",
        .text = "Safe while other programs have it open. If OTHER is there already it stays as it "
                "is. A copy gets that name only when it is whole and was read again. To restore a "
                "lost file, copy the copy back.",
        .examples = "boothlink contest copy c.db /media/stick/c.db",
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
        .least = 2,
        .most = 2,
        CONTEST_ACT(.kind = ACT_REPEAT, .words = {"session"}, .why = true, .tell = tell_repeat),
    },
    {
        .name = "contest exclude",
        .synopsis = "FILE r2-j3 --why TEXT",
        .help = "a session counts for nothing, as the plan of a study says",
        .text = "As when the two knew each other, one dropped out, there were too few messages, or "
                "somebody took part before. Nothing is deleted: what it left stays, and its ballot "
                "is neither counted nor missing. `contest undo FILE exclude r2-j3` takes it back.",
        .examples = "boothlink contest exclude c.db r2-j3 --why 'took part before'",
        .options = contest_reason,
        .least = 2,
        .most = 2,
        CONTEST_ACT(.kind = ACT_EXCLUDE, .words = {"session"}, .why = true, .tell = tell_exclude,
                    .undone = "$2 counts again"),
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
        .options = contest_reason,
        .least = 2,
        .most = 3,
        CONTEST_ACT(.kind = ACT_UNDO, .words = {"what"}, .why = true, .make = make_undo,
                    .tell = tell_undone),
    },
    {0},
};
