/* Options of our programs beside boothlink, each of them with a text. */
#ifndef BASE_OPTION_H
#define BASE_OPTION_H

#include <stdbool.h>

struct option_row {
    const char *name; /* without the dashes; NULL ends the table */
    const char **text;
};

/* Sets the texts of the given options. False: an unknown option or an option without its text, as
 * standard error tells, or a word that is no option. */
bool option_read(const struct option_row *rows, int argc, char **argv);

#endif
