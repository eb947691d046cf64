/* One moment on both clocks, passed to code that may not read a clock. */
#ifndef BASE_TIME_H
#define BASE_TIME_H

#include <stdint.h>

struct bl_time {
    uint64_t mono_us; /* CLOCK_MONOTONIC, for deadlines */
    uint64_t wall_us; /* CLOCK_REALTIME, from 1970 on, for records */
};

#define BL_NEVER UINT64_MAX

#endif
