/* "boothlink contest schedule": who meets whom, as a table or as JSON. */
#include "cli/contest_plan.h"
#include "rules/games.h"
#include "rules/timetable.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool is_single(const struct schedule *schedule)
{
    return schedule->count && schedule->meeting[0].confederate == PERSON_NOBODY;
}

static json_t *meeting_json(const struct schedule *schedule, const struct meeting *meeting)
{
    json_t *object = json_object();
    unsigned confederate = schedule_confederate(meeting, schedule->entries);
    json_object_set_new(object, "judge", json_integer(meeting->judge + 1));
    if (meeting->entry < schedule->entries)
        json_object_set_new(object, "entry", json_integer(meeting->entry + 1));
    if (confederate != PERSON_NOBODY)
        json_object_set_new(object, "confederate", json_integer((json_int_t)confederate + 1));
    return object;
}

static void print_json(const struct schedule *schedule, const struct schedule_bound *bound)
{
    json_t *object = json_object(), *rounds = json_array();
    for (unsigned r = 0; r < schedule->rounds; r++)
        json_array_append_new(rounds, json_array());
    for (unsigned i = 0; i < schedule->count; i++)
        json_array_append_new(json_array_get(rounds, schedule->meeting[i].round),
                              meeting_json(schedule, &schedule->meeting[i]));
    json_object_set_new(object, "rounds", rounds);
    json_object_set_new(object, "made", json_string(schedule_way_name(bound->way)));
    if (!is_single(schedule)) {
        struct schedule_quality quality;
        schedule_measure(schedule, &quality);
        json_object_set_new(object, "waits", json_integer(quality.waits));
        json_object_set_new(object, "rounds_least", json_integer(bound->rounds_least));
        json_object_set_new(object, "missing", json_integer(bound->missing));
        json_object_set_new(object, "missing_least", json_integer(bound->missing_least));
        json_object_set_new(object, "uneven", json_integer(bound->uneven));
        json_object_set_new(object, "proven", json_boolean(bound->best));
    }
    command_json(object, JSON_COMPACT);
}

static int print_meeting(const struct schedule *schedule, const struct meeting *meeting)
{
    char code[SCHEDULE_CODE_MAX], confederate[SCHEDULE_CODE_MAX] = "";
    schedule_code(meeting->entry, schedule->entries, code);
    if (meeting->confederate != PERSON_NOBODY)
        schedule_code(meeting->confederate, 0, confederate);
    return printf("J%d%s%s ", meeting->judge + 1, code, confederate);
}

/* Prints the judges and confederates without a meeting in the round. */
static void print_excused(const struct schedule *schedule, unsigned round)
{
    bool judge[SCHEDULE_PEOPLE_MAX] = {false}, confederate[SCHEDULE_PEOPLE_MAX] = {false};
    for (unsigned i = 0; i < schedule->count; i++) {
        const struct meeting *meeting = &schedule->meeting[i];
        if (meeting->round != round)
            continue;
        unsigned human = schedule_confederate(meeting, schedule->entries);
        judge[meeting->judge] = true;
        if (human != PERSON_NOBODY)
            confederate[human] = true;
    }
    for (unsigned i = 0; i < schedule->judges; i++)
        if (!judge[i])
            printf(" J%u", i + 1);
    for (unsigned i = 0; i < schedule->confederates; i++)
        if (!confederate[i])
            printf(" C%u", i + 1);
}

/* The width of the widest round, for the second column. */
static int widest(const struct schedule *schedule)
{
    unsigned count[SCHEDULE_MEETINGS_MAX] = {0}, most = 0;
    for (unsigned i = 0; i < schedule->count; i++) {
        unsigned now = ++count[schedule->meeting[i].round];
        most = now > most ? now : most;
    }
    return (int)(most > 8 ? 8 : most) * 7;
}

/* Prints the schedule. `times` NULL: without times. */
static void print_text(const struct schedule *schedule, const struct schedule_bound *bound,
                       const struct timetable *times)
{
    int width = widest(schedule);
    printf("Round  %s%-*s Excused\n", times ? "Time   " : "", width, "Meetings");
    for (unsigned r = 0; r < schedule->rounds; r++) {
        int used = 0;
        printf("%5u  ", r + 1);
        if (times) {
            char clock[TIMETABLE_CLOCK];
            timetable_clock(timetable_begin(times, r), clock);
            printf("%-6s ", times->known ? clock : "");
        }
        for (unsigned i = 0; i < schedule->count; i++)
            if (schedule->meeting[i].round == r)
                used += print_meeting(schedule, &schedule->meeting[i]);
        printf("%*s", used < width ? width - used : 0, "");
        print_excused(schedule, r);
        putchar('\n');
    }
    if (bound->way == SCHEDULE_PRINTED)
        printf("As printed in the rules; --optimal shows the one with the fewest rounds.\n");
    else if (bound->way != SCHEDULE_SOLVED)
        printf("No schedule has fewer rounds.\n");
    else
        contest_print_bound(bound, schedule->rounds);
    contest_print_more(schedule, schedule->rounds, bound);
}

void contest_print_more(const struct schedule *schedule, unsigned made,
                        const struct schedule_bound *bound)
{
    unsigned meetings = 0, people = 1;
    for (unsigned i = 0; i < schedule->count; i++)
        meetings += schedule->meeting[i].round >= schedule->rounds - made;
    while (people * people < meetings) /* as many judges as Entries; all meet */
        people++;
    if (bound->way != SCHEDULE_SQUARE || made <= people)
        return;
    printf(
        "More rounds than judges: each judge and each Entry meets every confederate, and with %u "
        "of each no\ntable does that with nobody excused. With %u of each it takes %u round%s.\n",
        people, people + 1, people + 1, BL_S(people + 1));
}

void contest_print_bound(const struct schedule_bound *bound, unsigned rounds)
{
    if (rounds == bound->rounds_least)
        printf("No schedule has fewer rounds.\n");
    else if (bound->best)
        printf("Fewer than %u rounds are impossible, and with so many wishes met fewer than %u.\n",
               bound->rounds_least, rounds);
    else
        printf("%u round%s %s found; fewer than %u are impossible.\n", rounds, BL_S(rounds),
               BL_WERE(rounds), bound->rounds_least);
    if (rounds > bound->rounds_least && bound->apart)
        printf("Some are kept apart, which costs rounds.\n");
    if (bound->missing == 0)
        printf("Every judge and every Entry meets every confederate whom he may.\n");
    else
        printf("%u time%s a judge or an Entry does not meet a confederate whom he may%s\n",
               bound->missing, BL_S(bound->missing),
               bound->missing == bound->missing_least ? "; with so few meetings less is impossible."
                                                      : ".");
    if (bound->missing > bound->missing_least)
        printf("Fewer than %u are impossible.\n", bound->missing_least);
    if (bound->uneven == 0)
        printf("The meetings are spread evenly.\n");
    else
        printf("%u meeting%s with a confederate are more or fewer than even%s\n", bound->uneven,
               BL_S(bound->uneven),
               bound->best ? "; with these rounds fewer are impossible." : ".");
}

static enum bl_status make(struct schedule *schedule, struct schedule_bound *bound,
                           const struct ruleset *ruleset, const struct command_call *call,
                           struct bl_diag *diag)
{
    const struct contest_schedule_options *options = call->options;
    const int number[] = {options->judges, options->entries, options->confederates};
    struct schedule_need *need;
    enum bl_status status;
    unsigned people[3];
    for (unsigned i = 0; i < 3; i++) {
        if (number[i] < 0 && options->size < 0)
            return bl_fail(diag, BL_USAGE,
                           "missing --size N, or --judges N --entries N --confederates N");
        people[i] = (unsigned)(number[i] < 0 ? options->size : number[i]);
    }
    need = malloc(sizeof *need);
    if (!need)
        return bl_fail(diag, BL_NOMEM, "no memory");
    schedule_need_all(need, people[0], people[1], people[2], ruleset->pairing == PAIRING_SINGLE);
    status =
        schedule_make(schedule, need, options->optimal ? NULL : &ruleset->printed, bound, diag);
    free(need);
    return status;
}

static enum bl_status print_games(const struct ruleset *ruleset,
                                  const struct contest_schedule_options *o, struct bl_diag *diag)
{
    struct games_need need = {.each = games_design(ruleset->design)};
    char line[GAMES_LINE];
    if (o->people < 0 || o->entries < 0 || o->booths < 0 || !o->key)
        return bl_fail(diag, BL_USAGE, "'%s' asks for --people N --entries N --booths N --key HEX",
                       ruleset->design);
    need.people = (unsigned)o->people;
    need.conditions = (unsigned)o->entries;
    need.booths = (unsigned)o->booths;
    if (strlen(o->key) != 2 * GAMES_KEY || o->key[strspn(o->key, "0123456789abcdef")])
        return bl_fail(diag, BL_USAGE, "--key %.70s: expected 64 hexadecimal digits", o->key);
    contest_bytes(o->key, need.key);
    struct games *games = malloc(sizeof *games);
    enum bl_status status =
        games ? games_draw(games, &need, diag) : bl_fail(diag, BL_NOMEM, "no memory");
    if (status == BL_OK && o->common.json)
        command_json(games_json(games), JSON_COMPACT);
    for (unsigned i = 0; status == BL_OK && !o->common.json && i <= games->count; i++)
        printf("%s\n", games_line(games, i, line));
    free(games);
    return status;
}

static enum bl_status contest_schedule(const struct command_call *call, struct bl_diag *diag)
{
    const struct contest_schedule_options *options = call->options;
    struct schedule *schedule;
    struct ruleset *ruleset;
    struct schedule_bound bound;
    struct timetable times;
    enum bl_status status;
    if (call->words &&
        (options->ruleset || options->size >= 0 || options->judges >= 0 || options->entries >= 0 ||
         options->confederates >= 0 || options->people >= 0 || options->key || options->start ||
         options->breaks || options->common.json))
        return bl_fail(diag, BL_USAGE,
                       "'%.40s' has its rules and people: beside it --optimal, --booths, --public "
                       "and --author alone",
                       call->word[0]);
    if (call->words)
        return contest_schedule_file(call, diag);
    schedule = malloc(sizeof *schedule);
    ruleset = malloc(sizeof *ruleset);
    if (!schedule || !ruleset)
        status = bl_fail(diag, BL_NOMEM, "no memory");
    else if (!options->ruleset)
        status = bl_fail(diag, BL_USAGE, "missing --ruleset NAME; \"contest rulesets\" lists them");
    else
        status = contest_load_ruleset(ruleset, options->ruleset, diag);
    bool drawn = status == BL_OK && ruleset->design[0];
    if (drawn)
        status = print_games(ruleset, options, diag);
    else if (status == BL_OK)
        status = make(schedule, &bound, ruleset, call, diag);
    if (status == BL_OK && !drawn)
        status =
            contest_timetable(&times, ruleset->plan, NULL, options->start, options->breaks, diag);
    if (status == BL_OK && !drawn && options->common.json)
        print_json(schedule, &bound);
    else if (status == BL_OK && !drawn)
        print_text(schedule, &bound, options->start || options->breaks ? &times : NULL);
    free(schedule);
    free(ruleset);
    return status;
}

static const struct command_option schedule_options[] = {
    OPTION_ROW("--ruleset", "NAME|FILE", "without FILE: under these rules", OPTION_TEXT,
               struct contest_schedule_options, ruleset),
    OPTION_RANGE("--size", "N", "so many judges, Entries and confederates each", OPTION_NUMBER,
                 struct contest_schedule_options, size, 0, SCHEDULE_ENTRIES_MAX),
    OPTION_RANGE("--judges", "N", "judges, where the numbers are not equal", OPTION_NUMBER,
                 struct contest_schedule_options, judges, 0, SCHEDULE_PEOPLE_MAX),
    OPTION_RANGE("--entries", "N", "Entries", OPTION_NUMBER, struct contest_schedule_options,
                 entries, 0, SCHEDULE_ENTRIES_MAX),
    OPTION_RANGE("--confederates", "N", "confederates", OPTION_NUMBER,
                 struct contest_schedule_options, confederates, 0, SCHEDULE_ENTRIES_MAX),
    OPTION_RANGE("--people", "N", "of a design: judges and confederates by turns", OPTION_NUMBER,
                 struct contest_schedule_options, people, 0, GAMES_PEOPLE_MAX),
    OPTION_RANGE("--booths", "N", "of a design: games at once", OPTION_NUMBER,
                 struct contest_schedule_options, booths, 0, GAMES_BOOTHS_MAX),
    OPTION_ROW("--key", "HEX", "of a design: the draw's key", OPTION_TEXT,
               struct contest_schedule_options, key),
    OPTION_ROW("--optimal", NULL, "the fewest rounds, not the table in the rules", OPTION_FLAG,
               struct contest_schedule_options, optimal),
    OPTION_ROW("--start", "TIME", "of the first round, such as 10:00", OPTION_TEXT,
               struct contest_schedule_options, start),
    OPTION_ROW("--breaks", "ROUND=MIN,...", "longer breaks after these rounds", OPTION_TEXT,
               struct contest_schedule_options, breaks),
    OPTION_ROW("--public", "TEXT", "after a draw: another value that nobody knows yet", OPTION_TEXT,
               struct contest_schedule_options, public),
    OPTION_JSON(struct contest_options, "print one JSON object"),
    CONTEST_AUTHOR,
    {0},
};

static void start_schedule(void *at)
{
    struct contest_schedule_options *options = at;
    options->size = options->judges = options->entries = options->confederates = -1;
    options->people = options->booths = -1;
}

const struct command contest_schedule_verbs[] = {
    {
        .name = "contest schedule",
        .synopsis = "FILE [--optimal] | --ruleset NAME --size N",
        .help = "who meets whom in each round",
        .text =
            "With FILE, makes its rounds that have not begun, after a draw anew. Without, a table: "
            "J1E2C3 is judge 1 with Entry 2, confederate 3; or a design's games.",
        .options = schedule_options,
        .size = sizeof(struct contest_schedule_options),
        .start = start_schedule,
        .least = 0,
        .most = 1,
        .run = contest_schedule,
    },
    {0},
};
