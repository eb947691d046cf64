#include "validate/report.h"

#include "base/version.h"
#include "base/word.h"
#include "validate/finding.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

const char *verdict_word(enum verdict verdict)
{
    static const char *const words[] = {
        [VERDICT_PASS] = "PASS",
        [VERDICT_FAIL] = "FAIL",
        [VERDICT_WARN] = "WARN",
        [VERDICT_SKIP] = "SKIP",
    };
    return WORD_OF(words, verdict, "?");
}

struct report_lines {
    char *out;
    size_t room, used;
};

static void add(struct report_lines *lines, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
static void add(struct report_lines *lines, const char *format, ...)
{
    size_t left = lines->room - lines->used;
    va_list args;
    va_start(args, format);
    int n = vsnprintf(lines->out + lines->used, left, format, args);
    va_end(args);
    if (n > 0)
        lines->used += (size_t)n < left ? (size_t)n : left - 1;
}

static bool is_bad(const struct finding *f)
{
    return f->verdict == VERDICT_FAIL || f->verdict == VERDICT_WARN;
}

static void evidence_add(struct report_lines *lines, const char *evidence)
{
    while (*evidence) {
        size_t length = strcspn(evidence, "\n");
        add(lines, "       %.*s\n", (int)length, evidence);
        evidence += length + (evidence[length] == '\n');
    }
}

int report_wider(const char *text)
{
    int more = 0;
    for (; *text; text++)
        more += (*text & 0xC0) == 0x80;
    return more;
}

void report_repeat(const struct finding *f, const struct validate_options *o,
                   char out[REPORT_REPEAT])
{
    snprintf(out, REPORT_REPEAT, " --only %s%s%s --seed %llu", f->during, f->during[0] ? "," : "",
             f->check->id, (unsigned long long)o->seed);
}

void report_finding(const struct finding *f, const struct validate_options *o, const char *again,
                    char out[REPORT_LINES])
{
    struct report_lines lines = {.out = out, .room = REPORT_LINES};
    char only[REPORT_REPEAT];
    out[0] = '\0';
    const char *rule = f->rule ? f->rule : "-";
    add(&lines, "%s %-17s %-*s  %s\n", verdict_word(f->verdict), f->check->id,
        6 + report_wider(rule), rule, f->what);
    if (!is_bad(f))
        return;
    add(&lines, "       asked:    %s\n", f->check->asks);
    if (f->expected[0])
        add(&lines, "       expected: %s\n", f->expected);
    if (f->came[0])
        add(&lines, "       came:     %s\n", f->came);
    evidence_add(&lines, f->evidence);
    if (f->runs > 1)
        add(&lines, "       so in %u of %u run%s\n", f->failed, f->runs, BL_S(f->runs));
    report_repeat(f, o, only);
    add(&lines, "       again:    %s%s\n", again, only);
}

/* Adds the rules' demands without a check. They do not affect the verdict. */
static void untried_add(struct report_lines *lines, const struct validate_report *r)
{
    bool any = false;
    for (unsigned i = 0; i < r->count; i++) {
        const struct finding *f = &r->finding[i];
        if (f->verdict != VERDICT_SKIP || !f->rule || f->cause || f->spared)
            continue;
        add(lines, "%s%s", any ? ", " : "not looked at, though a rule is about it: ", f->check->id);
        any = true;
    }
    if (any)
        add(lines, "\n");
}

static bool waits_for(const struct finding *f, const struct finding *failed)
{
    return f->cause && strcmp(f->cause, failed->check->id) == 0;
}

const struct finding *report_first(const struct validate_report *r)
{
    const struct finding *first = NULL;
    unsigned most = 0;
    for (unsigned i = 0; i < r->count; i++) {
        const struct finding *f = &r->finding[i];
        unsigned waiting = 0;
        if (!is_bad(f) || (first && first->verdict == VERDICT_FAIL && f->verdict == VERDICT_WARN))
            continue;
        for (unsigned k = 0; k < r->count; k++)
            waiting += waits_for(&r->finding[k], f);
        if (first && first->verdict == f->verdict && waiting <= most)
            continue;
        first = f;
        most = waiting;
    }
    for (unsigned i = 0; first && first->during[0] && i < r->count; i++) {
        const struct finding *f = &r->finding[i];
        if (f->verdict == VERDICT_FAIL && !f->during[0] &&
            strncmp(first->what, f->what, strlen(f->what)) == 0)
            return f;
    }
    return first;
}

/* Adds the last line of the program's standard error, if there is any in the evidence. */
static void error_add(struct report_lines *lines, const struct finding *f)
{
    const char *from = strstr(f->evidence, STANDARD_ERROR), *next;
    if (!from)
        return;
    from += sizeof STANDARD_ERROR - 1;
    const char *end = from + strcspn(from, "\n");
    if (end > from && end[-1] == '"')
        end--;
    if (end - from >= 2 && strncmp(end - 2, "\\n", 2) == 0)
        end -= 2;
    while ((next = strstr(from, "\\n")) && next < end)
        from = next + 2;
    if (end > from)
        add(lines, "            %.*s\n", (int)(end - from), from);
}

/* Adds the fault to mend first, and the checks that wait for it. */
static void first_add(struct report_lines *lines, const struct validate_report *r)
{
    const struct finding *first = report_first(r);
    unsigned waiting = 0;
    if (!first)
        return;
    for (unsigned i = 0; i < r->count; i++)
        waiting += waits_for(&r->finding[i], first);
    add(lines, "%s: %s: %s", first->verdict == VERDICT_FAIL ? "mend first" : "warned of",
        first->check->id, first->what);
    if (waiting)
        add(lines, "; %u check%s could not be run for it", waiting, waiting == 1 ? "" : "s");
    add(lines, "\n");
    error_add(lines, first);
}

/* The bad finding that the program asks other machines, which a contest lacks. NULL: none. */
static const struct finding *asks_others(const struct validate_report *r)
{
    for (unsigned i = 0; i < r->count; i++)
        if (is_bad(&r->finding[i]) && strncmp(r->finding[i].check->id, "net.", 4) == 0)
            return &r->finding[i];
    return NULL;
}

/* The kind of Entry that the rules demand, if the Entry is of another kind and only the demanded
 * kind's checks did not run; otherwise NULL. */
static const struct entry_kind *report_demand(const struct validate_report *r)
{
    const struct entry_kind *kind = NULL;
    if (report_verdict(r) == REPORT_ACCEPTED || r->count < r->asked)
        return NULL;
    for (unsigned i = 0; i < r->count; i++) {
        if (!report_is_open(&r->finding[i]))
            continue;
        for (unsigned k = 0; !kind && k < KINDS; k++)
            if (entry_kinds[k].demand && check_wanted(r->finding[i].check, entry_kinds[k].checks))
                kind = &entry_kinds[k];
        if (!kind || !check_wanted(r->finding[i].check, kind->checks))
            return NULL;
    }
    return r->options->entry && kind != &entry_kinds[r->options->entry->kind] ? kind : NULL;
}

/* Names the kind of Entry that the rules demand, and its option. */
static void demand_add(struct report_lines *lines, const struct validate_options *o,
                       const struct entry_kind *demand)
{
    const struct entry_kind *own = &entry_kinds[o->entry->kind];
    add(lines, ": it demands %s, and an Entry by --%s is none", demand->demand, own->own);
    if (own->reach == KIND_REACHES_SERVER)
        add(lines, ": what is behind a server cannot be entered alone");
    add(lines,
        ". Give one by --%s %s --program CMD, as %s of the examples: see "
        "boothlink-entrant(7)",
        demand->own, demand->value, demand->example);
}

bool report_wants(const struct validate_options *o, char out[REPORT_TOTALS])
{
    struct report_lines lines = {.out = out, .room = REPORT_TOTALS};
    const struct entry_kind *demand = NULL;
    enum verdict broken;
    out[0] = '\0';
    for (const struct check *c = validate_checks; c->id && !demand; c++)
        for (unsigned k = 0; k < KINDS && !demand; k++)
            if (entry_kinds[k].demand && check_wanted(c, entry_kinds[k].checks) &&
                check_rule(c, o->ruleset, &broken) && broken == VERDICT_FAIL)
                demand = &entry_kinds[k];
    if (!o->entry || o->only || !demand || demand == &entry_kinds[o->entry->kind])
        return false;
    add(&lines, "%s cannot accept it", o->ruleset->name);
    demand_add(&lines, o, demand);
    add(&lines, "\nThe checks that follow are those of every Entry; ^C ends them.\n");
    return true;
}

/* Lists the checks without a verdict; for a single one also the reason. */
static void missing_add(struct report_lines *lines, const struct validate_report *r, unsigned open)
{
    const char *between = ": ";
    for (unsigned i = 0; i < r->count; i++) {
        const struct finding *f = &r->finding[i];
        if (!report_is_open(f))
            continue;
        add(lines, "%s%s", between, f->check->id);
        if (open == 1)
            add(lines, " (%s)", f->what);
        between = ", ";
    }
}

static void open_add(struct report_lines *lines, const struct validate_report *r,
                     const struct entry_kind *demand)
{
    unsigned open = 0;
    for (unsigned i = 0; i < r->count; i++)
        open += report_is_open(&r->finding[i]);
    add(lines, "gives no verdict");
    if (demand)
        return;
    add(lines, ": ");
    if (r->count < r->asked)
        add(lines, "%u of %u check%s %s not run", r->asked - r->count, r->asked, BL_S(r->asked),
            BL_WERE(r->asked - r->count));
    else if (open) {
        add(lines, "%u of %u check%s, for which it would not accept it, could not look", open,
            r->asked, BL_S(r->asked));
        missing_add(lines, r, open);
    } else
        add(lines, "no check could be passed");
}

/* Adds "loebner-2004 would accept it, by 44 checks": the number of checks made. */
static void ruleset_add(struct report_lines *lines, const struct validate_report *r)
{
    const struct entry_kind *demand = report_demand(r);
    add(lines, "%s ", r->options->ruleset->name);
    switch (report_verdict(r)) {
    case REPORT_ACCEPTED:
        add(lines, "would accept it, by %u check%s", r->count - r->total[VERDICT_SKIP],
            BL_S(r->count - r->total[VERDICT_SKIP]));
        break;
    case REPORT_REFUSED:
        add(lines, "would not accept it");
        break;
    case REPORT_OPEN:
        open_add(lines, r, demand);
        break;
    }
    if (demand)
        demand_add(lines, r->options, demand);
}

static void verdict_add(struct report_lines *lines, const struct validate_report *r)
{
    const struct finding *others = asks_others(r);
    ruleset_add(lines, r);
    add(lines, "\n");
    if (others)
        add(lines,
            "on the day it reaches no other machine: what it asks there (%s) is not "
            "answered\n",
            others->check->id);
}

void report_says(const struct validate_report *r, char out[REPORT_TOTALS])
{
    struct report_lines lines = {.out = out, .room = REPORT_TOTALS};
    out[0] = '\0';
    ruleset_add(&lines, r);
}

void report_headline(const struct validate_report *r, char out[REPORT_HEADLINE])
{
    const unsigned *t = r->total;
    enum report_verdict verdict = report_verdict(r);
    const char *words = verdict == REPORT_ACCEPTED  ? "It passed"
                        : verdict == REPORT_REFUSED ? "It failed"
                                                    : "No verdict yet; passed";
    snprintf(out, REPORT_HEADLINE, "%s: %u of %u check%s, %u skipped.", words,
             t[verdict == REPORT_REFUSED ? VERDICT_FAIL : VERDICT_PASS], r->asked, BL_S(r->asked),
             t[VERDICT_SKIP]);
}

void report_totals(const struct validate_report *r, char out[REPORT_TOTALS])
{
    const unsigned *t = r->total;
    struct report_lines lines = {.out = out, .room = REPORT_TOTALS};
    out[0] = '\0';
    first_add(&lines, r);
    add(&lines, "%u passed, %u failed, %u warned of, %u skipped\n", t[VERDICT_PASS],
        t[VERDICT_FAIL], t[VERDICT_WARN], t[VERDICT_SKIP]);
    untried_add(&lines, r);
    verdict_add(&lines, r);
}

void report_wrap(char *text, unsigned columns)
{
    char *blank = NULL;
    unsigned column = 0;
    for (char *at = text; *at; at++) {
        column = *at == '\n' ? 0 : column + ((*at & 0xC0) != 0x80);
        if (*at == '\n') {
            blank = NULL;
        } else if (*at == ' ') {
            blank = at;
        } else if (column > columns && blank) {
            *blank = '\n';
            at = blank;
            blank = NULL;
            column = 0;
        }
    }
}

static json_t *text(const char *value)
{
    json_t *string = value && *value ? json_string(value) : NULL;
    return string ? string : json_null();
}

static json_t *finding_json(const struct finding *f, const struct validate_options *o,
                            const char *again)
{
    char only[REPORT_REPEAT];
    json_t *object =
        json_pack("{s:s,s:s,s:o,s:s,s:o,s:o,s:o,s:o,s:o,s:i,s:i,s:I}", "id", f->check->id,
                  "verdict", verdict_word(f->verdict), "rule", text(f->rule), "asks",
                  f->check->asks, "what", text(f->what), "needs", text(f->cause), "expected",
                  text(f->expected), "came", text(f->came), "evidence", json_array(), "runs",
                  (int)f->runs, "failed", (int)f->failed, "took_ms", (json_int_t)f->took_ms);
    json_t *list = json_object_get(object, "evidence");
    for (const char *at = f->evidence; *at;) {
        size_t length = strcspn(at, "\n");
        json_t *line = json_stringn(at, length);
        json_array_append_new(list, line ? line : json_string("?"));
        at += length + (at[length] == '\n');
    }
    report_repeat(f, o, only);
    if (is_bad(f))
        json_object_set_new(object, "again", json_sprintf("%s%s", again, only));
    return object;
}

json_t *report_json(const struct validate_report *r, const char *again)
{
    json_t *list = json_array();
    for (unsigned i = 0; i < r->count; i++)
        json_array_append_new(list, finding_json(&r->finding[i], r->options, again));
    const struct finding *first = report_first(r);
    const struct entry_kind *demand = report_demand(r);
    char says[REPORT_TOTALS];
    report_says(r, says);
    static const char *const verdicts[] = {"accepted", "refused", "open"};
    return json_pack(
        "{s:b,s:s,s:o,s:o,s:i,s:b,s:s,s:o,s:o,s:s,s:I,s:{s:i,s:i,s:i,s:i},s:o}", "accepted",
        report_verdict(r) == REPORT_ACCEPTED, "verdict", verdicts[report_verdict(r)], "says",
        text(says), "demands", text(demand ? demand->own : NULL), "asked", (int)r->asked,
        "asks_others", asks_others(r) != NULL, "version", BL_VERSION, "made", text(r->made),
        "first", text(first ? first->check->id : NULL), "ruleset", r->options->ruleset->name,
        "seed", (json_int_t)r->options->seed, "totals", "pass", (int)r->total[VERDICT_PASS], "fail",
        (int)r->total[VERDICT_FAIL], "warn", (int)r->total[VERDICT_WARN], "skip",
        (int)r->total[VERDICT_SKIP], "checks", list);
}

static const char *broken_word(enum verdict broken)
{
    return broken == VERDICT_SKIP ? "not asked" : verdict_word(broken);
}

json_t *report_check_json(const struct check *check, const struct ruleset *ruleset, unsigned count)
{
    json_t *rules = json_array();
    for (const struct ruleset *of = ruleset; of < ruleset + count; of++) {
        enum verdict broken;
        const char *rule = check_rule(check, of, &broken);
        if (rule || broken != check->broken)
            json_array_append_new(rules, json_pack("{s:s,s:o,s:s}", "ruleset", of->name, "rule",
                                                   text(rule), "broken", broken_word(broken)));
    }
    return json_pack("{s:s,s:s,s:s,s:o,s:s,s:o}", "id", check->id, "kind",
                     check->kind == VALIDATE_ENTRY ? "entry" : "comms", "asks", check->asks,
                     "needs", text(check->needs), "broken", broken_word(check->broken), "rules",
                     rules);
}
