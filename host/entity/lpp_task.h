/* Work on a folder that boothlink-lpp, a program of ours, does for a terminal, so that a slow file
 * system delays no key and no acknowledgement (DESIGN.md, "Blindness"). A packet has one piece of
 * work, with the folder's descriptor. The answer comes when the work is done. boothlink-lpp holds
 * the lock of the state's file (lpp_state.h): the next terminal waits for the last work of a killed
 * one. */
#ifndef ENTITY_LPP_TASK_H
#define ENTITY_LPP_TASK_H

#include "entity/lpp_name.h"
#include "entity/lpp_state.h"

#define LPP_TASK_STATE  4 /* boothlink-lpp's descriptor of the state's file */
#define LPP_TASK_SOCKET 5 /* boothlink-lpp's descriptor of the socket */

#define LPP_MAKING_MAX 64

struct lpp_task_key {
    uint64_t n, number; /* the key's number in the order; its directory's number */
    uint32_t point;
};

struct lpp_task {
    uint32_t count;
    bool removes; /* true: names to remove, in their order; false: keys to make, until one fails */
    enum lpp_from from; /* the party whose keys these are */
    union {
        struct lpp_task_key key[LPP_MAKING_MAX];
        char name[LPP_TAKEN_MAX][LPP_NAME_MAX + 1];
    } of;
};

struct lpp_task_done {
    uint32_t made;              /* number of keys made */
    int error;                  /* errno of the key that could not be made; 0: all were made */
    int removed[LPP_TAKEN_MAX]; /* errno of each name's failure; 0: it is removed */
};

size_t lpp_task_length(const struct lpp_task *task);

/* boothlink-lpp's main function. Does the work that comes by LPP_TASK_SOCKET, until the terminal
 * ends. Returns the exit code. */
int lpp_task_serve(void);

#endif
