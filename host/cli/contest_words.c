/* "boothlink contest opening" and "similar": what entities said, out of transcripts. */
#include "cli/contest.h"

#include "base/utf8.h"
#include "cli/transcript_source.h"
#include "contest/answers.h"
#include "contest/opening.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WORDS_MAX CONTEST_WORDS_MAX
#define NAMES_MAX 64

/* What somebody typed, as it stood in the end. */
struct words {
    char text[WORDS_MAX];
    size_t length;
};

static void add_key(struct words *words, uint32_t point)
{
    uint8_t bytes[UTF8_MAX];
    size_t count = 0;
    if (point == KEY_BACKSPACE) {
        while (words->length && ((uint8_t)words->text[words->length - 1] & 0xC0) == 0x80)
            words->length--;
        words->length -= words->length > 0;
    } else {
        bool blank = point == KEY_RETURN || point == KEY_TAB;
        count = utf8_encode(blank ? ' ' : point, bytes);
    }
    if (words->length + count < WORDS_MAX) {
        memcpy(words->text + words->length, bytes, count);
        words->length += count;
    }
    words->text[words->length] = '\0';
}

static bool is_blank(const struct words *words)
{
    return words->text[strspn(words->text, " ")] == '\0';
}

bool contest_first_words(const struct history *history, size_t part, unsigned side,
                         char text[CONTEST_WORDS_MAX])
{
    struct words words = {.length = 0};
    bool any = false;
    for (size_t i = 0; i < history->keys; i++) {
        const struct history_key *key = &history->key[i];
        if (key->part != part || key->side != side)
            continue;
        any = true;
        if (key->party != PARTY_ENTITY)
            continue;
        if (key->point == KEY_RETURN && !is_blank(&words))
            break;
        add_key(&words, key->point);
    }
    memcpy(text, words.text, sizeof words.text);
    return any;
}

static unsigned split_names(char *list, const char *name[NAMES_MAX])
{
    unsigned count = 0;
    for (char *rest = list, *at; count < NAMES_MAX && (at = strsep(&rest, ","));)
        if (*at)
            name[count++] = at;
    return count;
}

struct openings {
    const struct ruleset *ruleset;
    const char *name[NAMES_MAX];
    unsigned names;
    unsigned sides, held;
};

static void tell_opening(struct openings *openings, const char *file, const char *round,
                         unsigned side, const char *said)
{
    char name[OPENING_NAME_MAX];
    printf("%s%s%s %s: ", file, *round ? " round " : "", round,
           side == SIDE_LEFT ? "left" : "right");
    openings->sides++;
    switch (
        opening_check(openings->ruleset->opening, openings->name, openings->names, said, name)) {
    case OPENING_HELD:
        openings->held++;
        printf("held, as %s\n", name);
        break;
    case OPENING_NAME:
        printf("%s is no name that was approved\n", name);
        break;
    case OPENING_OTHER:
        printf("other words: %.100s\n", said);
        break;
    case OPENING_NOTHING:
        printf("nothing was said\n");
        break;
    }
}

static enum bl_status check_file(struct openings *openings, const char *file, struct bl_diag *diag)
{
    const struct transcript_request request = {.file = file};
    struct transcript_source source = {.is_journal = false};
    char words[CONTEST_WORDS_MAX];
    enum bl_status status = transcript_source_open(&source, &request, diag);
    for (size_t part = 0; status == BL_OK && part < source.history.parts; part++)
        for (unsigned side = 0; side < SIDES; side++)
            if (contest_first_words(&source.history, part, side, words))
                tell_opening(openings, file, source.history.part[part].round, side, words);
    transcript_source_close(&source);
    return status;
}

enum bl_status contest_opening(const struct contest_args *args, struct bl_diag *diag)
{
    struct ruleset *ruleset = malloc(sizeof *ruleset);
    struct openings openings = {.ruleset = ruleset};
    char *names = args->names ? strdup(args->names) : NULL;
    enum bl_status status =
        ruleset && (names || !args->names) ? BL_OK : bl_fail(diag, BL_NOMEM, "no memory");
    if (status == BL_OK && !args->ruleset)
        status = bl_fail(diag, BL_USAGE, "give --ruleset NAME; \"contest rulesets\" lists them");
    if (status == BL_OK)
        status = contest_load_ruleset(ruleset, args->ruleset, diag);
    if (status == BL_OK && !ruleset->opening[0])
        status = bl_fail(diag, BL_USAGE, "%s requires no opening words", ruleset->name);
    if (status == BL_OK && names)
        openings.names = split_names(names, openings.name);
    for (unsigned i = 0; status == BL_OK && i < args->words; i++)
        status = check_file(&openings, args->word[i], diag);
    if (status == BL_OK && openings.held < openings.sides)
        status = bl_fail(diag, BL_DATA, "%u of %u entities did not begin with the words (2004 A3)",
                         openings.sides - openings.held, openings.sides);
    free(names);
    free(ruleset);
    return status;
}

/* Answers of many transcripts. */
struct answer {
    char *entry, *question, *text;
};
struct answers {
    struct answer *answer;
    size_t count, room;
};

static enum bl_status add_answer(struct answers *answers, const char *entry,
                                 const struct words *question, const struct words *text,
                                 struct bl_diag *diag)
{
    if (is_blank(question) || is_blank(text))
        return BL_OK;
    if (answers->count == answers->room) {
        size_t room = answers->room ? 2 * answers->room : 256;
        struct answer *more = realloc(answers->answer, room * sizeof *more);
        if (!more)
            return bl_fail(diag, BL_NOMEM, "no memory");
        answers->answer = more;
        answers->room = room;
    }
    struct answer *at = &answers->answer[answers->count++];
    *at = (struct answer){strdup(entry), strdup(question->text), strdup(text->text)};
    return at->entry && at->question && at->text ? BL_OK : bl_fail(diag, BL_NOMEM, "no memory");
}

/* A judge's question ends where the entity's answer begins, and that where he goes on. */
static enum bl_status take_side(struct answers *answers, const struct history *history, size_t part,
                                unsigned side, const char *entry, struct bl_diag *diag)
{
    struct words question = {.length = 0}, text = {.length = 0};
    enum bl_status status = BL_OK;
    for (size_t i = 0; status == BL_OK && i < history->keys; i++) {
        const struct history_key *key = &history->key[i];
        if (key->part != part || key->side != side)
            continue;
        if (key->party == PARTY_JUDGE && !is_blank(&text)) {
            status = add_answer(answers, entry, &question, &text, diag);
            question = text = (struct words){.length = 0};
        }
        add_key(key->party == PARTY_JUDGE ? &question : &text, key->point);
    }
    return status == BL_OK ? add_answer(answers, entry, &question, &text, diag) : status;
}

/* The sides that are a program's, as far as the transcript says; a journal does not. */
static enum bl_status take_transcript(struct answers *answers, const char *path, const char *file,
                                      struct bl_diag *diag)
{
    const struct transcript_request request = {.file = path};
    struct transcript_source source = {.is_journal = false};
    enum bl_status status = transcript_source_open(&source, &request, diag);
    const struct history *history = &source.history;
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
    transcript_source_close(&source);
    return status;
}

static void print_similar(struct answers *answers)
{
    unsigned questions = 0;
    for (size_t i = 0; i < answers->count; i++) {
        const struct answer *first = &answers->answer[i];
        bool told = false, seen = false;
        for (size_t k = 0; k < i && !seen; k++)
            seen = answers_same_words(answers->answer[k].question, first->question);
        for (size_t k = i + 1; k < answers->count && !seen; k++) {
            const struct answer *other = &answers->answer[k];
            if (strcmp(first->entry, other->entry) == 0 ||
                !answers_same_words(first->question, other->question))
                continue;
            if (!told) {
                printf("%s\n  %-20.20s        %s\n", first->question, first->entry, first->text);
                questions++;
            }
            told = true;
            printf("  %-20.20s %3u %%  %s\n", other->entry,
                   answers_likeness(first->text, other->text), other->text);
        }
    }
    printf("%u questions were put to more than one Entry. The panel decides (2003 r38).\n",
           questions);
}

static int is_file(const struct dirent *entry)
{
    return entry->d_name[0] != '.';
}

enum bl_status contest_similar(const struct contest_args *args, struct bl_diag *diag)
{
    struct answers answers = {.count = 0};
    struct dirent **entry = NULL;
    int count = scandir(args->word[0], &entry, is_file, alphasort);
    enum bl_status status =
        count < 0 ? bl_fail(diag, BL_NOINPUT, "%s: %s", args->word[0], strerror(errno)) : BL_OK;
    for (int i = 0; i < count; i++) {
        char path[512];
        snprintf(path, sizeof path, "%s/%s", args->word[0], entry[i]->d_name);
        if (status == BL_OK)
            status = take_transcript(&answers, path, entry[i]->d_name, diag);
        free(entry[i]);
    }
    free(entry);
    if (status == BL_OK)
        print_similar(&answers);
    for (size_t i = 0; i < answers.count; i++) {
        free(answers.answer[i].entry);
        free(answers.answer[i].question);
        free(answers.answer[i].text);
    }
    free(answers.answer);
    return status;
}
