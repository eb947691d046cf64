#include "validate/comms_private.h"

#include "base/loop.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#define DEVICE    "/dev/ttyS0" /* a serial port, as the program sees it */
#define INTERFACE "eth0"
#define SHOWN     4 /* lines of a screen shown as evidence */

static const struct {
    const char *here, *there;
} addresses[PARTS] = {[PART_ENTRY] = {"10.0.0.3", "10.0.0.4"},
                      [PART_JUDGE] = {"10.0.0.1", "10.0.0.2"},
                      [PART_ENTITY] = {"10.0.0.2", "10.0.0.1"}};

const char *comms_name(enum scene_part part)
{
    static const char *const names[PARTS] = {"the Entry", "the judge's end", "the entity's end"};
    return names[part];
}

static enum line_end part_end(enum scene_part part)
{
    return part == PART_JUDGE ? LINE_JUDGE : LINE_ENTITY;
}

static bool comms_make(struct validate *v)
{
    struct comms *c = v->comms = calloc(1, sizeof *c);
    const char *at = v->options->mask;
    if (!c) {
        v->status = bl_fail(&v->diag, BL_NOMEM, "no memory");
        return false;
    }
    while (at && *at && !v->status) {
        char word[40];
        size_t length = strcspn(at, " ");
        snprintf(word, sizeof word, "%.*s", (int)length, at);
        if (length)
            v->status = picture_mask_add(&c->mask, word, &v->diag);
        at += length + strspn(at + length, " ");
    }
    return !v->status;
}

static enum bl_status command_make(char out[VALIDATE_COMMAND_MAX], const char *command,
                                   enum scene_part part, bool hub, struct bl_diag *diag)
{
    const struct {
        const char *name, *value;
    } words[] = {{"{port}", hub ? INTERFACE : DEVICE},
                 {"{here}", addresses[part].here},
                 {"{there}", addresses[part].there}};
    size_t length = 0;
    while (*command) {
        const char *add = command;
        size_t bytes = 1, taken = 1;
        for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
            if (strncmp(command, words[i].name, strlen(words[i].name)) == 0) {
                add = words[i].value;
                bytes = strlen(add);
                taken = strlen(words[i].name);
            }
        }
        if (length + bytes >= VALIDATE_COMMAND_MAX)
            return bl_fail(diag, BL_USAGE, "a command is longer than %d bytes",
                           VALIDATE_COMMAND_MAX - 1);
        memcpy(out + length, add, bytes);
        length += bytes;
        command += taken;
    }
    out[length] = '\0';
    return BL_OK;
}

static bool part_open(struct validate *v, const struct validate_options *o, enum scene_part part)
{
    const char *const commands[PARTS] = {o->program, o->judge_end, o->entity_end};
    const struct actor_options options = {.mask = &v->comms->mask};
    bool ends = part != PART_ENTRY, hub = o->cable == CABLE_ETHERNET;
    char command[VALIDATE_COMMAND_MAX];
    struct actor *actor;
    struct sandbox_options sandbox = {
        .command = command,
        .folder = o->folder,
        .screen = true,
        .io = PROGRAM_PTY,
        .columns = o->columns,
        .rows = o->rows,
        .memory_mib = o->memory_mib,
        .processes = o->processes,
        .net = ends && hub ? SANDBOX_NET_ETHER : SANDBOX_NET_NONE,
        .address = ends && hub ? addresses[part].here : NULL,
        .device = ends && !hub ? scene_line_device(scene_line(v->scene), part_end(part)) : NULL,
        .device_as = DEVICE,
    };
    v->status = command_make(command, commands[part], part, hub, &v->diag);
    if (!v->status)
        v->status = actor_open(&actor, v->scene, part, &sandbox, &options, &v->diag);
    return !v->status;
}

bool comms_open(struct validate *v, const struct validate_options *options, bool entry)
{
    struct scene_line *line;
    comms_end(v);
    if (!v->comms && !comms_make(v))
        return false;
    v->status = options->cable == CABLE_ETHERNET ? scene_line_open_hub(&line, &v->diag)
                                                 : scene_line_open_serial(&line, &v->diag);
    if (v->status)
        return false;
    v->scene = scene_create(line);
    if (!v->scene) {
        v->status = bl_fail(&v->diag, BL_NOMEM, "no memory");
        return false;
    }
    return (!entry || part_open(v, options, PART_ENTRY)) && part_open(v, options, PART_JUDGE) &&
           part_open(v, options, PART_ENTITY);
}

bool comms_again(struct validate *v, enum scene_part part)
{
    actor_close(scene_actor(v->scene, part));
    if (v->options->cable == CABLE_SERIAL)
        v->status = scene_line_renew(scene_line(v->scene), part_end(part), &v->diag);
    return !v->status && part_open(v, v->options, part);
}

bool comms_windowed(struct validate *v)
{
    if (v->options->windows)
        finding_skip(v->finding, "windows cannot be compared on a terminal");
    return v->options->windows;
}

/* True if an end has ended, or both wait for input. */
static bool all_ready(void *ctx)
{
    const struct scene *scene = ctx;
    bool ready = true;
    for (enum scene_part part = PART_JUDGE; part < PARTS; part++) {
        struct actor *actor = scene_actor(scene, part);
        if (actor_is_over(actor, NULL))
            return true;
        ready = ready && actor_waits(actor);
    }
    return ready;
}

bool comms_begin(struct validate *v)
{
    if (comms_windowed(v) || !comms_open(v, v->options, false))
        return false;
    scene_run(v->scene, v->options->start_ms, all_ready, v->scene);
    return !comms_ended(v);
}

void comms_end(struct validate *v)
{
    scene_close(v->scene);
    v->scene = NULL;
}

void comms_free(struct validate *v)
{
    if (!v->comms)
        return;
    comms_end(v);
    mimic_free(&v->comms->mimic);
    free(v->comms);
    v->comms = NULL;
}

void comms_show(struct validate *v, enum scene_part part)
{
    static char text[PICTURE_ROW];
    const struct picture *picture = actor_picture(scene_actor(v->scene, part));
    unsigned lines[SHOWN], count = 0;
    for (unsigned row = picture->rows; row-- > 0 && count < SHOWN;)
        if (picture_row_text(picture, row, text))
            lines[count++] = row;
    finding_evidence(v->finding, "the screen of %s%s", comms_name(part),
                     count ? ", its last lines:" : " is empty");
    while (count-- > 0) {
        char line[FINDING_TEXT];
        quote(line, sizeof line, text, picture_row_text(picture, lines[count], text));
        finding_evidence(v->finding, "  | %s", line);
    }
}

/* Describes how an end has ended; "" while it runs well. */
static void ending_say(struct actor *actor, char out[100])
{
    enum actor_outcome outcome;
    int status;
    out[0] = '\0';
    if (!actor || !actor_is_over(actor, &outcome))
        return;
    status = atomic_load(&sandbox_facts(actor_sandbox(actor))->status);
    if (outcome == ACTOR_KILLED)
        snprintf(out, 100, "it was killed: too %s",
                 atomic_load(&sandbox_facts(actor_sandbox(actor))->too_many) ? "many processes"
                                                                             : "much memory");
    else if (outcome == ACTOR_FLOOD)
        snprintf(out, 100, "it writes without end");
    else if (WIFSIGNALED(status))
        snprintf(out, 100, "it was ended by signal %d (%s)", WTERMSIG(status),
                 strsignal(WTERMSIG(status)));
    else
        snprintf(out, 100, "it has ended, exit status %d", WEXITSTATUS(status));
}

bool comms_ended(struct validate *v)
{
    for (enum scene_part part = 0; part < PARTS; part++) {
        struct actor *actor = scene_actor(v->scene, part);
        char ending[100];
        ending_say(actor, ending);
        if (!ending[0])
            continue;
        actor_drain(actor);
        finding_broken(v->finding, "%s: %s", comms_name(part), ending);
        finding_expected(v->finding, "%s goes on", comms_name(part));
        finding_came(v->finding, "%s", ending);
        comms_show(v, part);
        return true;
    }
    return false;
}

void comms_start(struct validate *v, struct finding *f)
{
    uint64_t start_us = bl_mono_us();
    if (comms_begin(v))
        finding_pass(f, "both ends wait after %.1f s", (double)(bl_mono_us() - start_us) / 1e6);
    comms_end(v);
}
