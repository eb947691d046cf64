#include "base/loop.h"

#include <errno.h>
#include <sys/timerfd.h>
#include <sys/timex.h>
#include <time.h>
#include <unistd.h>

static uint64_t clock_ns(clockid_t clock)
{
    struct timespec t;
    clock_gettime(clock, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static uint64_t clock_us(clockid_t clock)
{
    return clock_ns(clock) / 1000u;
}

struct bl_time bl_now(void)
{
    return (struct bl_time){.mono_us = clock_us(CLOCK_MONOTONIC),
                            .wall_us = clock_us(CLOCK_REALTIME)};
}

uint64_t bl_mono_us(void)
{
    return clock_us(CLOCK_MONOTONIC);
}

uint64_t bl_mono_ns(void)
{
    return clock_ns(CLOCK_MONOTONIC);
}

void bl_sleep_until(uint64_t mono_us)
{
    struct timespec until = {.tv_sec = (time_t)(mono_us / 1000000u),
                             .tv_nsec = (long)(mono_us % 1000000u) * 1000};
    while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL) == EINTR) {
    }
}

uint32_t bl_file_step_us(void)
{
    struct timespec step = {0, 0};
    clock_getres(CLOCK_REALTIME_COARSE, &step);
    return (uint32_t)(step.tv_nsec / 1000) + 1;
}

bool bl_clock_disciplined(void)
{
    struct timex state = {.modes = 0};
    return adjtimex(&state) != TIME_ERROR && !(state.status & STA_UNSYNC);
}

static void on_poll(uv_poll_t *poll, int status, int events)
{
    struct bl_timer *timer = poll->data;
    uint64_t count;
    (void)status;
    (void)events;
    if (read(timer->fd, &count, sizeof count) != sizeof count)
        return; /* the deadline was moved after the timer became readable */
    timer->due_us = BL_NEVER;
    timer->fire(timer);
}

enum bl_status bl_timer_init(uv_loop_t *loop, struct bl_timer *timer,
                             void (*fire)(struct bl_timer *timer), void *data)
{
    timer->fd = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC);
    if (timer->fd < 0)
        return BL_IO;
    timer->due_us = BL_NEVER;
    timer->fire = fire;
    timer->data = data;
    timer->poll.data = timer;
    if (uv_poll_init(loop, &timer->poll, timer->fd) ||
        uv_poll_start(&timer->poll, UV_READABLE, on_poll)) {
        close(timer->fd);
        timer->fd = -1;
        return BL_IO;
    }
    return BL_OK;
}

void bl_timer_set(struct bl_timer *timer, uint64_t due_us)
{
    struct itimerspec spec = {0};
    if (due_us == timer->due_us)
        return;
    timer->due_us = due_us;
    if (due_us != BL_NEVER) {
        spec.it_value.tv_sec = (time_t)(due_us / 1000000u);
        spec.it_value.tv_nsec = (long)(due_us % 1000000u) * 1000;
        if (due_us == 0)
            spec.it_value.tv_nsec = 1; /* a zero time would disarm the timer */
    }
    timerfd_settime(timer->fd, TFD_TIMER_ABSTIME, &spec, NULL);
}

static void on_closed(uv_handle_t *handle)
{
    struct bl_timer *timer = handle->data;
    void (*closed)(struct bl_timer *) = (void (*)(struct bl_timer *))timer->fire;
    if (closed)
        closed(timer);
}

void bl_timer_close(struct bl_timer *timer, void (*closed)(struct bl_timer *timer))
{
    uv_poll_stop(&timer->poll);
    close(timer->fd);
    timer->fd = -1;
    timer->fire = closed;
    uv_close((uv_handle_t *)&timer->poll, on_closed);
}
