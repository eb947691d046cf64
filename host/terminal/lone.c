#include "terminal/lone.h"

#include "base/utf8.h"

/* Writes number + 1 in decimal digits: CUP counts from one. Returns the number of digits. */
static size_t put_number(unsigned number, char *out)
{
    size_t length = 0;
    number++;
    if (number >= 100)
        out[length++] = (char)('0' + number / 100 % 10);
    if (number >= 10)
        out[length++] = (char)('0' + number / 10 % 10);
    out[length++] = (char)('0' + number % 10);
    return length;
}

size_t lone_move(struct lone_place to, char out[LONE_TEXT])
{
    size_t length = 0;
    out[length++] = '\033';
    out[length++] = '[';
    length += put_number(to.row, out + length);
    out[length++] = ';';
    length += put_number(to.column, out + length);
    out[length++] = 'H';
    return length;
}

size_t lone_put(uint32_t point, struct lone_place at, const struct lone_place *end,
                char out[LONE_TEXT])
{
    size_t length = lone_move(at, out);
    length += utf8_encode(point, (uint8_t *)out + length);
    if (end)
        length += lone_move(*end, out + length);
    return length;
}
