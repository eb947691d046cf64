#include "terminal/terminfo.h"

#include "late/ncursesw.h"
#include "terminal/messages.h"

#include <langinfo.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char collected[GUARD_TEXT];
static size_t collected_length;

static int collect(int byte)
{
    /* NULs are padding for slow terminals. The restoring text has none. */
    if (byte != '\0' && collected_length + 1 < sizeof collected)
        collected[collected_length++] = (char)byte;
    return byte;
}

/* The value of the string capability `name` in the terminal's terminfo entry; NULL if the entry
 * lacks it. */
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
        return bl_fail(diag, BL_UNAVAIL, say_fail_standard_is_no_terminal_run_it,
                       isatty(STDIN_FILENO) ? "output" : "input");
    /* Sets only LC_CTYPE of the user's locale: the numbers in files must not follow the locale. */
    setlocale(LC_CTYPE, "");
    *plain = strcmp(nl_langinfo(CODESET), "UTF-8") != 0;
    if (*plain && !setlocale(LC_CTYPE, "C.UTF-8"))
        return bl_fail(diag, BL_UNAVAIL, say_fail_no_utf_locale_is_installed_set);
    if (!term || !*term || late_ncursesw.setupterm(NULL, STDOUT_FILENO, &found) == ERR)
        return bl_fail(diag, BL_UNAVAIL, say_fail_term_is_not_known_here_set, term ? term : "");
    able = string_of("cup") && string_of("clear");
    if (able)
        collect_restore(restore);
    late_ncursesw.del_curterm(late_ncursesw.set_curterm(NULL));
    if (!able)
        return bl_fail(diag, BL_UNAVAIL, say_fail_term_cannot_place_the_cursor_set, term);
    return BL_OK;
}
