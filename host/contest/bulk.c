#include "contest/bulk.h"

#include <stddef.h>
#include <string.h>

struct bulk {
    const struct contest *contest;
    const char *why;
    bool correct;
    struct act_batch *acts;
};

/* The number of an Entry, from 1; 0: none. */
static unsigned entry_of(const struct bulk *bulk, const json_t *value)
{
    json_int_t number = json_integer_value(value);
    return number >= 1 && number <= (json_int_t)bulk->contest->people[CONTEST_ENTRY]
               ? (unsigned)number
               : 0;
}

struct bulk_row {
    const char *name;
    enum bl_status (*read)(struct bulk *bulk, const struct bulk_row *row, const json_t *list,
                           struct bl_diag *diag);
    enum act_kind kind;
    size_t flag; /* offset of each Entry's flag in the contest */
};

static enum bl_status read_flags(struct bulk *bulk, const struct bulk_row *row, const json_t *list,
                                 struct bl_diag *diag)
{
    const bool *flag = (const bool *)((const char *)bulk->contest + row->flag);
    enum bl_status status = BL_OK;
    for (size_t i = 0; status == BL_OK && i < json_array_size(list); i++) {
        unsigned entry = entry_of(bulk, json_array_get(list, i));
        const struct act_body act = {.kind = row->kind,
                                     .invite = {.entry = entry, .why = bulk->why}};
        if (entry == 0)
            return bl_fail(diag, BL_DATA, "'%s': expected numbers of Entries, 1 to %u", row->name,
                           bulk->contest->people[CONTEST_ENTRY]);
        if (!flag[entry - 1])
            status = act_batch_add(bulk->acts, &act, 0, diag);
    }
    return status;
}

static enum bl_status read_scores(struct bulk *bulk, const struct bulk_row *row, const json_t *list,
                                  struct bl_diag *diag)
{
    bool has_score[SCHEDULE_ENTRIES_MAX] = {false};
    enum bl_status status = BL_OK;
    for (size_t i = 0; status == BL_OK && i < json_array_size(list); i++) {
        const json_t *pair = json_array_get(list, i), *score = json_array_get(pair, 1);
        unsigned entry = entry_of(bulk, json_array_get(pair, 0));
        const struct fraction *now = entry ? &bulk->contest->screened[entry - 1] : NULL;
        const struct act_body act = {
            .kind = row->kind, .screened = {.entry = entry, .points = json_integer_value(score)}};
        if (entry == 0 || !json_is_integer(score))
            return bl_fail(diag, BL_DATA, "'%s': expected [[ENTRY, SCORE], ...] with whole scores",
                           row->name);
        if (has_score[entry - 1])
            return bl_fail(diag, BL_DATA, "'%s': E%u has two scores, expected one", row->name,
                           entry);
        has_score[entry - 1] = true;
        if (now->denominator == 0 || now->numerator != act.screened.points)
            status = act_batch_add(bulk->acts, &act, 0, diag);
    }
    return status;
}

/* True if this list of the preliminary judge is on record. */
static bool is_listed(const struct contest *contest, unsigned judge, const struct act_entries *list)
{
    unsigned count = 0;
    for (unsigned i = 0; i < contest->prelim_ranks; i++) {
        const struct selection_rank *r = &contest->prelim_rank[i];
        if (r->judge != judge)
            continue;
        if (r->rank > list->count || list->entry[r->rank - 1] != r->entry + 1)
            return false;
        count++;
    }
    return count && count == list->count;
}

static enum bl_status read_ranks(struct bulk *bulk, const struct bulk_row *row, const json_t *lists,
                                 struct bl_diag *diag)
{
    enum bl_status status = BL_OK;
    for (size_t j = 0; status == BL_OK && j < json_array_size(lists); j++) {
        struct act_body act = {.kind = row->kind,
                               .list = {.judge = (int64_t)j + 1, .correction = bulk->correct}};
        status = act_read_entries(row->name, json_array_get(lists, j), &act.list.entries, diag);
        if (status == BL_OK && !is_listed(bulk->contest, (unsigned)j, &act.list.entries))
            status = act_batch_add(bulk->acts, &act, 0, diag);
    }
    return status;
}

static const struct bulk_row rows[] = {
    {"screening", read_scores, ACT_SCREENED, 0},
    {"ranks", read_ranks, ACT_LIST, 0},
    {"invited", read_flags, ACT_INVITE, offsetof(struct contest, invited)},
    {"chosen", read_flags, ACT_CHOOSE, offsetof(struct contest, chosen)},
    {"lost", read_flags, ACT_LOSE, offsetof(struct contest, lost)},
};

static enum bl_status read_bulk(struct bulk *bulk, json_t *data, struct bl_diag *diag)
{
    const char *key;
    json_t *value;
    if (!json_is_object(data))
        return bl_fail(diag, BL_DATA, "expected a JSON object");
    json_object_foreach(data, key, value)
    {
        const struct bulk_row *row = rows, *const end = rows + sizeof rows / sizeof rows[0];
        while (row < end && strcmp(row->name, key) != 0)
            row++;
        if (row == end)
            return bl_fail(diag, BL_DATA,
                           "'%.20s': expected screening, ranks, invited, chosen or lost", key);
        if (!json_is_array(value))
            return bl_fail(diag, BL_DATA, "'%.20s': expected a list", key);
        enum bl_status status = row->read(bulk, row, value, diag);
        if (status != BL_OK)
            return status;
    }
    return BL_OK;
}

enum bl_status bulk_acts(const struct contest *contest, json_t *data, const char *why, bool correct,
                         struct act_batch *acts, struct bl_diag *diag)
{
    struct bulk bulk = {.contest = contest, .why = why, .correct = correct, .acts = acts};
    enum bl_status status = act_batch_begin(acts, contest, diag);
    return status == BL_OK ? read_bulk(&bulk, data, diag) : status;
}
