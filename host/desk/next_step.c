#include "desk/next_step.h"

#include "desk/collect.h"
#include "desk/folder.h"

#include <stdio.h>
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

bool next_bundle(const char *path, char name[NEXT_BUNDLE_MAX])
{
    snprintf(name, NEXT_BUNDLE_MAX, "bundle");
    for (unsigned i = 2; folder_has(name) && !is_made(path, name); i++)
        snprintf(name, NEXT_BUNDLE_MAX, "bundle-%u", i);
    return folder_has(name);
}

/* The steps after the seal that are done. */
static void look_for_published(struct next_place *place, const struct contest *contest,
                               const char *path, char bundle[NEXT_BUNDLE_MAX])
{
    place->bundle = bundle;
    place->reported = is_made(path, "report.html");
    if (contest->ruleset.names == WORD_NO) {
        place->published = next_bundle(path, bundle);
        return;
    }
    place->converted = place->verified || is_made(path, "transcripts");
    place->published = place->verified || is_made(path, "published");
}

void next_step(next_say *say, const struct contest *contest, const char *path, bool stands,
               bool verified, char text[CONTEST_NEXT_MAX])
{
    struct kept kept;
    struct collect_dispute dispute;
    char records[FOLDER_PATH_MAX], bundle[NEXT_BUNDLE_MAX];
    struct next_place place = next_place_of(&kept, path);
    place.stands = stands;
    place.verified = verified;
    if (contest->sealed)
        look_for_published(&place, contest, path, bundle);
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
