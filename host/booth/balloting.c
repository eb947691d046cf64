#include "booth/balloting.h"

#include "base/file.h"
#include "base/name.h"
#include "rules/ballot_kind.h"
#include "booth/messages.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define DRAFT_EVERY_US 1000000

enum bl_status balloting_path(const char *journal, char *path, struct bl_diag *diag)
{
    static const char suffix[] = ".journal";
    size_t length = strlen(journal);
    if (length >= PATH_MAX || !name_ends(journal, suffix))
        return bl_fail(diag, BL_USAGE, say_fail_the_name_of_a_journal_ends, journal, suffix);
    snprintf(path, PATH_MAX, "%.*s.ballot", (int)(length - (sizeof suffix - 1)), journal);
    return BL_OK;
}

static void show(struct balloting *b)
{
    const char *until =
        b->file.head.sealing == SEALED_WITH_SESSION ? say_the_session_ends : say_you_leave;
    struct form *form = &b->form;
    time_t seconds = (time_t)(b->file.given_us / 1000000u);
    struct tm tm;
    form->standing = b->giving        ? FORM_GIVING
                     : b->file.sealed ? FORM_SEALED
                     : b->file.given  ? FORM_GIVEN
                     : b->over        ? FORM_OVERDUE
                                      : FORM_NOT_GIVEN;
    if (localtime_r(&seconds, &tm))
        strftime(form->given, sizeof form->given, "%H:%M", &tm);
    switch (form->standing) {
    case FORM_NOT_GIVEN:
        snprintf(form->about, sizeof form->about, say_press_return_to_give_it, until);
        break;
    case FORM_GIVING:
        snprintf(form->about, sizeof form->about, "%s", say_please_wait);
        break;
    case FORM_GIVEN:
        snprintf(form->about, sizeof form->about, say_to_correct_it_change_it, until);
        break;
    case FORM_OVERDUE:
        snprintf(form->about, sizeof form->about, say_the_session_is_over_give);
        break;
    case FORM_SEALED:
        snprintf(form->about, sizeof form->about, say_it_is_on_record_thank);
        break;
    }
}

enum bl_status balloting_load(struct ballot_file *file, const char *path, struct bl_diag *diag)
{
    char *text;
    size_t length;
    enum bl_status status = file_read(&text, &length, path, BALLOT_FILE_MAX, "a ballot file", diag);
    if (status == BL_OK)
        status = ballot_file_read(file, text, length, path, diag);
    free(text);
    return status;
}

/* Writes the first line of a file without a whole first line. */
static enum bl_status begin_file(struct balloting *b, const struct ballot_head *head,
                                 const char *path, struct bl_diag *diag)
{
    char line[BALLOT_LINE_MAX];
    struct ballot_head begun = *head;
    begun.keyed = b->signer != NULL;
    if (b->signer)
        memcpy(begun.key, b->signer->key, sizeof begun.key);
    size_t length = ballot_head_write(&begun, line);
    enum bl_status status = lines_cut(b->lines, 0, diag);
    if (status != BL_OK)
        return status;
    status = lines_append(b->lines, line, length);
    if (status != BL_OK)
        return bl_fail(diag, status, "%s: %s", path, bl_status_text(status));
    return ballot_file_read(&b->file, line, length, path, diag);
}

static enum bl_status take_file(struct balloting *b, const struct ballot_head *head,
                                const char *text, size_t length, const char *path,
                                struct bl_diag *diag)
{
    char wanted[BALLOT_LINE_MAX], found[BALLOT_LINE_MAX];
    enum bl_status status;
    if (!memchr(text, '\n', length))
        return begin_file(b, head, path, diag);
    status = ballot_file_read(&b->file, text, length, path, diag);
    if (status != BL_OK)
        return status;
    struct ballot_head rest = *head;
    rest.keyed = b->file.head.keyed;
    memcpy(rest.key, b->file.head.key, sizeof rest.key);
    if (!b->file.head.contest[0])
        rest.contest[0] = '\0'; /* an earlier version began the file */
    ballot_head_write(&rest, wanted);
    ballot_head_write(&b->file.head, found);
    if (strcmp(wanted, found) != 0)
        return bl_fail(diag, BL_USAGE, say_fail_was_begun_for_session_under_for, path,
                       b->file.head.session, b->file.head.rules,
                       ballot_kind_name(b->file.head.vote.kind));
    if (!rest.keyed)
        b->signer = NULL;
    else if (!b->signer || memcmp(b->signer->key, rest.key, sizeof rest.key) != 0)
        return bl_fail(diag, BL_USAGE, say_fail_is_signed_by_the_key_of, path,
                       b->signer ? "another" : "a");
    return lines_cut(b->lines, b->file.good_length, diag);
}

enum bl_status balloting_open(struct balloting *b, const char *path, const struct ballot_head *head,
                              const struct ballot_signer *signer, struct bl_diag *diag)
{
    char *text;
    size_t length;
    enum bl_status status;
    memset(b, 0, sizeof *b);
    b->signer = signer;
    status = lines_open(&b->lines, &disk_real, path, BALLOT_FILE_MAX, &text, &length, diag);
    if (status != BL_OK)
        return status;
    status = take_file(b, head, text, length, path, diag);
    free(text);
    form_begin(&b->form, &head->vote);
    if (b->file.given)
        form_set(&b->form, &b->file.vote, true);
    if (b->file.has_draft && !b->file.sealed) {
        form_set(&b->form, &b->file.draft.vote, b->file.draft.has_vote);
        b->form.changed = true;
    }
    show(b);
    return status;
}

static enum bl_status write_line(struct balloting *b, const struct ballot_line *line)
{
    char text[2 * BALLOT_LINE_MAX];
    uint8_t chain[BALLOT_CHAIN];
    size_t length = ballot_line_write(line, &b->file.head.vote, text);
    memcpy(chain, b->file.chain, sizeof chain);
    if (b->signer)
        ballot_chain(chain, text, length);
    if (b->signer && line->word != BALLOT_DRAFT) { /* in one write: both lines or neither */
        size_t more = ballot_signature_write(b->signer, chain, line->at_us, text + length);
        ballot_chain(chain, text + length, more);
        length += more;
    }
    enum bl_status status = lines_append(b->lines, text, length);
    if (status == BL_OK)
        memcpy(b->file.chain, chain, sizeof chain);
    if (status == BL_OK && line->word != BALLOT_DRAFT)
        b->giving = !lines_sync_at_once(b->lines);
    return status;
}

static enum bl_status seal(struct balloting *b, uint64_t wall_us)
{
    const struct ballot_line line = {.word = BALLOT_SEALED, .at_us = wall_us};
    enum bl_status status = write_line(b, &line);
    if (status == BL_OK) {
        b->file.sealed = true;
        b->file.sealed_us = wall_us;
        /* The form shows the valid ballot, and no later draft. */
        form_set(&b->form, &b->file.vote, true);
    }
    show(b);
    return status;
}

enum bl_status balloting_give(struct balloting *b, const struct vote *vote, uint64_t wall_us)
{
    struct ballot_line line = {.word = b->over ? BALLOT_LATE : BALLOT_GIVEN,
                               .at_us = wall_us,
                               .has_vote = true,
                               .vote = *vote};
    enum bl_status status = BL_OK;
    if (b->file.sealed)
        return BL_BUSY;
    if (!b->file.given || b->file.has_draft || !vote_equal(vote, &b->file.vote, &b->form.rules)) {
        status = write_line(b, &line);
        if (status != BL_OK)
            return status;
        b->file.given = true;
        b->file.late = b->over;
        b->file.given_us = wall_us;
        b->file.vote = *vote;
        b->file.versions++;
        b->file.has_draft = false;
    }
    form_set(&b->form, vote, true);
    b->kept_edits = b->form.edits;
    if (b->over)
        status = seal(b, wall_us);
    show(b);
    return status;
}

bool balloting_feed(struct balloting *b, enum input_what what, uint32_t point, uint64_t wall_us,
                    enum bl_status *status)
{
    struct vote vote;
    *status = BL_OK;
    switch (form_feed(&b->form, what, point)) {
    case FORM_NOT_MINE:
        return false;
    case FORM_TAKEN:
        break;
    case FORM_GIVE:
        *status = form_vote(&b->form, &vote, NULL);
        if (*status == BL_OK)
            *status = balloting_give(b, &vote, wall_us);
        break;
    }
    return true;
}

uint64_t balloting_run(struct balloting *b, struct bl_time now)
{
    struct ballot_line line = {.word = BALLOT_DRAFT, .at_us = now.wall_us};
    if (b->kept_edits == b->form.edits || b->file.sealed)
        return BL_NEVER;
    if (b->kept_us && now.mono_us < b->kept_us + DRAFT_EVERY_US)
        return b->kept_us + DRAFT_EVERY_US;
    line.has_vote = form_vote(&b->form, &line.vote, NULL) == BL_OK;
    b->kept_us = now.mono_us;
    if (write_line(b, &line) == BL_OK) {
        b->kept_edits = b->form.edits;
        b->file.has_draft = true;
        return BL_NEVER;
    }
    return b->kept_us + DRAFT_EVERY_US;
}

enum bl_status balloting_over(struct balloting *b, uint64_t wall_us)
{
    if (b->over)
        return BL_OK;
    b->over = true;
    if (b->file.given && !b->file.sealed)
        return seal(b, wall_us);
    show(b);
    return BL_OK;
}

void balloting_kept(struct balloting *b)
{
    if (!b->giving)
        return;
    b->giving = false;
    show(b);
}

void balloting_close(struct balloting *b)
{
    lines_close(b->lines);
    b->lines = NULL;
}
