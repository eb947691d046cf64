#include "transcript/requests.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void add_reason(struct requests *r, const char *text, size_t length)
{
    char name[sizeof r->reason[0].text];
    snprintf(name, sizeof name, "%.*s", (int)length, text);
    for (unsigned i = 0; *name && i < REQUESTS_REASONS; i++) {
        if (!r->reason[i].count)
            memcpy(r->reason[i].text, name, sizeof name);
        if (strcmp(r->reason[i].text, name) == 0) {
            r->reason[i].count++;
            return;
        }
    }
}

static enum bl_status add_time(struct requests *r, uint32_t ms)
{
    if (r->answered == r->room) {
        size_t room = r->room ? r->room * 2 : 64;
        uint32_t *more = realloc(r->took_ms, room * sizeof *more);
        if (!more)
            return BL_NOMEM;
        r->took_ms = more;
        r->room = room;
    }
    r->took_ms[r->answered++] = ms;
    return BL_OK;
}

/* Parses "; 1200 ms, first word after 300 ms, try 2, 5 tokens in, 3 out, finish stop", where only
 * the first two are always present. */
static enum bl_status add_figures(struct requests *r, const char *text, bool answered)
{
    uint64_t in, out;
    uint32_t ms, again;
    int used = 0;
    if (sscanf(text, "; %" SCNu32 " ms, first word after %*d ms%n", &ms, &used) != 1 || !used)
        return BL_OK;
    text += used;
    used = 0;
    if (sscanf(text, ", try %" SCNu32 "%n", &again, &used) == 1) {
        r->retries++;
        text += used;
    }
    used = 0;
    if (sscanf(text, ", %" SCNu64 " tokens in, %" SCNu64 " out%n", &in, &out, &used) == 2) {
        r->tokens_in += in;
        r->tokens_out += out;
        text += used;
    }
    if (!answered)
        return BL_OK;
    if (strncmp(text, ", finish ", 9) == 0)
        add_reason(r, text + 9, strlen(text + 9));
    return add_time(r, ms);
}

enum bl_status requests_take(struct requests *r, const char *note)
{
    static const char warm[] = "warmed up: model ";
    static const char silent[] = "no answer after ";
    uint64_t number;
    int used = 0;
    if (strncmp(note, warm, sizeof warm - 1) == 0) {
        const char *name = note + sizeof warm - 1, *end = strstr(name, " (listed: ");
        snprintf(r->model, sizeof r->model, "%.*s", (int)(end ? end - name : (int)strlen(name)),
                 name);
    }
    if (strncmp(note, silent, sizeof silent - 1) == 0)
        r->fallbacks++;
    if (sscanf(note, "request %" SCNu64 ": %n", &number, &used) != 1 || used == 0)
        return BL_OK;
    note += used;
    r->count++;
    if (strncmp(note, "cancelled", 9) == 0) {
        r->cancelled++;
        return BL_OK;
    }
    bool answered = strncmp(note, "answered", 8) == 0;
    if (!answered) {
        r->failed++;
        add_reason(r, note, strcspn(note, ":;"));
    }
    return add_figures(r, note + strcspn(note, ";"), answered);
}

static int by_size(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

void requests_end(struct requests *r)
{
    size_t n = (size_t)r->answered;
    if (n == 0)
        return;
    qsort(r->took_ms, n, sizeof *r->took_ms, by_size);
    r->most_ms = r->took_ms[n - 1];
    r->median_ms =
        n % 2 ? r->took_ms[n / 2] : ((uint64_t)r->took_ms[n / 2 - 1] + r->took_ms[n / 2]) / 2;
}

void requests_free(struct requests *r)
{
    free(r->took_ms);
    r->took_ms = NULL;
}
