/* Checks an Entry behind a form of 2003: its document, as text and as a picture (r29), its delay
 * (r30) and its log (r27). boothlink-form keeps the replies, one line per turn, separated by tabs:
 * number, fit to the template, ms taken, line sent, answer, and the reason for a missing answer. */
#include "validate/entry_private.h"

#include "validate/side_by_side.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LINES    2u
#define DELAY_MS 5000u /* r30 */

struct web_turn {
    char fit[8], said[400], answer[400], why[240];
    unsigned took_ms;
};

static void field_take(char **at, char *out, size_t room)
{
    size_t length = strcspn(*at, "\t\n");
    snprintf(out, room, "%.*s", (int)length, *at);
    *at += length + ((*at)[length] == '\t');
}

static unsigned turns_take(const struct validate *v, struct web_turn turn[LINES])
{
    size_t length;
    char *bytes = entry_file(sandbox_stage_fd(actor_sandbox(v->entry)), "tmp/turns", &length);
    char *at = bytes;
    unsigned count = 0;
    while (at && *at && count < LINES) {
        char number[16], took[16];
        field_take(&at, number, sizeof number);
        field_take(&at, turn[count].fit, sizeof turn[count].fit);
        field_take(&at, took, sizeof took);
        field_take(&at, turn[count].said, sizeof turn[count].said);
        field_take(&at, turn[count].answer, sizeof turn[count].answer);
        field_take(&at, turn[count].why, sizeof turn[count].why);
        turn[count++].took_ms = (unsigned)strtoul(took, NULL, 10);
        at += *at == '\n';
    }
    free(bytes);
    return count;
}

static bool converse(struct validate *v, struct web_turn turn[LINES])
{
    struct finding *f = v->finding;
    if (!validate_is_kind(v, "web")) {
        finding_spare(f, "it is behind no form: --cgi CMD or --web URL");
        return false;
    }
    if (!interview_start(v, false))
        return false;
    for (unsigned i = 0; i < LINES; i++)
        if (!interview_ask(v, interview_line(v)))
            return false;
    if (turns_take(v, turn) == LINES)
        return true;
    finding_skip(f, "what it returned cannot be read");
    return false;
}

ENTRY_CHECK(entry_web_template)
{
    struct web_turn turn[LINES];
    if (!converse(v, turn))
        return;
    for (unsigned i = 0; i < LINES; i++) {
        if (strcmp(turn[i].fit, "fits") == 0)
            continue;
        finding_broken(f, "its document is not as the template");
        finding_expected(f, "a document that is equal but for what stands at the placeholders");
        finding_came(f, "%s", turn[i].why[0] ? turn[i].why : "a document that differs beside it");
        finding_errors(f, v);
        interview_end(v);
        return;
    }
    finding_pass(f, "%u documents are the template with its words in them", LINES);
    interview_end(v);
}

/* Takes each document, and the template with the document's words filled in. boothlink-form keeps
 * both. */
static bool documents_take(const struct validate *v, char *text[2 * LINES],
                           struct side_by_side pair[LINES])
{
    int stage = sandbox_stage_fd(actor_sandbox(v->entry));
    size_t length;
    bool all = true;
    for (unsigned i = 0; i < 2 * LINES; i++) {
        char name[40];
        snprintf(name, sizeof name, "tmp/%u%s.html", i / 2 + 1, i % 2 ? "-template" : "");
        text[i] = entry_file(stage, name, &length);
        all = all && text[i] && text[i][0];
    }
    for (unsigned i = 0; i < LINES; i++)
        pair[i] = (struct side_by_side){.left = text[2 * i], .right = text[2 * i + 1]};
    return all;
}

static void look_tell(struct finding *f, const struct side_by_side pair[LINES])
{
    unsigned unlike = 0;
    for (unsigned i = 0; i < LINES; i++)
        unlike += !pair[i].alike;
    if (!unlike) {
        finding_pass(f, "%u documents are the same pixels as the template with its words", LINES);
        return;
    }
    finding_broken(f, "its document does not look as the template does");
    finding_expected(f, "the same pixels in a browser, side by side with the template that has its "
                        "words");
    finding_came(f, "others in %u of %u documents", unlike, LINES);
}

ENTRY_CHECK(entry_web_look)
{
    struct web_turn turn[LINES];
    struct side_by_side pair[LINES];
    struct bl_diag diag;
    char *text[2 * LINES];
    if (validate_is_kind(v, "web") && !side_by_side_can()) {
        finding_skip(f, "chromium is not installed: web.template reads the documents");
        return;
    }
    if (!converse(v, turn))
        return;
    if (!documents_take(v, text, pair))
        finding_skip(f, "what it returned cannot be read");
    else if (side_by_side_look(pair, LINES, &diag) != BL_OK)
        finding_skip(f, "%.200s", diag.text);
    else
        look_tell(f, pair);
    for (unsigned i = 0; i < 2 * LINES; i++)
        free(text[i]);
    interview_end(v);
}

ENTRY_CHECK(entry_web_delay)
{
    struct web_turn turn[LINES];
    unsigned least = ~0u;
    if (!converse(v, turn))
        return;
    for (unsigned i = 0; i < LINES; i++)
        least = turn[i].took_ms < least ? turn[i].took_ms : least;
    interview_end(v);
    if (least >= DELAY_MS) {
        finding_pass(f, "no document came sooner than %.1f s after its submission", least / 1000.0);
        return;
    }
    finding_broken(f, "its document comes too soon after the submission");
    finding_expected(f, "%u s or more, by an intentional delay", DELAY_MS / 1000);
    finding_came(f, "%.1f s", least / 1000.0);
}

/* Finds a file in the Entry's folder that was written since the start and has both parties'
 * words. */
static bool log_find(const struct validate *v, const struct web_turn turn[LINES], char name[256])
{
    DIR *directory = entry_folder(sandbox_folder_fd(actor_sandbox(v->entry)), ".");
    size_t length;
    const struct dirent *listed;
    bool found = false;
    while (directory && !found && (listed = readdir(directory))) {
        char *bytes =
            listed->d_type == DT_REG ? entry_file(dirfd(directory), listed->d_name, &length) : NULL;
        found = bytes != NULL;
        for (unsigned i = 0; i < LINES && found; i++)
            found = strstr(bytes, turn[i].said) && strstr(bytes, turn[i].answer);
        if (found)
            snprintf(name, 256, "%s", listed->d_name);
        free(bytes);
    }
    if (directory)
        closedir(directory);
    return found;
}

ENTRY_CHECK(entry_web_log)
{
    struct web_turn turn[LINES];
    char name[256], shown[300];
    if (validate_is_kind(v, "web") && v->options->server) {
        finding_spare(f, "its log is on the server");
        return;
    }
    if (!converse(v, turn))
        return;
    if (log_find(v, turn, name)) {
        quote(shown, sizeof shown, name, strlen(name));
        finding_pass(f, "%.200s has what both have said", shown);
    } else {
        finding_broken(f, "it records no conversation");
        finding_expected(f, "a text file in its folder with what both have said");
        finding_came(f, "no such file");
        finding_errors(f, v);
    }
    interview_end(v);
}
