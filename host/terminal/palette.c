#include "terminal/palette.h"

#define BLACK  16
#define NAVY   18
#define SKY    111
#define GREEN  120
#define CYAN   123
#define MAROON 88
#define ROSE   210
#define PINK   213
#define YELLOW 228
#define WHITE  231

static const struct {
    enum role role;
    struct palette_look look, eight;
} looks[] = {
    {ROLE_BAR, {WHITE, NAVY, true}, {7, 4, true}},
    {ROLE_BAR_GOOD, {CYAN, NAVY, true}, {6, 4, true}},
    {ROLE_BAR_SOON, {YELLOW, NAVY, true}, {3, 4, true}},
    {ROLE_BAR_BAD, {MAROON, WHITE, true}, {1, 7, false}},
    {ROLE_GOOD, {CYAN, BLACK, false}, {6, 0, true}},
    {ROLE_SOON, {YELLOW, BLACK, true}, {3, 0, true}},
    {ROLE_BAD, {MAROON, WHITE, true}, {1, 7, false}},
    {ROLE_ALARM, {MAROON, WHITE, true}, {1, 7, false}},
    {ROLE_CALL, {BLACK, YELLOW, false}, {0, 3, false}},
    {ROLE_INK, {ROSE, BLACK, false}, {1, 0, true}},
    {ROLE_INK + 1, {GREEN, BLACK, false}, {2, 0, true}},
    {ROLE_INK + 2, {YELLOW, BLACK, false}, {3, 0, true}},
    {ROLE_INK + 3, {SKY, BLACK, false}, {4, 0, true}},
    {ROLE_INK + 4, {PINK, BLACK, false}, {5, 0, true}},
    {ROLE_INK + 5, {CYAN, BLACK, false}, {6, 0, true}},
};

static const struct palette_look none = {PALETTE_OWN, PALETTE_OWN, false};

struct palette_look palette_look(enum role role)
{
    for (unsigned i = 0; i < sizeof looks / sizeof looks[0]; i++) {
        if (looks[i].role == role)
            return looks[i].look;
    }
    return none;
}

struct palette_look palette_look_of_eight(enum role role)
{
    for (unsigned i = 0; i < sizeof looks / sizeof looks[0]; i++) {
        if (looks[i].role == role)
            return looks[i].eight;
    }
    return none;
}

uint32_t palette_rgb(short number)
{
    static const uint8_t level[] = {0, 95, 135, 175, 215, 255};
    unsigned cube = (unsigned)number - 16, grey = 8 + 10 * ((unsigned)number - 232);
    if (number >= 232)
        return grey << 16 | grey << 8 | grey;
    return (uint32_t)level[cube / 36] << 16 | (uint32_t)level[cube / 6 % 6] << 8 | level[cube % 6];
}

uint32_t palette_console(unsigned number)
{
    /* The console's eight basic colours, then the eight that it uses for bold text. */
    static const short as[PALETTE_CONSOLE] = {BLACK, MAROON, GREEN, YELLOW, NAVY,  PINK,
                                              CYAN,  WHITE,  244,   ROSE,   GREEN, YELLOW,
                                              SKY,   PINK,   CYAN,  WHITE};
    return palette_rgb(as[number % PALETTE_CONSOLE]);
}
