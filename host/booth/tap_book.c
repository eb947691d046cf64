#include "booth/tap_book.h"
#include "booth/messages.h"

#include "base/limit.h"
#include "base/utf8.h"
#include "journal/journal.h"
#include "link/foreign.h"
#include "link/listen.h"
#include "session/follow.h"
#include "transcript/iso.h"
#include "transcript/words.h"

#include <inttypes.h>
#include <limits.h>
#include <sodium.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Keys with an older time are a replay. A judge's end gives new keys at least every 5 s. */
#define STALE_US 60000000u

struct tap_line {
    unsigned part; /* number in the plan, from 1, of the latest heard part */
    struct tap_book *book;
    char name[ETHER_LINE_MAX + 1];
    enum side side;
    struct listen *listen;
    struct follow *follow;
    struct ether_address end[2];
    bool known[2]; /* the end's address is known */
    int judge;     /* number of the judge's end; -1: not known */
    bool left;     /* an end has said goodbye; late frames may still come */
    bool begun;    /* the session's name is known */
    bool nameless; /* the referee was told that the session's name is not known */
    struct tap_record *record;
    uint64_t heard_us;
    uint64_t given_us; /* time at which the newest keys were given, by the judge's clock */
    bool stale_told;
};

/* The record of one session, for both lines. */
struct tap_record {
    char session[SESSION_ID_MAX + 1];
    struct journal *journal;
    struct follow_past past[SIDES];
};

struct foreign {
    struct ether_address from;
    char text[FOREIGN_TEXT_MAX];
    uint64_t frames;
};

struct tap_book {
    uv_loop_t *loop;
    struct tap_listener listener;
    struct bl_time now;
    struct tap_line line[TAP_LINES];
    unsigned lines;
    struct tap_record record[TAP_LINES];
    unsigned records;
    struct foreign foreign[TAP_FOREIGN];
    unsigned foreigns;
    bool foreign_full;
    struct limit strange, renamed;
};

struct tap_book *tap_book_create(uv_loop_t *loop, const struct tap_listener *listener)
{
    struct tap_book *b = sodium_malloc((sizeof *b + 63) / 64 * 64);
    if (!b)
        return NULL;
    memset(b, 0, sizeof *b);
    b->loop = loop;
    b->listener = *listener;
    return b;
}

static void tell(const struct tap_book *b, const char *name, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static void tell(const struct tap_book *b, const char *name, const char *format, ...)
{
    char iso[ISO_LENGTH + 1];
    va_list args;
    iso_write(b->now.wall_us, iso);
    printf("%s %s%s", iso, name, name[0] ? ": " : "");
    va_start(args, format);
    vprintf(format, args);
    va_end(args);
    putchar('\n');
}

/* Limits lines about events that any frame on the hub can cause: some at once, then one a second.
 * Suppressed lines are counted. */
#define STRANGE_BURST    40
#define STRANGE_EVERY_US 1000000u

static bool may_tell(struct tap_book *b)
{
    return limit_pass(&b->strange, b->now.mono_us, STRANGE_BURST, STRANGE_EVERY_US);
}

static void tell_held(struct tap_book *b)
{
    uint32_t held = limit_take(&b->strange, b->now.mono_us, 1, STRANGE_EVERY_US);
    if (held)
        tell(b, "", say_lines_left_out, held, BL_S(held), BL_WERE(held));
}

static const char *party_of(const struct tap_line *line, unsigned end)
{
    return line->judge < 0           ? say_one_end
           : (int)end == line->judge ? say_the_judges_end
                                     : say_the_entitys_end;
}

static void on_state(void *ctx, enum listen_state state)
{
    struct tap_line *line = ctx;
    static const char *const words[] = {
        [LISTEN_NOTHING] = say_tap_silent,
        [LISTEN_CONNECTING] = say_the_ends_look_for_each_other,
        [LISTEN_UP] = say_tap_connected,
        [LISTEN_SEALED] = say_tap_encrypted,
        [LISTEN_CLOSED] = say_one_end_said_goodbye,
    };
    if (may_tell(line->book))
        tell(line->book, line->name, "%s", words[state]);
    line->left = state == LISTEN_CLOSED;
}

static void on_record(void *ctx, unsigned end, const uint8_t *record, size_t length)
{
    struct tap_line *line = ctx;
    int role = follow_tells_role(record, length);
    if (line->judge < 0 && role)
        line->judge = (int)(role > 0 ? end : 1 - end);
    if ((int)end == line->judge)
        follow_record(line->follow, record, length, line->book->now.wall_us);
}

static void on_gap(void *ctx, unsigned end, unsigned frames)
{
    struct tap_line *line = ctx;
    if (frames)
        tell(line->book, line->name, say_gap_frames_missed, frames, frames == 1 ? "" : "s",
             party_of(line, end));
    else
        tell(line->book, line->name, say_gap_heard_from_here_on, party_of(line, end));
    if ((int)end == line->judge)
        follow_gap(line->follow);
}

static void on_role(void *ctx, unsigned end, enum link_role role)
{
    struct tap_line *line = ctx;
    if (role == LINK_JUDGE)
        line->judge = (int)end;
    else if (role == LINK_ENTITY)
        line->judge = (int)(1 - end);
}

/* True if keys with this time are current. An equal time is a repetition; an older time is a
 * recording. */
static bool is_of_now(struct tap_line *line, uint64_t wall_us)
{
    uint64_t now_us = line->book->now.wall_us;
    uint64_t off_us = now_us > wall_us ? now_us - wall_us : wall_us - now_us;
    if (wall_us == line->given_us)
        return false;
    if (off_us <= STALE_US && wall_us > line->given_us) {
        line->given_us = wall_us;
        line->stale_told = false;
        return true;
    }
    if (line->stale_told)
        return false;
    line->stale_told = true;
    if (off_us > STALE_US)
        tell(line->book, line->name, say_keys_of_another_time,
             (unsigned long long)(off_us / 1000000u), now_us > wall_us ? "before" : "after");
    else
        tell(line->book, line->name, say_keys_older_than_before);
    return false;
}

static bool on_pass(void *ctx, const uint8_t pass[PASS_LENGTH], struct pass_keys *keys)
{
    struct tap_line *line = ctx;
    const struct tap_listener *listener = &line->book->listener;
    uint8_t mac_key[SECURE_KEY];
    bool good = false;
    for (unsigned i = 0; listener->referee && !good && i < listener->lines; i++) {
        pass_line(mac_key, listener->line[i].secret, line->name);
        good = pass_open(pass, listener->referee_key.public_key, listener->referee_key.secret,
                         mac_key, keys);
    }
    sodium_memzero(mac_key, sizeof mac_key);
    return good && is_of_now(line, keys->wall_us);
}

static void on_replay(void *ctx, const struct journal_record *kept)
{
    struct tap_record *record = ctx;
    if (kept->kind != JOURNAL_HEADER)
        follow_past_add(&record->past[kept->side], kept);
}

static void on_disk(void *ctx, const char *text)
{
    tell(ctx, "", "%s", text);
}

static struct tap_record *open_record(struct tap_book *b, const struct journal_record *header)
{
    char path[PATH_MAX];
    struct bl_diag diag = {""};
    struct journal_record first = *header;
    struct tap_record *record;
    for (unsigned i = 0; i < b->records; i++)
        if (strcmp(b->record[i].session, header->as.header.session) == 0)
            return &b->record[i];
    if (!b->listener.journal_dir || b->records == TAP_LINES)
        return NULL;
    record = &b->record[b->records];
    memset(record, 0, sizeof *record);
    snprintf(record->session, sizeof record->session, "%s", header->as.header.session);
    first.wall_us = b->now.wall_us;
    if (snprintf(path, sizeof path, "%s/%s-tap.journal", b->listener.journal_dir,
                 record->session) >= (int)sizeof path ||
        journal_open(&record->journal, &disk_real, path, &first, on_replay, record, NULL, &diag) ||
        journal_attach(record->journal, b->loop, on_disk, b)) {
        tell(b, "", say_no_record_is_kept, record->session, diag.text);
        return NULL;
    }
    b->records++;
    return record;
}

static void on_begin(void *ctx, const struct journal_record *header)
{
    struct tap_line *line = ctx;
    tell(line->book, line->name, "session %s", header->as.header.session);
    line->begun = true;
    line->record = open_record(line->book, header);
    if (line->record)
        follow_known(line->follow, &line->record->past[line->side]);
}

static void tell_keys(const struct tap_line *line, const struct journal_record *record)
{
    size_t at = 0, taken;
    while (at < record->as.keys.run.length) {
        char name[WORDS_KEY_MAX];
        uint32_t point;
        taken = utf8_decode(record->as.keys.run.text + at, record->as.keys.run.length - at, &point);
        if (taken == 0)
            return;
        tell(line->book, line->name, "%s %.*s", words_party(record->as.keys.party),
             (int)words_key(point, name), name);
        at += taken;
    }
}

static void on_heard(void *ctx, const struct journal_record *heard)
{
    struct tap_line *line = ctx;
    struct journal_record kept = *heard;
    if (!line->begun && !line->nameless) {
        line->nameless = true;
        tell(line->book, line->name, say_gap_name_not_heard);
    }
    if (heard->kind == JOURNAL_KEYS)
        tell_keys(line, heard);
    if (heard->kind == JOURNAL_SEGMENT) {
        line->part = heard->as.segment.index + 1u;
        tell(line->book, line->name, "part %u %s", line->part,
             words_segment(heard->as.segment.state));
    }
    if (heard->kind == JOURNAL_CLOSE)
        tell(line->book, line->name, say_tap_part_ended, line->part,
             words_close(heard->as.close.outcome), (unsigned long long)heard->as.close.n,
             BL_S(heard->as.close.n));
    if (kept.wall_us == 0)
        kept.wall_us = line->book->now.wall_us;
    if (!line->record)
        return;
    follow_past_add(&line->record->past[line->side], heard);
    if (journal_append(line->record->journal, &kept))
        tell(line->book, line->name, say_the_record_cannot_be_written_here);
}

/* Describes a gap to the referee and in the record. */
static void tell_gap(struct tap_line *line, const char *text)
{
    struct journal_record kept = {.kind = JOURNAL_NOTE,
                                  .side = line->side,
                                  .wall_us = line->book->now.wall_us,
                                  .as.note = {.code = NOTE_OTHER, .text = text}};
    tell(line->book, line->name, "%s", text);
    if (line->record)
        journal_append(line->record->journal, &kept);
}

static void on_missed(void *ctx, uint64_t first, uint64_t last)
{
    char text[80];
    snprintf(text, sizeof text, say_gap_keys_missed, (unsigned long long)first,
             (unsigned long long)last);
    tell_gap(ctx, text);
}

static void on_unknown(void *ctx, uint64_t n)
{
    char text[120];
    snprintf(text, sizeof text, say_gap_end_not_heard, (unsigned long long)n);
    tell_gap(ctx, text);
}

static bool ends_with(const char *name, const char *end)
{
    size_t n = strlen(name), m = strlen(end);
    return n >= m && strcmp(name + n - m, end) == 0;
}

/* Finds a line without a session to drop for a new name: a line silent for a minute; otherwise the
 * line with the fewest frames, if at most NEXT_TO_NIL. A stranger may send thousands of names.
 * NULL: all lines are real. */
#define QUIET_US        60000000u
#define NEXT_TO_NIL     8
#define RENAME_EVERY_US 50000u

static struct tap_line *quietest(struct tap_book *b)
{
    struct tap_line *best = NULL;
    uint64_t least = UINT64_MAX;
    for (unsigned i = 0; i < b->lines; i++) {
        struct tap_line *line = &b->line[i];
        bool quiet = b->now.mono_us - line->heard_us >= QUIET_US;
        uint64_t frames = quiet ? 0 : listen_frames(line->listen);
        if (line->begun || (!quiet && frames > NEXT_TO_NIL) || frames >= least)
            continue;
        least = frames;
        best = line;
    }
    return best;
}

static void forget(struct tap_line *line)
{
    listen_destroy(line->listen);
    follow_destroy(line->follow);
}

static struct tap_line *find_line(struct tap_book *b, const char *name)
{
    static const struct listen_callbacks listen = {on_state, on_record, on_gap, on_role, on_pass};
    static const struct follow_callbacks follow = {on_begin, on_heard, on_missed, on_unknown};
    struct tap_line *line;
    for (unsigned i = 0; i < b->lines; i++)
        if (strcmp(b->line[i].name, name) == 0)
            return &b->line[i];
    if (b->lines < TAP_LINES)
        line = &b->line[b->lines];
    else /* limited: quietest() takes time */
        line = limit_pass(&b->renamed, b->now.mono_us, 4, RENAME_EVERY_US) ? quietest(b) : NULL;
    if (!line) {
        if (may_tell(b))
            tell(b, name, say_more_lines_than_are_kept, TAP_LINES);
        return NULL;
    }
    if (b->lines == TAP_LINES)
        forget(line);
    *line = (struct tap_line){.book = b, .judge = -1, .side = b->listener.side};
    snprintf(line->name, sizeof line->name, "%s", name);
    if (ends_with(name, "left"))
        line->side = SIDE_LEFT;
    else if (ends_with(name, "right"))
        line->side = SIDE_RIGHT;
    line->listen = listen_create(&listen, line);
    line->follow = follow_create(line->side, &follow, line);
    if (!line->listen || !line->follow) {
        forget(line);
        line->listen = NULL;
        line->follow = NULL;
        if (line != &b->line[b->lines]) /* the last line takes the removed line's place */
            *line = b->line[--b->lines];
        return NULL;
    }
    b->lines += b->lines < TAP_LINES;
    return line;
}

/* Closes the session after a goodbye, once no earlier frame can follow. */
static void look_for_end(struct tap_line *line)
{
    if (!line->left || listen_deadline(line->listen) != UINT64_MAX)
        return;
    line->left = false;
    follow_leave(line->follow);
}

void tap_book_serial(struct tap_book *b, struct bl_time now, unsigned end, const uint8_t *frame,
                     size_t length)
{
    struct tap_line *line;
    b->now = now;
    line = find_line(b, "");
    if (!line)
        return;
    listen_frame(line->listen, now.mono_us, end, frame, length);
    look_for_end(line);
}

static void take_foreign(struct tap_book *b, const uint8_t *bytes, size_t length)
{
    char text[FOREIGN_TEXT_MAX], from[ETHER_TEXT_MAX], to[ETHER_TEXT_MAX];
    struct ether_address address[2] = {{{0}}, {{0}}};
    if (length >= 12)
        memcpy(address, bytes, sizeof address);
    foreign_text(bytes, length, text);
    for (unsigned i = 0; i < b->foreigns; i++) {
        if (ether_same(&b->foreign[i].from, &address[1]) && strcmp(b->foreign[i].text, text) == 0) {
            b->foreign[i].frames++;
            return;
        }
    }
    if (b->foreigns == TAP_FOREIGN) {
        if (!b->foreign_full)
            tell(b, "", say_foreign_more_kinds);
        b->foreign_full = true;
        return;
    }
    b->foreign[b->foreigns].from = address[1];
    b->foreign[b->foreigns].frames = 1;
    memcpy(b->foreign[b->foreigns++].text, text, sizeof text);
    tell(b, "", say_foreign_frame, text, ether_text(&address[1], from),
         ether_text(&address[0], to));
}

/* The number of the end with the frame's address. A new address is reported, and replaces the old
 * one. */
static int end_of(struct tap_line *line, const struct ether_frame *frame)
{
    char text[ETHER_TEXT_MAX];
    unsigned end = frame->role == LINK_ENTITY;
    for (unsigned i = 0; i < 2; i++)
        if (line->known[i] && ether_same(&line->end[i], &frame->from))
            return (int)i;
    if (frame->role == LINK_ANY && line->known[0])
        end = 1;
    bool told = may_tell(line->book);
    if (told && line->known[end])
        tell(line->book, line->name, say_an_end_moved,
             end ? say_the_entitys_end : say_the_judges_end, ether_text(&frame->from, text));
    else if (told)
        tell(line->book, line->name, say_an_end_is_at,
             frame->role == LINK_ANY ? say_an_end_without_a_role
             : end                   ? say_the_entitys_end
                                     : say_the_judges_end,
             ether_text(&frame->from, text));
    line->known[end] = true;
    line->end[end] = frame->from;
    if (frame->role != LINK_ANY)
        line->judge = 0;
    return (int)end;
}

void tap_book_ether(struct tap_book *b, struct bl_time now, const uint8_t *bytes, size_t length)
{
    struct ether_frame frame;
    struct tap_line *line;
    b->now = now;
    switch (ether_frame_read(&frame, bytes, length)) {
    case ETHER_OURS:
        line = find_line(b, frame.line);
        if (!line)
            return;
        line->heard_us = now.mono_us;
        if (frame.kind == ETHER_TAKEN) {
            if (may_tell(b))
                tell(b, line->name, say_a_third_end_was_kept_out);
            return;
        }
        listen_frame(line->listen, now.mono_us, (unsigned)end_of(line, &frame), frame.payload,
                     frame.length);
        look_for_end(line);
        return;
    case ETHER_VERSIONS:
    case ETHER_FOREIGN:
        take_foreign(b, bytes, length);
        return;
    }
}

void tap_book_tell(struct tap_book *b, struct bl_time now, const char *text)
{
    b->now = now;
    tell(b, "", "%s", text);
}

void tap_book_tick(struct tap_book *b, struct bl_time now)
{
    b->now = now;
    tell_held(b);
    for (unsigned i = 0; i < b->lines; i++) {
        listen_tick(b->line[i].listen, now.mono_us);
        look_for_end(&b->line[i]);
    }
}

uint64_t tap_book_deadline(const struct tap_book *b)
{
    uint64_t due_us = limit_due(&b->strange, 1, STRANGE_EVERY_US);
    for (unsigned i = 0; i < b->lines; i++)
        if (listen_deadline(b->line[i].listen) < due_us)
            due_us = listen_deadline(b->line[i].listen);
    return due_us;
}

void tap_book_finish(struct tap_book *b)
{
    char from[ETHER_TEXT_MAX];
    for (unsigned i = 0; i < b->lines; i++)
        listen_finish(b->line[i].listen);
    for (unsigned i = 0; i < b->lines; i++)
        follow_leave(b->line[i].follow);
    for (unsigned i = 0; i < b->foreigns; i++)
        tell(b, "", say_foreign_in_all, (unsigned long long)b->foreign[i].frames,
             BL_S(b->foreign[i].frames), b->foreign[i].text, ether_text(&b->foreign[i].from, from));
    for (unsigned i = 0; i < b->records; i++) {
        journal_close(b->record[i].journal);
        b->record[i].journal = NULL;
    }
    for (unsigned i = 0; i < b->lines; i++)
        b->line[i].record = NULL;
}

void tap_book_destroy(struct tap_book *b)
{
    if (!b)
        return;
    for (unsigned i = 0; i < b->lines; i++) {
        listen_destroy(b->line[i].listen);
        follow_destroy(b->line[i].follow);
    }
    sodium_free(b);
}
