/* The rulesets in the program, from host/share/rulesets/. The build generates the table. */
#ifndef RULES_RULESETS_H
#define RULES_RULESETS_H

#include "base/built_text.h"

/* Finds a ruleset by name, such as "loebner-2004". */
extern const struct built_text ruleset_texts[];

#endif
