/* The printed sheets of a contest: each person's booth, round by round, and the labels of booths
 * and cables. Pure. A judge's sheet, and a label that a judge can see, does not tell who is human:
 * a booth's number and a cable's letter are drawn (venue.h). */
#ifndef CONTEST_SHEETS_H
#define CONTEST_SHEETS_H

#include "base/html.h"
#include "rules/timetable.h"
#include "contest/venue.h"

enum sheet_kind {
    SHEET_JUDGES = 1 << 0,
    SHEET_CONFEDERATES = 1 << 1,
    SHEET_ENTRIES = 1 << 2, /* for the operators of Entries */
    SHEET_LABELS = 1 << 3,
    SHEET_SETUP = 1 << 4,  /* for the manager: whose each booth is, and all moves */
    SHEET_PRELIM = 1 << 5, /* for judges of a preliminary round, before there is a draw */
    SHEET_FORM = 1 << 6,   /* for entrants to fill in: 2003 r12, r14 */
};
#define SHEETS_OF_DRAW    (~(SHEET_PRELIM | SHEET_FORM) & 0xff) /* the kinds that need a draw */
#define SHEETS_WITH_DOORS (SHEET_CONFEDERATES | SHEET_ENTRIES | SHEET_SETUP)
#define SHEETS_FOR_ALL    (SHEET_JUDGES | SHEET_CONFEDERATES | SHEET_ENTRIES | SHEET_LABELS)

/* Writes one HTML document with the sheets of these kinds, a page each. Without a venue no port is
 * named; if judges meet pairs, the people at the doors are then not known (venue_either()):
 * BL_USAGE for sheets that name doors. BL_DATA as booths_draw(). After an error nothing was
 * written. */
enum bl_status sheets_write(const struct contest *contest, const struct timetable *timetable,
                            const struct venue *venue, unsigned kinds, const struct html_out *out,
                            struct bl_diag *diag);

#endif
