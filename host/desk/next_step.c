#include "desk/next_step.h"

#include "desk/collect.h"
#include "desk/folder.h"

struct next_place next_place_of(struct kept *kept, const char *path)
{
    kept_read(kept, path);
    return (struct next_place){
        .path = path, .people = kept->people, .venue = kept->venue, .inbox = kept->inbox};
}

void next_step(next_say *say, const struct contest *contest, const char *path, bool stands,
               char text[CONTEST_NEXT_MAX])
{
    struct kept kept;
    struct collect_dispute dispute;
    char records[FOLDER_PATH_MAX];
    struct next_place place = next_place_of(&kept, path);
    place.stands = stands;
    bool collected = !contest->sealed && folder_path(records, NULL, "%s.records", path) == BL_OK &&
                     folder_has(records);
    if (collected && collect_disputed(contest, records, &dispute)) {
        place.disputed = dispute.session;
        place.disputed_file = dispute.file;
        place.disputed_count = dispute.count;
    }
    if (collected)
        place.unrecorded = collect_unrecorded(contest, records);
    say(contest, &place, text);
}
