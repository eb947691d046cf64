#include "desk/feed.h"

#include "base/growing.h"
#include "desk/inbox.h"
#include "journal/journal.h"
#include "rules/contest_id.h"
#include "rules/place.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define CHUNK   65536
#define JOURNAL "-judge.journal"

/* A length of a file, and the time at which it was noted. */
struct feed_mark {
    uint64_t length, at_us;
};

struct feed_file {
    char name[SESSION_ID_MAX + sizeof JOURNAL], session[SESSION_ID_MAX + 1];
    unsigned copy;       /* number of the place's folder, from 1 */
    bool other;          /* of another contest, by its note before the keys */
    uint64_t may, given; /* bytes old enough to give; bytes read */
    struct feed_mark *mark;
    size_t marks, room;
};

struct feed_place {
    char name[PLACE_NAME];
    struct feed_file *file;
    size_t files, room;
};

struct feed {
    char inbox[FOLDER_PATH_MAX];
    const char *contest;
    uint64_t delay_us;
    struct feed_place *place;
    size_t places, room;
};

enum bl_status feed_create(struct feed **out, const char *inbox, const char *contest,
                           uint64_t delay_us, struct bl_diag *diag)
{
    struct feed *feed = calloc(1, sizeof *feed);
    *out = NULL;
    if (!feed)
        return bl_fail(diag, BL_NOMEM, "no memory");
    feed->delay_us = delay_us;
    feed->contest = contest;
    enum bl_status status = folder_path(feed->inbox, diag, "%s", inbox);
    if (status == BL_OK)
        *out = feed;
    else
        free(feed);
    return status;
}

void feed_destroy(struct feed *feed)
{
    for (size_t i = 0; feed && i < feed->places; i++) {
        for (size_t k = 0; k < feed->place[i].files; k++)
            free(feed->place[i].file[k].mark);
        free(feed->place[i].file);
    }
    if (feed)
        free(feed->place);
    free(feed);
}

void feed_add(struct feed *feed, const char *place)
{
    struct place at;
    struct feed_place *more;
    if (!place_name_read(&at, place) || at.machine != MACHINE_JUDGE ||
        !(more = growing_array(feed->place, feed->places, &feed->room, sizeof *more)))
        return;
    feed->place = more;
    feed->place[feed->places] = (struct feed_place){.files = 0};
    snprintf(feed->place[feed->places++].name, PLACE_NAME, "%s", place);
}

void feed_rewind(struct feed *feed)
{
    for (size_t i = 0; i < feed->places; i++)
        for (size_t k = 0; k < feed->place[i].files; k++)
            feed->place[i].file[k].given = 0;
}

/* The number after a letter, from 1 to 9999; 0: none. Moves *at past it. */
static unsigned read_number(const char **at, char letter)
{
    unsigned number = 0, digits;
    if (**at != letter)
        return 0;
    ++*at;
    for (digits = 0; digits < 4 && **at >= '0' && **at <= '9' && (number || **at > '0'); digits++)
        number = number * 10 + (unsigned)(*(*at)++ - '0');
    return number;
}

/* The round in the name of a contest's session, "r1-j2" or "r1-j2-3"; 0: another name. */
static unsigned round_of(const char *session)
{
    unsigned round = read_number(&session, 'r');
    if (!round || *session++ != '-' || !read_number(&session, 'j'))
        return 0;
    return !*session || (read_number(&session, '-') && !*session) ? round : 0;
}

static struct feed_file *find_file(struct feed_place *place, const char *name, unsigned copy)
{
    size_t length = strlen(name), tail = strlen(JOURNAL);
    struct feed_file *more;
    for (size_t i = 0; i < place->files; i++)
        if (place->file[i].copy == copy && strcmp(place->file[i].name, name) == 0)
            return &place->file[i];
    if (length <= tail || length - tail > SESSION_ID_MAX ||
        strcmp(name + length - tail, JOURNAL) != 0 ||
        !(more = growing_array(place->file, place->files, &place->room, sizeof *more)))
        return NULL;
    place->file = more;
    struct feed_file *file = &place->file[place->files++];
    *file = (struct feed_file){.copy = copy};
    snprintf(file->name, sizeof file->name, "%s", name);
    snprintf(file->session, sizeof file->session, "%.*s", (int)(length - tail), name);
    return file;
}

/* Notes a new length. Without memory nothing is noted, and the keys come later. */
static void note_length(struct feed_file *file, uint64_t length, struct bl_time now)
{
    uint64_t last = file->marks ? file->mark[file->marks - 1].length : file->may;
    struct feed_mark *more;
    if (length <= last ||
        !(more = growing_array(file->mark, file->marks, &file->room, sizeof *more)))
        return;
    file->mark = more;
    file->mark[file->marks++] = (struct feed_mark){length, now.mono_us};
}

static bool is_sealed(const struct feed_file *file, unsigned sealed)
{
    unsigned round = round_of(file->session);
    return round && round <= sealed;
}

static bool is_old(const struct feed *feed, const struct feed_mark *mark, struct bl_time now)
{
    return feed->delay_us != FEED_SEALED && now.mono_us - mark->at_us >= feed->delay_us;
}

/* Moves the bound `may` to the lengths that are old enough or sealed. */
static void move_bound(const struct feed *feed, struct feed_file *file, struct bl_time now,
                       unsigned sealed)
{
    size_t old = 0;
    while (old < file->marks && (is_sealed(file, sealed) || is_old(feed, &file->mark[old], now)))
        old++;
    if (!old)
        return;
    file->may = file->mark[old - 1].length;
    file->marks -= old;
    memmove(file->mark, file->mark + old, file->marks * sizeof *file->mark);
}

static bool give_record(const struct feed *feed, const char *place, struct feed_file *file,
                        const struct journal_record *record, feed_give *give, void *ctx)
{
    char text[JOURNAL_TEXT_MAX + 1];
    if (record->kind == JOURNAL_NOTE && record->as.note.code == NOTE_CONTEST)
        file->other = contest_id_differ(record->as.note.text, feed->contest);
    if (record->kind != JOURNAL_KEYS || file->other)
        return true;
    snprintf(text, sizeof text, "%.*s", (int)record->as.keys.run.length,
             (const char *)record->as.keys.run.text);
    return give(ctx, &(struct feed_keys){.place = place,
                                         .session = file->session,
                                         .side = record->side,
                                         .party = record->as.keys.party,
                                         .first = record->as.keys.first,
                                         .text = text});
}

static void give_file(const struct feed *feed, const char *place, struct feed_file *file,
                      int folder, feed_give *give, void *ctx)
{
    static uint8_t bytes[CHUNK];
    struct journal_scratch scratch;
    struct journal_record record;
    int fd = openat(folder, file->name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    bool more = fd >= 0;
    while (more && file->given < file->may) {
        uint64_t left = file->may - file->given;
        ssize_t length = pread(fd, bytes, left < CHUNK ? (size_t)left : CHUNK, (off_t)file->given);
        size_t at = 0;
        long n;
        more = length > 0;
        while (more &&
               (n = journal_decode(bytes + at, (size_t)length - at, &record, &scratch)) != 0) {
            more = n < 0 || give_record(feed, place, file, &record, give, ctx);
            if (more)
                at += (size_t)(n > 0 ? n : -n);
        }
        file->given += at;
        more = more && at > 0;
    }
    if (fd >= 0)
        close(fd);
}

/* False: there is no such folder. */
static bool look_at_folder(const struct feed *feed, struct feed_place *place, unsigned copy,
                           struct bl_time now, unsigned sealed, feed_give *give, void *ctx)
{
    char path[FOLDER_PATH_MAX];
    DIR *folder =
        inbox_folder(path, feed->inbox, place->name, copy, NULL) == BL_OK ? opendir(path) : NULL;
    for (const struct dirent *entry; folder && (entry = readdir(folder));) {
        struct feed_file *file = find_file(place, entry->d_name, copy);
        struct stat info;
        if (!file || fstatat(dirfd(folder), entry->d_name, &info, AT_SYMLINK_NOFOLLOW) ||
            !S_ISREG(info.st_mode))
            continue;
        note_length(file, (uint64_t)info.st_size, now);
        move_bound(feed, file, now, sealed);
        give_file(feed, place->name, file, dirfd(folder), give, ctx);
    }
    if (folder)
        closedir(folder);
    return folder;
}

void feed_look(struct feed *feed, struct bl_time now, unsigned sealed, feed_give *give, void *ctx)
{
    for (size_t i = 0; i < feed->places; i++) {
        unsigned copy = 1;
        while (copy <= POST_COPIES &&
               look_at_folder(feed, &feed->place[i], copy, now, sealed, give, ctx))
            copy++;
    }
}

/* Each byte may become six. */
_Static_assert(6 * (PLACE_NAME + SESSION_ID_MAX + JOURNAL_TEXT_MAX + FEED_WHO) + 160 <= FEED_LINE,
               "a line of keys fits");

void feed_write(const struct feed_keys *keys, const char *who, struct json_text *out)
{
    json_put(out, "{");
    json_field(out, "place", keys->place);
    json_field(out, "session", keys->session);
    json_field_number(out, "side", keys->side);
    json_field_number(out, "party", keys->party);
    json_field_number(out, "first", (int64_t)keys->first);
    json_field(out, "text", keys->text);
    if (who)
        json_field(out, "who", who);
    json_put(out, "}\n");
}
