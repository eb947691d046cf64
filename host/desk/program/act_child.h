/* The acts of the manager's page: `boothlink contest VERB FILE ...` as a child, one at a time. A
 * table has the verbs and their options. Words come from an admitted browser; no word can be an
 * option. A verb whose act cannot be taken back must be typed. */
#ifndef DESK_PROGRAM_ACT_CHILD_H
#define DESK_PROGRAM_ACT_CHILD_H

#include "base/json.h"

#include <uv.h>

#define ACT_SAID 16384 /* kept bytes of a command's output */

struct act_child {
    uv_loop_t *loop;
    const char *program, *contest;
    void (*changed)(void *ctx);
    void *ctx;
    const char *bundle; /* the folder of the next bundle; NULL: the rules let names be published */
    /* Private to act_child.c; zeroed at the start. */
    uv_process_t process;
    uv_pipe_t pipe[2];
    unsigned open; /* number of handles; 0: no act is under way */
    unsigned number;
    int status; /* exit status of the last act */
    char command[4096], said[ACT_SAID];
    const char *output; /* the file of the output, written as OUTPUT.part; NULL: none */
    size_t length;
};

/* Begins the act of a message, {"verb": "repeat", "words": ["r1-j2"], "options": {"why": "..."},
 * "typed": "..."}. A fault becomes the act's outcome. */
void act_child_begin(struct act_child *child, const char *message, size_t length);

/* Writes the field "act" of the last act, or of the present one: number, command, said; after its
 * end, also status. */
void act_child_write(const struct act_child *child, struct json_text *out);

#endif
