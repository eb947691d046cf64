/* The colours of each role. No meaning depends on colour alone: a marked cell also has other words
 * or another position. Good news is cyan on dark and bad news red on white, so nobody has to tell
 * red from green. tests/unit/test_palette.c demands a contrast of 7 to 1. Pure. */
#ifndef TERMINAL_PALETTE_H
#define TERMINAL_PALETTE_H

#include "terminal/frame.h"

#define PALETTE_OWN     (-1) /* the terminal's default colour */
#define PALETTE_CONSOLE 16

/* Colours are numbers from 16 on of xterm's 256, which look the same everywhere. */
struct palette_look {
    short front, back;
    bool bold;
};

/* The colours of a role; PALETTE_OWN twice if it has none. */
struct palette_look palette_look(enum role role);

/* As palette_look(), for a terminal with eight colours, by their numbers. */
struct palette_look palette_look_of_eight(enum role role);

/* Converts one of the 256 colours, from 16 on, to 0xRRGGBB. */
uint32_t palette_rgb(short number);

/* The values, 0xRRGGBB, of the Linux console's sixteen colours, with the same contrasts. */
uint32_t palette_console(unsigned number);

#endif
