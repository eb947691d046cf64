/* The checks of an Entry of 1996. Source: 1996 rules, "Data Entry, File Format, and Hardware
 * Specifications" (spec), and rule 12. */
#include "validate/entry_private.h"

#include "base/utf8.h"
#include "transcript/format.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define JUDGE       "07"
#define PROMPT_MOST 3u            /* bytes */
#define WORDS_MOST  2500u         /* r12 */
#define PATIENCE    5             /* most further waits for the prompt */
#define NAME_FORM   "LP95-nn.TXT" /* spec 2b */

static const char question[] = "Do you think that it will rain?";

/* Types a line, sets the mark, types Return and waits. */
static bool type_line(struct validate *v, const char *line)
{
    static const char wanted[] = "a program that takes the judge's keys";
    return interview_good(v, actor_type(v->entry, line, 1), wanted) &&
           interview_quiet(v, "a program that goes on") && (actor_mark(v->entry), true) &&
           interview_good(v, actor_send(v->entry, "\r", 1), wanted) &&
           interview_quiet(v, "a program that goes on");
}

/* True if the last output is one or more prompts at the start of a line. */
static bool is_prompted(const struct validate *v)
{
    const struct actor_said said = actor_said(v->entry);
    const uint8_t *bytes = said.bytes;
    size_t length = said.length;
    bool prompt = false;
    for (; length && (bytes[length - 1] == ' ' || bytes[length - 1] == '>'); length--)
        prompt = prompt || bytes[length - 1] == '>';
    return prompt && (length == 0 || bytes[length - 1] == '\n' || bytes[length - 1] == '\r');
}

/* Checks that the Entry shows its prompt. False: the finding is filled in. */
static bool check_prompt(struct validate *v, const char *when)
{
    size_t most = 60;
    struct actor_said said;
    /* On a busy machine the Entry may have paused in the middle of its words. */
    for (unsigned i = 0; i < PATIENCE && !is_prompted(v); i++) {
        actor_pause(v->entry, v->options->quiet_ms, false);
        if (!interview_quiet(v, "a program that goes on"))
            return false;
    }
    if (is_prompted(v))
        return true;
    said = actor_said(v->entry);
    finding_broken(v->finding, "%s there is no prompt", when);
    finding_expected(v->finding, "\">\" at the beginning of a line");
    finding_came(v->finding, said.length ? "the text below" : "nothing");
    if (said.length < most)
        most = said.length;
    if (most)
        finding_quote(v->finding, "it wrote ", (const char *)said.bytes + said.length - most, most,
                      60);
    return false;
}

ENTRY_CHECK(entry_1996_prompt)
{
    if (!interview_start(v, false) || !interview_quiet(v, "a program that goes on") ||
        !check_prompt(v, "before the first line") || !type_line(v, question) ||
        !check_prompt(v, "after the first line of a comment"))
        return;
    if (!interview_good(v, actor_send(v->entry, "\r", 1), "a program that goes on") ||
        !interview_answer(v) || !check_prompt(v, "after its answer"))
        return;
    finding_pass(f, "prompts the judge for every line");
}

/* Checks that the Entry has said nothing except a prompt since the mark. False: the finding is
 * filled in. */
static bool check_silent(struct validate *v, const char *when)
{
    const char *text = actor_said(v->entry).text;
    if (strlen(text) <= PROMPT_MOST && !strchr(text, '\n'))
        return true;
    finding_broken(v->finding, "it answers after %s", when);
    finding_expected(v->finding, "an answer after two Returns, one after the other");
    finding_came(v->finding, "an answer after %s", when);
    finding_quote(v->finding, "it wrote ", text, strlen(text), 60);
    return false;
}

ENTRY_CHECK(entry_1996_returns)
{
    if (!interview_start(v, false) || !interview_quiet(v, "a program that goes on") ||
        !type_line(v, "Do you think that the Republicans") ||
        !check_silent(v, "the first line of a comment") ||
        !type_line(v, "can succeed in winning the White House?") ||
        !check_silent(v, "the second line of a comment"))
        return;
    actor_mark(v->entry);
    if (!interview_good(v, actor_send(v->entry, "\r", 1), "a program that goes on"))
        return;
    if (interview_answer(v))
        finding_pass(f, "answers a comment of two lines after two Returns");
    else if (f->verdict != VERDICT_SKIP)
        finding_expected(f, "an answer to a comment of two lines after two Returns");
}

static bool is_transcript(const char *name)
{
    return strlen(name) == strlen(NAME_FORM) && strncasecmp(name, "LP95-", 5) == 0 &&
           isdigit((unsigned char)name[5]) && isdigit((unsigned char)name[6]) &&
           strcasecmp(name + 7, ".TXT") == 0;
}

struct file {
    char name[NAME_MAX + 1];
    uint8_t *bytes;
    size_t length;
};

/* Finds the transcript with the greatest number. Returns the number of transcripts. The caller
 * frees the bytes. */
static unsigned transcript_find(int folder, struct file *file)
{
    unsigned count = 0;
    DIR *directory = entry_folder(folder, ".");
    const struct dirent *found;
    *file = (struct file){.length = 0};
    while (directory && (found = readdir(directory))) {
        if (!is_transcript(found->d_name))
            continue;
        if (strncasecmp(found->d_name, file->name, strlen(NAME_FORM)) > 0)
            snprintf(file->name, sizeof file->name, "%s", found->d_name);
        count++;
    }
    if (directory)
        closedir(directory);
    if (count)
        file->bytes = (uint8_t *)entry_file(folder, file->name, &file->length);
    return count;
}

/* As judge number JUDGE, asks one question, hangs up, and waits until the program ends. `answer`
 * receives the reply. False: the finding is filled in. */
static bool converse(struct validate *v, char *answer, size_t room)
{
    const char *text;
    if (!interview_good(v, actor_type(v->entry, "@@" JUDGE "\r", 1), "a program that goes on") ||
        !interview_quiet(v, "a program that goes on") || !interview_ask(v, question))
        return false;
    text = actor_said(v->entry).text;
    while (*text && !isalnum((unsigned char)*text)) /* skips the rest of a prompt */
        text++;
    snprintf(answer, room, "%.*s", (int)strcspn(text, "\r\n"), text);
    sandbox_hang_up(actor_sandbox(v->entry));
    actor_wait_end(v->entry, v->options->end_ms);
    return true;
}

/* The keys of one party as one text, with a line feed after each line. */
static char *text_of(const struct history *history, enum party party)
{
    char *text = malloc(history->keys * UTF8_MAX + 1), *at = text;
    for (size_t i = 0; text && i < history->keys; i++) {
        const struct history_key *key = &history->key[i];
        if (key->party == party)
            at += utf8_encode(key->point == KEY_RETURN ? '\n' : key->point, (uint8_t *)at);
    }
    if (text)
        *at = '\0';
    return text;
}

/* True if the fault is in the judge's own line; another check covers it. */
static bool is_judge_fault(const struct history_fault *fault)
{
    return fault->kind == FAULT_WHO || strstr(fault->text, "*** JUDGE") != NULL;
}

/* Reads the conversation's transcript. False, with the finding filled in, if it has a fault. */
static bool check_transcript(struct validate *v, const struct file *file, const char *answer)
{
    struct history history = {.parts = 0};
    struct finding *f = v->finding;
    char *judge = NULL, *program = NULL;
    const char *missing = NULL;
    bool good = format_read(FORMAT_1996, file->bytes, file->length, &history) == BL_OK;
    for (size_t i = 0; good && i < history.faults; i++) {
        const struct history_fault *fault = &history.fault[i];
        if (is_judge_fault(fault))
            continue;
        finding_broken(f, "%s is not as the rules write it", file->name);
        finding_expected(f, "three header lines, then JUDGEnn[HH:MM:SS]TEXT and "
                            "PROGRAM[HH:MM:SS]TEXT");
        finding_came(f, "line %llu: %.180s", (unsigned long long)fault->line, fault->text);
        good = false;
        break;
    }
    if (good) {
        judge = text_of(&history, PARTY_JUDGE);
        program = text_of(&history, PARTY_ENTITY);
        missing = judge && !strstr(judge, question)     ? question
                  : program && !strstr(program, answer) ? answer
                                                        : NULL;
    }
    if (missing) {
        finding_broken(f, "a line of the screen is missing in %s", file->name);
        finding_expected(f, "%s[HH:MM:SS]%s", missing == answer ? "PROGRAM" : "JUDGE" JUDGE,
                         missing);
        finding_came(f, "%zu byte%s without it", file->length, BL_S(file->length));
        good = false;
    }
    free(judge);
    free(program);
    history_free(&history);
    return good;
}

ENTRY_CHECK(entry_1996_transcript)
{
    struct file first, second;
    char answer[FINDING_TEXT];
    unsigned before, after;
    bool good;
    if (!interview_start(v, false))
        return;
    /* the Entry's folder may contain older transcripts */
    before = transcript_find(sandbox_folder_fd(actor_sandbox(v->entry)), &first);
    free(first.bytes);
    if (!converse(v, answer, sizeof answer))
        return;
    after = transcript_find(sandbox_folder_fd(actor_sandbox(v->entry)), &first);
    if (!after) {
        finding_broken(f, "it writes no transcript");
        finding_expected(f, "a text file " NAME_FORM " in its folder");
        finding_came(f, "no such file");
    }
    good = after && check_transcript(v, &first, answer);
    free(first.bytes);
    if (!good || !interview_again(v, false) || !converse(v, answer, sizeof answer))
        return;
    after = transcript_find(sandbox_folder_fd(actor_sandbox(v->entry)), &second);
    interview_end(v);
    free(second.bytes);
    if (after > before && strcmp(first.name, second.name) != 0) {
        finding_pass(f, "writes %s, and started again %s", first.name, second.name);
        return;
    }
    finding_broken(f, "started again, it does not begin a file of its own");
    finding_expected(f, "a further file " NAME_FORM);
    finding_came(f, "%u in all, the last is %s", after, second.name);
}

ENTRY_CHECK(entry_1996_command)
{
    struct history history = {.parts = 0};
    struct file file;
    char answer[FINDING_TEXT];
    bool named = false;
    if (!interview_start(v, false) || !converse(v, answer, sizeof answer))
        return;
    transcript_find(sandbox_folder_fd(actor_sandbox(v->entry)), &file);
    interview_end(v);
    if (file.bytes && format_read(FORMAT_1996, file.bytes, file.length, &history) == BL_OK)
        for (size_t i = 0; i < history.parts && !named; i++)
            named = strtol(history.part[i].judge, NULL, 10) == strtol(JUDGE, NULL, 10);
    history_free(&history);
    free(file.bytes);
    if (named) {
        finding_pass(f, "@@" JUDGE " and two Returns are judge " JUDGE);
        return;
    }
    finding_broken(f, "@@" JUDGE " and two Returns do not change the judge");
    finding_expected(f, "\"*** JUDGE" JUDGE " ***\" in its transcript");
    finding_came(f, "no such line in %s", file.name);
}

static unsigned words_count(const struct file *file)
{
    unsigned count = 0;
    bool inside = false;
    for (size_t i = 0; i < file->length; i++) {
        bool blank = isspace(file->bytes[i]);
        count += !blank && !inside;
        inside = !blank;
    }
    return count;
}

/* True for the name of an application's protocol: "protocol...", or a transcript's name. */
static bool is_protocol(const char *name)
{
    return strncasecmp(name, "protocol", 8) == 0 || is_transcript(name);
}

ENTRY_CHECK(entry_1996_size)
{
    DIR *directory = opendir(v->options->folder);
    const struct dirent *found;
    unsigned files = 0, words = 0;
    while (directory && (found = readdir(directory))) {
        struct file file = {.length = 0};
        if (!is_protocol(found->d_name))
            continue;
        snprintf(file.name, sizeof file.name, "%s", found->d_name);
        file.bytes = (uint8_t *)entry_file(dirfd(directory), file.name, &file.length);
        words += words_count(&file);
        files++;
        free(file.bytes);
    }
    if (directory)
        closedir(directory);
    if (!files)
        finding_skip(f, "no protocol in its folder (protocol* or " NAME_FORM ") to count");
    else if (words <= WORDS_MOST)
        finding_pass(f, "%u word%s of protocol, at most %u are allowed", words, BL_S(words),
                     WORDS_MOST);
    else {
        finding_broken(f, "its protocols are too long");
        finding_expected(f, "at most %u words in all", WORDS_MOST);
        finding_came(f, "%u word%s in %u file%s", words, BL_S(words), files, BL_S(files));
    }
}
