#include "session/end.h"

#include "base/assert.h"
#include "base/utf8.h"
#include "session/messages.h"

#include <string.h>

const char *key_answer_text(enum key_answer answer, enum party typist, enum segment_state line)
{
    switch (answer) {
    case KEY_TAKEN:
    case KEY_WAIT:
        return "";
    case KEY_REFUSED_CLOSED:
        if (line == SEGMENT_WAITING)
            return typist == PARTY_JUDGE ? say_not_begun_yet_that_key : say_the_judge_has_not_begun;
        if (line == SEGMENT_FINISHED)
            return say_the_session_is_over_that;
        return typist == PARTY_JUDGE ? say_this_line_is_closed_now : say_it_is_not_your_part;
    case KEY_REFUSED_APART:
        return say_the_other_terminal_has_not;
    case KEY_REFUSED_FULL:
        return say_the_record_can_take_no;
    case KEY_REFUSED_PAUSED:
        return say_the_session_is_paused_its;
    case KEY_REFUSED_TURN:
        return say_it_is_not_your_turn;
    case KEY_REFUSED_LONG:
        return say_the_message_is_full_press;
    }
    return "";
}

void key_refused_text(char text[KEY_REFUSED_TEXT], const char *why, const uint32_t *points,
                      size_t count)
{
    size_t length = strlen(why);
    memcpy(text, why, length);
    for (size_t i = 0; i < count && length + UTF8_MAX < NOTE_MAX; i++)
        length +=
            utf8_encode(points[i] < 0x20 ? 0x2400 + points[i] : points[i],
                        (uint8_t *)text + length); /* control pictures for Return, BackSpace and
                                                    * Tab */
    text[length] = '\0';
}

/* True if it is the party's turn. A waiting Return of the party has already ended the turn. Without
 * a Return the turn changes every turn_s. */
static bool has_turn(const struct typing_rules *rules, const struct page *page, enum party party,
                     const struct key_queue *waiting, uint64_t since_us)
{
    enum party returned;
    uint64_t posted_us, turn_us = rules->turn_s * UINT64_C(1000000);
    for (size_t i = 0; i < waiting->count; i++)
        if (key_queue_at(waiting)[i] == KEY_RETURN)
            return false;
    if (!page_returned(page, &returned, &posted_us))
        return party == PARTY_JUDGE;
    bool passed = turn_us && since_us / turn_us % 2 == 1;
    return (returned != party) != passed;
}

enum key_answer end_typing(const struct typing_rules *rules, const struct page *page,
                           enum party party, const struct key_queue *waiting, uint64_t since_us,
                           uint32_t point)
{
    if (rules->strict && !has_turn(rules, page, party, waiting, since_us))
        return KEY_REFUSED_TURN;
    if (point != KEY_RETURN && point != KEY_BACKSPACE &&
        page_message_is_full(page, party, key_queue_at(waiting), waiting->count,
                             rules->message_most))
        return KEY_REFUSED_LONG;
    return KEY_TAKEN;
}

const char *end_typing_note(enum key_answer answer)
{
    return answer == KEY_REFUSED_TURN ? "refused, out of turn: " : "refused, the message is full: ";
}

struct end_callbacks end_callbacks_of(const struct end_callbacks *callbacks, void *ctx)
{
    struct end_callbacks of = *callbacks;
    of.journal = of.journal ? of.journal : ctx;
    of.link = of.link ? of.link : ctx;
    return of;
}

enum bl_status end_keep(const struct end_callbacks *callbacks, void *ctx,
                        const struct journal_record *record)
{
    enum bl_status status = callbacks->keep(callbacks->journal, record);
    if (status && callbacks->unkept)
        callbacks->unkept(ctx);
    return status;
}

bool end_steward_after(const struct journal_record *record, bool called)
{
    if (record->kind != JOURNAL_NOTE || record->as.note.code != NOTE_STEWARD)
        return called;
    if (strcmp(record->as.note.text, END_STEWARD_CALLED) == 0)
        return true;
    return called && strcmp(record->as.note.text, END_STEWARD_BACK) != 0;
}

enum bl_status end_note(const struct end_callbacks *callbacks, void *ctx, enum side side,
                        enum note_code code, uint32_t count, const char *text, uint64_t wall_us)
{
    struct journal_record record = {.kind = JOURNAL_NOTE,
                                    .side = side,
                                    .wall_us = wall_us,
                                    .as.note = {.code = code, .count = count, .text = text}};
    return end_keep(callbacks, ctx, &record);
}

bool end_apply(struct sequence *sequence, struct page *page, enum party party,
               const struct key_run *run, uint64_t posted_us,
               void (*each)(void *ctx, const struct key_event *), void *ctx)
{
    for (size_t i = 0; i < run->count; i++) {
        const struct key_event event = {
            .posted_us = posted_us, .point = run->point[i], .party = (uint8_t)party};
        if (!sequence_append(sequence, &event))
            return false;
        page_apply(page, &event);
        if (each)
            each(ctx, &event);
    }
    return true;
}

void end_wrote(struct end_written *written, uint64_t first, const struct key_run *run)
{
    written->keys = 0;
    if (run->length > WIRE_TEXT_MAX - UTF8_MAX)
        return;
    written->first = first;
    written->keys = run->count;
    written->length = run->length;
    memcpy(written->text, run->text, run->length);
}

size_t end_written_text(const struct end_written *written, uint64_t first, uint64_t keys,
                        uint8_t text[WIRE_TEXT_MAX])
{
    if (keys == 0 || written->keys != keys || written->first != first)
        return 0;
    memcpy(text, written->text, written->length);
    return written->length;
}

enum bl_status end_send(const struct end_callbacks *callbacks, const struct wire *wire)
{
    uint8_t record[WIRE_MAX];
    size_t length = wire_encode(wire, record);
    return length ? callbacks->send(callbacks->link, record, length) : BL_SOFTWARE;
}

enum bl_status end_send_later(const struct end_callbacks *callbacks, const struct wire *wire)
{
    uint8_t record[WIRE_MAX];
    size_t length = wire_encode(wire, record);
    if (!callbacks->send_later)
        return end_send(callbacks, wire);
    return length ? callbacks->send_later(callbacks->link, record, length) : BL_SOFTWARE;
}

enum bl_status end_send_run(const struct end_callbacks *callbacks, const struct sequence *sequence,
                            const struct end_written *written, uint32_t epoch,
                            struct key_stream *stream)
{
    bl_assert(stream->cursor < sequence->count);
    const struct key_event *event = &sequence->event[stream->cursor];
    uint8_t text[WIRE_TEXT_MAX];
    struct wire wire = {.text = text};
    enum bl_status status;
    if (stream->mark_us == 0 || event->posted_us < stream->mark_us ||
        event->posted_us - stream->mark_us > UINT32_MAX) {
        struct wire mark = {.kind = WIRE_MARK,
                            .epoch = epoch,
                            .n = stream->cursor + 1,
                            .time_us = event->posted_us};
        status = end_send(callbacks, &mark);
        if (status)
            return status;
        stream->mark_us = event->posted_us;
    }
    uint64_t keys = sequence->count - stream->cursor;
    wire.length = end_written_text(written, stream->cursor + 1, keys, text);
    if (wire.length == 0)
        keys = sequence_run(sequence, stream->cursor + 1, text, sizeof text, &wire.length);
    if (stream->numbered)
        wire.kind = event->party == PARTY_JUDGE ? WIRE_JUDGE_KEYS_AT : WIRE_ENTITY_KEYS_AT;
    else
        wire.kind = event->party == PARTY_JUDGE ? WIRE_JUDGE_KEYS : WIRE_ENTITY_KEYS;
    wire.n = stream->cursor + 1;
    wire.low_us = (uint32_t)event->posted_us;
    wire.dt_us = (uint32_t)(event->posted_us - stream->mark_us);
    bl_assert(keys > 0 && wire.length > 0);
    status = end_send(callbacks, &wire);
    if (!status)
        stream->cursor += keys;
    return status;
}

void end_rebuild(const struct sequence *sequence, struct page *page)
{
    page_clear(page);
    for (uint64_t i = 0; i < sequence->count; i++)
        page_apply(page, &sequence->event[i]);
}
