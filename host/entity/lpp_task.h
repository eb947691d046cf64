/* Work on a folder that boothlink-lpp, a program of ours beside a terminal, does for it: so a slow
 * file system delays no key and no acknowledgement that follows (DESIGN.md, "Blindness"), and no
 * thread is in the terminal. A packet has one piece of work, with the folder's descriptor; its
 * answer comes when that is done. The program holds the state's file (lpp_state.h) and with it that
 * file's lock: the next terminal begins when the last work of a killed one is over. */
#ifndef ENTITY_LPP_TASK_H
#define ENTITY_LPP_TASK_H

#include "entity/lpp_name.h"
#include "entity/lpp_state.h"

#define LPP_TASK_STATE  4 /* descriptors of the program: the state's file, */
#define LPP_TASK_SOCKET 5 /* and the socket */

#define LPP_MAKING_MAX 64

struct lpp_task_key {
    uint64_t n, number; /* numbers of the order, and in the folder */
    uint32_t point;
};

struct lpp_task {
    uint32_t count;
    bool removes;       /* names to remove, in their order; else keys to make, until one fails */
    enum lpp_from from; /* the party whose keys these are */
    union {
        struct lpp_task_key key[LPP_MAKING_MAX];
        char name[LPP_TAKEN_MAX][LPP_NAME_MAX + 1];
    } of;
};

struct lpp_task_done {
    uint32_t made;              /* number of keys made */
    int error;                  /* errno of the key that could not be made; 0 */
    int removed[LPP_TAKEN_MAX]; /* errno of each name's failure; 0: it is removed */
};

/* Bytes of the packet; 0: it is none. */
size_t lpp_task_length(const struct lpp_task *task);

/* boothlink-lpp: does the work that comes by LPP_TASK_SOCKET, and ends with its terminal. Returns
 * the exit code. */
int lpp_task_serve(void);

#endif
