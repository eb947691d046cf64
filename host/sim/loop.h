/* The simulators' event loop, by epoll: libuv lacks edge triggers, which save a system call for
 * each byte. The loop is itself a descriptor, readable on any event: another loop can wait for
 * it. */
#ifndef SIM_LOOP_H
#define SIM_LOOP_H

#include <stdbool.h>
#include <stdint.h>

/* Called by the loop on an event of the descriptor. */
struct sim_source {
    void (*ready)(struct sim_source *source, uint32_t events);
};

/* Returns a new loop's descriptor, which close(2) ends; -1 with errno. */
int sim_loop_open(void);

/* Adds a descriptor, or changes its events (EPOLL bits). Returns 0 or an errno. A descriptor leaves
 * the loop when it is closed or removed. */
int sim_loop_add(int loop, int fd, struct sim_source *source, uint32_t events);
int sim_loop_change(int loop, int fd, struct sim_source *source, uint32_t events);
void sim_loop_remove(int loop, int fd);

/* Calls the sources of waiting events, at most 16. wait: waits for the first event. */
void sim_loop_turn(int loop, bool wait);

/* As bl_mono_ns(), for files with the kernel's termios, which cannot include libuv. */
uint64_t sim_now_ns(void);

#endif
