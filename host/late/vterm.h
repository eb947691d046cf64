/* libvterm, loaded late. */
#ifndef LATE_VTERM_H
#define LATE_VTERM_H

#include "late/late.h"

#include <vterm.h>

/* clang-format off */
#define LATE_VTERM(_) \
    _(vterm_, free) \
    _(vterm_, input_write) \
    _(vterm_, new) \
    _(vterm_, obtain_screen) \
    _(vterm_, output_set_callback) \
    _(vterm_, screen_convert_color_to_rgb) \
    _(vterm_, screen_enable_altscreen) \
    _(vterm_, screen_get_cell) \
    _(vterm_, screen_reset) \
    _(vterm_, screen_set_callbacks) \
    _(vterm_, screen_set_damage_merge) \
    _(vterm_, set_utf8)
/* clang-format on */

extern struct late_vterm {
    LATE_VTERM(LATE_MEMBER)
} late_vterm;

#endif
