#include "contest/selection.h"

#include "contest/selection_private.h"

#include <stdio.h>
#include <string.h>

struct rule selection_rule(const struct selecting *s, const char *key, int which)
{
    return ruleset_rule(s->input->ruleset, "selection", key, which);
}

void selection_names(const struct entries *set, char *out, size_t size)
{
    size_t length = 0;
    out[0] = '\0';
    for (unsigned i = 0; i < set->count && length < size; i++)
        length += (size_t)snprintf(out + length, size - length, "%sE%u", i ? ", " : "",
                                   set->entry[i] + 1U);
}

void selection_move(struct selecting *s, const struct entries *set, enum selection_stage stage)
{
    for (unsigned i = 0; i < set->count; i++)
        s->selection->stage[set->entry[i]] = stage;
}

static void add(struct entries *set, unsigned entry)
{
    set->entry[set->count++] = (uint8_t)entry;
}

bool selection_has(const struct entries *set, unsigned entry)
{
    for (unsigned i = 0; i < set->count; i++)
        if (set->entry[i] == entry)
            return true;
    return false;
}

void selection_sort(const struct selecting *s, struct entries *set,
                    int (*order)(const struct selecting *s, unsigned a, unsigned b))
{
    for (unsigned i = 1; i < set->count; i++) {
        uint8_t entry = set->entry[i];
        unsigned at = i;
        for (; at > 0 && order(s, entry, set->entry[at - 1]) < 0; at--)
            set->entry[at] = set->entry[at - 1];
        set->entry[at] = entry;
    }
}

/* Orders by time stamp; Entries without one come last, by number. */
static int by_time(const struct selecting *s, unsigned a, unsigned b)
{
    int64_t x = s->input->received_us[a], y = s->input->received_us[b];
    if (!x || !y)
        return (y != 0) - (x != 0);
    return (x > y) - (x < y);
}

static int by_screening(const struct selecting *s, unsigned a, unsigned b)
{
    return fraction_compare(s->input->screening[b], s->input->screening[a]);
}

static int by_prelim(const struct selecting *s, unsigned a, unsigned b)
{
    return fraction_compare(s->input->prelim[b], s->input->prelim[a]);
}

unsigned selection_most(int most)
{
    return most ? (unsigned)most : SELECTION_ENTRIES_MAX;
}

/* The rules of 2004 and 2009 cut twice: to eight or ten, and to the finalists. */
static bool is_second_cut(const struct selecting *s, unsigned room)
{
    const struct ruleset *rules = s->input->ruleset;
    return (rules->selection == SELECTION_SCREEN_PRELIM || rules->selection == SELECTION_SCREEN) &&
           room == (unsigned)rules->entries_most;
}

static const bool *choice_for(const struct selecting *s, unsigned room)
{
    for (unsigned i = 0; i < s->input->entries; i++)
        if (is_second_cut(s, room) && s->input->chosen_final[i])
            return s->input->chosen_final;
    return s->input->chosen;
}

bool selection_cut(struct selecting *s, struct entries *set, unsigned room,
                   int (*order)(const struct selecting *s, unsigned a, unsigned b),
                   const char *rule)
{
    struct entries sure = {.count = 0}, equal = {.count = 0}, chosen = {.count = 0};
    char names[256];
    if (set->count <= room)
        return true;
    const bool *choice = choice_for(s, room);
    unsigned last = set->entry[room - 1];
    for (unsigned i = 0; i < set->count; i++) {
        int at = order(s, set->entry[i], last);
        if (at < 0)
            add(&sure, set->entry[i]);
        else if (at == 0)
            add(&equal, set->entry[i]);
    }
    if (sure.count + equal.count > room) {
        for (unsigned i = 0; i < equal.count; i++)
            if (choice[equal.entry[i]])
                add(&chosen, equal.entry[i]);
        selection_names(&equal, names, sizeof names);
        if (chosen.count != room - sure.count) {
            result_step(&s->steps, rule,
                        "%s are equal, and there is room for %u of them: a choice is "
                        "missing",
                        names, room - sure.count);
            s->selection->outcome = SELECTION_WANTS_CHOICE;
            s->selection->final_choice = is_second_cut(s, room);
            return false;
        }
        result_step(&s->steps, rule, "%s are equal, and there is room for %u of them", names,
                    chosen.count);
        selection_names(&chosen, names, sizeof names);
        result_step(&s->steps, rule, "chosen: %s", names);
        equal = chosen;
    }
    for (unsigned i = 0; i < equal.count; i++)
        add(&sure, equal.entry[i]);
    *set = sure;
    return true;
}

static bool have(const struct entries *set, const struct fraction *value, struct entries *missing)
{
    missing->count = 0;
    for (unsigned i = 0; i < set->count; i++)
        if (value[set->entry[i]].denominator == 0)
            add(missing, set->entry[i]);
    return missing->count == 0;
}

/* Selects by the best screening scores. False: some are missing. */
static bool screen(struct selecting *s, struct entries *set, unsigned room, const char *rule)
{
    struct entries missing;
    char names[256];
    selection_move(s, set, STAGE_SCREENED);
    if (!have(set, s->input->screening, &missing)) {
        selection_names(&missing, names, sizeof names);
        result_step(&s->steps, rule, "no screening scores yet: %s", names);
        s->selection->outcome = SELECTION_WANTS_SCREENING;
        return false;
    }
    selection_sort(s, set, by_screening);
    return selection_cut(s, set, room, by_screening, rule);
}

void selection_finish(struct selecting *s, const struct entries *set, const char *rule)
{
    char names[256];
    selection_names(set, names, sizeof names);
    selection_move(s, set, STAGE_FINAL);
    s->selection->finalists = set->count;
    s->selection->outcome = SELECTION_FINAL;
    result_step(&s->steps, rule, "finalists: %s", names);
}

/* Keeps the first 32 by order of submission, and the organiser's invited Entries (2004 A10). */
static void keep_first_32(struct selecting *s, struct entries *all)
{
    unsigned most = (unsigned)s->input->ruleset->screened_most;
    struct entries kept = {.count = 0}, invited = {.count = 0};
    char names[256];
    selection_sort(s, all, by_time);
    for (unsigned i = 0; i < all->count; i++) {
        if (i < most)
            add(&kept, all->entry[i]);
        else if (s->input->invited[all->entry[i]])
            add(&invited, all->entry[i]);
    }
    result_step(&s->steps, selection_rule(s, "screened-most", 0).text,
                "%u Entries: the first %u submitted are prescreened", all->count, most);
    if (invited.count) {
        selection_names(&invited, names, sizeof names);
        result_step(&s->steps, selection_rule(s, "screened-most", 0).text,
                    "invited for outstanding merit: %s", names);
        for (unsigned i = 0; i < invited.count; i++)
            add(&kept, invited.entry[i]);
    }
    *all = kept;
}

static void select_2004(struct selecting *s, struct entries *all)
{
    unsigned four = selection_most(s->input->ruleset->entries_most), eight = 2 * four;
    struct entries missing;
    char names[256];
    if (all->count <= four) {
        result_step(&s->steps, selection_rule(s, "method", 0).text,
                    "%u Entries: all are in the Final Four round", all->count);
        selection_finish(s, all, selection_rule(s, "method", 0).text);
        return;
    }
    if (all->count > selection_most(s->input->ruleset->screened_most))
        keep_first_32(s, all);
    if (all->count > eight) {
        result_step(&s->steps, selection_rule(s, "method", 2).text,
                    "%u Entries are prescreened down to %u", all->count, eight);
        if (!screen(s, all, eight, selection_rule(s, "method", 3).text))
            return;
    }
    selection_move(s, all, STAGE_PRELIM);
    selection_names(all, names, sizeof names);
    result_step(&s->steps, selection_rule(s, "method", 1).text, "in the Prelim Eight round: %s",
                names);
    if (!have(all, s->input->prelim, &missing)) {
        selection_names(&missing, names, sizeof names);
        result_step(&s->steps, selection_rule(s, "method", 1).text,
                    "no scores of that round yet: %s", names);
        s->selection->outcome = SELECTION_WANTS_PRELIM;
        return;
    }
    selection_sort(s, all, by_prelim);
    if (selection_cut(s, all, four, by_prelim, selection_rule(s, "method", 1).text))
        selection_finish(s, all, selection_rule(s, "method", 1).text);
}

static void select_2009(struct selecting *s, struct entries *all)
{
    unsigned most = selection_most(s->input->ruleset->screened_most);
    unsigned four = selection_most(s->input->ruleset->entries_most);
    if (all->count > most) {
        selection_sort(s, all, by_time);
        result_step(&s->steps, selection_rule(s, "screened-most", 0).text,
                    "%u compliant Entries: the %u with the earliest time stamps "
                    "are screened",
                    all->count, most);
        if (!selection_cut(s, all, most, by_time, selection_rule(s, "screened-most", 0).text))
            return;
    }
    if (!s->input->ruleset->entries_most)
        result_step(&s->steps, selection_rule(s, "method", 0).text,
                    "%u Entries: all go to the final round", all->count);
    else if (all->count <= four)
        result_step(&s->steps, selection_rule(s, "method", 0).text,
                    "%u Entries: all are among the %u best", all->count, four);
    else if (!screen(s, all, four, selection_rule(s, "method", 0).text))
        return;
    selection_finish(s, all, selection_rule(s, "method", 0).text);
}

/* 1996 r13, long bet II ¶2: a jury or the organiser chooses, up to a number. */
static enum bl_status select_chosen(struct selecting *s, struct entries *all, const char *rule,
                                    struct bl_diag *diag)
{
    unsigned most = selection_most(s->input->ruleset->entries_most);
    struct entries chosen = {.count = 0};
    for (unsigned i = 0; i < all->count; i++)
        if (s->input->chosen[all->entry[i]])
            add(&chosen, all->entry[i]);
    if (chosen.count > most)
        return bl_fail(diag, BL_DATA, "%u are chosen, and %u is the most (%s)", chosen.count, most,
                       rule);
    if (chosen.count == 0 && all->count > most) {
        result_step(&s->steps, rule,
                    "%u Entries, and no more than %u can be finalists: a choice is "
                    "missing",
                    all->count, most);
        s->selection->outcome = SELECTION_WANTS_CHOICE;
        return BL_OK;
    }
    if (chosen.count)
        result_step(&s->steps, rule, "%u of %u are chosen", chosen.count, all->count);
    selection_finish(s, chosen.count ? &chosen : all, rule);
    return BL_OK;
}

/* Settles a selection with no Entry, or with a single one that wins unopposed. False: a selection
 * is needed. */
static bool is_settled(struct selecting *s, const struct entries *all)
{
    const struct ruleset *rules = s->input->ruleset;
    if (all->count == 0) {
        s->selection->outcome = SELECTION_NO_ENTRY;
        if (rules->prize_next_year)
            result_step(&s->steps, ruleset_rule(rules, "prize", "next-year", RULE_ALL).text,
                        "no compliant Entry: the prize of %d dollars is added to the next "
                        "year's, which makes it %d",
                        rules->prize, rules->prize_next_year);
        else
            result_step(&s->steps, "manager", "no compliant Entry");
        return true;
    }
    if (all->count == 1 && rules->single_entry_wins == WORD_YES) {
        s->selection->outcome = SELECTION_ONLY_ONE;
        s->selection->stage[all->entry[0]] = STAGE_FINAL;
        s->selection->finalists = 1;
        result_step(&s->steps, ruleset_rule(rules, "prize", "single-entry", RULE_ALL).text,
                    "E%u is the only compliant Entry and gets medal and money", all->entry[0] + 1U);
        return true;
    }
    return false;
}

enum bl_status selection_make(struct selection *selection, const struct selection_input *input,
                              result_say *say, void *ctx, struct bl_diag *diag)
{
    struct selecting s = {.input = input, .selection = selection, .steps = {say, ctx}};
    struct entries all = {.count = 0};
    memset(selection, 0, sizeof *selection);
    for (unsigned i = 0; i < input->entries; i++) {
        if (!input->out[i])
            add(&all, i);
        else if (input->unaccepted[i])
            result_step(
                &s.steps,
                ruleset_rule(input->ruleset, "register", "communications-program", RULE_ALL).text,
                "E%u is not accepted, for it has no communications program", i + 1);
    }
    selection_move(&s, &all, STAGE_COMPLIANT);
    if (is_settled(&s, &all))
        return BL_OK;
    switch ((enum ruleset_selection)input->ruleset->selection) {
    case SELECTION_JURY:
    case SELECTION_NONE:
        return select_chosen(&s, &all, selection_rule(&s, "method", 0).text, diag);
    case SELECTION_PRELIM:
        return selection_by_ranks(&s, &all, diag);
    case SELECTION_SCREEN_PRELIM:
        select_2004(&s, &all);
        return BL_OK;
    case SELECTION_SCREEN:
        select_2009(&s, &all);
        return BL_OK;
    }
    return bl_fail(diag, BL_SOFTWARE, "a ruleset without a selection");
}
