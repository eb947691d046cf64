#include "contest/labels.h"

#include <stdio.h>

/* The large text distinguishes a machine's label from a cable's: "Booth 1", "cable A". */
static void put_label(const struct html_out *out, unsigned booth, const char *big, const char *what)
{
    html_put(out, "<div class=\"label\"><b>Booth %u</b><b>%s</b>%s</div>\n", booth + 1, big, what);
}

static void put_row(const struct html_out *out)
{
    html_put(out, "<div class=\"row\"></div>\n");
}

static void put_machine(const struct html_out *out, unsigned booth, const char *big,
                        const char *where, const char *place)
{
    char text[96];
    snprintf(text, sizeof text, "%sits place: booth %u, %s", where, booth + 1, place);
    put_label(out, booth, big, text);
}

/* A label for each plug. A line through a box has two cables, whose labels name the box's
 * sockets. */
static void put_cable(const struct html_out *out, unsigned booth, bool box, char letter)
{
    char big[32], what[64];
    if (!box) {
        snprintf(big, sizeof big, "cable %c", letter);
        put_label(out, booth, big, "the end at the judge's machine");
        snprintf(what, sizeof what, "the end at door %c", letter);
        put_label(out, booth, big, what);
        return;
    }
    snprintf(big, sizeof big, "cable %c-judge", letter);
    put_label(out, booth, big, "the end at the judge's machine");
    snprintf(what, sizeof what, "the end at the box, socket JUDGE %c", letter);
    put_label(out, booth, big, what);
    snprintf(big, sizeof big, "cable %c-entity", letter);
    snprintf(what, sizeof what, "the end at the box, socket ENTITY %c", letter);
    put_label(out, booth, big, what);
    snprintf(what, sizeof what, "the end at door %c", letter);
    put_label(out, booth, big, what);
}

void labels_put(const struct contest *contest, const struct venue *venue, unsigned booths,
                const struct html_out *out)
{
    bool single = contest->ruleset.pairing == PAIRING_SINGLE;
    for (unsigned b = 0; b < booths; b++) {
        bool box = venue && venue->booth[b].controller[0];
        html_put(out, "<div class=\"labels\">\n");
        put_machine(out, b, "judge's machine", "", "judge");
        put_machine(out, b, "machine A", "at door A; ", "cable A");
        if (!single)
            put_machine(out, b, "machine B", "at door B; ", "cable B");
        put_row(out);
        put_cable(out, b, box, 'A');
        if (!single)
            put_cable(out, b, box, 'B');
        if (box) {
            put_row(out);
            put_label(out, b, "the box", "the controller");
            put_label(out, b, "USB cable", "the end at the judge's machine");
            put_label(out, b, "USB cable", "the end at the box");
        }
        html_put(out, "</div>\n");
    }
}
