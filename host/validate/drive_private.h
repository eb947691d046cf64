/* What the files of drive.h share. */
#ifndef VALIDATE_DRIVE_PRIVATE_H
#define VALIDATE_DRIVE_PRIVATE_H

#include "validate/drive.h"

#include "entity/child.h"
#include "entity/filter.h"

struct drive {
    struct sandbox *sandbox;
    struct drive_options options;
    struct child terminal; /* for child_key() alone */
    enum turn_end turn_end;
    struct prompt prompt;
    struct filter filter;
    struct filter_state state;
    struct given given;
    struct network network;
    struct lpp_port *port; /* NULL: its terminal is what it talks on */
    uint64_t window_us,
        window_cpu_us; /* since when is_settled() measures, and what had been used */

    uint8_t bytes[DRIVE_BYTES];
    uint64_t base, total; /* places of the first byte kept, and after the last */
    struct drive_read reads[DRIVE_READS];
    size_t read_count;
    char text[DRIVE_BYTES + UTF8_MAX + 1];
    size_t text_length;
    char errors[DRIVE_ERRORS + 1];
    size_t error_length;

    int stat_fd;       /* of the scheduler's account of us; -1: there is none */
    uint64_t delay_us; /* that we have waited for a processor, by that ... */
    uint64_t late_us;  /* ... and since we looked last */
    bool out_closed, err_closed, net_closed;
    uint64_t last_us;  /* of output */
    uint64_t typed_us; /* of the judge's last key */
    unsigned lines;    /* that the judge has ended */
    uint64_t keys;     /* visible, since the mark */
    uint64_t mark, mark_us, bad, ignored;
    size_t mark_read;
    uint64_t flood_from;
    char ending[100];
};

#endif
