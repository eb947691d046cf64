/* The small things that the event loop (libuv) lacks: the clocks, and a timer in microseconds.
 * Nothing else in the host reads a clock, or waits outside of the loop. */
#ifndef BASE_LOOP_H
#define BASE_LOOP_H

#include "base/status.h"
#include "base/time.h"

#include <stdbool.h>
#include <stdint.h>
#include <uv.h>

struct bl_time bl_now(void);
uint64_t bl_mono_us(void);
uint64_t bl_mono_ns(void); /* the same clock, for wires whose bytes take less than 11 us */

/* Waits until then on the monotonic clock. For the opening of a terminal, before its loop runs. */
void bl_sleep_until(uint64_t mono_us);

/* The steps, in us, of the clock by which the kernel says when a file was made. */
uint32_t bl_file_step_us(void);

/* Does the system keep its clocks true to others (NTP), by its own account? */
bool bl_clock_disciplined(void);

/* A one-shot timer of microsecond grain (timerfd; uv_timer_t counts milliseconds). */
struct bl_timer {
    uv_poll_t poll;
    int fd;
    uint64_t due_us; /* BL_NEVER when not set */
    void (*fire)(struct bl_timer *timer);
    void *data;
};

/* Prepares the timer. fire is called from the loop, once for each bl_timer_set. */
enum bl_status bl_timer_init(uv_loop_t *loop, struct bl_timer *timer,
                             void (*fire)(struct bl_timer *timer), void *data);

/* Sets or moves the deadline, on the monotonic clock; BL_NEVER clears it.
 * Setting the deadline that is already set costs nothing. */
void bl_timer_set(struct bl_timer *timer, uint64_t due_us);

/* Stops the timer and closes its descriptor; closed (may be NULL) is called from the loop
 * when the memory may be freed, with timer->data still valid. */
void bl_timer_close(struct bl_timer *timer, void (*closed)(struct bl_timer *timer));

#endif
