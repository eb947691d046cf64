#include "terminal/terminfo.h"

#include "late/ncursesw.h"

#include <langinfo.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char collected[GUARD_TEXT];
static size_t collected_length;

static int collect(int byte)
{
    /* Padding, which is NULs, is for terminals that fall behind; the last words can do without. */
    if (byte != '\0' && collected_length + 1 < sizeof collected)
        collected[collected_length++] = (char)byte;
    return byte;
}

/* What the terminal sends for one of terminfo's names; NULL: it cannot do that. */
static const char *string_of(const char *name)
{
    const char *string = late_ncursesw.tigetstr(name);
    return string == (const char *)-1 ? NULL : string;
}

static void collect_restore(char restore[GUARD_TEXT])
{
    const char *const leave = string_of("rmcup");
    const char *const strings[] = {string_of("sgr0"), string_of("op"),
                                   leave ? leave : string_of("clear"), string_of("cnorm")};
    collected_length = 0;
    for (unsigned i = 0; i < sizeof strings / sizeof strings[0]; i++) {
        if (strings[i])
            late_ncursesw.tputs(strings[i], 1, collect);
    }
    collected[collected_length] = '\0';
    memcpy(restore, collected, sizeof collected);
}

enum bl_status terminfo_check(char restore[GUARD_TEXT], bool *plain, struct bl_diag *diag)
{
    const char *term = getenv("TERM");
    enum bl_status status = late_load(&late_ncursesw, diag);
    bool able;
    int found;
    if (status != BL_OK)
        return status;
    if (!isatty(STDIN_FILENO) || !isatty(STDOUT_FILENO))
        return bl_fail(diag, BL_UNAVAIL,
                       "standard %s is no terminal: run it in one, or with --headless",
                       isatty(STDIN_FILENO) ? "output" : "input");
    /* Only characters follow the locale: numbers in files must not. */
    setlocale(LC_CTYPE, "");
    *plain = strcmp(nl_langinfo(CODESET), "UTF-8") != 0;
    if (*plain && !setlocale(LC_CTYPE, "C.UTF-8"))
        return bl_fail(diag, BL_UNAVAIL,
                       "no UTF-8 locale is installed: set LC_CTYPE to one that `locale -a` lists");
    if (!term || !*term || late_ncursesw.setupterm(NULL, STDOUT_FILENO, &found) == ERR)
        return bl_fail(diag, BL_UNAVAIL,
                       "TERM=%s is not known here: set it to what the terminal is, such as linux, "
                       "xterm-256color or vt220",
                       term ? term : "");
    able = string_of("cup") && string_of("clear");
    if (able)
        collect_restore(restore);
    late_ncursesw.del_curterm(late_ncursesw.set_curterm(NULL));
    if (!able)
        return bl_fail(diag, BL_UNAVAIL,
                       "TERM=%s cannot place the cursor: set it to what the terminal is, such as "
                       "linux, xterm-256color or vt220",
                       term);
    return BL_OK;
}
