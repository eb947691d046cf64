/* The colours of each role of a cell. No colour means anything alone: a marked cell has other
 * words, or another place, too. Good news is cyan on dark and bad news red on white, so nobody has
 * to tell red from green. tests/unit/test_palette.c holds text against 7 to 1. Pure. */
#ifndef TERMINAL_PALETTE_H
#define TERMINAL_PALETTE_H

#include "terminal/frame.h"

#define PALETTE_OWN     (-1) /* the terminal's own colour */
#define PALETTE_CONSOLE 16

/* Colours are numbers of xterm's 256, from 16 on: these look the same everywhere. */
struct palette_look {
    short front, back;
    bool bold;
};

/* PALETTE_OWN on PALETTE_OWN: the role has no colour. */
struct palette_look palette_look(enum role role);

/* The same for a terminal with eight colours, by their numbers there. */
struct palette_look palette_look_of_eight(enum role role);

/* 0xRRGGBB of one of the 256, from 16 on. */
uint32_t palette_rgb(short number);

/* Settings of the Linux console's sixteen, so the eight and their bold ones contrast as the others
 * do: 0xRRGGBB. */
uint32_t palette_console(unsigned number);

#endif
