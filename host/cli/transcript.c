/* "boothlink transcript": what was said, from journals, in other formats. */
#include "transcript/transcript.h"

#include "cli/command.h"
#include "journal/settle.h"
#include "transcript/words.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sysexits.h>

enum format { FORMAT_TEXT, FORMAT_KEYS, FORMAT_ASCIICAST };

static const char *const format_names[] = {"text", "keys", "asciicast"};

#define HEADERS_MAX 32

struct convert {
    const char *journal, *entity_journal, *output;
    enum format format;
    bool one_side; /* only this one: */
    enum side side;
    const char *header[HEADERS_MAX];
    size_t headers;
};

/* The marks that a transcript shows of those that a journal keeps. The entity's end dates them by a
 * clock of its own, so there they take the time of the key before them, or of the first. */
static enum bl_status take_marks(struct transcript_side *side, const struct order *order,
                                 enum party role)
{
    uint64_t n = 0;
    struct transcript_mark *mark = calloc((size_t)order->marks + 1, sizeof *mark);
    if (!mark)
        return BL_NOMEM;
    side->mark = mark;
    for (uint64_t i = 0; i < order->marks; i++) {
        const struct order_mark *from = &order->mark[i];
        struct transcript_mark *to = &mark[side->marks];
        if (from->kind == ENTRY_END)
            to->kind = MARK_ENDED;
        else if (from->state == SEGMENT_OPEN)
            to->kind = MARK_OPENED;
        else if (from->state == SEGMENT_CLOSED || from->state == SEGMENT_FINISHED)
            to->kind = MARK_CLOSED;
        else
            continue;
        /* Where a new epoch began again, the order behind is not that of before. */
        if (from->n > n)
            n = from->n < order->count ? from->n : order->count;
        to->n = n;
        to->at_us = from->wall_us;
        if (role == PARTY_ENTITY && order->count)
            to->at_us = order->event[n ? n - 1 : 0].posted_us;
        to->generation = from->generation;
        to->outcome = from->outcome;
        side->marks++;
    }
    return BL_OK;
}

/* When the entity's keys of one side were pressed, from its own journal. */
static enum bl_status take_presses(struct transcript_side *side, const struct order_set *entity)
{
    struct order_join join = {.set = entity};
    uint64_t *pressed_us = calloc((size_t)side->count + 1, sizeof *pressed_us);
    if (!pressed_us)
        return BL_NOMEM;
    for (uint64_t n = 0; n < side->count; n++)
        if (side->event[n].party == PARTY_ENTITY)
            pressed_us[n] = order_join_next(&join, side->event[n].point);
    side->pressed_us = pressed_us;
    return BL_OK;
}

static enum bl_status load(struct order_set *set, const char *path, struct journal_report *report,
                           struct bl_diag *diag)
{
    enum bl_status status = journal_read(&disk_real, path, order_feed, set, report, diag);
    if (status == BL_OK && set->status != BL_OK)
        status = bl_fail(diag, set->status, "%s: %s", path, bl_status_text(set->status));
    return status;
}

/* Finds which side of the judge's journal the entity's own journal belongs to. */
static enum bl_status join(struct transcript *t, const struct order_set *judge,
                           const struct order_set *entity, const struct convert *convert,
                           struct bl_diag *diag)
{
    enum side side = convert->side;
    enum bl_status status;
    if (judge->role != PARTY_JUDGE || entity->role != PARTY_ENTITY ||
        strcmp(judge->session, entity->session) != 0)
        return bl_fail(diag, BL_DATA,
                       "%s is not the entity's journal of the session in %s; give that one",
                       convert->entity_journal, convert->journal);
    if (!convert->one_side) {
        status = settle_side(judge, entity, &side);
        if (status == BL_DATA)
            return bl_fail(diag, status, "%s contradicts both sides of %s; see \"journal settle\"",
                           convert->entity_journal, convert->journal);
        if (status == BL_USAGE)
            return bl_fail(diag, status,
                           "%s goes with both sides of %s; say which it is with --side left or "
                           "--side right",
                           convert->entity_journal, convert->journal);
    }
    status = take_presses(&t->side[side], entity);
    return status == BL_OK ? status : bl_fail(diag, status, "%s", bl_status_text(status));
}

static enum bl_status fill(struct transcript *t, const struct convert *convert,
                           struct order_set *set, struct order_set *entity, struct bl_diag *diag)
{
    struct journal_report report;
    enum bl_status status = load(set, convert->journal, &report, diag);
    if (status != BL_OK)
        return status;
    t->session = set->session;
    t->role = set->role;
    t->header = convert->header;
    t->headers = convert->headers;
    t->damaged = report.damaged + (report.torn_bytes > 0);
    /* A journal whose header is lost can still be read. */
    style_default(&t->style);
    if (set->headed && style_parse(&t->style, set->style, diag) != BL_OK)
        return BL_DATA;
    for (unsigned i = 0; i < SIDES; i++) {
        const struct order *order = &set->side[i];
        if (convert->one_side && i != convert->side)
            continue;
        t->side[i].event = order->event;
        t->side[i].count = order->count;
        status = take_marks(&t->side[i], order, set->role);
        if (status != BL_OK)
            return bl_fail(diag, status, "%s", bl_status_text(status));
    }
    if (convert->entity_journal) {
        status = load(entity, convert->entity_journal, NULL, diag);
        return status == BL_OK ? join(t, set, entity, convert, diag) : status;
    }
    if (set->role == PARTY_ENTITY)
        status = take_presses(&t->side[SIDE_LEFT], set);
    return status == BL_OK ? status : bl_fail(diag, status, "%s", bl_status_text(status));
}

static void on_write(void *ctx, const char *bytes, size_t length)
{
    fwrite(bytes, 1, length, ctx);
}

static enum bl_status write_to(FILE *file, const struct transcript *t, enum format format)
{
    const struct out out = {.write = on_write, .ctx = file};
    switch (format) {
    case FORMAT_TEXT:
        return transcript_text(t, &out);
    case FORMAT_KEYS:
        transcript_keys(t, &out);
        return BL_OK;
    case FORMAT_ASCIICAST:
        return transcript_asciicast(t, &out);
    }
    return BL_SOFTWARE;
}

static enum bl_status write_out(const struct transcript *t, const struct convert *convert,
                                struct bl_diag *diag)
{
    const char *name = convert->output ? convert->output : "standard output";
    FILE *file = convert->output ? fopen(convert->output, "we") : stdout;
    enum bl_status status;
    bool failed;
    if (!file)
        return bl_fail(diag, errno == EACCES ? BL_NOPERM : BL_IO, "%s: %s", name, strerror(errno));
    status = write_to(file, t, convert->format);
    failed = fflush(file) || ferror(file);
    if (file != stdout)
        failed = fclose(file) || failed;
    if (status != BL_OK)
        return bl_fail(diag, status, "%s", bl_status_text(status));
    return failed ? bl_fail(diag, BL_IO, "%s: writing fails: %s", name, strerror(errno)) : BL_OK;
}

static int run_convert(const struct command *command, const struct convert *convert)
{
    struct order_set set = {.headed = false}, entity = {.headed = false};
    struct transcript t = {.headers = 0};
    struct bl_diag diag;
    enum bl_status status = fill(&t, convert, &set, &entity, &diag);
    if (status == BL_OK)
        status = write_out(&t, convert, &diag);
    if (status == BL_OK && t.damaged)
        fprintf(stderr, "boothlink %s: %s is damaged; see \"boothlink journal check\"\n",
                command->name, convert->journal);
    for (unsigned i = 0; i < SIDES; i++) {
        free((void *)t.side[i].mark);
        free((void *)t.side[i].pressed_us);
    }
    order_free(&set);
    order_free(&entity);
    return status == BL_OK ? EX_OK : command_fail(command, status, diag.text);
}

/* Takes an option's value. NULL, or what is wrong with it. */
static const char *take_option(struct convert *convert, const char *name, const char *value)
{
    if (strcmp(name, "--to") == 0) {
        for (unsigned i = 0; i < sizeof format_names / sizeof *format_names; i++) {
            if (strcmp(value, format_names[i]) == 0) {
                convert->format = (enum format)i;
                return NULL;
            }
        }
        return "--to is text, keys or asciicast";
    }
    if (strcmp(name, "--side") == 0) {
        convert->one_side = true;
        return words_find_side(value, strlen(value), &convert->side) ? NULL
                                                                     : "--side is left or right";
    }
    if (strcmp(name, "--header") == 0) {
        if (convert->headers == HEADERS_MAX)
            return "too many --header lines";
        convert->header[convert->headers++] = value;
        return NULL;
    }
    *(strcmp(name, "--output") == 0 ? &convert->output : &convert->entity_journal) = value;
    return NULL;
}

static int transcript_run(const struct command *command, int argc, char **argv)
{
    struct command_walk walk = {.command = command, .argc = argc, .argv = argv};
    struct convert convert = {.format = FORMAT_TEXT};
    const char *word[2] = {NULL}, *name, *wrong;
    unsigned words = 0;
    while ((name = command_next(&walk))) {
        if (walk.bare && words == 2)
            return command_fail(command, BL_USAGE, "one journal at a time");
        if (walk.bare) {
            word[words++] = name;
            continue;
        }
        wrong = take_option(&convert, name, walk.value);
        if (wrong)
            return command_fail(command, BL_USAGE, wrong);
    }
    if (walk.status || walk.helped)
        return bl_status_exit(walk.status);
    if (words != 2 || strcmp(word[0], "convert") != 0)
        return command_fail(command, BL_USAGE, "give \"convert JOURNAL\"");
    convert.journal = word[1];
    return run_convert(command, &convert);
}

static const struct command_option transcript_options[] = {
    {"--to", "text|keys|asciicast", "the format, text if not given"},
    {"--output", "FILE", "write to this file instead of standard output"},
    {"--header", "LINE", "a line to stand at the top; may be given again"},
    {"--entity-journal", "FILE", "the entity's own journal, for when its keys were pressed"},
    {"--side", "left|right", "only this side"},
    {0},
};

const struct command command_transcript = {
    .name = "transcript",
    .synopsis = "convert JOURNAL [--to FORMAT] [--output FILE] [--header LINE]... "
                "[--entity-journal FILE] [--side SIDE]",
    .help = "make transcripts from journals",
    .text =
        "\"text\" is the readable conversation, a line a turn. \"keys\" has every key on a line of "
        "its own: its number, side, party, when it was posted, when it was pressed (if that is "
        "known) and its name; lines that start with # are comments. \"asciicast\" is a recording "
        "of the pages that asciinema and other players replay with true timing.\n\n"
        "All times are UTC. When an entity's keys were pressed stands in its own end's journal "
        "alone, by that end's clock.",
    .examples =
        "boothlink transcript convert r1-j2-judge.journal --header 'This transcript is in "
        "the public domain'\n"
        "boothlink transcript convert r1-j2-judge.journal --to asciicast --output r1-j2.cast",
    .options = transcript_options,
    .run = transcript_run,
};
