#include "sim/loop.h"

#include "base/loop.h"

#include <errno.h>
#include <stddef.h>
#include <sys/epoll.h>

int sim_loop_open(void)
{
    return epoll_create1(EPOLL_CLOEXEC);
}

static int control(int loop, int operation, int fd, struct sim_source *source, uint32_t events)
{
    struct epoll_event event = {.events = events, .data.ptr = source};

    return epoll_ctl(loop, operation, fd, &event) == 0 ? 0 : errno;
}

int sim_loop_add(int loop, int fd, struct sim_source *source, uint32_t events)
{
    return control(loop, EPOLL_CTL_ADD, fd, source, events);
}

int sim_loop_change(int loop, int fd, struct sim_source *source, uint32_t events)
{
    return control(loop, EPOLL_CTL_MOD, fd, source, events);
}

void sim_loop_remove(int loop, int fd)
{
    control(loop, EPOLL_CTL_DEL, fd, NULL, 0);
}

void sim_loop_turn(int loop, bool wait)
{
    struct epoll_event events[16];
    int count = epoll_wait(loop, events, 16, wait ? -1 : 0);

    for (int i = 0; i < count; i++) {
        struct sim_source *source = events[i].data.ptr;

        source->ready(source, events[i].events);
    }
}

uint64_t sim_now_ns(void)
{
    return bl_mono_ns();
}
