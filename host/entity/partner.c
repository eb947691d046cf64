#include "entity/partner.h"

#include "base/time.h"
#include "session/event.h"

#include <stdio.h>
#include <string.h>

#define THINKS_US 1200000u
#define KEY_US    110000u

/* Patterns and their answers. %s is the rest of the judge's line, with "I" and "you" exchanged. */
static const struct {
    const char *heard, *says;
} patterns[] = {
    {"i am ", "How long have you been %s?"},
    {"i'm ", "How long have you been %s?"},
    {"i feel ", "Do you often feel %s?"},
    {"i think ", "What makes you think %s?"},
    {"i want ", "What would it mean to you if you got %s?"},
    {"i ", "Why do you say that you %s?"},
    {"are you ", "Would it matter to you if I were %s?"},
    {"you are ", "What makes you think I am %s?"},
    {"do you ", "Do I %s? Let us talk about you."},
    {"my ", "Tell me more about your %s."},
    {"hello", "Hello. This is for practice: nothing of it is kept. What is on your mind?"},
    {"because", "Is that the real reason?"},
};
static const char *const others[] = {"Please go on.", "What does that suggest to you?",
                                     "I see. And how do you feel about that?",
                                     "Can you give me an example?"};

/* Words that the partner exchanges. */
static const char *const mirror[][2] = {
    {"i", "you"}, {"me", "you"},  {"my", "your"},    {"mine", "yours"},     {"am", "are"},
    {"you", "I"}, {"your", "my"}, {"yours", "mine"}, {"myself", "yourself"}};

void partner_begin(struct partner *partner)
{
    *partner = (struct partner){.due_us = BL_NEVER};
}

static void turn_round(char *out, size_t size, const char *text)
{
    size_t used = 0;
    while (*text && used + 1 < size) {
        size_t length = strcspn(text, " ");
        const char *word = text;
        int shown = (int)length;
        for (size_t i = 0; i < sizeof mirror / sizeof mirror[0]; i++) {
            if (strlen(mirror[i][0]) == length && strncmp(mirror[i][0], text, length) == 0) {
                word = mirror[i][1];
                shown = (int)strlen(word);
                break;
            }
        }
        used += (size_t)snprintf(out + used, size - used, "%s%.*s", used ? " " : "", shown, word);
        text += length;
        text += strspn(text, " ");
    }
}

static void answer(struct partner *partner)
{
    char rest[PARTNER_LINE] = "";
    const char *heard = partner->heard + strspn(partner->heard, " ");
    partner->heard[partner->length] = '\0';
    partner->heard[strcspn(partner->heard, ".!?,;")] = '\0';
    const char *says = others[partner->turns++ % (sizeof others / sizeof others[0])];
    for (size_t i = 0; i < sizeof patterns / sizeof patterns[0]; i++) {
        size_t length = strlen(patterns[i].heard);
        if (strncmp(heard, patterns[i].heard, length) == 0) {
            turn_round(rest, sizeof rest, heard + length);
            says = patterns[i].says;
            break;
        }
    }
    size_t before = strcspn(says, "%");
    snprintf(partner->says, sizeof partner->says, "%.*s%s%s\r", (int)before, says,
             says[before] ? rest : "", says[before] ? says + before + 2 : "");
    partner->said = 0;
}

void partner_hear(struct partner *partner, uint32_t point, uint64_t now_us)
{
    if (point == KEY_BACKSPACE) {
        partner->length -= partner->length > 0;
    } else if (point == KEY_RETURN) {
        answer(partner);
        partner->length = 0;
        partner->due_us = now_us + THINKS_US;
    } else if (partner->length + 1 < sizeof partner->heard && point < 0x80) {
        partner->heard[partner->length++] =
            (char)(point >= 'A' && point <= 'Z' ? point + ('a' - 'A') : point);
    }
}

uint32_t partner_key(struct partner *partner, uint64_t now_us)
{
    if (now_us < partner->due_us)
        return 0;
    char key = partner->says[partner->said++];
    partner->due_us = partner->says[partner->said] ? now_us + KEY_US : BL_NEVER;
    return (uint32_t)(unsigned char)key;
}
