/* ncurses with terminfo, loaded late. Its variables are used by address. */
#ifndef LATE_NCURSESW_H
#define LATE_NCURSESW_H

#include "late/late.h"

/* A macro of ncurses would bypass the table. */
#define NCURSES_NOMACROS 1
#include <curses.h>

/* Declared here: <term.h> defines macros such as "tab" and "lines". */
struct term;
int setupterm(const char *name, int fd, int *error);
struct term *set_curterm(struct term *term);
int del_curterm(struct term *term);
int tputs(const char *string, int lines, int (*put)(int));

/* clang-format off */
#define LATE_NCURSESW(_) \
    _(, addch) \
    _(, addnstr) \
    _(, attrset) \
    _(, cbreak) \
    _(, clearok) \
    _(, clrtoeol) \
    _(, COLORS) \
    _(, COLS) \
    _(, curs_set) \
    _(, curses_version) \
    _(, def_prog_mode) \
    _(, del_curterm) \
    _(, delscreen) \
    _(, endwin) \
    _(, erase) \
    _(, getch) \
    _(, getcurx) \
    _(, getcury) \
    _(, has_colors) \
    _(, init_pair) \
    _(, keypad) \
    _(, LINES) \
    _(, move) \
    _(, mvadd_wch) \
    _(, newterm) \
    _(, noecho) \
    _(, nonl) \
    _(, raw) \
    _(, redrawwin) \
    _(, refresh) \
    _(, reset_prog_mode) \
    _(, resize_term) \
    _(, set_curterm) \
    _(, set_escdelay) \
    _(, setcchar) \
    _(, setupterm) \
    _(, start_color) \
    _(, stdscr) \
    _(, tigetstr) \
    _(, tputs) \
    _(, typeahead) \
    _(, use_default_colors) \
    _(, wredrawln)
/* clang-format on */

extern struct late_ncursesw {
    LATE_NCURSESW(LATE_MEMBER)
} late_ncursesw;

#endif
