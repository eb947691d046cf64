#include "validate/entry_private.h"

#include "base/utf8.h"
#include "rules/characters.h"
#include "rules/opening.h"

#include <stdio.h>
#include <string.h>

#define TURNS      3u     /* answers to look at */
#define TURNS_MOST 12u    /* most questions, until enough answers are conclusive */
#define LINE_RATE  11520u /* keys per second on a line of 115,200 baud */

static const unsigned gap_ms[] = {1,  5,   10,  20,
                                  50, 100, 500, 0}; /* upper bounds of the gaps; 0: no bound */

/* Counts lumps and gaps in the answer since the mark. */
static void lumps_add(struct typing *t, const struct validate *v)
{
    const struct validate_options *o = v->options;
    const struct actor_said said = actor_said(v->entry);
    const struct take_read *reads = said.reads;
    size_t count = said.read_count, length = said.length;
    const uint8_t *bytes = said.bytes;
    t->gaps.below_ms = gap_ms;
    uint64_t base = count ? reads[0].from : 0;
    unsigned largest = 0, seen = 0;
    for (size_t i = 0; i < count && reads[i].to <= base + length; i++) {
        const uint8_t *at = bytes + (reads[i].from - base);
        unsigned own = take_keys(at, (size_t)(reads[i].to - reads[i].from));
        unsigned keys = take_at_once(reads + i, count - i, at, base + length,
                                     o->lump_ms * UINT64_C(1000), &seen);
        if (keys > largest)
            largest = keys;
        if (own)
            t->parts[own < 2 ? 0 : own < 4 ? 1 : own < 8 ? 2 : 3]++;
        if (i)
            plot_gap_add(&t->gaps, reads[i].at_us - reads[i - 1].at_us);
    }
    if (count)
        t->us += reads[count - 1].at_us - reads[0].at_us;
    if (take_keys(bytes, length) < o->lump_keys)
        t->shorts++;
    else if (seen < o->lump_keys || largest >= o->lump_keys)
        t->judged++; /* other answers are too close to tell: a lump, or this process was late */
    t->lumped += largest >= o->lump_keys;
    if (largest > t->largest)
        t->largest = largest;
}

/* True if the text begins with the line; the last `late` characters may be missing. */
static bool is_echo(const char *text, const char *line, size_t late)
{
    const size_t length = strlen(line);
    text += strspn(text, "\n");
    return length > late + 1 && strncmp(text, line, length - late) == 0;
}

/* Counts characters that a person would have to paste: curly quotes, dashes, emoji. */
static void unkeyed_add(struct typing *t, const char *text)
{
    const char *line = text;
    size_t left = strlen(text), n;
    uint32_t point;
    for (; (n = utf8_decode((const uint8_t *)text, left, &point)) > 0; text += n, left -= n) {
        if (point == '\n')
            line = text + 1;
        if (!characters_instead(point))
            continue;
        if (!t->unkeyed++)
            quote(t->unkeyed_text, sizeof t->unkeyed_text, line, strcspn(line, "\n"));
    }
}

/* Updates the most characters in one message, counted as by both ends of a session. */
static void message_add(struct typing *t, const char *text)
{
    size_t left = strlen(text), n;
    unsigned length = 0;
    uint32_t point;
    for (; (n = utf8_decode((const uint8_t *)text, left, &point)) > 0; text += n, left -= n) {
        if (point == '\n')
            length = 0;
        else if (point != '\b' && point != 0x7F)
            length++;
        else if (length)
            length--;
        if (length > t->message)
            t->message = length;
    }
}

void typing_add(struct validate *v, const char *line, const char *meanwhile)
{
    struct typing *t = &v->typing;
    const struct actor_said said = actor_said(v->entry);
    const char *bytes = (const char *)said.bytes, *text = said.text;
    if (t->valid)
        return;
    lumps_add(t, v);
    t->turns++;
    t->bytes += said.count;
    if (said.bad && !t->bad)
        quote(t->bad_bytes, sizeof t->bad_bytes, bytes, said.length);
    t->bad += said.bad;
    if (said.ignored && !t->ignored)
        quote(t->ignored_bytes, sizeof t->ignored_bytes, bytes, said.length);
    t->ignored += said.ignored;
    unkeyed_add(t, said.text);
    message_add(t, said.text);
    for (const char *at = line; *at; at++)
        t->foreign = t->foreign || (unsigned char)*at >= 0x80;
    if (strchr(line, '\b'))
        return; /* the program's treatment of these keys is unknown */
    t->compared++;
    if (is_echo(meanwhile, line, 1))
        text = meanwhile;
    else if (!is_echo(text, line, 0))
        return;
    text += strspn(text, "\n");
    t->echoed++;
    quote(t->echo, sizeof t->echo, text, strcspn(text, "\n"));
}

/* Looks at the answers so far. If these are too few, asks more questions. A repeated check asks
 * anew. */
static bool typing_look(struct validate *v)
{
    static const char other[] = "Do you know M\u00fcnchen, \u6771\u4eac and \u0141\u00f3d\u017a?";
    static const char *const marks[] = {"!!!", "..."};
    struct typing *t = &v->typing;
    bool plain = validate_failed(v, "talk.unicode");
    if (t->valid && v->finding->runs == 0)
        return true;
    if (t->failed && strcmp(t->failed, v->finding->check->id) != 0) {
        finding_skip(v->finding, "needs %s", t->failed);
        v->finding->cause = t->failed;
        return false;
    }
    if (t->valid || v->finding->runs)
        *t = (struct typing){.valid = false};
    t->failed = v->finding->check->id;
    if (!plain && !t->foreign && (!interview_begin(v) || !interview_ask(v, other)))
        return false;
    /* An answer that begins with these marks shows an echo. */
    for (unsigned i = 0; i < sizeof marks / sizeof *marks && !validate_failed(v, "talk.marks"); i++)
        if (!interview_begin(v) || !interview_ask(v, marks[i]))
            return false;
    while (t->turns < TURNS_MOST && (t->turns < TURNS || t->judged < TURNS) &&
           t->shorts < 2 * TURNS)
        if (!interview_begin(v) || !interview_ask(v, interview_line(v)))
            return false;
    t->valid = true;
    t->failed = NULL;
    return true;
}

static void lumps_tell(const struct typing *t, struct finding *f)
{
    char line[FINDING_TEXT];
    size_t used = 0;
    for (unsigned i = 0; i < sizeof gap_ms / sizeof gap_ms[0]; i++) {
        char below[16] = "more";
        if (gap_ms[i])
            snprintf(below, sizeof below, "<%u ms", gap_ms[i]);
        used += (size_t)snprintf(line + used, sizeof line - used, "%s%s: %u", i ? ", " : "", below,
                                 t->gaps.count[i]);
    }
    finding_evidence(f, "gaps between writes: %s", line);
    finding_evidence(f, "keys in a write: 1: %u, 2 to 3: %u, 4 to 7: %u, 8 and more: %u",
                     t->parts[0], t->parts[1], t->parts[2], t->parts[3]);
}

void typing_report(const struct validate *v, struct validate_report *report)
{
    report->gaps = v->typing.gaps;
    report->gaps_all = 0;
    for (unsigned i = 0; i < PLOT_CLASSES_MAX; i++)
        report->gaps_all += report->gaps.count[i];
}

ENTRY_CHECK(entry_keys_single)
{
    const struct validate_options *o = v->options;
    const struct typing *t = &v->typing;
    if (validate_kind(v)->registers) {
        finding_spare(f, "a message of LPP v2 is whole, and is typed at the venue's pace");
        return;
    }
    if (!typing_look(v))
        return;
    if (t->judged == 0) {
        finding_skip(f,
                     t->shorts ? "its answers are too short to tell: less than %u keys"
                               : "this machine is too busy to tell lumps of %u keys",
                     o->lump_keys);
        return;
    }
    lumps_tell(t, f);
    if (t->lumped * 2 <= t->judged) {
        finding_pass(f, "types key by key, %u at once at most", t->largest);
        return;
    }
    finding_broken(f, "it writes %u key%s at once", t->largest, BL_S(t->largest));
    finding_expected(f,
                     "each key written out by itself, with a pause: less than %u within "
                     "%u ms (--lump, --lump-ms)",
                     o->lump_keys, o->lump_ms);
    finding_came(f, "lumps in %u of %u answer%s, the largest of %u key%s", t->lumped, t->judged,
                 BL_S(t->judged), t->largest, BL_S(t->largest));
    finding_evidence(f, "flush after each key, and pause: in Python print(c, end='', flush=True) "
                        "and time.sleep(0.06)");
}

ENTRY_CHECK(entry_keys_utf8)
{
    const struct typing *t = &v->typing;
    if (!typing_look(v))
        return;
    if (!t->bad) {
        finding_pass(f, "writes UTF-8");
        return;
    }
    finding_broken(f, "it writes bytes that are no UTF-8");
    finding_expected(f, "UTF-8");
    finding_came(f, "%llu byte%s that %s none", (unsigned long long)t->bad, BL_S(t->bad),
                 BL_ARE(t->bad));
    finding_evidence(f, "it wrote \"%s\"", t->bad_bytes);
}

ENTRY_CHECK(entry_keys_controls)
{
    const struct typing *t = &v->typing;
    if (!typing_look(v))
        return;
    if (!t->ignored) {
        finding_pass(f, "writes nothing but keys");
        return;
    }
    finding_broken(f, "it writes what is no key");
    finding_expected(f, "letters, Return, BackSpace, Tab");
    finding_came(f, "%llu control characters, escape sequences or unassigned characters",
                 (unsigned long long)t->ignored);
    finding_evidence(f, "it wrote \"%s\"", t->ignored_bytes);
}

ENTRY_CHECK(entry_keys_keyboard)
{
    const struct typing *t = &v->typing;
    if (!typing_look(v))
        return;
    if (!t->unkeyed) {
        finding_pass(f, "types nothing that no keyboard has");
        return;
    }
    finding_broken(f, "it types characters that no keyboard has");
    finding_expected(f, "' and \" and - and ... in place of curly quotes, dashes and their like; "
                        "no emoji");
    finding_came(f, "%llu such characters, the first in \"%s\"", (unsigned long long)t->unkeyed,
                 t->unkeyed_text);
}

ENTRY_CHECK(entry_keys_message)
{
    const struct ruleset *rules = v->options->ruleset;
    const struct typing *t = &v->typing;
    if (rules->message_most == 0) {
        finding_spare(f, "%s has no longest message", rules->name);
        return;
    }
    if (!typing_look(v))
        return;
    if (t->message <= (unsigned)rules->message_most) {
        finding_pass(f, "its longest message has %u character%s, of %d at most", t->message,
                     BL_S(t->message), rules->message_most);
        return;
    }
    finding_broken(f, "its messages are longer than the rules allow: their ends are cut off");
    finding_expected(f, "a Return after %d characters at most", rules->message_most);
    finding_came(f, "a message of %u character%s", t->message, BL_S(t->message));
}

ENTRY_CHECK(entry_keys_rate)
{
    const struct typing *t = &v->typing;
    if (validate_kind(v)->registers) {
        finding_spare(f, "a message of LPP v2 is whole, and is typed at the venue's pace");
        return;
    }
    if (!typing_look(v))
        return;
    /* each answer may take a second of the line's time at once */
    if (t->bytes * 1000000u <= LINE_RATE * (t->us + t->turns * UINT64_C(1000000))) {
        finding_pass(f, "%llu byte%s in %u answer%s", (unsigned long long)t->bytes, BL_S(t->bytes),
                     t->turns, BL_S(t->turns));
        return;
    }
    finding_broken(f, "it writes more than a line carries");
    finding_expected(f, "no more than %u bytes per second", LINE_RATE);
    finding_came(f, "%llu byte%s in %.1f s", (unsigned long long)t->bytes, BL_S(t->bytes),
                 (double)t->us / 1e6);
}

ENTRY_CHECK(entry_keys_echo)
{
    const struct typing *t = &v->typing;
    if (!typing_look(v))
        return;
    if (t->echoed * 2 <= t->compared) {
        finding_pass(f, "does not send the judge's words back");
        return;
    }
    finding_broken(f, "it sends the judge's own words back");
    finding_expected(f, "its answer alone: the judge's page shows what he types already "
                        "(or --strip-echo)");
    finding_came(f, "\"%s\"", t->echo);
}

/* The first words, if another check has received them as an answer. */
static const struct interview_turn *noted(const struct validate *v, enum judge judge)
{
    return v->finding->runs ? NULL : turn_find(v, TURN_OPENS | TURN_JUDGE(judge));
}

/* Applies the BackSpaces in a text, within its lines. */
static void corrections_make(char *text)
{
    const char *from = text;
    char *to = text;
    for (; *from; from++) {
        if (*from != '\b' && *from != 0x7F) {
            *to++ = *from;
            continue;
        }
        if (to == text || to[-1] == '\n')
            continue;
        while ((*--to & 0xC0) == 0x80 &&
               to > text) /* goes back over all bytes of a UTF-8 character */
            ;
    }
    *to = '\0';
}

/* Hints that a prompt hides the words from a check of the text's start. */
static void prompt_hint(struct finding *f, const struct validate_options *o, const char *said)
{
    const char *at = said + strspn(said, " \n");
    size_t prompt = strcspn(at, ">:$#%\n"), blank;
    char name[OPENING_NAME_MAX], own[64];
    if (o->strip_prompt || prompt > 20 || !at[prompt] || at[prompt] == '\n')
        return;
    prompt += strspn(at + prompt, ">:$#%");
    blank = strspn(at + prompt, " ");
    if (at[prompt + blank] &&
        opening_check(o->ruleset->opening, NULL, 0, at + prompt + blank, name) != OPENING_HELD)
        return;
    snprintf(own, sizeof own, "%.*s", (int)(prompt + blank), at);
    finding_evidence(f, "hint: if \"%s\" is its prompt: --strip-prompt '%s'", own, own);
}

/* Checks the first words of a new program, or of its answer. */
static bool opening_held(struct validate *v, enum judge judge)
{
    static const char *const whom[] = {"to the first judge", "to the second judge"};
    const struct interview_turn *opening = noted(v, judge);
    const struct validate_options *o = v->options;
    struct finding *f = v->finding;
    char name[OPENING_NAME_MAX], said[512], came[100];
    if (!opening) {
        if (!interview_quiet(v, "opening words"))
            return false;
        snprintf(said, sizeof said, "%s", actor_said(v->entry).text);
        if (!actor_said(v->entry).keys) {
            if (!interview_ask(v, interview_line(v)))
                return false;
            snprintf(said, sizeof said, "%s", actor_said(v->entry).text);
        }
    } else {
        memcpy(said, opening->said, sizeof said);
    }

    corrections_make(said);
    if (opening_check(o->ruleset->opening, NULL, 0, said + strspn(said, " \n"), name) ==
        OPENING_HELD)
        return true;
    finding_broken(f, "it does not begin with the opening words %s", whom[judge]);
    finding_expected(f, "\"%s\"", o->ruleset->opening);
    quote(came, sizeof came, said, strlen(said));
    finding_came(f, "\"%s\"", came);
    if (validate_kind(v)->told)
        finding_evidence(f,
                         "its persona may begin with them: a line opening: between two lines ---");
    prompt_hint(f, o, said);
    return false;
}

static bool opening_asked(struct validate *v)
{
    if (v->options->ruleset->opening[0])
        return true;
    finding_spare(v->finding, "%s has no opening words", v->options->ruleset->name);
    return false;
}

ENTRY_CHECK(entry_opening_words)
{
    if (opening_asked(v) && (noted(v, JUDGE_FIRST) || interview_start(v, false)) &&
        opening_held(v, JUDGE_FIRST))
        finding_pass(f, "asserts the opening words");
}

ENTRY_CHECK(entry_opening_each)
{
    if (opening_asked(v) && interview_talked(v) && interview_again(v, false) &&
        opening_held(v, JUDGE_SECOND))
        finding_pass(f, "asserts the opening words to a second judge, too");
}
