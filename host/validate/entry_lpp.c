/* Checks an Entry that speaks the Loebner Prize Protocol. Source: 2009 rules, section 2 and
 * appendix; DESIGN.md, "Entrants". */
#include "validate/entry_private.h"

#include "base/keysym.h"
#include "base/loop.h"

#include <inttypes.h>
#include <signal.h>
#include <string.h>

#define MS        UINT64_C(1000)
#define SHOWN     4u  /* names shown in a finding */
#define TYPIST_MS 50u /* gap between two keys of a fast typist */
#define LAG_US    (1000 * MS)
#define WAIT_MS   100u /* gap between two looks at the keys that the Entry has taken */

static const struct lpp_judge *judge_of(struct validate *v, unsigned turns)
{
    if (!validate_is_kind(v, "lpp")) {
        finding_skip(v->finding, "only with --lpp DIR, the folder in which it speaks LPP");
        return NULL;
    }
    /* A new folder has room for later names. */
    if (v->entry && actor_lpp(v->entry)->names > LPP_JUDGE_NAMES / 2)
        interview_end(v);
    if (!interview_begin(v))
        return NULL;
    while (interview_turns(v) < turns)
        if (!interview_ask(v, interview_line(v)))
            return NULL;
    return actor_lpp(v->entry);
}

static bool is_key(const struct lpp_judge_name *name)
{
    return name->read.kind == LPP_KEY;
}

/* Shows the wrong names and returns their number. */
static unsigned show(struct finding *f, const struct lpp_judge *judge,
                     bool (*is_wrong)(const struct lpp_judge_name *name))
{
    unsigned count = 0;
    for (uint32_t i = 0; i < judge->names; i++) {
        const char *name = judge->name[i].name;
        if (is_wrong(&judge->name[i]) && count++ < SHOWN)
            finding_quote(f, "it made ", name, strlen(name), LPP_NAME_MAX);
    }
    return count;
}

static bool is_misnamed(const struct lpp_judge_name *name)
{
    return name->read.kind == LPP_NO_KEY || (is_key(name) && !name->named);
}

ENTRY_CHECK(entry_lpp_names)
{
    const struct lpp_judge *judge = judge_of(v, 2);
    unsigned wrong = judge ? show(f, judge, is_misnamed) : 0;
    const struct lpp_judge_name *first = judge ? judge->name : NULL;
    if (!judge)
        return;
    if (!wrong) {
        finding_pass(f, "%" PRIu64 " key%s, each with its name of the rules", judge->names_all,
                     BL_S(judge->names_all));
        return;
    }
    while (!is_misnamed(first))
        first++;
    finding_broken(f, "%u of %u name%s %s not as the rules write %s", wrong, judge->names,
                   BL_S(judge->names), BL_ARE(wrong), wrong == 1 ? "it" : "them");
    if (is_key(first) && keysym_name(first->read.point))
        finding_expected(f, "NUMBER.%s.other", keysym_name(first->read.point));
    else if (is_key(first))
        finding_expected(f, "the key by itself, and the extension .other");
    else
        finding_expected(f, "NUMBER.KEY.other, KEY being a letter, a digit or a name of the "
                            "rules' appendix");
    finding_came(f, "%.200s", first->name);
}

static bool is_short(const struct lpp_judge_name *name)
{
    return is_key(name) && name->read.digits != LPP_DIGITS;
}

ENTRY_CHECK(entry_lpp_digits)
{
    const struct lpp_judge *judge = judge_of(v, 1);
    unsigned wrong = judge ? show(f, judge, is_short) : 0;
    if (!judge)
        return;
    if (!wrong) {
        finding_pass(f, "each number has 18 digits");
        return;
    }
    finding_broken(f, "%u of %u number%s without 18 digits", wrong, judge->names,
                   BL_S(judge->names));
    finding_expected(f, "18 digits, with zeros in front");
    finding_came(f, "other lengths");
}

/* Finds the first key whose number is not above the one before; NULL: none. */
static const struct lpp_judge_name *order_find(const struct lpp_judge *judge,
                                               const struct lpp_judge_name **before)
{
    const struct lpp_judge_name *last = NULL;
    /* Names of the present run count; another check compares them with earlier runs. */
    for (uint32_t i = judge->since; i < judge->names; i++) {
        const struct lpp_judge_name *at = &judge->name[i];
        if (!is_key(at))
            continue;
        if (last && lpp_number_compare(at->name, &at->read, last->name, &last->read) <= 0) {
            *before = last;
            return at;
        }
        last = at;
    }
    return NULL;
}

ENTRY_CHECK(entry_lpp_order)
{
    const struct lpp_judge *judge = judge_of(v, 2);
    const struct lpp_judge_name *before, *wrong;
    if (!judge)
        return;
    wrong = order_find(judge, &before);
    if (!wrong) {
        finding_pass(f, "each number is above the one before");
        return;
    }
    finding_broken(f, "a number is not above the one before");
    finding_expected(f, "a number above that of %.150s", before->name);
    finding_came(f, "%.150s", wrong->name);
}

/* Waits until the Entry has taken all keys of the judge, or for the allowed time of an answer.
 * False: the finding is filled in. */
static bool wait_taken(struct validate *v, const struct lpp_judge *judge)
{
    uint64_t until_us = bl_mono_us() + v->options->answer_ms * MS;
    while (judge->gone < judge->keys && bl_mono_us() < until_us)
        if (!interview_good(v, actor_pause(v->entry, WAIT_MS, false),
                            "a program that takes the keys"))
            return false;
    return true;
}

ENTRY_CHECK(entry_lpp_deletes)
{
    const struct lpp_judge *judge = judge_of(v, 1);
    if (!judge || !wait_taken(v, judge))
        return;
    if (judge->gone == judge->keys) {
        finding_pass(f, "directories of the judge, all removed: %u", judge->keys);
        return;
    }
    finding_broken(f, "directories of the judge that are still there: %u of %u",
                   judge->keys - judge->gone, judge->keys);
    finding_expected(f, "each is removed when it is read");
    finding_came(f, "%u stay", judge->keys - judge->gone);
}

static bool is_foreign(const struct lpp_judge_name *name)
{
    return name->read.kind == LPP_FOREIGN ||
           (is_key(name) &&
            (name->stayed || (name->thing != LPP_DIRECTORY && name->thing != LPP_GONE)));
}

ENTRY_CHECK(entry_lpp_foreign)
{
    const struct lpp_judge *judge = judge_of(v, 2);
    unsigned wrong = judge ? show(f, judge, is_foreign) : 0;
    if (!judge)
        return;
    if (!wrong) {
        finding_pass(f, "nothing but empty directories of the protocol is made there");
        return;
    }
    finding_broken(f, "%u name%s %s no directory of the protocol", wrong, BL_S(wrong),
                   BL_ARE(wrong));
    finding_expected(f, "nothing but empty directories NUMBER.KEY.other in that folder");
    finding_came(f, "%u other%s", wrong, BL_S(wrong));
}

ENTRY_CHECK(entry_lpp_speed)
{
    static const char words[] = "This is how quickly somebody may type who has learned to.";
    const struct lpp_judge *judge = judge_of(v, 1);
    uint64_t longest_us = 0;
    uint32_t from;
    if (!judge || !wait_taken(v, judge))
        return;
    from = judge->keys;
    if (!interview_good(v, actor_type(v->entry, words, TYPIST_MS),
                        "a program that takes the judge's keys") ||
        !wait_taken(v, judge))
        return;
    for (uint32_t i = from; i < judge->keys; i++) {
        uint64_t gone_us = judge->key[i].gone_us ? judge->key[i].gone_us : bl_mono_us();
        if (gone_us - judge->key[i].made_us > longest_us)
            longest_us = gone_us - judge->key[i].made_us;
    }
    actor_mark(v->entry);
    if (!interview_good(v, actor_type(v->entry, "\r", 0), "a program that goes on") ||
        !interview_answer(v))
        return;
    if (longest_us <= LAG_US) {
        finding_pass(f, "20 keys a second are taken within %" PRIu64 " ms", longest_us / MS);
        return;
    }
    finding_broken(f, "it takes keys up to %" PRIu64 " ms after they were typed", longest_us / MS);
    finding_expected(f, "20 keys a second, each taken within %" PRIu64 " ms", LAG_US / MS);
    finding_came(f, "%" PRIu64 " ms", longest_us / MS);
}

ENTRY_CHECK(entry_lpp_backlog)
{
    if (!judge_of(v, 0))
        return;
    sandbox_signal(actor_sandbox(v->entry), SIGKILL);
    actor_wait_end(v->entry, v->options->end_ms);
    actor_type(v->entry, interview_line(v), 0);
    actor_type(v->entry, "\r", 0);
    if (interview_again(v, true) && interview_answer(v))
        finding_pass(f, "what was typed before it was started is answered");
    else if (f->verdict != VERDICT_SKIP)
        finding_expected(f, "an answer to what was typed before it was started");
}

ENTRY_CHECK(entry_lpp_restart)
{
    const struct lpp_judge *judge;
    const struct lpp_judge_name *last = NULL, *next = NULL;
    /* A new program: after a long conversation there is no room for further names. */
    interview_end(v);
    judge = judge_of(v, 1);
    if (!judge)
        return;
    for (uint32_t i = judge->since; i < judge->names; i++)
        if (is_key(&judge->name[i]))
            last = &judge->name[i];
    if (!interview_again(v, true) || !interview_ask(v, interview_line(v)))
        return;
    for (uint32_t i = judge->names; i-- > judge->since;)
        if (is_key(&judge->name[i]))
            next = &judge->name[i];
    if (!last || !next ||
        lpp_number_compare(next->name, &next->read, last->name, &last->read) > 0) {
        finding_pass(f, "started again, it goes on with greater numbers");
        return;
    }
    finding_broken(f, "started again, it begins with a number that is not greater");
    finding_expected(f, "a number above that of %.150s", last->name);
    finding_came(f, "%.150s", next->name);
}
