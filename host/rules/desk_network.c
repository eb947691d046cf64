#include "rules/desk_network.h"

#include <stddef.h>

const char *const desk_network_words[] = {"none", "judges", "all", NULL};
