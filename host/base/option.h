/* Reads the options of boothlink's smaller programs. Each option has a value. */
#ifndef BASE_OPTION_H
#define BASE_OPTION_H

#include <stdbool.h>

struct option_row {
    const char *name; /* the option's name without its dashes; NULL ends the table */
    const char **text;
};

/* Sets the values of the given options. False: an unknown option or an option without its value,
 * with a message on standard error; or a word that belongs to no option. */
bool option_read(const struct option_row *rows, int argc, char **argv);

#endif
