#include "contest/template.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define DAY_US INT64_C(86400000000)

struct template
{
    const struct ruleset *rules;
    const char *ruleset; /* its name in the people's file */
    unsigned entries, judges, confederates, booths;
    int64_t now_us;
    char *text;
    size_t length;
};

static void add(struct template *t, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void add(struct template *t, const char *format, ...)
{
    va_list list;
    int length;
    va_start(list, format);
    length = vsnprintf(t->text + t->length, TEMPLATE_MAX - t->length, format, list);
    va_end(list);
    t->length += (size_t)length;
    if (t->length >= TEMPLATE_MAX) /* never: people and booths are bounded */
        t->length = TEMPLATE_MAX - 1;
}

static unsigned at_least(unsigned number, int least)
{
    return least > 0 && (unsigned)least > number ? (unsigned)least : number;
}

/* Counts the people for this many booths. BL_DATA: the rules need another number of booths. */
static enum bl_status count(struct template *t, unsigned booths, struct bl_diag *diag)
{
    const struct ruleset *rules = t->rules;
    bool single = rules->pairing == PAIRING_SINGLE;
    t->confederates = at_least(single ? 1 : booths, rules->confederates_least);
    t->entries = single && booths > t->confederates ? booths - t->confederates
                 : single                           ? 1
                                                    : booths;
    if (single && rules->entries_most && t->entries > (unsigned)rules->entries_most) {
        t->entries = (unsigned)rules->entries_most;
        t->confederates = at_least(booths - t->entries, rules->confederates_least);
    }
    t->entries = at_least(t->entries, rules->entries_least);
    t->booths = single ? t->entries + t->confederates : t->entries;
    t->judges = at_least(rules->judges_least >= 3 ? 3 : t->booths, rules->judges_least);
    if (rules->design[0]) /* confederates by turns */
        t->judges *= 2;
    if (t->booths == booths &&
        (!rules->entries_most || t->entries <= (unsigned)rules->entries_most))
        return BL_OK;
    if (t->booths > booths)
        return bl_fail(diag, BL_DATA,
                       "%u booth%s: the rules of %s want %u Entr%s and %u confederate%s at least: "
                       "expected --booths %u or more",
                       booths, BL_S(booths), rules->name, t->entries, t->entries == 1 ? "y" : "ies",
                       t->confederates, BL_S(t->confederates), t->booths);
    return bl_fail(diag, BL_DATA,
                   "%u booth%s: the rules of %s have %d Entries at most: expected --booths %u or "
                   "fewer",
                   booths, BL_S(booths), rules->name, rules->entries_most,
                   single ? t->booths : (unsigned)rules->entries_most);
}

static const char *rule(const struct template *t, const char *key)
{
    static char text[RULESET_RULE_MAX];
    snprintf(text, sizeof text, "%s", ruleset_rule(t->rules, "register", key, 0).text);
    return text;
}

static void add_entry(struct template *t, unsigned number)
{
    const struct ruleset *rules = t->rules;
    add(t, "entry%u =\nentry%u.submitter =\n", number, number);
    if (rules->comms == WORD_YES)
        add(t, "entry%u.comms =\n", number);
    if (rules->rights_statement == WORD_YES)
        add(t, "entry%u.rights =\n", number);
    if (rules->receipt == WORD_YES)
        add(t, "entry%u.receipt =\n", number);
    if (rules->guardian_age)
        add(t, "entry%u.age =\n", number);
}

static void add_entries(struct template *t)
{
    const struct ruleset *rules = t->rules;
    add(t, "\n; The Entries, and who submits each. Perhaps more of each:\n"
           ";   entry1.team = NAME,NAME        others who have part in it\n"
           ";   entry1.family = NAME,NAME      families and immediate associates\n"
           ";   entry1.own = yes               the organiser's own, open source\n"
           ";   entry1.why = TEXT              why it is taken early or late\n");
    if (rules->opening[0])
        add(t, ";   entry1.approved = NAME         its name in the opening words, approved\n");
    if (rules->comms == WORD_YES)
        add(t,
            "; comms: the communications program that the confederate of its pair uses, too "
            "(%s).\n",
            rule(t, "communications-program"));
    if (rules->rights_statement == WORD_YES)
        add(t, "; rights: yes where the statement of rights is there (%s).\n",
            rule(t, "rights-statement"));
    if (rules->receipt == WORD_YES)
        add(t,
            "; receipt: yes where it came with a receipt and time stamp; or else no, entry1.how = "
            "installs (or "
            "brings) and\n; entry1.received = 2009-04-07T10:00 (%s).\n",
            rule(t, "receipt"));
    if (rules->guardian_age)
        add(t,
            "; age: the submitter's, or adult; below %d entry1.guardian = yes says that a "
            "guardian's "
            "permission\n; is there (%s).\n",
            rules->guardian_age, rule(t, "guardian-age"));
    for (unsigned i = 1; i <= t->entries; i++)
        add_entry(t, i);
}

static void add_confederates(struct template *t)
{
    bool unknown = t->rules->foils_unknown == WORD_YES;
    if (t->rules->design[0]) {
        add(t, "\n; The judges are the confederates, by turns.\n");
        return;
    }
    add(t, "\n; The confederates%s.\n",
        t->rules->opening[0] ? ". Perhaps confederate1.approved = NAME, the name in "
                               "the opening words"
                             : "");
    if (unknown)
        add(t,
            "; unknown: yes where no judge knows him or her, personally or by reputation (%s).\n",
            rule(t, "foils-unknown"));
    for (unsigned i = 1; i <= t->confederates; i++) {
        add(t, "confederate%u =\n", i);
        if (unknown)
            add(t, "confederate%u.unknown =\n", i);
    }
}

/* The number of days by which the rules' days are moved, so that Entries are taken from today on.
 * If the rules have no such day, their first day comes in 30 days. */
static int64_t moved_by(const struct template *t)
{
    int64_t today = t->now_us / DAY_US, first = INT64_MAX, day;
    if (ruleset_day(t->rules->date[DATE_OPENS], &day))
        return today - day;
    for (unsigned d = 0; d < RULESET_DATES; d++)
        if (ruleset_day(t->rules->date[d], &day) && day < first)
            first = day;
    return today + 30 - first;
}

/* Adds the rules' days, all moved alike. */
static void add_dates(struct template *t)
{
    bool any = false;
    int64_t moved = moved_by(t), day;
    char text[RULESET_DATE_MAX];
    for (unsigned d = 0; d < RULESET_DATES; d++) {
        const char *name = ruleset_date_name((enum ruleset_date)d);
        if (!ruleset_day(t->rules->date[d], &day))
            continue;
        if (!any)
            add(t,
                "; The days of this contest, see boothlink-ruleset(5); these are as far from one "
                "another as the\n; rules' own, and begin today or in a month. Set them to yours, "
                "then take the ; away.\n[dates]\n");
        any = true;
        ruleset_day_text((day + moved) * DAY_US, text);
        add(t, "; %s = %s ; %s\n", name, text,
            ruleset_rule(t->rules, "dates", name, RULE_ALL).text);
    }
    if (any)
        add(t, "\n");
}

static void add_people(struct template *t)
{
    add(t,
        "; Who takes part, for boothlink contest setup. Fill in what stands behind each = and is "
        "empty.\n"
        "; A line that begins with ; is a comment. What is missing is said with its line.\n\n"
        "[contest]\nformat = 1\nname =\nruleset = %s\n\n"
        "; The sides are drawn with a secret seed. Name a value here that nobody knows yet, and "
        "nobody\n; can say that you tried seeds until you liked one: then run setup, publish the "
        "commitment\n; that it prints, and when the value is known fill in the other two lines and "
        "run setup again.\n"
        "[draw]\n; public = the winning numbers of the lottery of 5 June, in rising order\n"
        "; value = 3 14 15 26 35 42\n; by = who states the value\n\n",
        t->ruleset);
    add_dates(t);
    add(t, "[people]\n; The judges. Perhaps judge1.family = NAME,NAME: families and immediate "
           "associates.\n");
    for (unsigned i = 1; i <= t->judges; i++)
        add(t, "judge%u =\n", i);
    add_entries(t);
    add_confederates(t);
    add(t, "\n; Organisers and the judges of a preliminary round, who may have no other part:\n"
           "; organiser1 = NAME\n; preliminary1 = NAME\n\n"
           "[conflicts]\n; Who may not meet, and why:\n"
           "; judge1 confederate2 = they are cousins\n");
}

static void add_booth(struct template *t, unsigned number)
{
    bool pairs = t->rules->pairing != PAIRING_SINGLE;
    add(t, "\nbooth%u.judge-a = serial:/dev/ttyUSB0@115200\n", number);
    add(t, "booth%u.entity-a = serial:/dev/ttyUSB0@115200\n", number);
    if (pairs) {
        add(t, "booth%u.judge-b = serial:/dev/ttyUSB1@115200\n", number);
        add(t, "booth%u.entity-b = serial:/dev/ttyUSB0@115200\n", number);
    }
    add(t, "; booth%u.controller = serial:/dev/ttyACM0\n", number);
}

static void add_venue(struct template *t)
{
    add(t,
        "; The machines of the contest and how they are plugged, for boothlink contest setup; see\n"
        "; boothlink-venue(5). A booth is a judge's machine and what is at the other ends of its\n"
        "; cables, A and B. Which booth is whose is drawn: the sheets say it.\n\n"
        "[venue]\nformat = 1\n%s"
        "; begin = ready                ; sessions begin when all are there. key: with F9\n"
        "; keys = ethernet              ; which lines setup makes keys for. all, or none\n"
        "; referee = yes                ; a referee may listen, setup makes the key\n\n"
        "[machines]\n"
        "; Ports: serial:/dev/ttyUSB0@115200 with a null-modem cable, ether:eth0 with an Ethernet\n"
        "; cable or hub, ether:eth0/b for a second line there. boothlink ports lists a "
        "machine's.\n",
        t->rules->plan[0]
            ? "start = 10:00\n; breaks = 1=60                ; 60 minutes more after round 1\n"
            : "; No start and no breaks: by these rules a session lasts as long as it takes, and "
              "the sheets\n; say \"when you are called\".\n");
    for (unsigned i = 1; i <= t->booths; i++)
        add_booth(t, i);
    add(t,
        "\n; The Entries, in the order of the people's file. program starts it on its machine; "
        "or lpp is\n; the folder of one that speaks LPP, or lpp2 the port of one that speaks LPP "
        "v2; or cgi a\n; program behind a form, or web its address. Perhaps turn-end, program-io, "
        "strip-prompt,\n; style.\n");
    add(t, "; One that was handed in with its manifest goes on the stick, from its folder here:\n"
           "; entry1.handed-in = entries/eliza\n");
    if (t->rules->comms == WORD_YES)
        add(t, "; entry1.comms = ./comms {port} ; what a confederate of its pairs types at (%s)\n",
            rule(t, "communications-program"));
    bool lpp = false;
    for (unsigned i = 0; i < t->rules->checks; i++)
        lpp = lpp || strncmp(t->rules->check[i].id, "lpp.", 4) == 0;
    for (unsigned i = 1; i <= t->entries; i++)
        add(t,
            lpp ? "entry%u.program = /opt/entry%u/run lpp\nentry%u.lpp = lpp\n"
                : "entry%u.program = /opt/entry%u/run\n",
            i, i, i);
}

static enum bl_status fill(const struct ruleset *rules, const char *name, unsigned booths,
                           int64_t now_us, char out[TEMPLATE_MAX],
                           void (*add_all)(struct template *t), struct bl_diag *diag)
{
    struct template t = {.rules = rules, .ruleset = name, .now_us = now_us, .text = out};
    enum bl_status status = count(&t, booths, diag);
    if (status == BL_OK)
        add_all(&t);
    return status;
}

enum bl_status template_people(const struct ruleset *rules, const char *name, unsigned booths,
                               int64_t now_us, char out[TEMPLATE_MAX], struct bl_diag *diag)
{
    return fill(rules, name, booths, now_us, out, add_people, diag);
}

enum bl_status template_venue(const struct ruleset *rules, unsigned booths, char out[TEMPLATE_MAX],
                              struct bl_diag *diag)
{
    return fill(rules, rules->name, booths, 0, out, add_venue, diag);
}
