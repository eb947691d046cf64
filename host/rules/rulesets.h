/* The rulesets in the program, from host/share/rulesets/. The build generates the table. */
#ifndef RULES_RULESETS_H
#define RULES_RULESETS_H

#include "base/built_text.h"

/* The rulesets by name, such as "loebner-2004"; a NULL name ends them. */
extern const struct built_text ruleset_texts[];

#endif
