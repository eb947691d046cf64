#include "base/option.h"

#include <assert.h>
#include <getopt.h>
#include <stddef.h>

#define OPTIONS_MOST 16 /* the most options of one program */

bool option_read(const struct option_row *rows, int argc, char **argv)
{
    struct option names[OPTIONS_MOST + 1] = {{0}};
    int which;
    for (unsigned i = 0; rows[i].name; i++) {
        assert(i < OPTIONS_MOST);
        names[i] = (struct option){rows[i].name, required_argument, NULL, (int)i};
    }
    while ((which = getopt_long(argc, argv, "", names, NULL)) >= 0 && which < OPTIONS_MOST)
        *rows[which].text = optarg;
    return which < 0 && optind >= argc;
}
