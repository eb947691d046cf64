#include "desk/watch.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ROOM     (8 * POST_BYTES_MOST) /* bytes of the text that are not asked for yet */
#define LOOK_US  100000u  /* between two looks at the files, unless the first found no room */
#define BEGIN_US 1000000u /* between two texts */
#define SAID     600      /* bytes of an act's words */

struct referee_watch {
    struct watch_options options;
    struct feed *feed;
    char run[POST_FILE_MAX]; /* "": no text was begun */
    uint64_t base;           /* offset of the first kept byte */
    size_t length;
    bool full;                    /* the last look found no room for all */
    uint64_t begun_us, looked_us; /* monotonic; of the text, of the last look */
    uint64_t wish, done; /* number of the wish being done, 0: none; number of the last one done */
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
    enum bl_status status = feed_create(&watch->feed, options->inbox, 0, diag);
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

/* Adds a line. False: there is no room for it now. A line that is too long is dropped. */
static bool add_line(struct referee_watch *watch, const struct json_text *line)
{
    bool none = line->length > ROOM - watch->length;
    if (line->full)
        return true;
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
    watch->wish = watch->done = 0;
    feed_rewind(watch->feed);
}

/* Looks at the files, at most once in LOOK_US, so a machine that asks without end costs the desk
 * little. */
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
    look(watch, now);
    answer->kind = watch->length ? POST_PIECE : POST_HAVE;
    answer->offset = watch->base;
    answer->bytes = (const uint8_t *)watch->text;
    answer->length = watch->length < POST_BYTES_MOST ? watch->length : POST_BYTES_MOST;
    return true;
}

/* Takes a wish. One that came again, or is of another text, is passed over. */
static void take_wish(struct referee_watch *watch, const struct post_piece *asked)
{
    if (!watch->options.limit || !watch->run[0] || watch->wish || asked->offset <= watch->done ||
        strcmp(watch->run, asked->file + strlen(WATCH_LIMIT)) != 0)
        return;
    watch->wish = asked->offset;
    if (!watch->options.limit(watch->options.ctx, watch, (const char *)asked->bytes, asked->length))
        watch->wish = 0;
}

bool watch_hear(struct referee_watch *watch, const struct post_piece *asked, struct bl_time now,
                struct post_piece *answer)
{
    *answer = (struct post_piece){.copy = 1};
    snprintf(answer->file, sizeof answer->file, "%s", asked->file);
    if (asked->kind == POST_WANT && strncmp(asked->file, WATCH_LIVE, strlen(WATCH_LIVE)) == 0)
        return answer_live(watch, asked, now, answer);
    if (asked->kind == POST_PIECE && strncmp(asked->file, WATCH_LIMIT, strlen(WATCH_LIMIT)) == 0)
        take_wish(watch, asked);
    return false;
}

/* If the text has no room for the outcome, the wish comes again from the machine, and its act, done
 * again, changes nothing. */
void watch_done(struct referee_watch *watch, int status, const char *said)
{
    char text[FEED_LINE], most[SAID + 1];
    struct json_text line = {.at = text, .room = sizeof text};
    if (!watch->wish)
        return;
    snprintf(most, sizeof most, "%s", said);
    json_put(&line, "{");
    json_field_number(&line, "done", (int64_t)watch->wish);
    json_field_number(&line, "status", status);
    json_field(&line, "said", most);
    json_put(&line, "}\n");
    if (add_line(watch, &line))
        watch->done = watch->wish;
    watch->wish = 0;
}
