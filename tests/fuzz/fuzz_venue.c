/* Any text is safe to read as the file of a venue, and what is taken makes tickets that the
 * terminals read, for the machines that it names. */
#include "rules/rulesets.h"
#include "rules/ticket.h"
#include "contest/venue.h"
#include "tests/support/plan.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length);

/* Two of each under the rules of 2004, and their draw. */
static struct contest *make_contest(void)
{
    struct contest *contest = contest_create();
    struct bl_diag diag;
    for (const struct built_text *at = ruleset_texts; contest && at->name; at++)
        if (strcmp(at->name, "loebner-2004") == 0 &&
            ruleset_parse(&contest->ruleset, at->text, at->name, &diag))
            abort();
    if (!contest)
        abort();
    plan_all(&contest->schedule, 2, 2, 2, false);
    for (unsigned role = CONTEST_ENTRY; role <= CONTEST_CONFEDERATE; role++)
        contest->people[role] = 2;
    contest->drawn = true;
    return contest;
}

/* A judge's ticket has the two ports of one booth, as the venue has them. */
static enum bl_status take_ticket(void *ctx, const char *path, const char *text,
                                  struct bl_diag *diag)
{
    static struct ticket ticket;
    const struct venue *venue = ctx;
    bool found = false;
    if (ticket_parse(&ticket, text, path, diag))
        abort();
    for (unsigned i = 0; i < SCHEDULE_PEOPLE_MAX && !found; i++) {
        const struct venue_booth *booth = &venue->booth[i];
        for (unsigned a = 0; a < VENUE_CABLES; a++)
            found = found || (strcmp(ticket.left, booth->judge[a]) == 0 &&
                              strcmp(ticket.right, booth->judge[1 - a]) == 0);
    }
    if (strcmp(ticket.role, "judge") == 0 && !found)
        abort();
    return BL_OK;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
    static struct contest *contest;
    static struct venue venue;
    struct bl_diag diag = {""};
    char *text = malloc(length + 1);
    if (!contest)
        contest = make_contest();
    if (!text)
        return 0;
    memcpy(text, bytes, length);
    text[length] = '\0';
    if (venue_parse(&venue, text, "venue", &diag) == BL_OK)
        tickets_write(contest, &venue, 0, take_ticket, &venue, &diag);
    else if (!diag.text[0])
        abort();
    free(text);
    return 0;
}
