#include "session/plan.h"

#include "base/assert.h"
#include "session/messages.h"

#include <ctype.h>
#include <string.h>

static enum bl_status parse_segment(struct plan_segment *segment, const char *text, size_t length,
                                    struct bl_diag *diag)
{
    size_t i = 0, name = 0;
    uint32_t seconds = 0;
    while (i < length && isdigit((unsigned char)text[i]) && seconds <= PLAN_SECONDS_MAX)
        seconds = seconds * 10 + (uint32_t)(text[i++] - '0');
    size_t digits = i;
    while (i < length && text[i] == ' ')
        i++;
    memset(segment, 0, sizeof *segment);
    while (i < length && (isalpha((unsigned char)text[i]) || text[i] == '-') &&
           name < PLAN_NAME_MAX)
        segment->name[name++] = text[i++];
    if (digits == 0 || name == 0 || i != length)
        return bl_fail(diag, BL_USAGE, say_fail_plan_is_not_seconds_name_as, (int)length, text);
    segment->seconds = seconds;
    segment->open[SIDE_LEFT] = !strcmp(segment->name, "left") || !strcmp(segment->name, "both");
    segment->open[SIDE_RIGHT] = !strcmp(segment->name, "right") || !strcmp(segment->name, "both");
    uint32_t least = segment->open[SIDE_LEFT] || segment->open[SIDE_RIGHT] ? 5 : 1;
    if (seconds < least || seconds > PLAN_SECONDS_MAX)
        return bl_fail(diag, BL_USAGE, say_fail_plan_must_last_to_seconds, (int)length, text, least,
                       PLAN_SECONDS_MAX);
    return BL_OK;
}

enum bl_status plan_parse(struct plan *plan, const char *text, struct bl_diag *diag)
{
    plan->count = 0;
    for (;;) {
        while (*text == ' ')
            text++;
        size_t length = strcspn(text, ",");
        size_t trimmed = length;
        while (trimmed && text[trimmed - 1] == ' ')
            trimmed--;
        if (plan->count == PLAN_SEGMENTS)
            return bl_fail(diag, BL_USAGE, say_fail_plan_more_than_segments, PLAN_SEGMENTS);
        enum bl_status status = parse_segment(&plan->segment[plan->count], text, trimmed, diag);
        if (status)
            return status;
        plan->count++;
        text += length;
        if (*text++ == '\0')
            return BL_OK;
    }
}

static uint64_t length_us(const struct plan_clock *clock)
{
    bl_assert(clock->index < clock->plan->count);
    return (uint64_t)clock->plan->segment[clock->index].seconds * 1000000u;
}

static uint64_t next_due(const struct plan_clock *clock)
{
    if (clock->plan->count == 0)
        return UINT64_MAX;
    switch (clock->state) {
    case SEGMENT_OPEN:
        return clock->cut_us > PLAN_NOTICE_US ? clock->cut_us - PLAN_NOTICE_US : 0;
    case SEGMENT_CLOSING:
        return clock->followed ? UINT64_MAX : clock->cut_us;
    case SEGMENT_WAITING:
    case SEGMENT_CLOSED:
    case SEGMENT_FINISHED:
        break;
    }
    return UINT64_MAX;
}

void plan_clock_init(struct plan_clock *clock, const struct plan *plan)
{
    *clock = (struct plan_clock){.plan = plan,
                                 .state = plan->count ? SEGMENT_WAITING : SEGMENT_OPEN,
                                 .cut_us = UINT64_MAX,
                                 .due_us = UINT64_MAX};
}

void plan_clock_resume(struct plan_clock *clock, unsigned index, uint64_t remaining_us,
                       uint64_t now_us)
{
    if (index >= clock->plan->count) {
        clock->state = SEGMENT_FINISHED;
        clock->due_us = UINT64_MAX;
        return;
    }
    clock->index = index;
    if (remaining_us > length_us(clock))
        remaining_us = length_us(clock);
    remaining_us -= remaining_us < PLAN_LOSS_US ? remaining_us : PLAN_LOSS_US; /* never growing */
    clock->state = SEGMENT_OPEN;
    clock->cut_us = now_us + remaining_us;
    clock->due_us = next_due(clock);
}

void plan_clock_begin(struct plan_clock *clock, uint64_t now_us)
{
    if (clock->state != SEGMENT_WAITING)
        return;
    clock->state = SEGMENT_OPEN;
    clock->cut_us = now_us + length_us(clock);
    clock->due_us = next_due(clock);
}

void plan_clock_follow(struct plan_clock *clock, unsigned index, enum segment_state state,
                       uint64_t remaining_us, uint64_t now_us)
{
    clock->followed = true;
    clock->index = index < clock->plan->count ? index : clock->plan->count - 1;
    clock->state = state;
    clock->held = state == SEGMENT_CLOSED;
    clock->held_us = remaining_us;
    clock->cut_us = now_us + remaining_us;
    clock->due_us = next_due(clock);
}

bool plan_clock_step(struct plan_clock *clock, uint64_t now_us)
{
    if (clock->due_us == UINT64_MAX || now_us < clock->due_us)
        return false;
    if (clock->state == SEGMENT_OPEN) {
        clock->state = SEGMENT_CLOSING;
    } else if (!clock->ended && clock->index + 1 < clock->plan->count) {
        clock->index++;
        clock->state = SEGMENT_OPEN;
        clock->cut_us += length_us(clock); /* counts from the planned cut, so that late steps do not
                                            * add up */
    } else {
        clock->state = SEGMENT_FINISHED;
    }
    bl_assert(clock->index < clock->plan->count && clock->state != SEGMENT_WAITING);
    clock->due_us = next_due(clock);
    return true;
}

bool plan_clock_end(struct plan_clock *clock, uint64_t now_us)
{
    if (clock->plan->count == 0 || clock->state != SEGMENT_OPEN || clock->followed)
        return false;
    clock->ended = true;
    if (clock->cut_us > now_us + PLAN_NOTICE_US)
        clock->cut_us = now_us + PLAN_NOTICE_US;
    clock->due_us = next_due(clock);
    return true;
}

uint64_t plan_clock_remaining(const struct plan_clock *clock, uint64_t now_us)
{
    if (clock->plan->count == 0)
        return UINT64_MAX;
    if (clock->state == SEGMENT_WAITING)
        return length_us(clock);
    if (clock->held)
        return clock->held_us;
    if (clock->state == SEGMENT_FINISHED || clock->cut_us <= now_us)
        return 0;
    return clock->cut_us - now_us;
}

bool plan_clock_open(const struct plan_clock *clock, enum side side)
{
    if (clock->plan->count == 0)
        return true;
    return clock->state == SEGMENT_OPEN && clock->plan->segment[clock->index].open[side];
}

unsigned plan_last_open(const struct plan *plan, enum side side)
{
    for (unsigned i = plan->count; i > 0; i--)
        if (plan->segment[i - 1].open[side])
            return i - 1;
    return plan->count;
}
