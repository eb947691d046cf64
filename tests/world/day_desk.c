/* The desk of a day: its machine, a courier on each machine that has the network, and the oracles
 * of what goes over it. */
#include "day_desk.h"
#include "box.h"
#include "network.h"

#include "base/file.h"
#include "command/command.h"
#include "courier/program/courier.h"
#include "desk/collected.h"
#include "desk/program/desk.h"
#include "post/server_config.h"
#include "rules/stick.h"

#include <dirent.h>
#include <ftw.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define INBOX       "desk/inbox"
#define KEYS        "manager/contest.db.keys/places"
#define SERVER      "nats://10.0.0.1:4222"
#define RUN         "run"
#define PATH        400
#define RESTART_US  (2 * SECOND) /* as systemd does, or the manager */
#define RECORD_MOST (1u << 26)
#define OF_FAULTS   60 /* of a thousand messages */

/* ---- programs ---- */

int day_program(int argc, char **argv)
{
    struct courier *courier = NULL;
    int code;
    optind = 0; /* of the words that another has read */
    if (strcmp(argv[0], "boothlink-desk") == 0)
        return desk_run(argc, argv);
    if (strcmp(argv[0], "boothlink-courier") != 0)
        return boothlink_main(argc, argv);
    do
        code = courier_run(&courier, argc, argv);
    while (courier && courier_has_new_key(courier));
    return code;
}

static void start_courier(void *ctx)
{
    struct seat *s = ctx;
    char records[64], tell[64];
    const char *folder = machine_folder(s->machine);
    bool tells = s->day->setup.desk == DESK_ALONE;
    char *words[] = {(char *)"boothlink-courier",
                     (char *)"--server",
                     (char *)SERVER,
                     (char *)"--records",
                     records,
                     tells ? (char *)"--tell" : NULL,
                     tell,
                     NULL};
    if (s->off || process_lives(s->courier))
        return;
    snprintf(records, sizeof records, "%s/records", folder);
    snprintf(tell, sizeof tell, "%s/" RUN "/courier", folder);
    bool was = world_beside(true);
    s->courier = machine_program(s->machine, words);
    world_beside(was);
}

void day_desk_starts(struct seat *s)
{
    char run[64];
    if (!s->day->network || (!s->judge && s->day->network != DESK_NETWORK_ALL))
        return;
    snprintf(run, sizeof run, "%s/" RUN, machine_folder(s->machine));
    mkdir(run, 0700);
    s->networked = true;
    start_courier(s);
}

void day_desk_looks(struct seat *s)
{
    if (!s->courier || process_lives(s->courier))
        return;
    s->courier = NULL;
    world_at(world_now() + RESTART_US, start_courier, s);
}

static void start_desk(void *ctx)
{
    struct day *day = ctx;
    char *words[] = {(char *)"boothlink-desk",
                     (char *)"--folder",
                     (char *)INBOX,
                     (char *)"--keys",
                     (char *)KEYS,
                     (char *)"--server",
                     (char *)SERVER,
                     (char *)"--sticks",
                     (char *)"manager/sticks",
                     NULL};
    bool was = world_beside(true);
    day->desk_process = machine_program(day->desk, words);
    world_beside(was);
}

static void on_second(void *ctx)
{
    struct day *day = ctx;
    if (day->desk_process && !process_lives(day->desk_process)) {
        day->desk_process = NULL;
        world_at(world_now() + RESTART_US, start_desk, day);
    }
    world_at(world_now() + SECOND, on_second, day);
}

/* ---- what a copy is held against ---- */

static struct seat *seat_named(struct day *day, const char *place)
{
    for (unsigned i = 0; i < day->seats; i++)
        if (strcmp(machine_name(day->seat[i].machine), place) == 0)
            return &day->seat[i];
    return NULL;
}

static void copy_path(const char *place, unsigned copy, const char *name, char path[PATH])
{
    char number[12] = "";
    if (copy > 1)
        snprintf(number, sizeof number, "-%u", copy);
    snprintf(path, PATH, INBOX "/%s%s/%s", place, number, name);
}

static void record_path(const struct seat *s, const char *name, char path[PATH])
{
    snprintf(path, PATH, "%s/records/%s", machine_folder(s->machine), name);
}

/* The number of the last copy of that record at the desk; 0: there is none. */
static unsigned last_copy(const struct seat *s, const char *name)
{
    char path[PATH];
    unsigned copy = 0;
    do
        copy_path(machine_name(s->machine), ++copy, name, path);
    while (access(path, F_OK) == 0);
    return copy - 1;
}

struct bytes {
    char *at;
    size_t length;
};

static struct bytes read_bytes(const char *path)
{
    struct bytes b = {NULL, 0};
    file_read(&b.at, &b.length, path, RECORD_MOST, "a record", NULL);
    return b;
}

static bool begins(const struct bytes *whole, const struct bytes *part)
{
    return part->length <= whole->length && memcmp(whole->at, part->at, part->length) == 0;
}

/* The last copy of the record is its beginning; with `whole`, all of it. */
static bool is_copied(const struct seat *s, const char *name, bool whole)
{
    char path[PATH];
    unsigned copy = last_copy(s, name);
    if (copy == 0)
        return !whole;
    record_path(s, name, path);
    struct bytes own = read_bytes(path);
    copy_path(machine_name(s->machine), copy, name, path);
    struct bytes theirs = read_bytes(path);
    bool good =
        own.at && theirs.at && begins(&own, &theirs) && (!whole || own.length == theirs.length);
    free(own.at);
    free(theirs.at);
    return good;
}

static int is_record(const struct dirent *entry)
{
    return collected_is_name(entry->d_name);
}

/* Calls fn for each record of a folder; false: it did so for one. */
static bool all_records(const char *folder, bool (*fn)(const struct seat *s, const char *name),
                        const struct seat *s)
{
    struct dirent **names;
    int count = scandir(folder, &names, is_record, alphasort);
    bool all = true;
    for (int i = 0; i < count; i++) {
        all = all && fn(s, names[i]->d_name);
        free(names[i]);
    }
    if (count >= 0)
        free(names);
    return all;
}

static bool is_whole(const struct seat *s, const char *name)
{
    return is_copied(s, name, true);
}

static bool is_beginning(const struct seat *s, const char *name)
{
    return is_copied(s, name, false);
}

/* A second copy needs a loss of power, at one of the two. */
static bool is_alone(const struct seat *s, const char *name)
{
    return last_copy(s, name) <= 1 || s->power_cuts || s->day->desk_cuts;
}

static bool holds_for_records(const struct seat *s,
                              bool (*fn)(const struct seat *s, const char *name))
{
    char folder[PATH];
    record_path(s, "", folder);
    return all_records(folder, fn, s);
}

static bool holds_for_copies(const struct seat *s,
                             bool (*fn)(const struct seat *s, const char *name))
{
    char folder[PATH];
    copy_path(machine_name(s->machine), 1, "", folder);
    return all_records(folder, fn, s);
}

const char *day_desk_record(const struct seat *s, const char *name)
{
    static char path[PATH];
    unsigned copy = last_copy(s, name);
    if (s->day->setup.desk != DESK_ALONE || copy == 0)
        return NULL;
    copy_path(machine_name(s->machine), copy, name, path);
    return path;
}

/* ---- in the place of the stick ---- */

bool day_desk_reaches(const struct seat *s)
{
    char path[PATH];
    record_path(s, STICK_KEY, path);
    return s->day->setup.desk == DESK_ALONE && s->networked && access(path, F_OK) == 0;
}

static int is_ticket(const struct dirent *entry)
{
    return entry->d_name[0] != '.' && strcmp(entry->d_name, STICK_KEY) != 0;
}

/* Each file of the one folder, but for the key, is in the other. */
static bool has_files(const char *of, const char *in)
{
    struct dirent **names;
    int count = scandir(of, &names, is_ticket, alphasort);
    bool has = count >= 0;
    for (int i = 0; i < count; i++) {
        char path[2][PATH];
        snprintf(path[0], PATH, "%s/%.99s", of, names[i]->d_name);
        snprintf(path[1], PATH, "%s/%.99s", in, names[i]->d_name);
        struct bytes a = read_bytes(path[0]), b = read_bytes(path[1]);
        has = has && b.at && a.length == b.length && begins(&a, &b);
        free(a.at);
        free(b.at);
        free(names[i]);
    }
    if (count >= 0)
        free(names);
    return has;
}

bool day_desk_has_all(struct day *day, void *ctx)
{
    (void)day;
    return holds_for_records(ctx, is_whole);
}

bool day_desk_is_done(struct day *day, void *ctx)
{
    const struct seat *s = ctx;
    char stick[120], own[120];
    const char *name = machine_name(s->machine);
    snprintf(stick, sizeof stick, "manager/sticks/%s/" STICK_FOLDER "/%s",
             s->judge ? "judges-room" : "back-room", name);
    snprintf(own, sizeof own, "%s/records/%s", machine_folder(s->machine), name);
    if (access(stick, F_OK) != 0)
        return day_desk_has_all(day, ctx); /* it has no session any more */
    return day_desk_has_all(day, ctx) && has_files(stick, own) && has_files(own, stick);
}

/* ---- oracles ---- */

static const struct post_keys *keys_of(const char *place)
{
    static struct post_keys keys[DAY_SEATS];
    unsigned i = 0;
    char path[PATH], *text;
    while (i < DAY_SEATS && keys[i].place[0] && strcmp(keys[i].place, place) != 0)
        i++;
    if (i < DAY_SEATS && !keys[i].place[0]) {
        snprintf(path, sizeof path, KEYS "/%s.key", place);
        if (file_read_text(&text, path, POST_KEY_TEXT, "a key", NULL) ||
            post_key_read(&keys[i], text, path, NULL))
            world_die("%s cannot be read", path);
        free(text);
    }
    return i < DAY_SEATS ? &keys[i] : NULL;
}

/* A piece that leaves a booth stands in its record, and would stand there after a power cut. */
static void check_piece(struct day *day, const struct seat *s, const struct post_piece *piece)
{
    char path[PATH];
    uint8_t held[POST_BYTES_MOST];
    record_path(s, piece->file, path);
    uint64_t synced = machine_synced(s->machine, path), end = piece->offset + piece->length;
    FILE *file = fopen(path, "rbe");
    bool same = file && fseek(file, (long)piece->offset, SEEK_SET) == 0 &&
                fread(held, 1, piece->length, file) == piece->length &&
                memcmp(held, piece->bytes, piece->length) == 0;
    if (file)
        fclose(file);
    if (!same)
        day_wrong(day, "piece", "%s: bytes %llu to %llu are not its record's", path,
                  (unsigned long long)piece->offset, (unsigned long long)end);
    if (synced < end)
        day_wrong(day, "unsynced", "%s: byte %llu was sent, and %llu are synced", path,
                  (unsigned long long)end, (unsigned long long)synced);
}

/* The bytes that the desk says to have would be there after a power cut. */
static void check_have(struct day *day, const char *place, const struct post_piece *piece)
{
    char path[PATH];
    copy_path(place, piece->copy, piece->file, path);
    uint64_t synced = machine_synced(day->desk, path);
    if (collected_is_name(piece->file) && piece->kind == POST_HAVE && synced < piece->offset)
        day_wrong(day, "have", "%s: the desk says %llu bytes, and %llu are synced", path,
                  (unsigned long long)piece->offset, (unsigned long long)synced);
}

static void on_sent(void *ctx, const struct machine *from, const char *subject,
                    const uint8_t *bytes, size_t length)
{
    static uint8_t plain[POST_PLAIN_MOST];
    struct day *day = ctx;
    struct post_piece piece;
    bool up = from != day->desk;
    const char *place = strrchr(subject, '.') + 1;
    const struct seat *s = seat_named(day, place);
    if (strcmp(subject, POST_SUBJECT_ECHO) == 0)
        return;
    const struct post_keys *keys = s ? keys_of(place) : NULL;
    if (!keys || (up && from != s->machine) ||
        post_open(keys, up ? POST_UP : POST_DOWN, bytes, length, plain, &piece, NULL) != BL_OK)
        day_wrong(day, "sealed", "%s: a message of %s is not sealed with its place's key", subject,
                  machine_name(from));
    else if (up && !s->judge && machine_locks(s->machine))
        day_wrong(day, "silence", "%s has sent in a session", place);
    else if (up && piece.kind == POST_PIECE)
        check_piece(day, s, &piece);
    else if (!up)
        check_have(day, place, &piece);
}

static int wipe(const char *path, const struct stat *info, int kind, struct FTW *walk)
{
    (void)info, (void)kind;
    return walk->level ? remove(path) : 0;
}

/* /run is empty, and the desk has no more than what is left of the records. */
void day_desk_lost_power(struct day *day, struct machine *machine)
{
    char run[64];
    struct seat *s = seat_named(day, machine_name(machine));
    day->desk_cuts += machine == day->desk;
    if (!s || !day->network)
        return;
    snprintf(run, sizeof run, "%s/" RUN, machine_folder(machine));
    nftw(run, wipe, 8, FTW_DEPTH | FTW_PHYS);
    if (s->power_cuts == 1 && !day->desk_cuts && !s->replaced &&
        !holds_for_records(s, is_beginning))
        day_wrong(day, "more", "the desk has more than %s after its loss of power",
                  machine_name(machine));
}

void day_desk_check(struct day *day)
{
    for (unsigned i = 0; i < day->seats && !day->wrong[0]; i++) {
        const struct seat *s = &day->seat[i];
        const char *name = machine_name(s->machine);
        if (!s->networked)
            continue;
        if (day->setup.desk == DESK_ALONE && !holds_for_records(s, is_whole))
            day_wrong(day, "copies", "%s: a record and its copy at the desk differ", name);
        if (!holds_for_records(s, is_beginning))
            day_wrong(day, "copies", "%s: a copy at the desk is no beginning of its record", name);
        if (!s->replaced && !holds_for_copies(s, is_beginning))
            day_wrong(day, "copies", "%s: the desk has what is not there", name);
        if (!holds_for_copies(s, is_alone))
            day_wrong(day, "doubled", "%s: the desk has a record twice", name);
    }
    if (day->network && !day->wrong[0] && !network_arrived())
        day_wrong(day, "copies", "nothing went over the network");
}

/* ---- the day ---- */

void day_desk_stands(struct day *day)
{
    if (!day->network)
        return;
    bool was = world_beside(true);
    day->desk = machine_create("desk");
    world_beside(was);
    network_tap(&(struct network_tap){.ctx = day, .sent = on_sent});
}

void day_desk_begins(struct day *day)
{
    if (!day->network)
        return;
    start_desk(day);
    world_at(world_now() + SECOND, on_second, day);
}

/* ---- mishaps ---- */

const char *const net_mishaps[NET_MISHAPS] = {
    [NET_OUT] = "its network is out",
    [NET_DROPPED] = "its connection is forgotten without a word",
    [NET_SERVER_KILLED] = "kill -9 of the server",
    [NET_SERVER_STOPPED] = "the server stands still",
    [NET_FAULTS] = "messages are lost, doubled and late",
    [NET_DESK_OUT] = "the desk's network is out",
    [NET_DESK_KILLED] = "kill -9 of the desk",
    [NET_DESK_KILL_AT] = "kill -9 of the desk at a call",
    [NET_DESK_POWER] = "a power cut of the desk",
    [NET_DESK_POWER_AT] = "a power cut of the desk at a call",
    [NET_DESK_FULL] = "the desk's disk is full",
    [NET_DESK_SPOILT] = "the desk's disk does not sync",
    [NET_COURIER_KILLED] = "kill -9 of the courier",
    [NET_COURIER_KILL_AT] = "kill -9 of the courier at a call",
    [NET_COURIER_POWER_AT] = "a power cut at a call of the courier",
};

static void mishap_of_desk(struct day *day, enum net_mishap what, unsigned number)
{
    struct process *p = day->desk_process;
    if (what == NET_DESK_POWER)
        machine_cut_power(day->desk);
    else if (p && process_lives(p) && what == NET_DESK_KILLED)
        process_kill(p);
    else if (p && process_lives(p))
        process_fuse(p, 1 + number % 60, what == NET_DESK_POWER_AT);
}

void day_desk_mishap(struct seat *s, enum net_mishap what, unsigned number, uint64_t for_us)
{
    struct day *day = s->day;
    if (!day->network)
        return;
    bool was = world_beside(true);
    if (what == NET_OUT || what == NET_DESK_OUT)
        network_plug(what == NET_OUT ? s->machine : day->desk, false);
    else if (what == NET_DROPPED)
        network_drop(s->machine);
    else if (what == NET_SERVER_KILLED)
        network_server(false);
    else if (what == NET_SERVER_STOPPED)
        network_stop(2 * for_us);
    else if (what == NET_FAULTS)
        network_faults(OF_FAULTS);
    else if (what == NET_DESK_FULL)
        machine_fill(day->desk, number);
    else if (what == NET_DESK_SPOILT)
        machine_spoil(day->desk, true);
    else if (what < NET_COURIER_KILLED)
        mishap_of_desk(day, what, number);
    else if (process_lives(s->courier) && what == NET_COURIER_KILLED)
        process_kill(s->courier);
    else if (process_lives(s->courier))
        process_fuse(s->courier, 1 + number % 60, what == NET_COURIER_POWER_AT);
    world_beside(was);
}

void day_desk_mishap_over(struct seat *s, enum net_mishap what)
{
    if (!s->day->network)
        return;
    if (what == NET_OUT || what == NET_DESK_OUT)
        network_plug(what == NET_OUT ? s->machine : s->day->desk, true);
    else if (what == NET_SERVER_KILLED)
        network_server(true);
    else if (what == NET_FAULTS)
        network_faults(0);
    else if (what == NET_DESK_FULL)
        machine_fill(s->day->desk, UINT64_MAX);
    else if (what == NET_DESK_SPOILT)
        machine_spoil(s->day->desk, false);
}
