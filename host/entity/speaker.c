#include "entity/speaker.h"

#include "entity/apart.h"
#include "entity/lpp.h"

#include <stdio.h>
#include <stdlib.h>

struct speaker {
    struct speaker_callbacks callbacks;
    void *ctx;
    struct lpp *folder;   /* an Entry's folder; NULL: `server` is set */
    struct apart *server; /* an Entry's connection to us; NULL: `folder` is set */
    uint64_t order;
};

static enum handed on_key(void *ctx, uint32_t point, uint64_t pressed_us)
{
    const struct speaker *s = ctx;
    return s->callbacks.key(s->ctx, point, pressed_us);
}

static uint32_t on_placed(void *ctx, uint64_t n, enum party *party)
{
    const struct speaker *s = ctx;
    return s->callbacks.placed(s->ctx, n, party);
}

static uint64_t on_pressed(void *ctx)
{
    const struct speaker *s = ctx;
    return s->callbacks.pressed(s->ctx);
}

static uint32_t on_judge_key(void *ctx, uint64_t n)
{
    enum party party = PARTY_ENTITY;
    uint32_t point = on_placed(ctx, n, &party);
    return party == PARTY_JUDGE ? point : 0;
}

static void on_folder(void *ctx, enum lpp_event event, uint32_t count, const char *text)
{
    const struct speaker *s = ctx;
    s->callbacks.event(s->ctx,
                       event == LPP_WATCHES                            ? SPEAKER_IS_THERE
                       : event == LPP_NOT_A_KEY || event == LPP_PASSED ? SPEAKER_IGNORES
                                                                       : SPEAKER_TELLS,
                       count, text);
}

static enum bl_status folder_open(struct speaker *s, uv_loop_t *loop,
                                  const struct speaker_options *options, struct bl_diag *diag)
{
    const struct lpp_callbacks callbacks = {on_key, on_pressed, on_judge_key, on_folder};
    const struct lpp_options lpp = {.folder = options->entry->folder,
                                    .shown =
                                        options->program ? program_lpp_fd(options->program) : 0,
                                    .state_dir = options->state_dir,
                                    .scan_ms = options->scan_ms,
                                    .anew = options->anew};
    return lpp_open(&s->folder, loop, &lpp, &callbacks, s, diag);
}

static uint32_t on_waiting(void *ctx, size_t i)
{
    const struct speaker *s = ctx;
    return s->callbacks.waiting ? s->callbacks.waiting(s->ctx, i) : 0;
}

static void on_server(void *ctx, enum apart_news news, uint32_t count, const char *text)
{
    static const enum speaker_news same[] = {[APART_TELLS] = SPEAKER_TELLS,
                                             [APART_IGNORES] = SPEAKER_IGNORES,
                                             [APART_IS_THERE] = SPEAKER_IS_THERE};
    const struct speaker *s = ctx;
    s->callbacks.event(s->ctx, same[news], count, text);
}

static enum bl_status server_open(struct speaker *s, uv_loop_t *loop,
                                  const struct speaker_options *options, struct bl_diag *diag)
{
    const struct apart_callbacks callbacks = {
        .key = on_key, .placed = on_placed, .waiting = on_waiting, .event = on_server};
    const struct lpp2_place *place = &options->entry->place;
    const struct apart_options apart = {
        .place = place, .listening = options->program ? program_port_fd(options->program) : 0};
    char text[80];
    enum bl_status status = apart_open(&s->server, loop, &apart, &callbacks, s, diag);
    if (status)
        return status;
    snprintf(text, sizeof text, "waits for the Entry at http://%s:%u%s",
             place->address[0] ? place->address : "127.0.0.1", place->port,
             options->program ? " in its sandbox" : "");
    s->callbacks.event(s->ctx, SPEAKER_TELLS, 0, text);
    return BL_OK;
}

enum bl_status speaker_open(struct speaker **out, uv_loop_t *loop,
                            const struct speaker_options *options,
                            const struct speaker_callbacks *callbacks, void *ctx,
                            struct bl_diag *diag)
{
    static enum bl_status (*const opened[KINDS])(
        struct speaker *, uv_loop_t *, const struct speaker_options *,
        struct bl_diag *) = {[KIND_LPP] = folder_open, [KIND_LPP2] = server_open};
    enum kind_id kind = options->entry->kind;
    *out = NULL;
    if (!opened[kind])
        return BL_OK;
    struct speaker *s = calloc(1, sizeof *s);
    if (!s)
        return bl_fail(diag, BL_NOMEM, "no memory");
    s->callbacks = *callbacks;
    s->ctx = ctx;
    enum bl_status status = opened[kind](s, loop, options, diag);
    if (status)
        free(s);
    else
        *out = s;
    return status;
}

void speaker_session(struct speaker *s, const char *session, unsigned round, uint64_t given)
{
    if (s->folder)
        lpp_session(s->folder, session, given);
    else
        apart_session(s->server, round, given);
}

void speaker_leave(struct speaker *s)
{
    if (s->folder)
        lpp_leave(s->folder);
}

void speaker_start(struct speaker *s)
{
    if (s->server)
        apart_start(s->server);
}

void speaker_end(struct speaker *s)
{
    if (s->server)
        apart_end(s->server);
}

/* A folder's own state outlives this process: its number is stored after a Return only. */
uint64_t speaker_given(const struct speaker *s)
{
    enum party party;
    if (s->server)
        return apart_given(s->server);
    uint64_t given = lpp_given(s->folder);
    bool whole =
        given && given == s->order && s->callbacks.placed(s->ctx, given, &party) == KEY_RETURN;
    return whole ? given : 0;
}

bool speaker_sent(const struct speaker *s)
{
    return !s->server || apart_sent(s->server);
}

void speaker_reads_from_now(struct speaker *s)
{
    if (s->folder)
        lpp_reads_from_now(s->folder);
}

bool speaker_watches(const struct speaker *s)
{
    return s->folder && lpp_watches(s->folder);
}

bool speaker_scans(const struct speaker *s)
{
    return s->folder && !lpp_watches(s->folder);
}

void speaker_run(struct speaker *s, unsigned allowed, bool carries, uint64_t order)
{
    s->order = order;
    if (s->folder) {
        lpp_allow(s->folder, allowed);
        if (!carries)
            lpp_hush(s->folder);
        lpp_order(s->folder, order);
    } else {
        apart_run(s->server, allowed, order);
    }
}

void speaker_close(struct speaker *s)
{
    if (!s)
        return;
    lpp_close(s->folder);
    apart_close(s->server);
    free(s);
}
