#include "desk/sticks.h"

#include "base/file.h"

#include "base/crc32c.h"
#include "desk/collected.h"
#include "desk/entries.h"
#include "desk/key_files.h"
#include "desk/place_key.h"
#include "entity/install.h"
#include "rules/stick.h"
#include "rules/ticket.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define FILE_MAX (256u << 20) /* of a journal */
#define LIST_MAX (16u << 20)

struct sticks_file {
    char path[STICK_PATH_MAX]; /* below boothlink/ */
    char *bytes;               /* owned */
    size_t length;
};

struct sticks {
    const struct sticks_request *request;
    struct sticks_file *file[STICK_ROOMS];
    size_t files[STICK_ROOMS];
    unsigned tickets, ranks;
};

static struct sticks_file *find(const struct sticks *sticks, enum stick_room room, const char *path)
{
    for (size_t i = 0; i < sticks->files[room]; i++)
        if (strcmp(sticks->file[room][i].path, path) == 0)
            return &sticks->file[room][i];
    return NULL;
}

/* Plans a file, and takes over its bytes, also after an error. A file already planned under this
 * path stays. */
static enum bl_status add_file(struct sticks *sticks, enum stick_room room, const char *folder,
                               const char *name, char *bytes, size_t length, struct bl_diag *diag)
{
    struct sticks_file *more;
    char path[STICK_PATH_MAX];
    bool long_path =
        snprintf(path, sizeof path, "%s%s%s", folder, *folder ? "/" : "", name) >= (int)sizeof path;
    if (long_path || !bytes || find(sticks, room, path)) {
        bool there = bytes && !long_path;
        free(bytes);
        return there       ? BL_OK
               : long_path ? bl_fail(diag, BL_DATA, "%.80s...: the name is too long", path)
                           : bl_fail(diag, BL_NOMEM, "no memory");
    }
    more = realloc(sticks->file[room], (sticks->files[room] + 1) * sizeof *more);
    if (!more) {
        free(bytes);
        return bl_fail(diag, BL_NOMEM, "no memory");
    }
    sticks->file[room] = more;
    more += sticks->files[room]++;
    memset(more, 0, sizeof *more);
    strcpy(more->path, path);
    more->bytes = bytes;
    more->length = length;
    return BL_OK;
}

static enum bl_status add_text(struct sticks *sticks, enum stick_room room, const char *folder,
                               const char *name, const char *text, struct bl_diag *diag)
{
    return add_file(sticks, room, folder, name, strdup(text), strlen(text), diag);
}

static enum bl_status add_copy(struct sticks *sticks, enum stick_room room, const char *folder,
                               const char *name, const char *from, struct bl_diag *diag)
{
    char *bytes;
    size_t length;
    enum bl_status status = file_read(&bytes, &length, from, FILE_MAX, "a file", diag);
    return status == BL_OK ? add_file(sticks, room, folder, name, bytes, length, diag) : status;
}

/* Adds a key that a ticket names without a folder. */
static enum bl_status add_key(struct sticks *sticks, enum stick_room room, const char *place,
                              const char *name, unsigned booth, unsigned cable,
                              struct bl_diag *diag)
{
    char from[FOLDER_PATH_MAX];
    enum bl_status status;
    if (!name[0] || strchr(name, '/'))
        return BL_OK;
    status = key_files_line_path(sticks->request->keys, booth, cable, from, diag);
    if (status == BL_OK && !folder_has(from))
        return bl_fail(diag, BL_NOINPUT,
                       "%s is missing, the key of booth %u, cable %c: contest setup makes it, or "
                       "[venue] keys = none",
                       from, booth + 1, cable ? 'b' : 'a');
    return status == BL_OK ? add_copy(sticks, room, place, name, from, diag) : status;
}

static enum bl_status add_referee(struct sticks *sticks, const char *place, const char *name,
                                  struct bl_diag *diag)
{
    char from[FOLDER_PATH_MAX];
    enum bl_status status;
    if (!name[0] || strchr(name, '/'))
        return BL_OK;
    status = key_files_referee_path(sticks->request->keys, true, from, diag);
    if (status == BL_OK && !folder_has(from))
        return bl_fail(diag, BL_NOINPUT, "%s is missing, the referee's key: contest setup makes it",
                       from);
    return status == BL_OK ? add_copy(sticks, STICK_JUDGES, place, name, from, diag) : status;
}

/* Adds the rules to the judges' tickets. An entity's end gets them from its judge's end. With a
 * survey the back room's machines need them, too. */
static enum bl_status add_rules(struct sticks *sticks, enum stick_room room, const char *folder,
                                struct bl_diag *diag)
{
    const struct ruleset *rules = &sticks->request->contest->ruleset;
    char name[80];
    bool survey = rules->survey[SURVEY_BEFORE].line[0][0] || rules->survey[SURVEY_AFTER].line[0][0];
    if (!sticks->request->rules || (room == STICK_BACK && !survey))
        return BL_OK;
    snprintf(name, sizeof name, "%s.ini", sticks->request->contest->ruleset.name);
    return add_text(sticks, room, folder, name, sticks->request->rules, diag);
}

/* Adds the place's key, if there is a desk. A spare machine also needs it. */
static enum bl_status add_place_key(struct sticks *sticks, enum stick_room room, const char *place,
                                    struct bl_diag *diag)
{
    const enum desk_network network =
        venue_desk_network(sticks->request->venue, &sticks->request->contest->ruleset);
    char folder[FOLDER_PATH_MAX], from[FOLDER_PATH_MAX];
    if (network < (room == STICK_JUDGES ? DESK_NETWORK_JUDGES : DESK_NETWORK_ALL))
        return BL_OK;
    enum bl_status status = folder_path(folder, diag, "%s" PLACE_KEY_FOLDER, sticks->request->keys);
    if (status == BL_OK)
        status = place_key_path(folder, place, from, diag);
    return status == BL_OK && folder_has(from)
               ? add_copy(sticks, room, place, STICK_KEY, from, diag)
               : status;
}

/* Adds the files that a ticket names without a folder. */
static enum bl_status add_beside(struct sticks *sticks, const char *place,
                                 const struct ticket *ticket, struct bl_diag *diag)
{
    bool b_left = strcmp(ticket->left_key_file, "line-b.key") == 0;
    struct place at;
    enum bl_status status;
    if (!place_name_read(&at, place))
        return bl_fail(diag, BL_SOFTWARE, "%s: it is not the name of a place", place);
    const unsigned booth = (unsigned)at.booth - 1;
    if (at.machine != MACHINE_JUDGE) {
        status = add_key(sticks, STICK_BACK, place, ticket->line_key_file, booth,
                         at.machine == MACHINE_CABLE_B, diag);
        return status == BL_OK ? add_rules(sticks, STICK_BACK, place, diag) : status;
    }
    status = add_key(sticks, STICK_JUDGES, place, ticket->left_key_file, booth, b_left, diag);
    if (status == BL_OK)
        status = add_key(sticks, STICK_JUDGES, place, ticket->right_key_file, booth, !b_left, diag);
    if (status == BL_OK)
        status = add_referee(sticks, place, ticket->referee, diag);
    return status == BL_OK ? add_rules(sticks, STICK_JUDGES, place, diag) : status;
}

/* Plans a ticket and its files. path: "judges-room/boothlink/booth-2-judge/001.ticket". */
static enum bl_status take_ticket(void *ctx, const char *path, const char *text,
                                  struct bl_diag *diag)
{
    struct sticks *sticks = ctx;
    struct ticket ticket;
    char place[PLACE_NAME];
    const char *name = strrchr(path, '/') + 1;
    enum stick_room room =
        strncmp(path, stick_rooms[STICK_JUDGES], strlen(stick_rooms[STICK_JUDGES])) == 0
            ? STICK_JUDGES
            : STICK_BACK;
    const char *folder = path + strlen(stick_rooms[room]) + strlen("/" STICK_FOLDER "/");
    snprintf(place, sizeof place, "%.*s", (int)(name - 1 - folder), folder);
    enum bl_status status = ticket_parse(&ticket, text, path, diag);
    if (status == BL_OK)
        status = add_text(sticks, room, place, name, text, diag);
    if (status == BL_OK)
        status = add_beside(sticks, place, &ticket, diag);
    if (status == BL_OK)
        status = add_place_key(sticks, room, place, diag);
    sticks->tickets += status == BL_OK;
    return status;
}

/* ---- the judges' ranks after the last round ---- */

static enum bl_status add_record(struct sticks *sticks, const char *folder, const char *session,
                                 const char *kind, struct bl_diag *diag)
{
    char name[64], from[FOLDER_PATH_MAX];
    enum bl_status status;
    snprintf(name, sizeof name, "%.40s-judge.%s", session, kind);
    status = collected_path(sticks->request->records, name, from, diag);
    if (status != BL_OK)
        return bl_fail(diag, BL_NOINPUT,
                       "%s was not collected, which the ranks need: contest collect takes it out "
                       "of the judges' stick, or contest rank takes what he says",
                       name);
    return add_copy(sticks, STICK_JUDGES, folder, name, from, diag);
}

static enum bl_status add_ranks(struct sticks *sticks, unsigned judge, struct bl_diag *diag)
{
    const struct contest *contest = sticks->request->contest;
    char folder[PLACE_NAME], text[400], session[CONTEST_SESSION_MAX], more[16] = "", id[CONTEST_ID];
    enum bl_status status = BL_OK;
    if (contest->trials)
        snprintf(more, sizeof more, "-%u", contest->trials + 1);
    stick_ranks(judge, folder);
    contest_id_write(contest->created_us, id);
    snprintf(text, sizeof text,
             "[ticket]\nformat = 1\nrole = ranks\nsession = ranks-j%u%s\ncontest = %s\n\n"
             "[rules]\nruleset = %.64s\n",
             judge + 1, more, id, contest->ruleset.name);
    for (unsigned i = 0; status == BL_OK && i < contest->schedule.count; i++) {
        const struct meeting *meeting = &contest->schedule.meeting[i];
        if (meeting->judge != judge ||
            contest_trial_of(contest, meeting->round) != contest->trials ||
            !contest_was_held(contest, meeting))
            continue;
        contest_session(contest, meeting, session);
        status = add_record(sticks, folder, session, "journal", diag);
        if (status == BL_OK)
            status = add_record(sticks, folder, session, "ballot", diag);
    }
    if (status == BL_OK)
        status = add_rules(sticks, STICK_JUDGES, folder, diag);
    if (status == BL_OK)
        status = add_text(sticks, STICK_JUDGES, folder, STICK_RANKS, text, diag);
    sticks->ranks += status == BL_OK;
    return status;
}

static enum bl_status add_all_ranks(struct sticks *sticks, struct bl_diag *diag)
{
    const struct contest *contest = sticks->request->contest;
    enum bl_status status = BL_OK;
    if (!contest_asks_ranks(contest))
        return bl_fail(diag, BL_DATA, "the rules of %s ask for no ranks", contest->ruleset.name);
    if (contest->begun < contest->schedule.rounds || contest->begun == 0)
        return bl_fail(diag, BL_DATA, "ranks come after the last round: %u of %u have begun",
                       contest->begun, contest->schedule.rounds);
    for (unsigned j = 0; status == BL_OK && j < contest->people[CONTEST_JUDGE]; j++)
        if (contest_wants_ranks(contest, j))
            status = add_ranks(sticks, j, diag);
    return status;
}

/* Adds the Entries' manifests: their hashes cover the other files. */
static enum bl_status add_entries(struct sticks *sticks, struct bl_diag *diag)
{
    char folder[STICK_PATH_MAX], from[FOLDER_PATH_MAX];
    enum bl_status status = BL_OK;
    for (unsigned i = 0; status == BL_OK && i < SCHEDULE_ENTRIES_MAX; i++) {
        const struct venue_program *entry = &sticks->request->venue->entry[i];
        if (!entry->entry[0])
            continue;
        snprintf(folder, sizeof folder, STICK_ENTRIES "/%s", entry->entry);
        status = folder_path(from, diag, "%s/" MANIFEST_NAME, entry->handed_in);
        if (status == BL_OK)
            status = add_copy(sticks, STICK_BACK, folder, MANIFEST_NAME, from, diag);
    }
    return status;
}

/* ---- writing ---- */

static char *print_list(const struct sticks *sticks, enum stick_room room, bool complete,
                        const char *old, size_t *length)
{
    const struct contest *contest = sticks->request->contest;
    struct stick head = {.complete = complete, .room = room, .acts = contest->acts};
    size_t room_for = strlen(old) + (sticks->files[room] + 2) * STICK_LINE_MAX;
    char *text = malloc(room_for), line[STICK_LINE_MAX];
    if (!text)
        return NULL;
    stick_contest_write(contest->name, contest->created_us, head.contest);
    stick_head_write(&head, text);
    size_t at = strlen(text);
    for (size_t i = 0; i < sticks->files[room]; i++) {
        const struct sticks_file *file = &sticks->file[room][i];
        struct stick_file row = {.crc = crc32c(0, file->bytes, file->length),
                                 .bytes = file->length};
        strcpy(row.path, file->path);
        stick_file_write(&row, line);
        memcpy(text + at, line, strlen(line));
        at += strlen(line);
    }
    memcpy(text + at, old, strlen(old) + 1);
    *length = at + strlen(old);
    return text;
}

static enum bl_status write_list(const struct sticks *sticks, enum stick_room room, bool complete,
                                 const char *folder, const char *old, struct bl_diag *diag)
{
    char path[FOLDER_PATH_MAX];
    size_t length = 0;
    char *text = print_list(sticks, room, complete, old, &length);
    enum bl_status status = text ? folder_path(path, diag, "%s/" STICK_LIST, folder)
                                 : bl_fail(diag, BL_NOMEM, "no memory");
    if (status == BL_OK)
        status = file_write(path, text, length, diag);
    free(text);
    return status;
}

/* Removes each file of the old list that the new list lacks, and then its folder if that is
 * empty. */
static enum bl_status remove_old(const struct sticks *sticks, enum stick_room room,
                                 const char *folder, const char *old, struct bl_diag *diag)
{
    struct stick_file row;
    char path[FOLDER_PATH_MAX], entry[STICK_PATH_MAX];
    enum bl_status status = BL_OK;
    while (status == BL_OK && stick_file_read(&row, &old)) {
        if (find(sticks, room, row.path))
            continue;
        bool whole = entries_is_manifest(row.path, entry);
        status = folder_path(path, diag, "%s/%s", folder, whole ? entry : row.path);
        if (status == BL_OK)
            status = whole ? install_remove(path, diag) : folder_remove(path, diag);
        char *slash = strrchr(path, '/');
        if (status == BL_OK && slash && slash > path + strlen(folder)) {
            *slash = '\0';
            rmdir(path); /* if it is empty */
        }
    }
    return status;
}

static enum bl_status write_files(const struct sticks *sticks, enum stick_room room,
                                  const char *folder, struct bl_diag *diag)
{
    char path[FOLDER_PATH_MAX], place[FOLDER_PATH_MAX] = "";
    enum bl_status status = BL_OK;
    for (size_t i = 0; status == BL_OK && i < sticks->files[room]; i++) {
        const struct sticks_file *file = &sticks->file[room][i];
        status = folder_path(path, diag, "%s/%s", folder, file->path);
        if (status == BL_OK)
            status = folder_path(place, diag, "%.*s", (int)(strrchr(path, '/') - path), path);
        if (status == BL_OK)
            status = folder_make(place, diag);
        if (status == BL_OK)
            status = file_put(path, file->bytes, file->length, diag);
        if (sticks->request->progress)
            sticks->request->progress((unsigned)i + 1, (unsigned)sticks->files[room]);
    }
    /* One sync for all: until then the list says that the stick is being written. */
    return status == BL_OK ? file_sync_all(folder, diag) : status;
}

/* Reads the rows of an earlier list, without its head; "": no list. */
static enum bl_status read_old(const char *folder, char **old, struct bl_diag *diag)
{
    char path[FOLDER_PATH_MAX];
    struct stick head;
    const char *rest;
    size_t length;
    char *text = NULL;
    enum bl_status status = folder_path(path, diag, "%s/" STICK_LIST, folder);
    if (status == BL_OK && folder_has(path))
        status = file_read(&text, &length, path, LIST_MAX, "a file", diag);
    if (status == BL_OK)
        *old = strdup(text && stick_head_read(&head, text, path, &rest, NULL) == BL_OK ? rest : "");
    free(text);
    return status == BL_OK && !*old ? bl_fail(diag, BL_NOMEM, "no memory") : status;
}

static enum bl_status write_room(const struct sticks *sticks, enum stick_room room,
                                 struct bl_diag *diag)
{
    char folder[FOLDER_PATH_MAX];
    char *old = NULL;
    enum bl_status status =
        folder_path(folder, diag, "%s/%s/" STICK_FOLDER, sticks->request->out, stick_rooms[room]);
    if (status == BL_OK)
        status = folder_make(folder, diag);
    if (status == BL_OK)
        status = read_old(folder, &old, diag);
    if (status == BL_OK)
        status = write_list(sticks, room, false, folder, old, diag);
    if (status == BL_OK)
        status = remove_old(sticks, room, folder, old, diag);
    if (status == BL_OK && room == STICK_BACK)
        status = entries_write(sticks->request->venue, folder, diag);
    if (status == BL_OK)
        status = write_files(sticks, room, folder, diag);
    if (status == BL_OK)
        status = write_list(sticks, room, true, folder, "", diag);
    free(old);
    return status;
}

enum bl_status sticks_write(const struct sticks_request *request, unsigned *tickets,
                            unsigned *ranks, struct bl_diag *diag)
{
    const struct contest *contest = request->contest;
    struct sticks sticks = {.request = request};
    /* Includes the last begun round, for a spare machine. */
    unsigned first = contest->begun ? contest->begun - 1 : 0;
    enum bl_status status =
        request->preliminary
            ? tickets_write_preliminary(contest, request->venue, request->preliminary, take_ticket,
                                        &sticks, diag)
            : tickets_write(contest, request->venue, first, take_ticket, &sticks, diag);
    if (status == BL_OK)
        status = add_entries(&sticks, diag);
    if (status == BL_OK && request->records)
        status = add_all_ranks(&sticks, diag);
    for (unsigned room = 0; status == BL_OK && room < STICK_ROOMS; room++)
        status = write_room(&sticks, (enum stick_room)room, diag);
    *tickets = sticks.tickets;
    *ranks = sticks.ranks;
    for (unsigned room = 0; room < STICK_ROOMS; room++) {
        for (size_t i = 0; i < sticks.files[room]; i++)
            free(sticks.file[room][i].bytes);
        free(sticks.file[room]);
    }
    return status;
}
