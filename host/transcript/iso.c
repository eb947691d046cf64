#include "transcript/iso.h"

#define SECOND_US 1000000u
#define DAY_S     86400u

/* Converts days since 1970 to a date. Years are counted from the first of March, so that a leap day
 * is a year's last day; 1 January 1970 is day 719468 of the count. */
static void date_of(uint64_t days, unsigned *year, unsigned *month, unsigned *day)
{
    uint64_t z = days + 719468u;
    uint64_t era = z / 146097u;
    unsigned d = (unsigned)(z % 146097u);
    unsigned y = (d - d / 1460u + d / 36524u - d / 146096u) / 365u;
    unsigned yearday = d - (365u * y + y / 4u - y / 100u);
    unsigned m = (5u * yearday + 2u) / 153u;
    *day = yearday - (153u * m + 2u) / 5u + 1u;
    *month = m < 10u ? m + 3u : m - 9u;
    *year = y + (unsigned)era * 400u + (*month <= 2u);
}

static uint64_t days_of(unsigned year, unsigned month, unsigned day)
{
    unsigned y = year - (month <= 2u);
    unsigned m = month > 2u ? month - 3u : month + 9u;
    unsigned yearday = (153u * m + 2u) / 5u + day - 1u;
    unsigned of_era = y % 400u;
    return (uint64_t)(y / 400u) * 146097u + of_era * 365u + of_era / 4u - of_era / 100u + yearday -
           719468u;
}

static void put(char *at, unsigned value, unsigned digits)
{
    while (digits--) {
        at[digits] = (char)('0' + value % 10u);
        value /= 10u;
    }
}

void iso_write(uint64_t wall_us, char text[ISO_LENGTH + 1])
{
    static const char form[] = "0000-00-00T00:00:00.000000Z";
    unsigned year, month, day;
    if (wall_us > ISO_MAX_US)
        wall_us = ISO_MAX_US;
    uint64_t seconds = wall_us / SECOND_US;
    unsigned of_day = (unsigned)(seconds % DAY_S);
    date_of(seconds / DAY_S, &year, &month, &day);
    for (size_t i = 0; i < sizeof form; i++)
        text[i] = form[i];
    put(text, year, 4);
    put(text + 5, month, 2);
    put(text + 8, day, 2);
    put(text + 11, of_day / 3600u, 2);
    put(text + 14, of_day / 60u % 60u, 2);
    put(text + 17, of_day % 60u, 2);
    put(text + 20, (unsigned)(wall_us % SECOND_US), 6);
}

static unsigned take(const char *at, unsigned digits)
{
    unsigned value = 0;
    while (digits--)
        value = value * 10u + (unsigned)(*at++ - '0');
    return value;
}

bool iso_read(const char *text, size_t length, uint64_t *wall_us)
{
    static const char form[] = "0000-00-00T00:00:00.000000Z";
    char back[ISO_LENGTH + 1];
    if (length != ISO_LENGTH)
        return false;
    for (size_t i = 0; i < length; i++)
        if (form[i] == '0' ? text[i] < '0' || text[i] > '9' : text[i] != form[i])
            return false;
    unsigned year = take(text, 4), month = take(text + 5, 2), day = take(text + 8, 2);
    unsigned second = take(text + 11, 2) * 3600u + take(text + 14, 2) * 60u + take(text + 17, 2);
    if (year < 1970 || month < 1 || month > 12 || day < 1)
        return false;
    *wall_us = (days_of(year, month, day) * DAY_S + second) * SECOND_US + take(text + 20, 6);
    /* 30 February or 25 o'clock would be written otherwise. */
    iso_write(*wall_us, back);
    for (size_t i = 0; i < length; i++)
        if (back[i] != text[i])
            return false;
    return true;
}
