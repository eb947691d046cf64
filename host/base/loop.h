/* Additions to libuv's event loop: the clocks, and a timer in microseconds. */
#ifndef BASE_LOOP_H
#define BASE_LOOP_H

#include "base/status.h"
#include "base/time.h"

#include <stdbool.h>
#include <stdint.h>
#include <uv.h>

struct bl_time bl_now(void);
uint64_t bl_mono_us(void);
uint64_t bl_mono_ns(void); /* the same clock in ns, for wires with less than 11 us per byte */

/* Sleeps until a time of the monotonic clock. */
void bl_sleep_until(uint64_t mono_us);

/* The resolution, in microseconds, of the times that the kernel gives to files. */
uint32_t bl_file_step_us(void);

/* True if the kernel says that the system's clock is synchronised, as by NTP. */
bool bl_clock_disciplined(void);

/* A one-shot timer in microseconds, made of a timerfd. */
struct bl_timer {
    uv_poll_t poll;
    int fd;
    uint64_t due_us; /* BL_NEVER: no deadline is set */
    void (*fire)(struct bl_timer *timer);
    void *data;
};

/* Initialises the timer. The loop calls `fire` once for each deadline that passes. */
enum bl_status bl_timer_init(uv_loop_t *loop, struct bl_timer *timer,
                             void (*fire)(struct bl_timer *timer), void *data);

/* Sets or moves the timer's deadline, a time of the monotonic clock; BL_NEVER clears the deadline.
 * An unchanged deadline costs no system call. */
void bl_timer_set(struct bl_timer *timer, uint64_t due_us);

/* Stops the timer and closes its descriptor. The loop calls `closed` (may be NULL) when the timer's
 * memory may be freed; timer->data is still set then. */
void bl_timer_close(struct bl_timer *timer, void (*closed)(struct bl_timer *timer));

#endif
