#include "booth/entity_booth_private.h"

#include "base/crc32c.h"
#include "entity/install.h"
#include "entity/place.h"
#include "booth/messages.h"

#include <ctype.h>
#include <string.h>
#include <unistd.h>

const struct entry_kind *entity_booth_kind(const struct entity_booth *b)
{
    const struct entry *entry = b->options->entry_kind;
    return &entry_kinds[entry ? entry->kind : KIND_KEYBOARD];
}

bool entity_booth_is_boxed(const struct entity_booth *b)
{
    return entity_booth_speaks_apart(b) && b->options->program.command &&
           !b->options->program.place.open;
}

bool entity_booth_speaks_apart(const struct entity_booth *b)
{
    return entity_booth_kind(b)->reach == KIND_REACHES_US;
}

static void set_delivered(struct entity_booth *b, uint64_t delivered)
{
    struct journal_record record = {.kind = JOURNAL_DELIVERED,
                                    .wall_us = booth_now(&b->booth.clock).wall_us,
                                    .as.delivered = {.n = delivered}};
    if (b->booth.journal && delivered != b->delivered &&
        journal_append(b->booth.journal, &record) == BL_OK)
        b->delivered = delivered;
}

static void keep_delivered(struct entity_booth *b, uint64_t delivered)
{
    if (delivered > b->delivered)
        set_delivered(b, delivered);
}

/* Number of the entity's last key in the order; 0: none. */
static uint64_t last_word(const struct sequence *sequence)
{
    uint64_t n = sequence->count;
    while (n > 0 && sequence->event[n - 1].party != PARTY_ENTITY)
        n--;
    return n;
}

/* The number up to which the judge's keys count as answered. A new Entry gets only later keys,
 * because it would answer each key. The number is the one that the last Entry had at its last key;
 * if unknown, the entity's last key in the order. */
static uint64_t answered(const struct entity_booth *b)
{
    return b->heard && b->heard <= b->order->count ? b->heard : last_word(b->order);
}

/* Skips the judge's keys that are answered, on a spare machine that has got the conversation from
 * the judge's end. */
static void catch_up(struct entity_booth *b)
{
    const struct sequence *sequence = b->order;
    if (b->caught_up || b->view->sync != SYNC_LIVE)
        return;
    b->caught_up = true;
    uint64_t n = last_word(sequence);
    if (n == 0)
        return;
    booth_note(&b->booth, SIDE_LEFT, NOTE_TAKEN, (uint32_t)sequence->count,
               "this machine had no record of the session: it has the judge's now");
    b->given = n;
    keep_delivered(b, n);
    if (entity_booth_kind(b)->told) { /* the Entry was started without that conversation */
        entity_booth_end_entry(b);
        entity_booth_start_later(b);
    }
}

void entity_booth_give(struct entity_booth *b)
{
    const struct sequence *sequence = b->order;
    catch_up(b);
    if (!b->caught_up)
        return;
    if (b->given > sequence->count)
        b->given = 0; /* the order began anew; the program skips keys that it had before */
    while (b->program && !entity_booth_speaks_apart(b) && b->given < sequence->count) {
        uint64_t n = ++b->given;
        const struct key_event *event = &sequence->event[n - 1];
        if (event->party != PARTY_JUDGE) {
            program_placed(b->program);
            continue;
        }
        if (program_give(b->program, n, event->point) == BL_FULL)
            booth_note(&b->booth, SIDE_LEFT, NOTE_ENTRY, 1,
                       "the Entry does not read: a key of the judge did not reach it");
    }
}

static void tell_entry(struct entity_booth *b, enum note_code code, uint32_t count,
                       const char *text)
{
    booth_note(&b->booth, SIDE_LEFT, code, count, text);
    entry_lines_add(&b->lines, booth_now(&b->booth.clock).wall_us, text);
    b->booth.changed = true;
}

/* Takes a key of the program's output. An Entry with a speaker has its output dropped. */
static enum handed on_program_key(void *ctx, uint32_t point, uint64_t pressed_us)
{
    struct entity_booth *b = ctx;
    if (entity_booth_speaks_apart(b))
        return HANDED_ON;
    enum handed handed = entity_booth_take(b, point, pressed_us);
    if (handed == HANDED_ON)
        b->heard = b->given;
    return handed;
}

static void on_program_event(void *ctx, enum program_event event, uint32_t count, const char *text)
{
    struct entity_booth *b = ctx;
    bool printed = event == PROGRAM_IGNORED || event == PROGRAM_BAD_UTF8;
    if (!printed || !entity_booth_speaks_apart(b))
        tell_entry(b, event == PROGRAM_IGNORED ? NOTE_IGNORED : NOTE_ENTRY, count, text);
    /* With a speaker no waiting for input is seen. The Entry counts as ready at once; early keys
     * wait in the folder. */
    b->warm = b->warm || !b->options->entry_kind || entry_is_warm(b->options->entry_kind, event);
    if (!entity_booth_kind(b)->registers && (b->speaker || (b->warm && program_ready(b->program))))
        entity_end_ready(b->end);
}

/* Names the keeper after the line, because the Entry must be ready before the session is known. */
static void name_keeper(const struct entity_booth *b, char name[SESSION_ID_MAX + 1])
{
    const char *folder = b->options->lpp_entry;
    size_t at = 0;
    if (folder) { /* a hash, since paths may be long */
        snprintf(name, SESSION_ID_MAX + 1, "lpp-entry-%08x", crc32c(0, folder, strlen(folder)));
        return;
    }
    for (const char *c = b->options->port; *c && at < SESSION_ID_MAX; c++)
        name[at++] = isalnum((unsigned char)*c) ? *c : '-';
    name[at] = '\0';
}

/* Checks a handed-in folder before the Entry's start. Thread-safe: the values that it reads do not
 * change meanwhile. */
static enum bl_status check_manifest(void *ctx, struct bl_diag *diag)
{
    struct entity_booth *b = ctx;
    char folder[PATH_MAX], path[PATH_MAX + sizeof MANIFEST_NAME];
    unsigned files;
    const struct program_options *o = &b->options->program;
    if (place_folder(b->folder[0] ? b->folder : o->place.folder, folder, NULL))
        return BL_OK; /* the Entry's start reports a faulty folder */
    snprintf(path, sizeof path, "%s/" MANIFEST_NAME, folder);
    if (access(path, F_OK))
        return BL_OK;
    enum bl_status status = manifest_check(folder, &files, diag);
    if (status == BL_UNAVAIL && b->options->comms)
        status = BL_OK; /* the interpreter is only needed on the machine where the Entry runs */
    if (!status)
        snprintf(b->checked, sizeof b->checked, say_its_folder_is_as_it, files, BL_S(files));
    return status;
}

/* Makes the brief of an Entry that has one: the conversation so far, and the number of answered
 * keys. */
static enum bl_status brief_make(struct entity_booth *b, struct bl_diag *diag)
{
    if (b->brief > 0)
        close(b->brief);
    b->brief = 0;
    b->brief_end_us = 0;
    b->brief_named = false;
    b->warm = false;
    return b->options->entry_kind ? entry_brief(&b->brief, b->options->entry_kind, b->view->session,
                                                b->order->event, b->order->count, answered(b), diag)
                                  : BL_OK;
}

void entity_booth_tell_state(struct entity_booth *b)
{
    bool counted = b->view->segment == SEGMENT_OPEN && b->view->cut_us != BL_NEVER;
    uint64_t ends_us = counted ? b->view->cut_us : 0;
    bool named = b->view->session && b->view->session[0];
    if (b->brief <= 0 || (ends_us == b->brief_end_us && named == b->brief_named))
        return;
    b->brief_end_us = ends_us;
    b->brief_named = named;
    entry_tell(b->brief, ends_us, named ? b->view->session : "");
}

/* The options for the Entry's start. Their pointers stay valid as long as the booth. */
static struct program_options start_options(struct entity_booth *b)
{
    const struct booth_options *o = &b->options->booth;
    /* The array ends at the first NULL. A NULL key_file is first, and skipped below. */
    const char *const hidden[] = {o->key_file, o->ticket ? o->ticket : o->trace,
                                  o->ticket ? o->trace : NULL, NULL};
    struct program_options options = b->options->program;
    memcpy(b->hidden, hidden, sizeof b->hidden);
    name_keeper(b, b->keeper);
    options.keeper_dir = b->dir;
    options.session = b->keeper;
    options.place.hidden = b->hidden + (o->key_file == NULL);
    if (b->folder[0])
        options.place.folder = b->folder;
    options.brief = b->brief;
    options.columns = 80;
    options.rows = 24;
    options.delivered = answered(b);
    options.keys = entity_booth_speaks_apart(b) ? 0 : b->view->pressed;
    options.check = check_manifest;
    options.check_ctx = b;
    b->checked[0] = '\0';
    return options;
}

/* Follows the Entry's start: notes the folder's check, opens the speaker of an Entry in a sandbox,
 * and gives a program the judge's keys so far. */
static enum bl_status take_started(struct entity_booth *b, struct bl_diag *diag)
{
    const struct sequence *sequence = b->order;
    enum bl_status status = BL_OK;
    memcpy(b->handed_in, b->checked, sizeof b->handed_in);
    if (b->handed_in[0] && b->booth.journal)
        booth_note(&b->booth, SIDE_LEFT, NOTE_ENTRY, 0, b->handed_in);
    if (entity_booth_is_boxed(b))
        status = entity_booth_open_speaker(b, diag);
    if (status)
        return status;
    for (uint64_t n = 1; n <= sequence->count && !entity_booth_speaks_apart(b); n++)
        if (sequence->event[n - 1].party == PARTY_JUDGE)
            program_give(b->program, n, sequence->event[n - 1].point);
    return BL_OK;
}

static const struct program_callbacks program_callbacks = {on_program_key, on_program_event};

enum bl_status entity_booth_start(struct entity_booth *b, struct bl_diag *diag)
{
    enum bl_status status = brief_make(b, diag);
    if (status)
        return status;
    struct program_options options = start_options(b);
    status = program_open(&b->program, &b->booth.loop, &options, &program_callbacks, b, diag);
    return status ? status : take_started(b, diag);
}

static void on_opened(void *ctx, struct program *program, const struct bl_diag *diag)
{
    struct entity_booth *b = ctx;
    struct bl_diag why = *diag;
    b->opening = NULL;
    if (b->open_again) {
        b->open_again = false;
        program_close(program);
        entity_booth_start_later(b);
        return;
    }
    b->program = program;
    if (!program || take_started(b, &why))
        booth_say(&b->booth, why.text);
    b->booth.changed = true;
}

void entity_booth_start_later(struct entity_booth *b)
{
    if (b->opening) {
        b->open_again = true;
        return;
    }
    struct bl_diag diag = {""};
    enum bl_status status = brief_make(b, &diag);
    struct program_options options = start_options(b);
    if (status || program_open_later(&b->opening, &b->booth.loop, &options, &program_callbacks, b,
                                     on_opened, &diag))
        booth_say(&b->booth, diag.text);
}

void entity_booth_end_entry(struct entity_booth *b)
{
    program_close(b->program);
    b->program = NULL;
    b->handed_in[0] = '\0';
    if (!entity_booth_is_boxed(b))
        return;
    speaker_close(b->speaker);
    b->speaker = NULL;
}

bool entity_booth_may_restart(const struct entity_booth *b)
{
    return b->options->program.command && !b->opening &&
           (!b->program || !program_running(b->program));
}

void entity_booth_restart(struct entity_booth *b)
{
    entity_booth_end_entry(b);
    tell_entry(b, NOTE_ENTRY, 0, "started again by an attendant");
    entity_booth_start_later(b);
}

static enum handed on_speaker_key(void *ctx, uint32_t point, uint64_t pressed_us)
{
    struct entity_booth *b = ctx;
    enum handed handed = entity_booth_take(b, point, pressed_us);
    if (handed == HANDED_ON)
        b->heard = b->order->count;
    return handed;
}

static uint64_t on_pressed(void *ctx)
{
    const struct entity_booth *b = ctx;
    return b->view->pressed;
}

static uint32_t on_placed(void *ctx, uint64_t n, enum party *party)
{
    const struct entity_booth *b = ctx;
    if (n > b->order->count)
        return 0;
    const struct key_event *event = &b->order->event[n - 1];
    *party = event->party;
    return event->point;
}

static uint32_t on_waiting(void *ctx, size_t i)
{
    const struct entity_booth *b = ctx;
    const struct entity_end_view *view = b->view;
    return i < view->pending_count ? view->pending[i] : 0;
}

static void on_news(void *ctx, enum speaker_news news, uint32_t count, const char *text)
{
    struct entity_booth *b = ctx;
    tell_entry(b, news == SPEAKER_IGNORES ? NOTE_IGNORED : NOTE_ENTRY, count, text);
    if (news == SPEAKER_IS_THERE && entity_booth_kind(b)->registers)
        entity_end_ready(b->end);
}

enum bl_status entity_booth_open_speaker(struct entity_booth *b, struct bl_diag *diag)
{
    static const struct speaker_callbacks callbacks = {.key = on_speaker_key,
                                                       .pressed = on_pressed,
                                                       .placed = on_placed,
                                                       .waiting = on_waiting,
                                                       .event = on_news};
    bool boxed = entity_booth_is_boxed(b);
    const struct speaker_options options = {.entry = b->options->entry_kind,
                                            .program = boxed ? b->program : NULL,
                                            .state_dir = b->dir,
                                            .scan_ms = b->options->scan_ms,
                                            .anew = boxed && !program_resumed(b->program)};
    speaker_close(b->speaker);
    b->speaker = NULL;
    b->speaker_begun = false;
    b->speaker_anew = options.anew;
    if (!entity_booth_speaks_apart(b))
        return BL_OK;
    return speaker_open(&b->speaker, &b->booth.loop, &options, &callbacks, b, diag);
}

/* Begins after the judge's end has agreed on the session. This machine's last record may be of
 * another session. */
void entity_booth_run_speaker(struct entity_booth *b)
{
    const struct entity_end_view *view = b->view;
    if (!b->speaker || !b->booth.journal)
        return;
    if (!b->speaker_begun && b->caught_up &&
        (view->sync == SYNC_LIVE || view->sync == SYNC_REPLAY)) {
        b->speaker_begun = true;
        if (b->speaker_anew)
            set_delivered(b, answered(b));
        b->speaker_anew = false;
        speaker_session(b->speaker, view->session, b->options->round ? b->options->round - 1 : 0,
                        b->delivered);
    }
    if (!b->speaker_begun)
        return;
    if (view->segment == SEGMENT_FINISHED)
        speaker_end(b->speaker);
    else if (view->segment != SEGMENT_WAITING)
        speaker_start(b->speaker);
    speaker_run(b->speaker, entity_booth_room(b), view->may_go, b->order->count);
    keep_delivered(b, speaker_given(b->speaker));
}

enum bl_status entity_booth_find_entry(struct entity_booth *b, struct bl_diag *diag)
{
    const struct entity_options *o = b->options;
    char name[INSTALL_NAME];
    if (!o->entry || !o->program.command)
        return BL_OK;
    int used = snprintf(b->folder, sizeof b->folder, "%s%s/%s", o->entries ? o->entries : b->dir,
                        o->entries ? "" : "/entries", o->entry);
    if (used >= (int)sizeof b->folder || access(b->folder, F_OK))
        return bl_fail(diag, BL_NOINPUT, say_fail_the_entry_is_not_on_this, o->entry);
    enum bl_status status = install_name(b->folder, name, diag);
    size_t hash = strlen(name), given = strlen(o->entry);
    hash = hash > INSTALL_DIGITS ? hash - INSTALL_DIGITS : 0;
    given = given > INSTALL_DIGITS ? given - INSTALL_DIGITS : 0;
    if (!status && strcmp(name + hash, o->entry + given) != 0)
        status = bl_fail(diag, BL_DATA, say_fail_its_manifest_is_not_the_one, b->folder);
    return status;
}
