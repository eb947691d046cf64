#include "terminal/paint.h"

#include "late/ncursesw.h"
#include "terminal/lone.h"
#include "terminal/palette.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>
#include <wchar.h>

#define REPLACEMENT 0xFFFD /* is shown for a character that the C library does not know */

struct look {
    attr_t attributes;
    short pair;
};

struct paint {
    SCREEN *curses;
    unsigned rows, columns;
    bool anew, again;
    bool plain;  /* lines and marks are drawn in ASCII */
    bool cursor; /* the terminal shows the cursor */
    struct look look[ROLES];
    /* Changes unknown to ncurses: the rows with characters of show_lone(), and whether show_lone()
     * has moved the cursor. */
    bool behind[FRAME_ROWS], strayed;
    bool moves_plainly; /* the terminal moves the cursor as lone.h does */
    struct lone_place put;
    struct frame shown; /* what the terminal shows now */
};

static bool has_string(const char *name)
{
    const char *string = late_ncursesw.tigetstr(name);
    return string && string != (const char *)-1;
}

/* The look of each role on a terminal without colours. */
static void looks_plain(struct look look[ROLES])
{
    for (enum role role = 0; role < ROLES; role++)
        look[role] = (struct look){.attributes = A_NORMAL};
    look[ROLE_WAITING].attributes = A_UNDERLINE; /* dim text would be hard to read */
    look[ROLE_STRONG].attributes = A_BOLD;
    look[ROLE_RULE].attributes = A_DIM;
    for (enum role role = ROLE_BAR; role <= ROLE_BAR_BAD; role++)
        look[role].attributes = A_REVERSE | A_BOLD;
    look[ROLE_BAD].attributes = A_REVERSE | A_BOLD;
    look[ROLE_SOON].attributes = A_BOLD;
    look[ROLE_TIME].attributes = A_REVERSE | A_BOLD;
    look[ROLE_ALARM].attributes = A_REVERSE | A_BOLD;
    look[ROLE_CALL].attributes = A_REVERSE;
}

static void looks_colored(struct look look[ROLES])
{
    if (late_ncursesw.start_color() == ERR || *late_ncursesw.COLORS < 8)
        return;
    late_ncursesw.use_default_colors();
    for (enum role role = 0; role < ROLES; role++) {
        struct palette_look of =
            *late_ncursesw.COLORS < 256 ? palette_look_of_eight(role) : palette_look(role);
        short pair = (short)(role + 1);
        if (of.front != PALETTE_OWN && late_ncursesw.init_pair(pair, of.front, of.back) == OK)
            look[role] = (struct look){of.bold ? A_BOLD : A_NORMAL, pair};
    }
}

/* Sets the terminal's modes: each key arrives at once and unchanged, and no key interrupts or
 * suspends this process or stops the output. */
static void set_modes(void)
{
    struct termios modes;
    late_ncursesw.noecho();
    late_ncursesw.nonl();
    late_ncursesw.raw();
    if (tcgetattr(STDIN_FILENO, &modes) == 0) {
        modes.c_iflag &=
            ~(tcflag_t)(BRKINT | PARMRK | ISTRIP | INLCR | IGNCR | ICRNL | IXON | IXOFF | IXANY);
        modes.c_lflag &= ~(tcflag_t)(ECHO | ECHOE | ECHOK | ECHONL | ICANON | ISIG | IEXTEN);
        modes.c_cc[VMIN] = 1;
        modes.c_cc[VTIME] = 0;
        tcsetattr(STDIN_FILENO, TCSADRAIN, &modes);
    }
    late_ncursesw.def_prog_mode();
}

struct paint *paint_create(bool color, bool plain)
{
    struct paint *paint;
    if (late_load(&late_ncursesw, NULL) != BL_OK || !(paint = calloc(1, sizeof *paint)))
        return NULL;
    paint->curses = late_ncursesw.newterm(NULL, stdout, stdin);
    if (!paint->curses) {
        free(paint);
        return NULL;
    }
    /* Before its first endwin() ncurses flushes its output after each cursor movement: a key would
     * take three writes, each of which wakes the terminal. */
    late_ncursesw.endwin();
    set_modes();
    late_ncursesw.typeahead(-1); /* otherwise ncurses polls the keyboard before each refresh */
    looks_plain(paint->look);
    if (color && late_ncursesw.has_colors())
        looks_colored(paint->look);
    paint->moves_plainly =
        has_string("cup") && strcmp(late_ncursesw.tigetstr("cup"), LONE_CUP) == 0;
    paint->plain = plain;
    paint->cursor = true;
    paint->rows = (unsigned)*late_ncursesw.LINES;
    paint->columns = (unsigned)*late_ncursesw.COLS;
    paint->anew = true;
    return paint;
}

void paint_destroy(struct paint *paint)
{
    if (!paint)
        return;
    late_ncursesw.delscreen(paint->curses);
    free(paint);
}

void paint_size(struct paint *paint, unsigned *rows, unsigned *columns)
{
    struct winsize size;
    if (paint->anew && ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_row > 0 &&
        size.ws_col > 0) {
        late_ncursesw.resize_term(size.ws_row, size.ws_col);
        paint->rows = size.ws_row;
        paint->columns = size.ws_col;
    }
    *rows = paint->rows;
    *columns = paint->columns;
}

void paint_anew(struct paint *paint)
{
    late_ncursesw.reset_prog_mode();
    paint->anew = true;
}

void paint_again(struct paint *paint)
{
    paint->again = true;
}

/* The character for a locale without UTF-8: ASCII for a line or a mark of boothlink. Typed text
 * stays. */
static uint32_t plainly(const struct frame_cell *cell)
{
    bool typed = cell->role == ROLE_TEXT || cell->role == ROLE_WAITING ||
                 (cell->role >= ROLE_INK && cell->role <= ROLE_INK_LAST);
    if (typed || cell->point < 0x7F)
        return cell->point;
    switch (cell->point) {
    case 0x2500:
        return '-';
    case 0x2502:
        return '|';
    case 0xBB:
    case 0x2192:
        return '>';
    case 0x2190:
        return '<';
    case 0x2588:
        return '#';
    default:
        return cell->point >= 0x2500 && cell->point < 0x2580 ? '+' : cell->point;
    }
}

static void put(const struct paint *paint, const struct frame_cell *cell, int row, int column)
{
    wchar_t text[1 + PAGE_MARKS + 1] = {(wchar_t)(paint->plain ? plainly(cell) : cell->point)};
    const struct look *look = &paint->look[cell->role];
    unsigned length = 1;
    int width = wcwidth(text[0]);
    cchar_t out;
    if (width < 1 || width > cell->width) {
        text[0] = REPLACEMENT;
        width = 1;
    }
    for (unsigned i = 0; i < PAGE_MARKS && cell->mark[i]; i++) {
        /* Omits joiners and variation selectors, which make some terminals join or widen cells. */
        bool selector = cell->mark[i] >= 0xFE00 && cell->mark[i] <= 0xFE0F;
        if (cell->mark[i] != 0x200C && cell->mark[i] != 0x200D && !selector &&
            wcwidth((wchar_t)cell->mark[i]) == 0)
            text[length++] = (wchar_t)cell->mark[i];
    }
    if (late_ncursesw.setcchar(&out, text, look->attributes, look->pair, NULL) == OK)
        late_ncursesw.mvadd_wch(row, column, &out);
    if (width < cell->width) {
        late_ncursesw.setcchar(&out, L" ", look->attributes, look->pair, NULL);
        late_ncursesw.mvadd_wch(row, column + 1, &out);
    }
}

/* The only cell of the frame that differs from the terminal's, as plain text; otherwise NULL. *at
 * is the cell's place. */
static const struct frame_cell *lone_cell(struct paint *paint, struct frame *frame,
                                          struct lone_place *at)
{
    const struct frame_cell *lone = NULL, *old;
    for (unsigned row = 0; row < frame->rows; row++) {
        const struct frame_cell *cell = frame_row(frame, row);
        const struct frame_cell *shown = frame_row(&paint->shown, row);
        if (!frame->touched[row] || memcmp(cell, shown, frame->columns * sizeof *cell) == 0)
            continue;
        if (lone)
            return NULL;
        for (unsigned column = 0; column < frame->columns; column++) {
            if (memcmp(&cell[column], &shown[column], sizeof *cell) == 0)
                continue;
            if (lone)
                return NULL;
            lone = &cell[column];
            *at = (struct lone_place){row, column};
        }
    }
    if (!lone)
        return NULL;
    old = &frame_row(&paint->shown, at->row)[at->column];
    if (lone->role != ROLE_TEXT || lone->width != 1 || lone->mark[0] || old->width != 1)
        return NULL;
    return lone->point < 0x7F || wcwidth((wchar_t)lone->point) == 1 ? lone : NULL;
}

static void send_all(const char *bytes, size_t length)
{
    while (length > 0) {
        ssize_t n = write(STDOUT_FILENO, bytes, length);
        if (n < 0 && errno != EINTR)
            return; /* the terminal is lost; the next read of the keyboard reports it */
        if (n > 0) {
            bytes += n;
            length -= (size_t)n;
        }
    }
}

_Static_assert(FRAME_ROWS < 999 && FRAME_COLUMNS < 999, "lone.h writes three digits");

/* Writes a single changed character without ncurses. False if this cannot be done, as when more has
 * changed. */
static bool show_lone(struct paint *paint, struct frame *frame)
{
    const struct lone_place end = {frame->cursor_row, frame->cursor_column};
    const struct frame_cell *cell = NULL;
    struct lone_place at;
    char text[LONE_TEXT];
    if (paint->moves_plainly && frame->cursor == paint->cursor)
        cell = lone_cell(paint, frame, &at);
    /* A terminal may scroll when its last cell is written. */
    if (!cell || (at.row + 1 == paint->rows && at.column + 1 == paint->columns))
        return false;
    send_all(text, lone_put(cell->point, at, frame->cursor ? &end : NULL, text));
    frame_row(&paint->shown, at.row)[at.column] = *cell;
    memset(frame->touched, 0, sizeof frame->touched);
    paint->behind[at.row] = true;
    paint->strayed = true;
    return true;
}

/* Reports the changes of show_lone() to ncurses. */
static void catch_up(struct paint *paint)
{
    for (unsigned row = 0; row < paint->shown.rows; row++) {
        if (!paint->behind[row])
            continue;
        paint->behind[row] = false;
        for (unsigned column = 0; column < paint->shown.columns; column++) {
            const struct frame_cell *cell = &frame_row(&paint->shown, row)[column];
            if (cell->width > 0)
                put(paint, cell, (int)row, (int)column);
        }
        late_ncursesw.wredrawln(*late_ncursesw.stdscr, (int)row, 1);
    }
    if (paint->strayed) {
        char text[LONE_TEXT];
        send_all(text, lone_move(paint->put, text));
    }
    paint->strayed = false;
}

static void put_row(struct paint *paint, const struct frame *frame, unsigned row)
{
    const struct frame_cell *cell = &frame->cell[row * frame->columns];
    struct frame_cell *shown = frame_row(&paint->shown, row);
    size_t size = frame->columns * sizeof *cell;
    if (memcmp(cell, shown, size) == 0)
        return;
    for (unsigned column = 0; column < frame->columns; column++) {
        if (cell[column].width > 0 && memcmp(&cell[column], &shown[column], sizeof *cell) != 0)
            put(paint, &cell[column], (int)row, (int)column);
    }
    memcpy(shown, cell, size);
}

void paint_show(struct paint *paint, struct frame *frame)
{
    bool all = paint->anew, again = paint->again;
    if (!all && !again && show_lone(paint, frame))
        return;
    paint->again = false;
    if (all) {
        paint->anew = paint->strayed = false;
        memset(paint->behind, 0, sizeof paint->behind);
        frame_resize(&paint->shown, frame->rows, frame->columns);
        late_ncursesw.erase();
        late_ncursesw.clearok(*late_ncursesw.stdscr, TRUE);
    } else {
        catch_up(paint);
        if (again)
            late_ncursesw.redrawwin(*late_ncursesw.stdscr);
    }
    for (unsigned row = 0; row < frame->rows; row++) {
        if (all || frame->touched[row])
            put_row(paint, frame, row);
        frame->touched[row] = false;
    }
    if (frame->cursor)
        late_ncursesw.move((int)frame->cursor_row, (int)frame->cursor_column);
    if (frame->cursor != paint->cursor) {
        paint->cursor = frame->cursor;
        late_ncursesw.curs_set(frame->cursor);
    }
    late_ncursesw.refresh();
    paint->put.row = (unsigned)late_ncursesw.getcury(*late_ncursesw.stdscr);
    paint->put.column = (unsigned)late_ncursesw.getcurx(*late_ncursesw.stdscr);
}
