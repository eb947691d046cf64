/* Any text is safe to read as the file of a venue, and what is taken makes tickets that the
 * terminals read, for the machines that it names. */
#include "rules/ticket.h"
#include "contest/venue.h"
#include "tests/support/drawn.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length);

static struct contest *contest;
static unsigned tickets;

/* A judge's ticket has the two ports of one booth, as the venue has them. */
static enum bl_status take_ticket(void *ctx, const char *path, const char *text,
                                  struct bl_diag *diag)
{
    static struct ticket ticket;
    const struct venue *venue = ctx;
    bool found = false;
    tickets++;
    if (ticket_parse(&ticket, text, path, diag))
        abort();
    for (unsigned i = 0; i < SCHEDULE_ENTRIES_MAX && !found; i++) {
        const struct venue_booth *booth = &venue->booth[i];
        for (unsigned a = 0; a < VENUE_CABLES; a++)
            found = found || (strcmp(ticket.left, booth->judge[a]) == 0 &&
                              strcmp(ticket.right, booth->judge[1 - a]) == 0);
    }
    if (strcmp(ticket.role, "judge") == 0 && !found)
        abort();
    return BL_OK;
}

static void read_venue(const char *text)
{
    static struct venue venue;
    struct bl_diag diag = {""};
    tickets = 0;
    if (venue_parse(&venue, text, "venue", &diag) == BL_OK)
        tickets_write(contest, &venue, 0, take_ticket, &venue, &diag);
    else if (!diag.text[0])
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
    static const char good[] =
        "[venue]\nformat=1\nkeys=none\n[machines]\n"
        "booth1.judge-a=serial:a\nbooth1.judge-b=serial:b\nbooth1.entity-a=serial:c\n"
        "booth1.entity-b=serial:d\nbooth2.judge-a=serial:a\nbooth2.judge-b=serial:b\n"
        "booth2.entity-a=serial:c\nbooth2.entity-b=serial:d\n"
        "entry1.program=/opt/a\nentry2.program=/opt/b\n";
    char *text = malloc(length + 1);
    if (!contest) {
        contest = drawn_make("loebner-2004");
        read_venue(good);
        if (tickets != 4 * 3) /* a judge's and two entities', of each session */
            abort();
    }
    if (!text)
        return 0;
    memcpy(text, bytes, length);
    text[length] = '\0';
    read_venue(text);
    free(text);
    return 0;
}
