#include "desk/watch.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ROOM     (8 * POST_BYTES_MOST) /* bytes of the text that are still to be asked for */
#define LOOK_US  100000u  /* between two looks at the files, unless the first found no room */
#define BEGIN_US 1000000u /* between two texts */
#define SAID     600      /* bytes of an act's words */
#define SECOND   UINT64_C(1000000)

struct referee_watch {
    struct watch_options options;
    struct feed *feed;
    char run[POST_FILE_MAX]; /* "": no text yet */
    uint64_t base;           /* offset of the first kept byte */
    size_t length;
    bool full;                    /* the last look found no room for all */
    uint64_t begun_us, looked_us; /* times of the text's begin and of the last look, monotonic */
    char drawn[WATCH_NUMBER + 1], wish[WATCH_NUMBER + 1]; /* "": none is drawn, or being done */
    uint64_t drawn_us, done_us, refused_us; /* monotonic times of the number, the last outcome, and
                                             * the last report of a refused wish; 0: none */
    char outcome[FEED_LINE + 1];            /* the last outcome's line; "": none */
    bool told;                              /* the outcome is in the text, up to offset told_end */
    uint64_t told_end;
    char text[ROOM];
};

bool watch_is_place(const char *place)
{
    return strcmp(place, WATCH_JUDGES) == 0 || strcmp(place, WATCH_BACK) == 0;
}

enum bl_status watch_create(struct referee_watch **out, const struct watch_options *options,
                            struct bl_diag *diag)
{
    struct referee_watch *watch = calloc(1, sizeof *watch);
    *out = NULL;
    if (!watch)
        return bl_fail(diag, BL_NOMEM, "no memory");
    watch->options = *options;
    enum bl_status status = feed_create(&watch->feed, options->inbox, options->contest, 0, diag);
    if (status == BL_OK)
        *out = watch;
    else
        free(watch);
    return status;
}

void watch_destroy(struct referee_watch *watch)
{
    if (watch)
        feed_destroy(watch->feed);
    free(watch);
}

void watch_add(struct referee_watch *watch, const char *place)
{
    feed_add(watch->feed, place);
}

/* Adds a line. False: no room now. */
static bool add_line(struct referee_watch *watch, const struct json_text *line)
{
    bool none = line->length > ROOM - watch->length;
    watch->full |= none;
    if (none)
        return false;
    memcpy(watch->text + watch->length, line->at, line->length);
    watch->length += line->length;
    return true;
}

static bool give(void *ctx, const struct feed_keys *keys)
{
    struct referee_watch *watch = ctx;
    char text[FEED_LINE], who[WATCH_WHO] = "";
    struct json_text line = {.at = text, .room = sizeof text};
    if (watch->options.who)
        watch->options.who(watch->options.ctx, keys->session, keys->side, who);
    feed_write(keys, watch->options.who ? who : NULL, &line);
    return add_line(watch, &line);
}

static void begin_text(struct referee_watch *watch, const char *run, uint64_t now_us)
{
    watch->begun_us = now_us;
    watch->looked_us = 0;
    snprintf(watch->run, sizeof watch->run, "%s", run);
    watch->base = 0;
    watch->length = 0;
    watch->drawn[0] = '\0';
    watch->told = false;
    feed_rewind(watch->feed);
}

/* Adds the outcome's line as soon as there is room. */
static void tell_outcome(struct referee_watch *watch)
{
    const struct json_text line = {.at = watch->outcome, .length = strlen(watch->outcome)};
    if (!line.length || watch->told)
        return;
    watch->told = add_line(watch, &line);
    watch->told_end = watch->base + watch->length;
}

/* Looks at the files, at intervals: a machine may ask without end. */
static void look(struct referee_watch *watch, struct bl_time now)
{
    if (watch->length >= POST_BYTES_MOST ||
        (!watch->full && watch->looked_us && now.mono_us - watch->looked_us < LOOK_US))
        return;
    watch->looked_us = now.mono_us;
    watch->full = false;
    feed_look(watch->feed, now, 0, give, watch);
}

static bool answer_live(struct referee_watch *watch, const struct post_piece *asked,
                        struct bl_time now, struct post_piece *answer)
{
    const char *run = asked->file + strlen(WATCH_LIVE);
    bool known = strcmp(watch->run, run) == 0 && asked->offset >= watch->base &&
                 asked->offset <= watch->base + watch->length;
    if (!known && asked->offset != 0) {
        answer->kind = POST_OTHER;
        return true;
    }
    if (!known && watch->run[0] && now.mono_us - watch->begun_us < BEGIN_US)
        return false;
    if (!known)
        begin_text(watch, run, now.mono_us);
    size_t read = (size_t)(asked->offset - watch->base);
    memmove(watch->text, watch->text + read, watch->length - read);
    watch->base += read;
    watch->length -= read;
    tell_outcome(watch);
    look(watch, now);
    answer->kind = watch->length ? POST_PIECE : POST_HAVE;
    answer->offset = watch->base;
    answer->bytes = (const uint8_t *)watch->text;
    answer->length = watch->length < POST_BYTES_MOST ? watch->length : POST_BYTES_MOST;
    return true;
}

/* Answers with a number, which stays the same for some seconds, so that a replayed question has no
 * effect. */
static bool answer_draw(struct referee_watch *watch, const struct post_piece *asked,
                        struct bl_time now, struct post_piece *answer)
{
    const bool unread = watch->outcome[0] && (!watch->told || watch->base < watch->told_end);
    if (!watch->options.limit || !watch->run[0] || watch->wish[0] || unread ||
        strcmp(watch->run, asked->file + strlen(WATCH_LIMIT)) != 0 ||
        (watch->done_us && now.mono_us - watch->done_us < WATCH_PACE_S * SECOND))
        return false;
    if (!watch->drawn[0] || now.mono_us - watch->drawn_us > WATCH_DRAWN_S * SECOND) {
        watch->options.draw(watch->options.ctx, watch->drawn);
        watch->drawn_us = now.mono_us;
    }
    answer->kind = POST_PIECE;
    answer->bytes = (const uint8_t *)watch->drawn;
    answer->length = WATCH_NUMBER;
    return true;
}

/* Reports a refused wish, once in a while. */
static void tell_refused(struct referee_watch *watch, struct bl_time now)
{
    if (watch->refused_us && now.mono_us - watch->refused_us < WATCH_PACE_S * SECOND)
        return;
    watch->refused_us = now.mono_us;
    watch->options.refused(watch->options.ctx);
}

static void take_wish(struct referee_watch *watch, const struct post_piece *asked,
                      struct bl_time now)
{
    if (!watch->options.limit)
        return;
    if (!watch->drawn[0] || strcmp(watch->drawn, asked->file + strlen(WATCH_LIMIT)) != 0 ||
        now.mono_us - watch->drawn_us > WATCH_DRAWN_S * SECOND) {
        tell_refused(watch, now);
        return;
    }
    memcpy(watch->wish, watch->drawn, sizeof watch->wish);
    watch->drawn[0] = '\0';
    if (!watch->options.limit(watch->options.ctx, watch, (const char *)asked->bytes, asked->length))
        watch->wish[0] = '\0';
}

bool watch_hear(struct referee_watch *watch, const struct post_piece *asked, struct bl_time now,
                struct post_piece *answer)
{
    const bool limit = strncmp(asked->file, WATCH_LIMIT, strlen(WATCH_LIMIT)) == 0;
    *answer = (struct post_piece){.copy = 1};
    snprintf(answer->file, sizeof answer->file, "%s", asked->file);
    if (asked->kind == POST_WANT && strncmp(asked->file, WATCH_LIVE, strlen(WATCH_LIVE)) == 0)
        return answer_live(watch, asked, now, answer);
    if (asked->kind == POST_ASK && limit)
        return answer_draw(watch, asked, now, answer);
    if (asked->kind == POST_PIECE && limit)
        take_wish(watch, asked, now);
    return false;
}

void watch_done(struct referee_watch *watch, struct bl_time now, int status, const char *said)
{
    char most[SAID + 1];
    struct json_text line = {.at = watch->outcome, .room = FEED_LINE};
    if (!watch->wish[0])
        return;
    snprintf(most, sizeof most, "%s", said);
    json_put(&line, "{");
    json_field(&line, "done", watch->wish);
    json_field_number(&line, "status", status);
    json_field(&line, "said", most);
    json_put(&line, "}\n");
    watch->outcome[line.length] = '\0';
    watch->told = false;
    watch->done_us = now.mono_us;
    watch->wish[0] = '\0';
}
