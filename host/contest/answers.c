#include "contest/answers.h"

#include "base/growing.h"
#include "base/utf8.h"
#include "contest/act_body.h"
#include "contest/said.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct word {
    const char *text;
    size_t length;
};

/* Bytes above ASCII, of UTF-8, belong to words. */
static bool is_part(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           (unsigned char)c >= 0x80;
}

/* The next word from *at; length 0: none. */
static struct word next_word(const char **at)
{
    struct word word;
    while (**at && !is_part(**at))
        ++*at;
    word.text = *at;
    while (is_part(**at))
        ++*at;
    word.length = (size_t)(*at - word.text);
    return word;
}

static bool is_equal(struct word a, struct word b)
{
    if (a.length != b.length)
        return false;
    for (size_t i = 0; i < a.length; i++) {
        char x = a.text[i], y = b.text[i];
        x = x >= 'A' && x <= 'Z' ? (char)(x + 0x20) : x;
        y = y >= 'A' && y <= 'Z' ? (char)(y + 0x20) : y;
        if (x != y)
            return false;
    }
    return true;
}

bool answers_same_words(const char *a, const char *b)
{
    for (bool any = false;; any = true) {
        struct word x = next_word(&a), y = next_word(&b);
        if (!is_equal(x, y))
            return false;
        if (x.length == 0)
            return any;
    }
}

/* True if the text has the word before `end`. */
static bool has_word(const char *text, const char *end, struct word wanted)
{
    for (;;) {
        struct word word = next_word(&text);
        if (word.length == 0 || word.text >= end)
            return false;
        if (is_equal(word, wanted))
            return true;
    }
}

unsigned answers_likeness(const char *a, const char *b)
{
    unsigned both = 0, all = 0;
    const char *at = a;
    for (struct word word; (word = next_word(&at)).length;) {
        if (has_word(a, word.text, word))
            continue;
        all++;
        both += has_word(b, b + strlen(b), word);
    }
    at = b;
    for (struct word word; (word = next_word(&at)).length;)
        all += !has_word(b, word.text, word) && !has_word(a, a + strlen(a), word);
    return all ? (100 * both + all / 2) / all : 0;
}

static enum bl_status answers_add(struct answers *answers, const char *entry, const char *question,
                                  const char *text, struct bl_diag *diag)
{
    if (question[strspn(question, " ")] == '\0' || text[strspn(text, " ")] == '\0')
        return BL_OK;
    struct report_answer *more =
        growing_array(answers->answer, answers->count, &answers->room, sizeof *more);
    if (!more)
        return bl_fail(diag, BL_NOMEM, "no memory");
    answers->answer = more;
    struct report_answer *at = &answers->answer[answers->count++];
    *at = (struct report_answer){strdup(entry), strdup(question), strdup(text)};
    return at->entry && at->question && at->text ? BL_OK : bl_fail(diag, BL_NOMEM, "no memory");
}

/* The judge's question ends with the answer's first key. The answer ends with the judge's next
 * key. */
static enum bl_status take_side(struct answers *answers, const struct history *history, size_t part,
                                unsigned side, const char *entry, struct bl_diag *diag)
{
    struct said question = {.length = 0}, text = {.length = 0};
    enum bl_status status = BL_OK;
    for (size_t i = 0; status == BL_OK && i < history->keys; i++) {
        const struct history_key *key = &history->key[i];
        if (key->part != part || key->side != side)
            continue;
        if (key->party == PARTY_JUDGE && !said_blank(&text)) {
            status = answers_add(answers, entry, question.text, text.text, diag);
            question = text = (struct said){.length = 0};
        }
        said_add(key->party == PARTY_JUDGE ? &question : &text, key->point);
    }
    return status == BL_OK ? answers_add(answers, entry, question.text, text.text, diag) : status;
}

/* Takes each side that is not known as human. A journal does not tell a side's kind. */
enum bl_status answers_of_history(struct answers *answers, const struct history *history,
                                  const char *file, struct bl_diag *diag)
{
    enum bl_status status = BL_OK;
    for (size_t part = 0; status == BL_OK && part < history->parts; part++) {
        for (unsigned side = 0; status == BL_OK && side < SIDES; side++) {
            const struct history_part *at = &history->part[part];
            bool human = at->left != WHO_UNKNOWN && (at->left == WHO_HUMAN) == (side == SIDE_LEFT);
            char label[HISTORY_TEXT + 300];
            snprintf(label, sizeof label, "%s", at->program);
            if (!at->program[0] || at->left == WHO_UNKNOWN)
                snprintf(label, sizeof label, "%s %s", file, side == SIDE_LEFT ? "left" : "right");
            if (!human)
                status = take_side(answers, history, part, side, label, diag);
        }
    }
    return status;
}

/* Skips a word at the front and the blanks after it. */
static bool take(const char **at, const char *word)
{
    size_t length = strlen(word);
    if (strncmp(*at, word, length) != 0)
        return false;
    *at += length;
    *at += strspn(*at, " ");
    return true;
}

static bool take_time(const char **at)
{
    static const char form[] = "[dd:dd:dd] ";
    for (size_t i = 0; form[i]; i++)
        if (form[i] == 'd' ? (*at)[i] < '0' || (*at)[i] > '9' : (*at)[i] != form[i])
            return false;
    *at += sizeof form - 1;
    return true;
}

/* Adds a line to a party's words; lines are separated by a blank. */
static void add_line(struct said *said, const char *line, size_t length)
{
    for (size_t i = 0; i < length;) {
        uint32_t point;
        size_t taken = utf8_decode((const uint8_t *)line + i, length - i, &point);
        if (taken)
            said_add(said, point);
        i += taken ? taken : 1;
    }
    said_add(said, ' ');
}

enum bl_status answers_of_text(struct answers *answers, const char *text, const char *file,
                               bool *any, struct bl_diag *diag)
{
    struct turns {
        struct said question, text;
    } turns[SIDES];
    char label[SIDES][300];
    enum bl_status status = BL_OK;
    memset(turns, 0, sizeof turns);
    snprintf(label[SIDE_LEFT], sizeof label[0], "%s left", file);
    snprintf(label[SIDE_RIGHT], sizeof label[0], "%s right", file);
    *any = false;
    for (const char *at = text; status == BL_OK && *at; at += *at == '\n') {
        const char *line = at;
        enum side side;
        bool judge;
        at += strcspn(at, "\n");
        if (!take_time(&line))
            continue;
        side = take(&line, "right ") ? SIDE_RIGHT : SIDE_LEFT;
        if (side == SIDE_LEFT)
            take(&line, "left ");
        judge = take(&line, "Judge:");
        if (!judge && !take(&line, "Entity:"))
            continue;
        *any = true;
        struct turns *turn = &turns[side];
        if (judge && !said_blank(&turn->text)) {
            status = answers_add(answers, label[side], turn->question.text, turn->text.text, diag);
            turn->question = turn->text = (struct said){.length = 0};
        }
        add_line(judge ? &turn->question : &turn->text, line, (size_t)(at - line));
    }
    for (enum side side = 0; status == BL_OK && side < SIDES; side++)
        status = answers_add(answers, label[side], turns[side].question.text, turns[side].text.text,
                             diag);
    return status;
}

enum bl_status answers_of_act(void *at, const struct act *act, struct bl_diag *diag)
{
    struct answers *answers = at;
    struct act_body body;
    char entry[16];
    json_t *json;
    enum bl_status status = BL_OK;
    if (strcmp(act->kind, act_kind_name(ACT_ANSWER)) != 0)
        return BL_OK;
    json = json_loads(act->body, 0, NULL);
    if (act_body_read(&body, ACT_ANSWER, json, NULL) == BL_OK) {
        snprintf(entry, sizeof entry, "E%d", (int)body.answer.entry);
        status = answers_add(answers, entry, body.answer.asked, body.answer.answer, diag);
    }
    json_decref(json);
    return status;
}

size_t answers_other(const struct report_answer *answer, size_t count, size_t first, size_t from)
{
    for (size_t i = from; i < count; i++)
        if (strcmp(answer[i].entry, answer[first].entry) != 0 &&
            answers_same_words(answer[i].question, answer[first].question))
            return i;
    return count;
}

size_t answers_shared(const struct report_answer *answer, size_t count, size_t from)
{
    for (size_t first = from; first < count; first++) {
        bool before = false;
        for (size_t i = 0; i < first && !before; i++)
            before = answers_same_words(answer[i].question, answer[first].question);
        if (!before && answers_other(answer, count, first, first + 1) < count)
            return first;
    }
    return count;
}

void answers_free(struct answers *answers)
{
    for (size_t i = 0; i < answers->count; i++) {
        free(answers->answer[i].entry);
        free(answers->answer[i].question);
        free(answers->answer[i].text);
    }
    free(answers->answer);
}
