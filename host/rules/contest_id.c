#include "rules/contest_id.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void contest_id_write(int64_t begun_us, char id[CONTEST_ID])
{
    snprintf(id, CONTEST_ID, "%" PRIx64, (uint64_t)begun_us);
}

bool contest_id_read(const char *id, int64_t *begun_us)
{
    size_t length = strspn(id, "0123456789abcdef");
    if (length == 0 || length >= CONTEST_ID || id[length])
        return false;
    *begun_us = (int64_t)strtoull(id, NULL, 16);
    return true;
}

bool contest_id_differ(const char *id, const char *other)
{
    int64_t one, two;
    return contest_id_read(id, &one) && contest_id_read(other, &two) && one != two;
}
