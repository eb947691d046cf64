#include "rules/contest_id.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

void contest_id_write(int64_t begun_us, char id[CONTEST_ID])
{
    snprintf(id, CONTEST_ID, "%" PRIx64, (uint64_t)begun_us);
}

bool contest_id_is(const char *text)
{
    size_t length = strspn(text, "0123456789abcdef");
    return length > 0 && length < CONTEST_ID && !text[length];
}

bool contest_id_differ(const char *id, const char *other)
{
    return contest_id_is(id) && contest_id_is(other) && strcmp(id, other) != 0;
}
