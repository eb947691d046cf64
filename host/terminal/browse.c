#include "terminal/browse.h"

#include "base/utf8.h"
#include "late/ncursesw.h"
#include "terminal/guard.h"
#include "terminal/terminfo.h"
#include "terminal/messages.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define NAMES_MAX 4096
#define ESCAPE    27

struct browse {
    char path[PATH_MAX];
    char *name[NAMES_MAX]; /* the names of the subfolders; the first is ".." except in the root
                            * folder */
    unsigned count, at, top;
    bool more; /* the folder has subfolders that `name` lacks */
    const char *note;
};

static void forget(struct browse *b)
{
    while (b->count > 0)
        free(b->name[--b->count]);
}

static int by_name(const void *a, const void *b)
{
    const char *x = *(char *const *)a, *y = *(char *const *)b;
    if (strcmp(x, "..") == 0 || strcmp(y, "..") == 0)
        return strcmp(y, "..") == 0 ? 1 : -1;
    return strcmp(x, y);
}

static bool is_folder(int dir, const char *name)
{
    struct stat info;
    return fstatat(dir, name, &info, 0) == 0 && S_ISDIR(info.st_mode);
}

/* Reads the folder at `path` and makes it the current one. Sets b->note and returns false if the
 * folder cannot be read. */
static bool enter(struct browse *b, const char *path)
{
    char real[PATH_MAX];
    struct dirent *found;
    DIR *dir = realpath(path, real) ? opendir(real) : NULL;
    if (!dir) {
        b->note = errno == EACCES ? say_this_user_may_not_look : say_that_folder_cannot_be_opened;
        return false;
    }
    forget(b);
    b->at = b->top = 0;
    b->more = false;
    while ((found = readdir(dir))) {
        bool up = strcmp(found->d_name, "..") == 0;
        if ((found->d_name[0] == '.' && !up) || (up && strcmp(real, "/") == 0) ||
            !is_folder(dirfd(dir), found->d_name))
            continue;
        if (b->count == NAMES_MAX || !(b->name[b->count] = strdup(found->d_name)))
            b->more = true;
        else
            b->count++;
    }
    closedir(dir);
    qsort(b->name, b->count, sizeof b->name[0], by_name);
    memcpy(b->path, real, strlen(real) + 1);
    return true;
}

/* Goes into the subfolder `name`, or up for "..". After going up the marked name is the folder
 * left. */
static void walk(struct browse *b, const char *name)
{
    char path[PATH_MAX + NAME_MAX + 2], from[PATH_MAX];
    const char *left = strrchr(b->path, '/') + 1;
    bool up = strcmp(name, "..") == 0; /* asked now: enter() frees `name` */
    snprintf(path, sizeof path, "%s/%s", b->path, name);
    memcpy(from, left, strlen(left) + 1);
    if (!enter(b, path) || !up)
        return;
    for (unsigned i = 0; i < b->count; i++)
        if (strcmp(b->name[i], from) == 0)
            b->at = i;
}

/* Writes a text at a position. Replaces each byte or character that could control the terminal by
 * '?'. */
static void put(int row, int column, const char *text, attr_t attributes)
{
    size_t left = strlen(text), taken;
    if (row < 0 || row >= *late_ncursesw.LINES)
        return;
    late_ncursesw.attrset(attributes);
    late_ncursesw.move(row, column);
    for (int used = column; left > 0 && used < *late_ncursesw.COLS - 1; used++) {
        uint32_t point = '?';
        taken = utf8_decode((const uint8_t *)text, left, &point);
        if (taken == 0 || point < 0x20 || (point >= 0x7F && point < 0xA0))
            late_ncursesw.addch('?');
        else
            late_ncursesw.addnstr(text, (int)taken);
        text += taken ? taken : 1;
        left -= taken ? taken : 1;
    }
    late_ncursesw.clrtoeol();
}

static void draw(struct browse *b, const char *title)
{
    unsigned rows = *late_ncursesw.LINES > 6 ? (unsigned)*late_ncursesw.LINES - 5 : 1;
    if (b->at < b->top)
        b->top = b->at;
    if (b->at >= b->top + rows)
        b->top = b->at - rows + 1;
    late_ncursesw.erase();
    put(0, 1, title, A_BOLD);
    put(1, 1, b->path, A_NORMAL);
    for (unsigned i = 0; i < rows && b->top + i < b->count; i++)
        put((int)i + 3, 3, b->name[b->top + i], b->top + i == b->at ? A_REVERSE : A_NORMAL);
    put(*late_ncursesw.LINES - 2, 1,
        b->note   ? b->note
        : b->more ? say_there_are_more_folders_than
                  : "",
        A_BOLD);
    put(*late_ncursesw.LINES - 1, 1, say_up_down_move_return_open, A_NORMAL);
    late_ncursesw.refresh();
}

/* Handles a key. True: the user has finished; *chosen: a folder was chosen. */
static bool take(struct browse *b, int key, bool *chosen)
{
    unsigned page = *late_ncursesw.LINES > 6 ? (unsigned)*late_ncursesw.LINES - 5 : 1;
    b->note = NULL;
    switch (key) {
    case KEY_UP:
        b->at -= b->at > 0;
        break;
    case KEY_DOWN:
        b->at += b->at + 1 < b->count;
        break;
    case KEY_PPAGE:
        b->at -= b->at < page ? b->at : page;
        break;
    case KEY_NPAGE:
        b->at = b->at + page < b->count ? b->at + page : b->count ? b->count - 1 : 0;
        break;
    case '\r':
    case '\n':
    case KEY_ENTER:
    case KEY_RIGHT:
        if (b->at < b->count)
            walk(b, b->name[b->at]);
        break;
    case KEY_LEFT:
    case KEY_BACKSPACE:
    case 127:
        walk(b, "..");
        break;
    case ' ':
        *chosen = access(b->path, W_OK | X_OK) == 0;
        if (!*chosen)
            b->note = say_this_user_may_not_make;
        return *chosen;
    case 'q':
    case ESCAPE:
    case ERR: /* the terminal is gone */
        return true;
    default:
        break;
    }
    return false;
}

enum bl_status browse_folder(char path[PATH_MAX], const char *title, struct bl_diag *diag)
{
    static struct browse browse;
    char restore[GUARD_TEXT];
    bool chosen = false, plain;
    SCREEN *curses;
    enum bl_status status = terminfo_check(restore, &plain, diag);
    if (status)
        return status;
    if (!enter(&browse, ".") && !enter(&browse, "/"))
        return bl_fail(diag, BL_IO, say_fail_no_folder_can_be_looked_into);
    if (!guard_arm(STDOUT_FILENO) || !(curses = late_ncursesw.newterm(NULL, stdout, stdin)))
        return bl_fail(diag, BL_UNAVAIL, say_fail_the_terminal_cannot_be_used_name);
    guard_text(restore);
    late_ncursesw.cbreak();
    late_ncursesw.noecho();
    late_ncursesw.keypad(*late_ncursesw.stdscr, true);
    late_ncursesw.curs_set(0);
    late_ncursesw.set_escdelay(50);
    do
        draw(&browse, title);
    while (!take(&browse, late_ncursesw.getch(), &chosen));
    late_ncursesw.endwin();
    late_ncursesw.delscreen(curses);
    guard_disarm();
    memcpy(path, browse.path, strlen(browse.path) + 1);
    forget(&browse);
    return chosen ? BL_OK : bl_fail(diag, BL_UNAVAIL, say_fail_no_folder_was_chosen_name_one);
}
