#include "desk/next_step.h"

#include "desk/collect.h"
#include "desk/folder.h"

#include <sys/stat.h>

struct next_place next_place_of(struct kept *kept, const char *path)
{
    kept_read(kept, path);
    return (struct next_place){
        .path = path, .people = kept->people, .venue = kept->venue, .inbox = kept->inbox};
}

/* True if the outcome of a "Next:" line exists and is newer than the contest's record. */
static bool is_made(const char *contest, const char *path)
{
    struct stat record, made;
    return stat(contest, &record) == 0 && stat(path, &made) == 0 &&
           (S_ISDIR(made.st_mode) || made.st_size) &&
           (made.st_mtim.tv_sec != record.st_mtim.tv_sec
                ? made.st_mtim.tv_sec > record.st_mtim.tv_sec
                : made.st_mtim.tv_nsec >= record.st_mtim.tv_nsec);
}

void next_step(next_say *say, const struct contest *contest, const char *path, bool stands,
               bool verified, char text[CONTEST_NEXT_MAX])
{
    struct kept kept;
    struct collect_dispute dispute;
    char records[FOLDER_PATH_MAX];
    struct next_place place = next_place_of(&kept, path);
    place.stands = stands;
    place.verified = verified;
    if (contest->sealed) {
        place.converted = verified || is_made(path, "transcripts");
        place.published = verified || is_made(path, "published");
        place.reported = is_made(path, "report.html");
    }
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
