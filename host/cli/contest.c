/* "boothlink contest", the manager's command: tables of verbs in the files that do their work. */
#include "command/command.h"

/* clang-format off */
#define EACH_TABLE(_) \
    _(setup) \
    _(rulesets) \
    _(people) \
    _(dates) \
    _(schedule) \
    _(rounds) \
    _(mend) \
    _(import) \
    _(votes) \
    _(result) \
    _(rates) \
    _(data) \
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
        "In short: template, and setup when its two files are filled in; collect for what the "
        "sticks bring back, once more where the rules ask for ranks; then seal, publish, report, "
        "result and verify. What setup and collect do can be done step by step: new, add, draw "
        "commit, schedule, draw reveal, tickets, sheet; begin, machine, import, tickets --ranks.",
    .examples = "boothlink contest template --ruleset loebner-2009 --booths 4\n"
                "boothlink contest setup people.ini venue.ini\n"
                "boothlink contest collect contest.db /media/$USER/BOOTHLINK*\n"
                "boothlink contest result contest.db",
    .verbs = tables,
};
