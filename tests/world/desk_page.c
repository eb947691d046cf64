/* In the place of host/desk/program/manager.c and server.c, and of host/desk/stage.c: a desk in the
 * world has no page, no audience and no nats-server of its own. What the page would be told is in
 * the log. */
#include "desk/program/manager.h"
#include "desk/program/server.h"
#include "desk/stage.h"
#include "world.h"

enum bl_status manager_open(struct manager **out, uv_loop_t *loop,
                            const struct manager_options *options, void (*say)(const char *line),
                            struct bl_diag *diag)
{
    (void)loop, (void)options, (void)say;
    *out = NULL;
    return bl_fail(diag, BL_UNAVAIL, "the world has no page");
}

void manager_add(struct manager *manager, const char *place, int64_t key_s)
{
    (void)manager, (void)place, (void)key_s;
}

void manager_hear(struct manager *manager, const char *place, enum tile_matter matter,
                  const char *fault, const char *todo)
{
    (void)manager, (void)matter, (void)todo;
    if (fault)
        world_log("page", "%s: %s", place, fault);
}

void manager_hear_state(struct manager *manager, const char *place, const struct post_piece *state)
{
    (void)manager, (void)place, (void)state;
}

const char *manager_fault(const struct manager *manager)
{
    (void)manager;
    return "";
}

uint64_t manager_run(const struct manager *manager, const char *place)
{
    (void)manager, (void)place;
    return 1;
}

void manager_server(struct manager *manager, const char *fault)
{
    (void)manager;
    world_log("page", "%s", fault ? fault : "the server is there");
}

void manager_disk(struct manager *manager, const char *fault)
{
    (void)manager;
    if (fault)
        world_log("page", "%s", fault);
}

void manager_name_side(const struct manager *manager, const char *session, enum side side,
                       char out[TILE_WHO])
{
    (void)manager, (void)session, (void)side;
    out[0] = '\0';
}

bool manager_limit(struct manager *manager, const char *bytes, size_t length,
                   void (*done)(void *ctx, int status, const char *said), void *ctx)
{
    (void)manager, (void)bytes, (void)length, (void)done, (void)ctx;
    return false;
}

const char *manager_contest(const struct manager *manager)
{
    (void)manager;
    return "";
}

unsigned manager_sealed(const struct manager *manager)
{
    (void)manager;
    return 0;
}

enum bl_status stage_open(struct stage **out, uv_loop_t *loop, const struct stage_options *options,
                          void (*say)(const char *line), struct bl_diag *diag)
{
    (void)loop, (void)options, (void)say;
    *out = NULL;
    return bl_fail(diag, BL_UNAVAIL, "the world has no audience");
}

void stage_add(struct stage *stage, const char *place)
{
    (void)stage, (void)place;
}

void stage_tick(struct stage *stage, struct bl_time now, unsigned sealed)
{
    (void)stage, (void)now, (void)sealed;
}

enum bl_status nats_server_open(struct nats_server **out, uv_loop_t *loop, const char *program,
                                const char *folder, const struct post_server *config,
                                void (*say)(const char *line), void (*ended)(void),
                                struct bl_diag *diag)
{
    (void)loop, (void)program, (void)folder, (void)config, (void)say, (void)ended;
    *out = NULL;
    return bl_fail(diag, BL_UNAVAIL, "the world's server is the network's");
}

void nats_server_heard(struct nats_server *server)
{
    (void)server;
}

void nats_server_stop(struct nats_server *server)
{
    (void)server;
}
