/* boxed FOLDER COMMAND: runs a command in the sandbox that `boothlink validate` makes, as it makes
 * it, types what it reads itself at first, and prints what the command writes until a line says
 * "that is all". For escape.sh. */
#include "validate/actor.h"

#include <stdio.h>
#include <string.h>
#include <sysexits.h>

#define LATE_MS 60000

int main(int argc, char **argv)
{
    static const struct actor_options options = {.flood_bytes = 1u << 20};
    struct bl_diag diag = {""};
    struct actor *actor;
    char line[1000];
    unsigned waited = 0;
    if (argc != 3 || !fgets(line, sizeof line, stdin))
        return EX_USAGE;
    const struct sandbox_options sandbox = {.command = argv[2],
                                            .folder = argv[1],
                                            .io = PROGRAM_PTY,
                                            .turn_end = TURN_LF,
                                            .columns = 80,
                                            .rows = 25,
                                            .memory_mib = 1024,
                                            .processes = 128,
                                            .net = SANDBOX_NET_LISTEN};
    if (actor_open_alone(&actor, &sandbox, &options, &diag)) {
        fprintf(stderr, "boxed: %s\n", diag.text);
        return EX_UNAVAILABLE;
    }
    if (actor_send(actor, line, strlen(line)) == ACTOR_DONE)
        while (!strstr(actor_said(actor).text, "that is all\n") && waited++ < LATE_MS / 20 &&
               actor_pause(actor, 20, false) == ACTOR_DONE)
            ;
    fputs(actor_said(actor).text, stdout);
    scene_close(actor_scene(actor));
    return EX_OK;
}
