#include "terminal/clock.h"

#include <stdio.h>

#define DIGIT_ROWS  5
#define DIGIT_DOTS  3
#define DOT_COLUMNS 2 /* with two columns, a dot is about square */
#define GAP_COLUMNS 2
#define FULL_BLOCK  0x2588

void clock_text(uint64_t remaining_us, char text[CLOCK_TEXT])
{
    uint64_t seconds = remaining_us / 1000000u + (remaining_us % 1000000u ? 1 : 0);
    if (seconds > 999u * 60u + 59u)
        seconds = 999u * 60u + 59u;
    snprintf(text, CLOCK_TEXT, "%02u:%02u", (unsigned)(seconds / 60), (unsigned)(seconds % 60));
}

static unsigned dots(char sign)
{
    return sign == ':' ? 1 : DIGIT_DOTS;
}

unsigned clock_columns(const char *text)
{
    unsigned columns = 0;
    for (; *text; text++)
        columns += dots(*text) * DOT_COLUMNS + (text[1] ? GAP_COLUMNS : 0);
    return columns;
}

void clock_draw(struct frame *frame, unsigned row, unsigned column, const char *text)
{
    static const char *const digits[10][DIGIT_ROWS] = {
        {"###", "# #", "# #", "# #", "###"}, {"  #", "  #", "  #", "  #", "  #"},
        {"###", "  #", "###", "#  ", "###"}, {"###", "  #", "###", "  #", "###"},
        {"# #", "# #", "###", "  #", "  #"}, {"###", "#  ", "###", "  #", "###"},
        {"###", "#  ", "###", "# #", "###"}, {"###", "  #", "  #", "  #", "  #"},
        {"###", "# #", "###", "# #", "###"}, {"###", "# #", "###", "  #", "###"}};
    static const char *const colon[DIGIT_ROWS] = {" ", "#", " ", "#", " "};
    for (; *text; text++) {
        const char *const *shape = *text == ':' ? colon : digits[(*text - '0') % 10];
        for (unsigned y = 0; y < DIGIT_ROWS; y++) {
            for (unsigned x = 0; x < dots(*text); x++) {
                if (shape[y][x] == '#')
                    frame_fill(frame, row + y, column + x * DOT_COLUMNS, DOT_COLUMNS, FULL_BLOCK,
                               ROLE_STRONG);
            }
        }
        column += dots(*text) * DOT_COLUMNS + GAP_COLUMNS;
    }
}
