#include "session/notice.h"

#include "base/utf8.h"
#include "session/messages.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* The full stop to add to a reason; "" if the reason has one. */
static const char *stop(const char *reason)
{
    size_t length = strlen(reason);
    return length > 0 && reason[length - 1] == '.' ? "" : ".";
}

static const char *partner(const struct screen_model *model, enum side side)
{
    if (model->role == PARTY_ENTITY)
        return say_the_judge;
    return model->sides == 2 ? model->side[side].title : say_the_partner;
}

static void __attribute__((format(printf, 4, 5)))
add(struct notice *notice, unsigned *count, enum notice_grade grade, const char *format, ...)
{
    va_list args;
    if (*count == NOTICES)
        return;
    notice[*count].grade = grade;
    va_start(args, format);
    vsnprintf(notice[*count].text, sizeof notice[*count].text, format, args);
    va_end(args);
    (*count)++;
}

/* Adds the warning about a side's partner who is not reached. Returns the reach as shown. */
static enum reach add_partner(const struct screen_model *model, const struct view *view,
                              enum side side, struct notice *notice, unsigned *count)
{
    const char *reason = model->side[side].reason ? model->side[side].reason : "";
    const char *colon = *reason ? ": " : "";
    enum reach reach = view_reach(view, model, side);
    const char *who = model->role == PARTY_ENTITY ? say_the_judge_loud
                      : model->sides == 2         ? model->side[side].title
                                                  : say_the_partner_loud;
    switch (reach) {
    case REACH_NO:
        add(notice, count, NOTICE_ALARM, say_cannot_be_reached, who, colon, reason, stop(reason));
        break;
    case REACH_CONNECTING:
        add(notice, count, NOTICE_SOON, say_is_being_connected, partner(model, side), colon, reason,
            stop(reason));
        break;
    case REACH_CUT:
    case REACH_YES:
        break;
    }
    return reach;
}

unsigned notice_list(const struct screen_model *model, const struct view *view,
                     struct notice notice[NOTICES])
{
    enum reach worst = REACH_YES;
    bool called = false, coming = false, asked = false, typing = model->role == PARTY_ENTITY;
    unsigned count = 0;
    for (enum side side = 0; side < model->sides; side++) {
        enum reach reach = add_partner(model, view, side, notice, &count);
        worst = reach < worst ? reach : worst;
        called = called || model->side[side].steward_here;
        typing = typing || model->side[side].active;
        coming = coming || model->side[side].steward_there;
        asked = asked || (reach == REACH_NO && model->side[side].reason &&
                          strstr(model->side[side].reason, "F12"));
    }
    /* The reason may already ask to call the steward. */
    if (worst < REACH_CUT && !called && (typing || !(coming || asked)))
        add(notice, &count, worst == REACH_NO ? NOTICE_ALARM : NOTICE_SOON, "%s",
            coming || asked ? say_it_is_kept
            : typing        ? say_what_you_type_is_kept
                            : say_if_this_lasts_press_f12);
    if (called)
        add(notice, &count, NOTICE_CALL, "%s",
            model->role == PARTY_JUDGE ? say_you_have_called_the_steward
                                       : say_you_have_called_the_steward_here);
    if (coming && !called)
        add(notice, &count, NOTICE_CALL, say_the_steward_is_coming);
    if (model->standing && *model->standing)
        add(notice, &count, NOTICE_SOON, "%s", model->standing);
    return count;
}

size_t notice_line(const char *text, unsigned columns, const char **next)
{
    size_t length = strlen(text), at = 0, blank = 0;
    unsigned used = 0;
    while (at < length) {
        uint32_t point = '?';
        size_t bytes = utf8_decode((const uint8_t *)text + at, length - at, &point);
        unsigned width = bytes && point >= 0x20 && key_is_key(point) ? point_width(point) : 1;
        if (used + width > columns && used > 0) {
            if (text[at] == ' ')
                blank = at;
            if (blank == 0)
                blank = at;
            *next = text + blank + strspn(text + blank, " ");
            if (!**next)
                *next = NULL;
            return blank;
        }
        if (text[at] == ' ')
            blank = at;
        used += width;
        at += bytes ? bytes : 1;
    }
    *next = NULL;
    return length;
}

unsigned notice_rows(const struct notice *notice, unsigned count, unsigned columns)
{
    unsigned rows = 0;
    for (unsigned i = 0; i < count; i++) {
        for (const char *at = notice[i].text; at; rows++)
            notice_line(at, columns, &at);
    }
    return rows;
}
