/* The frames of the bare log, a yardstick for the desk: up a piece of a file, down how many
 * bytes of that file are on the disk. Numbers are the machine's. */
#ifndef SCALE_CROWD_H
#define SCALE_CROWD_H

#include <stdint.h>

struct frame_up {
    uint16_t place, file;
    uint32_t length; /* of the bytes behind it */
    uint64_t offset;
};

struct frame_down {
    uint64_t file, have;
};

#endif
