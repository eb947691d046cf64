/* Adds to the event loop (libuv): the clocks, and a timer in microseconds. No other code of the
 * host reads a clock or waits outside the loop. */
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

/* Sleeps until a time of the monotonic clock. Used when a terminal opens, before its loop runs. */
void bl_sleep_until(uint64_t mono_us);

/* The resolution, in us, of the kernel's time stamps of files. */
uint32_t bl_file_step_us(void);

/* True if the system says that its clock is synchronised (NTP). */
bool bl_clock_disciplined(void);

/* A one-shot timer in microseconds (timerfd; uv_timer_t counts milliseconds). */
struct bl_timer {
    uv_poll_t poll;
    int fd;
    uint64_t due_us; /* BL_NEVER when not set */
    void (*fire)(struct bl_timer *timer);
    void *data;
};

/* Initialises the timer. The loop calls `fire` once for each bl_timer_set(). */
enum bl_status bl_timer_init(uv_loop_t *loop, struct bl_timer *timer,
                             void (*fire)(struct bl_timer *timer), void *data);

/* Sets or moves the deadline on the monotonic clock; BL_NEVER clears it. An unchanged deadline
 * costs no system call. */
void bl_timer_set(struct bl_timer *timer, uint64_t due_us);

/* Stops the timer and closes its descriptor. The loop calls `closed` (may be NULL) when the memory
 * may be freed; timer->data is still valid then. */
void bl_timer_close(struct bl_timer *timer, void (*closed)(struct bl_timer *timer));

#endif
