/* The processes of the demo: the simulated cable, the terminals, the tmux window. */
#ifndef SIM_DEMO_H
#define SIM_DEMO_H

#include "base/status.h"

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#define DEMO_PATH_MAX 512

struct demo {
    char self[DEMO_PATH_MAX];       /* path of this program */
    char tools[DEMO_PATH_MAX];      /* folder of nullmodem and shim.so */
    char dir[DEMO_PATH_MAX / 2];    /* folder of the demo's files */
    bool ethernet;                  /* a hub between two network namespaces instead of a cable */
    bool two;                       /* two cables, without a controller */
    bool quiet;                     /* standard error of children goes to DIR/NAME.err */
    char control[DEMO_PATH_MAX];    /* the socket of the cable or the hub */
    char key_file[DEMO_PATH_MAX];   /* on Ethernet: file of the line's secret, which the caller
                                     * makes */
    char port[4][DEMO_PATH_MAX];    /* addresses of each line's judge's end and entity's end */
    char controller[DEMO_PATH_MAX]; /* the controller's device; "" if there is none */
    pid_t line;                     /* process of the cable or the hub */
    pid_t child[6];                 /* processes of living children; 0: free */
    char name[6][32];               /* names of the children's output files, without the ending */
};

/* Finds the simulators and makes the folder. Starts the hub (`ethernet`), two cables (`two`), or
 * one cable and the controller, if built. Waits until they are ready. BL_UNAVAIL: a simulator is
 * missing, or network namespaces are not permitted. Until demo_close() a signal that ends this
 * process also ends the children, so only one demo can be open. */
enum bl_status demo_open(struct demo *demo, struct bl_diag *diag);

/* Ends the running children. The folder with the records stays. */
void demo_close(struct demo *demo);

/* Removes the folder, after demo_close(). */
void demo_remove(const struct demo *demo);

/* Writes DIR/NAME to `path`, which has DEMO_PATH_MAX bytes. */
void demo_path(char *path, const char *dir, const char *name);

enum bl_status demo_write(const struct demo *demo, const char *name, const char *text,
                          size_t length, struct bl_diag *diag);

/* Starts boothlink with these arguments (NULL-terminated) at the simulated line. Its standard
 * output goes to DIR/OUTPUT; NULL: to ours. */
enum bl_status demo_spawn(struct demo *demo, const char *const *args, const char *output,
                          pid_t *pid, struct bl_diag *diag);

/* Waits for a child's end, at most so many seconds. BL_SOFTWARE: the child failed or took too long.
 * In a quiet demo a failure has the child's status and last line. */
enum bl_status demo_wait(struct demo *demo, pid_t pid, const char *what, unsigned seconds,
                         struct bl_diag *diag);

/* In a quiet demo, waits until the file `path` has a whole line, at most so many seconds. A child's
 * end before that is a failure. */
enum bl_status demo_await(struct demo *demo, const char *path, unsigned seconds,
                          struct bl_diag *diag);

/* Runs both terminals in a tmux of their own, with the Entry of these options of `boothlink entity`
 * (NULL-terminated). Returns when the person has left. BL_UNAVAIL: there is no tmux. */
enum bl_status demo_in_tmux(struct demo *demo, const char *const *entry, struct bl_diag *diag);

#endif
