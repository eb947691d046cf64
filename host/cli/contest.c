/* "boothlink contest": the contest manager's command. Its verbs are tables in the files that do
 * their work. */
#include "cli/command.h"

/* clang-format off */
#define EACH_TABLE(_) \
    _(rulesets) \
    _(people) \
    _(dates) \
    _(schedule) \
    _(rounds) \
    _(mend) \
    _(import) \
    _(votes) \
    _(result) \
    _(verify) \
    _(report) \
    _(sheet) \
    _(publish) \
    _(screen) \
    _(select) \
    _(words) \
    _(similar)
/* clang-format on */

#define DECLARE(name) extern const struct command contest_##name##_verbs[];
EACH_TABLE(DECLARE)

#define ROW(name) contest_##name##_verbs,
static const struct command *const tables[] = {EACH_TABLE(ROW) NULL};

const struct command command_contest = {
    .name = "contest",
    .synopsis = "VERB [FILE] ...",
    .help = "the contest: rules, people, who meets whom, ballots, who wins",
    .text =
        "A contest is one FILE, see boothlink-contest(5). Nothing in it is ever overwritten: each "
        "verb that changes something adds an act with its time and author, or is refused with the "
        "rule that it breaks, and says what comes next.\n\n"
        "In short: new, add for every person and Entry, draw commit, schedule, draw reveal, sheet "
        "and tickets; for each round begin, and import for its ballots; then rank where the rules "
        "ask for it, result, seal, publish, report and verify.",
    .examples = "boothlink contest new c.db --name 'Our contest' --ruleset loebner-2004\n"
                "boothlink contest add c.db entry ELIZA --submitter 'J. Weizenbaum'\n"
                "boothlink contest result c.db",
    .verbs = tables,
};
