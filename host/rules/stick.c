#include "rules/stick.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ACTS_DIGITS 9

const char *const stick_rooms[STICK_ROOMS] = {"judges-room", "back-room"};

void stick_ranks(unsigned judge, char out[PLACE_NAME])
{
    snprintf(out, PLACE_NAME, "judge-%u-ranks", (judge + 1) % 1000000);
}

bool stick_ranks_read(const char *name, unsigned *judge)
{
    char again[PLACE_NAME]; /* only this spelling is accepted */
    if (sscanf(name, "judge-%4u-", judge) != 1 || *judge == 0)
        return false;
    stick_ranks(--*judge, again);
    return strcmp(again, name) == 0;
}

void stick_ticket(unsigned round, unsigned repeated, char out[STICK_NAME_MAX])
{
    int length = snprintf(out, STICK_NAME_MAX, "%03u", (round + 1) % 10000);
    if (repeated)
        length +=
            snprintf(out + length, STICK_NAME_MAX - (size_t)length, "-%u", (repeated + 1) % 1000);
    snprintf(out + length, STICK_NAME_MAX - (size_t)length, ".ticket");
}

void stick_contest_write(const char *name, int64_t begun_us, char out[STICK_CONTEST_MAX])
{
    char id[CONTEST_ID];
    contest_id_write(begun_us, id);
    snprintf(out, STICK_CONTEST_MAX, "%.*s [%s]", STICK_CONTEST_MAX - CONTEST_ID - 4, name, id);
}

bool stick_contest_id(const struct stick *stick, char id[CONTEST_ID])
{
    const char *open = strrchr(stick->contest, '[');
    size_t length = open ? strcspn(++open, "]") : 0;
    if (!open || length >= CONTEST_ID || strcmp(open + length, "]") != 0)
        return false;
    memcpy(id, open, length);
    id[length] = '\0';
    return contest_id_is(id);
}

void stick_head_write(const struct stick *stick, char out[STICK_LINE_MAX])
{
    snprintf(out, STICK_LINE_MAX, "boothlink-stick 1 %s room=%s acts=%" PRId64 " contest=%s\n",
             stick->complete ? "complete" : "writing", stick_rooms[stick->room], stick->acts,
             stick->contest);
}

void stick_file_write(const struct stick_file *file, char out[STICK_LINE_MAX])
{
    snprintf(out, STICK_LINE_MAX, "%08" PRIx32 " %" PRIu64 " %s\n", file->crc, file->bytes,
             file->path);
}

enum bl_status stick_head_read(struct stick *stick, const char *text, const char *name,
                               const char **rest, struct bl_diag *diag)
{
    char word[16], room[16], acts[16];
    int at = 0;
    memset(stick, 0, sizeof *stick);
    if (sscanf(text, "boothlink-stick 1 %15s room=%15s acts=%15s contest=%n", word, room, acts,
               &at) != 3 ||
        at == 0 || strlen(acts) > ACTS_DIGITS || acts[strspn(acts, "0123456789")])
        return bl_fail(diag, BL_DATA, "%s:1: this is no list of a stick of boothlink", name);
    size_t length = strcspn(text + at, "\n");
    stick->acts = strtoll(acts, NULL, 10);
    stick->complete = strcmp(word, "complete") == 0;
    if ((!stick->complete && strcmp(word, "writing") != 0) || length >= sizeof stick->contest)
        return bl_fail(diag, BL_DATA, "%s:1: '%s': expected complete or writing, and a name", name,
                       word);
    memcpy(stick->contest, text + at, length);
    *rest = text + at + length + (text[(size_t)at + length] == '\n');
    for (unsigned i = 0; i < STICK_ROOMS; i++) {
        stick->room = (enum stick_room)i;
        if (strcmp(room, stick_rooms[i]) == 0)
            return BL_OK;
    }
    return bl_fail(diag, BL_DATA, "%s:1: room=%s: expected %s or %s", name, room,
                   stick_rooms[STICK_JUDGES], stick_rooms[STICK_BACK]);
}

bool stick_file_read(struct stick_file *file, const char **at)
{
    size_t length = strcspn(*at, "\n"), path;
    int begin = 0;
    memset(file, 0, sizeof *file);
    if ((*at)[length] != '\n' ||
        sscanf(*at, "%8" SCNx32 " %" SCNu64 " %n", &file->crc, &file->bytes, &begin) != 2 ||
        begin == 0 || (size_t)begin >= length)
        return false;
    path = length - (size_t)begin;
    if (path >= sizeof file->path)
        return false;
    memcpy(file->path, *at + begin, path);
    /* A path must be below the list's folder. */
    if (file->path[0] == '/' || strstr(file->path, ".."))
        return false;
    *at += length + 1;
    return true;
}
