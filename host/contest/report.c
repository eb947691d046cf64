#include "contest/draw.h"
#include "contest/report.h"

#include "contest/report_private.h"

#include <stdio.h>
#include <string.h>

static void put_register(const struct html_out *out, const struct contest *contest,
                         enum contest_role role, unsigned number)
{
    static const char *const hows[] = {"", ", sent with a receipt", ", installed on the spot",
                                       ", on a machine of its own"};
    const struct person *person = &contest->person[role][number];
    if (person->own)
        html_put(out, " <span class=\"small\">(entered by the organiser)</span>");
    if (person->approved[0])
        html_put(out, " <span class=\"small\">as \xE2\x80\x9C%s\xE2\x80\x9D</span>",
                 person->approved);
    html_put(out, "<span class=\"small\">%s%s%s%s%s</span>", hows[person->how],
             person->receipt ? ", receipt" : "", person->rights ? ", statement of rights" : "",
             person->guardian ? ", guardian's permission" : "",
             person->unknown ? ", not known to the judges" : "");
    for (unsigned i = 0; i < contest->associates; i++) {
        const struct associate *a = &contest->associate[i];
        if (a->role == role && a->number == number && a->circle == CIRCLE_TEAM)
            html_put(out, "<span class=\"small\">, with %s</span>", a->name);
    }
    if (role == CONTEST_ENTRY && contest->final && !contest->finalist[number])
        html_put(out, " <span class=\"small\">(not in the final round)</span>");
}

static void put_people(const struct html_out *out, const struct contest *contest)
{
    static const char *const titles[CONTEST_ROLES] = {
        "Entries", "Judges", "Confederates", "Judges of the preliminary round", "Organisers"};
    html_put(out, "<h2>Who took part</h2>\n");
    for (unsigned role = 0; role < CONTEST_ROLES; role++) {
        if (contest->people[role] == 0)
            continue;
        html_put(out, "<h3>%s</h3>\n<table class=\"whole\">\n", titles[role]);
        for (unsigned i = 0; i < contest->people[role]; i++) {
            const struct person *person = &contest->person[role][i];
            char delivered[CONTEST_DELIVERED_LINE], before[CONTEST_SITTER_LINE];
            const char code[] = {CONTEST_LETTERS[role], '\0'};
            html_put(out, "<tr><th>%s%u</th><td>%s", code, i + 1, person->name);
            if (person->submitter[0])
                html_put(out, " <span class=\"small\">by %s</span>", person->submitter);
            put_register(out, contest, (enum contest_role)role, i);
            if (role == CONTEST_ENTRY && contest_tell_delivered(contest, i, delivered))
                html_put(out, " <span class=\"small\">%s</span>", delivered);
            if (role == CONTEST_ENTRY && contest->disqualified[i])
                html_put(out, " <b>disqualified</b>");
            if (person->withdrawn)
                html_put(out, " <b>withdrawn after %u round%s</b>", person->withdrawn_after,
                         BL_S(person->withdrawn_after));
            for (unsigned s = 0; s < contest->sitters; s++)
                if (contest_sits(contest, &contest->sitter[s], role) &&
                    contest->sitter[s].number == i)
                    html_put(out, " <span class=\"small\">in the place of %s</span>",
                             contest_tell_sitter(&contest->sitter[s], before));
            if (role == CONTEST_CONFEDERATE && contest->limit[i][0])
                html_put(out, " <span class=\"small\">limited by a referee (%s): %s; %s</span>",
                         ruleset_rule(&contest->ruleset, "session", "referees-limit", 0).text,
                         contest->limit[i], contest->limit_why[i]);
            html_put(out, "</td></tr>\n");
        }
        html_put(out, "</table>\n");
    }
}

/* Cuts the blanks off both ends of text[0..length). */
static void trim(const char *text, size_t length, char *out, size_t size)
{
    while (length && (*text == ' ' || *text == '\t'))
        text++, length--;
    while (length && strchr(" \t\r", text[length - 1]))
        length--;
    snprintf(out, size, "%.*s", (int)(length < size ? length : size - 1), text);
}

/* Puts one line of a ruleset: "key = value ; rule". A blank and a semicolon begin the comment. */
static void put_rule(const struct html_out *out, const char *line, size_t length)
{
    char key[64], value[256], rule[128];
    const char *equals = memchr(line, '=', length), *comment = line;
    while ((comment = memchr(comment, ';', length - (size_t)(comment - line))) &&
           comment[-1] != ' ' && comment[-1] != '\t')
        comment++;
    if (!equals || (comment && comment < equals))
        return;
    const char *end = comment ? comment : line + length;
    trim(line, (size_t)(equals - line), key, sizeof key);
    trim(equals + 1, (size_t)(end - equals - 1), value, sizeof value);
    trim(comment ? comment + 1 : end, comment ? (size_t)(line + length - comment - 1) : 0, rule,
         sizeof rule);
    html_put(out, "<tr><th>%s</th><td>%s</td><td class=\"rule\">%s</td></tr>\n", key, value, rule);
}

static void put_rules(const struct html_out *out, const char *text)
{
    bool shown = true;
    html_put(out, "<h2>The rules as they were applied</h2>\n<table class=\"rules\">\n<thead>"
                  "<tr><th>What</th><th>How</th><th>Rule</th></tr></thead>\n");
    while (*text) {
        size_t length = strcspn(text, "\n");
        if (text[0] == '[') { /* some sections are not about the contest's result */
            char section[64];
            trim(text + 1, strcspn(text + 1, "]\n"), section, sizeof section);
            shown = strcmp(section, "rounds") != 0 && strcmp(section, "ruleset") != 0 &&
                    strcmp(section, "checks") != 0;
            if (shown)
                html_put(out, "<tr><th colspan=\"3\">[%s]</th></tr>\n", section);
        } else if (shown && text[0] != ';' && text[0] != '#') {
            put_rule(out, text, length);
        }
        text += length;
        text += *text == '\n';
    }
    html_put(out, "</table>\n");
}

static void put_excused(const struct html_out *out, const struct contest *contest, unsigned round)
{
    bool busy[CONTEST_ROLES][SCHEDULE_PEOPLE_MAX] = {{false}};
    const struct schedule *schedule = &contest->schedule;
    for (unsigned i = 0; i < schedule->count; i++) {
        const struct meeting *meeting = &schedule->meeting[i];
        if (meeting->round != round)
            continue;
        unsigned confederate = schedule_confederate(meeting, contest->people[CONTEST_ENTRY]);
        busy[CONTEST_JUDGE][meeting->judge] = true;
        if (confederate != PERSON_NOBODY)
            busy[CONTEST_CONFEDERATE][confederate] = true;
    }
    for (unsigned role = CONTEST_JUDGE; role <= CONTEST_CONFEDERATE; role++)
        for (unsigned i = 0; i < contest->people[role]; i++)
            if (!busy[role][i] && !contest->person[role][i].withdrawn)
                html_put(out, "%s%u ", role == CONTEST_JUDGE ? "J" : "C", i + 1);
}

static void put_meeting(const struct html_out *out, const struct report *report,
                        const struct meeting *meeting)
{
    const struct contest *contest = report->contest;
    char code[SCHEDULE_CODE_MAX];
    const char *path = NULL;
    schedule_code(meeting->entry, contest->people[CONTEST_ENTRY], code);
    html_put(out, "J%u %s", meeting->judge + 1U, code);
    if (meeting->confederate != PERSON_NOBODY) {
        html_put(out, " C%u", meeting->confederate + 1U);
        if (contest->sealed && contest->drawn)
            html_put(out, " <span class=\"small\">%s on the left</span>",
                     contest_entry_left(contest, meeting) ? "Entry" : "confederate");
    }
    const struct repeat *repeat = contest_repeat_of(contest, meeting);
    if (repeat) {
        char session[CONTEST_SESSION_MAX];
        contest_session(contest, meeting, session);
        html_put(out, " <span class=\"small\">held again as %s: %s</span>", session, repeat->why);
    }
    if (report->transcript)
        path = report->transcript(report->ctx, meeting->round, meeting->judge);
    if (path) {
        html_put(out, " <a href=\"");
        html_path(out, path);
        html_put(out, "\">transcript</a>");
    }
    html_put(out, "<br/>");
}

static void put_schedule(const struct html_out *out, const struct report *report)
{
    const struct schedule *schedule = &report->contest->schedule;
    bool times = report->timetable && report->timetable->known;
    html_put(out, "<h2>Schedule</h2>\n<table>\n<thead><tr><th>Round</th>");
    if (times)
        html_put(out, "<th>Time</th>");
    html_put(out, "<th>Meetings</th><th>Excused</th></tr></thead>\n");
    for (unsigned r = 0; r < schedule->rounds; r++) {
        html_put(out, "<tr><th>%u</th>", r + 1);
        if (times) {
            char from[TIMETABLE_CLOCK], to[TIMETABLE_CLOCK];
            timetable_clock(timetable_begin(report->timetable, r), from);
            timetable_clock(timetable_end(report->timetable, r), to);
            html_put(out, "<td>%s to %s</td>", from, to);
        }
        html_put(out, "<td>");
        for (unsigned i = 0; i < schedule->count; i++)
            if (schedule->meeting[i].round == r)
                put_meeting(out, report, &schedule->meeting[i]);
        html_put(out, "</td><td>");
        put_excused(out, report->contest, r);
        html_put(out, "</td></tr>\n");
    }
    html_put(out, "</table>\n");
}

static void on_step(void *ctx, const char *rule, const char *text)
{
    html_put(ctx, "<tr><td class=\"rule\">%s</td><td>%s</td></tr>\n", rule, text);
}

static void put_outcome(const struct html_out *out, const struct contest *contest,
                        const struct result *result)
{
    const char *winner =
        result->winner >= 0 ? contest->person[CONTEST_ENTRY][result->winner].name : "";
    html_put(out, "<p class=\"win\">");
    switch (result->outcome) {
    case RESULT_WON:
        html_put(out, "E%d, %s, wins%s.", result->winner + 1, winner,
                 !result->medal                           ? "; no medal is awarded"
                 : contest->ruleset.silver == SILVER_NONE ? ""
                 : result->silver                         ? " the Silver Medal"
                                                          : " the Bronze Medal");
        break;
    case RESULT_TIED:
        html_put(out, "The first place is tied.");
        break;
    case RESULT_NO_ENTRY:
        html_put(out, "No Entry has a place.");
        break;
    case RESULT_ONLY_ONE:
        html_put(out, "E%d, %s, is the only compliant Entry.", result->winner + 1, winner);
        break;
    case RESULT_PASSED:
        html_put(out, "The computer has passed the Turing Test.");
        break;
    case RESULT_FAILED:
        html_put(out, "The computer has not passed the Turing Test.");
        break;
    case RESULT_COUNTED:
        html_put(out, "How often each was taken for the human stands below.");
        break;
    case RESULT_PROVISIONAL:
        html_put(out, "Nothing is decided yet.");
        if (result->ballots_missing)
            html_put(out, " Ballots that are missing: %u.", result->ballots_missing);
        if (result->leader >= 0)
            html_put(out, " E%d, %s, leads so far.", result->leader + 1,
                     contest->person[CONTEST_ENTRY][result->leader].name);
        break;
    case RESULT_OPEN:
        html_put(out, "Whether the computer has passed the Turing Test is open.");
        break;
    }
    if (result->most_human_human >= 0)
        html_put(
            out, " %s is the Most Human Human.",
            contest_sitter_name(contest, CONTEST_CONFEDERATE, (unsigned)result->most_human_human));
    html_put(out, "</p>\n");
}

/* Long bet II ¶4: a session's trials. */
static void put_trials(const struct html_out *out, const struct result *result)
{
    html_put(out, "<table>\n<thead><tr><th>Trial</th><th>Took it for a human</th><th>Determination "
                  "test</th><th>Foils it equals or beats</th><th>Rank-order test</th><th>Trial"
                  "</th></tr></thead>\n");
    for (unsigned t = 0; t < result->trials; t++) {
        const struct trial_result *trial = &result->trial[t];
        html_put(out,
                 "<tr><th>%u</th><td class=\"n\">%u</td><td>%s</td><td class=\"n\">%u</td>"
                 "<td>%s</td><td>%s</td></tr>\n",
                 t + 1, trial->humans, trial->determined ? "passed" : "not passed", trial->foils,
                 trial->ranked ? "passed" : "not passed",
                 !trial->finished                     ? "not finished"
                 : trial->determined && trial->ranked ? "passed"
                                                      : "not passed");
    }
    html_put(out, "</table>\n");
}

static void put_result(const struct html_out *out, const struct contest *contest)
{
    struct result_input input;
    struct result result;
    contest_result_input(contest, &input);
    result_make(&result, &input, NULL, NULL);
    html_put(out, "<h2>Result</h2>\n");
    put_outcome(out, contest, &result);
    if (result.trials)
        put_trials(out, &result);
    report_charts(out, contest, &result);
    html_put(out, "<h3>Each step</h3>\n<table>\n<thead><tr><th>Rule</th><th>What it "
                  "gave</th></tr></thead>\n");
    result_make(&result, &input, on_step, (void *)(uintptr_t)out);
    html_put(out, "</table>\n");
}

static void put_disputes(const struct html_out *out, const struct contest *contest)
{
    static const char *const answers[] = {"open: a coin is to be tossed", "yes", "no"};
    if (!contest->disputes)
        return;
    html_put(out,
             "<h3>Disputes (%s)</h3>\n<table>\n<thead><tr><th>Matter</th><th>For yes</th><th>For no"
             "</th><th>Answer</th></tr></thead>\n",
             ruleset_rule(&contest->ruleset, "result", "disputes", 0).text);
    for (unsigned i = 0; i < contest->disputes; i++) {
        const struct dispute *dispute = &contest->dispute[i];
        html_put(out, "<tr><td>%s", dispute->matter);
        if (dispute->entry)
            html_put(out, " <span class=\"small\">disqualification of E%u</span>", dispute->entry);
        html_put(out, "</td><td>%u</td><td>%u</td><td>%s%s</td></tr>\n", dispute->votes_for,
                 dispute->votes_against, answers[dispute->answer],
                 dispute->coin ? ", by the coin" : "");
    }
    html_put(out, "</table>\n");
}

static void put_hex(const struct html_out *out, const char *head, const uint8_t *bytes,
                    size_t length)
{
    html_put(out, "<tr><th>%s</th><td class=\"hex\">", head);
    html_hex(out, bytes, length);
    html_put(out, "</td></tr>\n");
}

/* Puts one draw. `given`: its seed is known. */
static void put_one_draw(const struct html_out *out, const struct contest_draw *draw, bool given,
                         bool sealed)
{
    put_hex(out, "Commitment", draw->commitment, sizeof draw->commitment);
    if (given && sealed)
        put_hex(out, "Seed", draw->seed, sizeof draw->seed);
    if (!draw->public_name[0]) {
        html_put(out, "<tr><th>Public value</th><td>none was named at the commitment</td></tr>\n");
        return;
    }
    html_put(out, "<tr><th>Public value</th><td>%s", draw->public_name);
    if (given)
        html_put(out, ": \"%s\", stated by %s", draw->public_value, draw->public_by);
    html_put(out, "</td></tr>\n");
}

/* Puts the means for anybody to verify the draws and the coins, and their proof. */
static void put_draw(const struct html_out *out, const struct contest *contest)
{
    html_put(out,
             "<h2>Draw</h2>\n<p>The commitment is the BLAKE2b-256 of the seed.</p>\n<table>\n");
    for (unsigned i = 0; i < contest->draws; i++) {
        char text[DRAW_PROOF_MAX];
        unsigned from, to;
        draw_tell(&contest->past[i], text);
        bool any = draw_rounds(contest, i, &from, &to);
        if (any)
            html_put(out, to == from + 1 ? "<tr><th>Round %u</th>" : "<tr><th>Rounds %u to %u</th>",
                     from + 1, to);
        if (any)
            html_put(out, "<td>%s</td></tr>\n", text);
        else
            html_put(out, "<tr><th>No round</th><td>Another draw took its place. %s</td></tr>\n",
                     text);
        put_one_draw(out, &contest->past[i], true, contest->sealed);
    }
    if (contest->committed && (!contest->draws || contest->undrawn)) {
        const struct contest_draw open = draw_last(contest);
        put_one_draw(out, &open, contest->drawn && !contest->undrawn, contest->sealed);
    }
    for (unsigned i = 0; i < contest->tosses; i++) {
        const struct toss *toss = &contest->toss[i];
        if (!toss->tossed)
            break;
        put_hex(out, "Coin's commitment", toss->commitment, sizeof toss->commitment);
        put_hex(out, "Coin's seed", toss->seed, sizeof toss->seed);
    }
    html_put(out, "</table>\n");
}

static void put_conflicts(const struct html_out *out, const struct contest *contest)
{
    if (contest->conflicts == 0)
        return;
    html_put(out, "<p>Kept apart for a conflict of interest:");
    for (unsigned i = 0; i < contest->conflicts; i++) {
        const struct conflict *c = &contest->conflict[i];
        const char code[2][2] = {{CONTEST_LETTERS[c->role[0]]}, {CONTEST_LETTERS[c->role[1]]}};
        html_put(out, "%s %s%u and %s%u", i ? "," : "", code[0], c->number[0] + 1U, code[1],
                 c->number[1] + 1U);
    }
    html_put(out, ".</p>\n");
}

/* 2009 §4, 2004 A9: the scores are published. Questions have the numbers of their file. */
static void put_screening(const struct html_out *out, const struct contest *contest)
{
    bool begun = false;
    for (unsigned e = 0; e < contest->people[CONTEST_ENTRY]; e++) {
        const struct screening sum = contest_screening_sum(contest, e);
        if (sum.asked == 0)
            continue;
        if (!begun)
            html_put(out, "<h2>Screening</h2>\n<table>\n<thead><tr><th>Entry</th><th>Answers</th>"
                          "<th>Scored</th><th>Points</th></tr></thead>\n");
        begun = true;
        html_put(out,
                 "<tr><th>E%u</th><td class=\"n\">%u</td><td class=\"n\">%u</td>"
                 "<td class=\"n\">%u</td></tr>\n",
                 e + 1, sum.asked, sum.scored, sum.points);
    }
    if (begun)
        html_put(out, "</table>\n");
}

static void put_selection(const struct html_out *out, const struct contest *contest)
{
    struct selection_input input;
    struct selection selection;
    struct bl_diag diag;
    if (!contest->final)
        return;
    contest_selection_input(contest, &input);
    html_put(out, "<h2>Selection</h2>\n<table>\n<thead><tr><th>Rule</th><th>What it "
                  "gave</th></tr></thead>\n");
    if (selection_make(&selection, &input, on_step, (void *)(uintptr_t)out, &diag))
        on_step((void *)(uintptr_t)out, "", diag.text);
    html_put(out, "</table>\n");
}

/* Puts the omissions from the published transcripts, and the handling of the Entries. */
static void put_afterwards(const struct html_out *out, const struct contest *contest)
{
    if (contest->phrases) {
        html_put(out,
                 "<p>Phrases replaced by [phrase deleted] in the published transcripts: %u (%s). "
                 "The records themselves are as they were. The reasons:",
                 contest->phrases,
                 ruleset_rule(&contest->ruleset, "transcript", "phrases-deleted", 0).text);
        for (unsigned i = 0; i < contest->phrases; i++)
            html_put(out, "%s %s", i ? ";" : "", contest->phrase_why[i]);
        html_put(out, ".</p>\n");
    }
    if (contest->ruleset.erase != WORD_YES || !contest->sealed)
        return;
    html_put(out, "<p>Erased from the machines (%s):",
             ruleset_rule(&contest->ruleset, "register", "erase", 0).text);
    for (unsigned e = 0; e < contest->people[CONTEST_ENTRY]; e++)
        html_put(out, "%s E%u %s", e ? "," : "", e + 1, contest->erased[e] ? "yes" : "not yet");
    html_put(out, ".</p>\n");
}

void report_write(const struct report *report, const struct html_out *out)
{
    const struct contest *contest = report->contest;
    html_begin(out, contest->name);
    html_put(out, "<h1>%s</h1>\n<p>%s", contest->name, contest->ruleset.title);
    if (report->made)
        html_put(out, ". <span class=\"small\">This page was made %s.</span>", report->made);
    html_put(out, "</p>\n");
    if (contest->venue[0])
        html_put(out, "<p>%s</p>\n", contest->venue);
    if (!contest->sealed)
        html_put(out, "<p class=\"note\">Provisional: the contest is not sealed. Who sat on which "
                      "side, and the seed of the draw, are said when it is.</p>\n");
    if (contest->ruleset.names == WORD_NO)
        html_put(out,
                 "<p class=\"note\">For the manager alone: this page has names, and these rules "
                 "publish none (%s). The bundle of contest publish has none.</p>\n",
                 ruleset_rule(&contest->ruleset, "notice", "names", 0).text);
    put_result(out, contest);
    put_disputes(out, contest);
    html_put(out, "<h2>Ballots</h2>\n");
    report_ballots(out, contest);
    report_notes(out, report);
    report_exceptions(out, contest);
    put_people(out, contest);
    put_conflicts(out, contest);
    put_screening(out, contest);
    report_answers(out, &contest->ruleset, report->answer, report->answers);
    put_selection(out, contest);
    put_schedule(out, report);
    if (report->typed && contest->sealed && contest->drawn)
        report_typing(out, report);
    if (contest->ruleset.notice[0])
        html_put(out, "<h2>Notice</h2>\n<p>%s</p>\n", contest->ruleset.notice);
    put_afterwards(out, contest);
    if (contest->committed)
        put_draw(out, contest);
    if (report->rules_text)
        put_rules(out, report->rules_text);
    html_end(out);
}
