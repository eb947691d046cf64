/* Records as lines of the log, so that it says in its own time what came of each mishap. */
#include "oracles.h"

#include "journal/journal.h"

const char *oracle_side(unsigned side)
{
    return side == SIDE_LEFT ? "left" : "right";
}

void oracle_log(unsigned place, const struct journal_record *record)
{
    static const char *const places[] = {"judge", "left", "right"};
    const char *side = place == JUDGE ? oracle_side(record->side) : "";
    if (record->kind == JOURNAL_NOTE)
        world_log(places[place], "%s note %d: %s", side, (int)record->as.note.code,
                  record->as.note.text);
    else if (record->kind == JOURNAL_SEGMENT)
        world_log(places[place], "%s segment %u, generation %u, state %d, %llu us left", side,
                  record->as.segment.index + 1u, record->as.segment.generation,
                  (int)record->as.segment.state,
                  (unsigned long long)record->as.segment.remaining_us);
    else if (record->kind == JOURNAL_CLOSE)
        world_log(places[place], "%s close of generation %u at key %llu: %d", side,
                  record->as.close.generation, (unsigned long long)record->as.close.n,
                  (int)record->as.close.outcome);
    else if (record->kind == JOURNAL_EPOCH)
        world_log(places[place], "%s epoch %u from key %llu", side, record->as.epoch.epoch,
                  (unsigned long long)record->as.epoch.base);
    else if (record->kind == JOURNAL_START)
        world_log(places[place], "%s start, %d", side, (int)record->as.start.state);
    else if (record->kind == JOURNAL_PRESSED)
        world_log(places[place], "key %llu is pressed, of generation %u%s: %.*s",
                  (unsigned long long)record->as.pressed.first, record->as.pressed.segment,
                  record->wall_us ? "" : ", by its place alone", (int)record->as.pressed.run.length,
                  (const char *)record->as.pressed.run.text);
    else if (record->kind == JOURNAL_UNPLACED)
        world_log(places[place], "keys %llu to %llu have no place",
                  (unsigned long long)record->as.unplaced.first,
                  (unsigned long long)record->as.unplaced.last);
    else if (record->kind == JOURNAL_KEYS)
        world_log(places[place], "%s key %llu is placed, of the %s: %.*s", side,
                  (unsigned long long)record->as.keys.first,
                  record->as.keys.party == PARTY_JUDGE ? "judge" : "entity",
                  (int)record->as.keys.run.length, (const char *)record->as.keys.run.text);
}
