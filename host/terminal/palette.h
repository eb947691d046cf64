/* The colours of each role. No meaning depends on colour alone. Good news is cyan on dark; bad news
 * is red on white. The contrast is at least 7 to 1. Pure. */
#ifndef TERMINAL_PALETTE_H
#define TERMINAL_PALETTE_H

#include "terminal/frame.h"

#define PALETTE_OWN     (-1) /* the terminal's default colour */
#define PALETTE_CONSOLE 16

/* The colours of text and background: numbers from 16 on of xterm's 256 colours, which are the same
 * on nearly every terminal. */
struct palette_look {
    short front, back;
    bool bold;
};

/* The colours of a role; PALETTE_OWN twice for a role without colours. */
struct palette_look palette_look(enum role role);

/* As palette_look(), for a terminal with eight colours: `front` and `back` are numbers of those
 * eight. */
struct palette_look palette_look_of_eight(enum role role);

/* The value, 0xRRGGBB, of one of xterm's colours from 16 on. */
uint32_t palette_rgb(short number);

/* The value, 0xRRGGBB, that console_colour() gives to one of the Linux console's sixteen
 * colours. */
uint32_t palette_console(unsigned number);

#endif
