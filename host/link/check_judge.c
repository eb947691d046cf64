#include "base/utf8.h"
#include "link/check_ether.h"
#include "link/check_report.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define CLOCK_US   1000000 /* clocks with a greater difference are reported */
#define MATCH_MAX  24
#define OTHER_PORT "serial:/dev/ttyUSB0" /* an example in a message */
#define LEAST_US   10000000u             /* a shorter call shows nothing about the cable */

void check_add(struct check_report *report, enum check_mark mark, const char *what,
               const char *format, ...)
{
    struct check_finding *finding = &report->finding[report->count];
    va_list args;
    if (report->count == CHECK_FINDINGS)
        return;
    finding->mark = mark;
    finding->what = what;
    va_start(args, format);
    vsnprintf(finding->text, sizeof finding->text, format, args);
    va_end(args);
    utf8_plain(finding->text, sizeof finding->text, finding->text, strlen(finding->text));
    report->count++;
    report->faults += mark == CHECK_FAULT;
}

void check_next(struct check_report *report, const char *format, ...)
{
    va_list args;
    char text[sizeof report->step[0]];
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    for (size_t i = 0; i < report->steps; i++)
        if (strcmp(report->step[i], text) == 0)
            return;
    if (report->steps < CHECK_STEPS)
        strcpy(report->step[report->steps++], text);
}

void check_other_end(const struct check_line *line, bool session, const char *port,
                     struct check_report *report)
{
    const struct probe_self *self = &line->settings.self;
    char machine[40] = "judge's machine";
    if (self->judge && self->cable)
        snprintf(machine, sizeof machine, "machine of cable %c", self->cable & ~0x20);
    else if (self->judge)
        snprintf(machine, sizeof machine, "machine at the other end");
    if (line->ticket)
        check_next(report,
                   session ? "Leave the session at the %s (F10), and press F3 there."
                           : "Press F3 at the %s at the same time, if nobody has.",
                   machine);
    else
        check_next(report,
                   session ? "End boothlink there, and run instead: boothlink check %s %s"
                           : "Run check on the other machine at the same time: boothlink check %s "
                             "%s (`boothlink ports` names the port there).",
                   self->judge ? "--line" : "--left", port);
}

static void start_other(const struct check_line *line, struct check_report *report)
{
    check_other_end(line, false, OTHER_PORT, report);
}

/* Names a cable by its row in the table. If the row's words speak of a and b, the local end is
 * named, too. */
static void add_cable(const struct check_line *line, struct check_report *report,
                      enum check_mark mark, const char *what, const struct cable *cable)
{
    char here = cable_here(cable, &line->result.seen);
    bool told = cable->cure && !cable->box;
    bool alike = memcmp(&cable->end[0], &cable->end[1], sizeof cable->end[0]) == 0;
    check_add(report, mark, what, "%s: %s%s", cable->name, cable->words,
              !told || (alike && !here) ? ""
              : here == 'a'             ? " (a is this end, b the other)"
              : here == 'b'             ? " (b is this end, a the other)"
                                        : " (a may be this end or the other)");
}

/* Names the candidates for a cable that is certainly faulty and not wholly known. */
static void judge_part(const struct check_line *line, struct check_report *report)
{
    const struct cable *match[MATCH_MAX];
    size_t count = cable_match(&line->result.seen, match, MATCH_MAX);
    if (count > MATCH_MAX)
        count = MATCH_MAX;
    if (count == 1)
        add_cable(line, report, CHECK_FAULT, "cable", match[0]);
    else
        check_add(report, CHECK_FAULT, "cable", "wired wrong, or a wire of it is broken");
    if (count > 1)
        check_add(report, CHECK_NOTE, "", "it may be one of these:");
    for (size_t i = 0; count > 1 && i < count; i++)
        add_cable(line, report, CHECK_NOTE, "", match[i]);
    for (size_t i = 0; i < count && (count == 1 || line->result.seen.box); i++)
        if (match[i]->cure)
            check_next(report, "%s", match[i]->cure);
    if (count != 1 && !line->result.seen.box)
        check_next(report, "Push the plugs in at both ends, look for bent pins, or take another "
                           "null-modem cable.");
}

static void judge_cable(const struct check_line *line, struct check_report *report)
{
    const struct cable *match[MATCH_MAX];
    struct cable_difference differ;
    if (cable_match(&line->result.seen, match, MATCH_MAX)) {
        add_cable(line, report, match[0]->cure ? CHECK_FAULT : CHECK_GOOD, "cable", match[0]);
        if (match[0]->cure)
            check_next(report, "%s", match[0]->cure);
    } else {
        check_next(report, "Data crosses, but the cable is wired wrong: take %s.",
                   line->result.seen.box ? "1:1 cables, which end at the controller's box"
                                         : "another null-modem cable");
    }
    if (line->result.seen.box)
        check_add(report, CHECK_NOTE, "",
                  "handshake wires that are broken, looped or shorted are harmless: the box "
                  "carries pins 2, 3 and 5 alone");
    cable_nearest(&line->result.seen, &differ);
    if (differ.wires && !cable_match(&line->result.seen, match, MATCH_MAX))
        check_add(report, CHECK_FAULT, "cable", "most like %s (%s), but:", differ.cable->name,
                  differ.cable->words);
    for (size_t i = 0; i < differ.wires; i++)
        check_add(report, CHECK_NOTE, "", "%s", differ.wire[i]);
}

/* The bit error rate as one error in so many bits, estimated from the lost test frames. */
static unsigned long bits_per_error(unsigned sent, unsigned lost)
{
    return 2ul * sent * PROBE_FRAME_BITS / lost;
}

static void judge_speed(const struct check_line *line, struct check_report *report)
{
    const struct probe_result *result = &line->result;
    const struct probe_rate *rate = &result->rate[0];
    char good[80] = "", bad[80] = "", none[80] = "";
    unsigned lost = rate->sent > rate->returned ? (unsigned)(rate->sent - rate->returned) : 0;
    if (line->settings.self.baud != result->peer.baud) {
        check_add(report, CHECK_FAULT, "speed", "this end is set to %u baud, the other end to %u",
                  line->settings.self.baud, result->peer.baud);
        check_next(report, "Give both ends the same speed, as serial:DEVICE@115200.");
    }
    if (lost == 0)
        check_add(report, CHECK_GOOD, "speed",
                  "%u baud: %u test frame%s there and back without an error, round trip %u.%u ms",
                  rate->baud, rate->sent, BL_S(rate->sent), rate->rtt_us / 1000,
                  rate->rtt_us / 100 % 10);
    else {
        unsigned there = rate->sent > rate->arrived ? (unsigned)(rate->sent - rate->arrived) : 0;
        check_add(
            report, CHECK_FAULT, "speed",
            "%u baud: of %u test frame%s %u did not reach the entity's end and %u did not come "
            "back: about one bit in %lu is wrong",
            rate->baud, rate->sent, BL_S(rate->sent), there, lost > there ? lost - there : 0u,
            bits_per_error(rate->sent, lost));
        check_next(report, "Bits are lost: take a shorter or better cable, keep it away from mains "
                           "leads, or use a lower speed at both ends.");
    }
    for (unsigned i = 1; i < PROBE_SLOTS; i++) {
        const struct probe_rate *other = &result->rate[i];
        char *list = !other->answered ? none : other->returned == other->sent ? good : bad;
        size_t length = strlen(list);
        if (other->baud)
            snprintf(list + length, sizeof good - length, " %u", other->baud);
    }
    if (good[0])
        check_add(report, CHECK_NOTE, "", "without an error also at%s", good);
    if (bad[0])
        check_add(report, CHECK_NOTE, "", "with errors at%s", bad);
    if (none[0])
        check_add(report, CHECK_NOTE, "", "not possible at%s", none);
}

static void judge_clock(const struct check_line *line, struct check_report *report)
{
    int64_t offset = line->result.offset_us;
    uint64_t off = offset < 0 ? 0 - (uint64_t)offset : (uint64_t)offset;
    bool wrong = off > CLOCK_US + (uint64_t)line->result.precise_us;
    if (line->clock_unset) {
        check_add(report, CHECK_FAULT, "clock", "the clock of this machine is not set");
        check_next(report, "Set this machine's clock: sudo timedatectl set-time 'YYYY-MM-DD "
                           "HH:MM:SS'.");
    }
    if (off > line->result.precise_us)
        check_add(report, wrong ? CHECK_FAULT : CHECK_GOOD, "clock",
                  "the other end's is %llu.%03llu s %s (measured within %u.%u ms)",
                  (unsigned long long)off / 1000000, (unsigned long long)off / 1000 % 1000,
                  offset > 0 ? "ahead" : "behind", line->result.precise_us / 1000,
                  line->result.precise_us / 100 % 10);
    else
        check_add(report, CHECK_GOOD, "clock", "both agree, as far as %u.%u ms",
                  line->result.precise_us / 1000, line->result.precise_us / 100 % 10);
    if (wrong)
        check_next(report, "Set the clocks of both machines, and check again.");
}

static void judge_peer(const struct check_line *line, struct check_report *report)
{
    const struct probe_self *self = &line->settings.self, *peer = &line->result.peer;
    if (strcmp(self->version, peer->version) == 0) {
        check_add(report, CHECK_GOOD, "version", "%s at both ends", self->version);
    } else {
        check_add(report, CHECK_FAULT, "version", "%s here, %s at the other end", self->version,
                  peer->version);
        check_next(report, "Install the same version of boothlink on both machines.");
    }
    if (!self->has_secret && !peer->has_secret)
        return;
    if (self->has_secret && peer->has_secret &&
        memcmp(self->fingerprint, peer->fingerprint, sizeof self->fingerprint) == 0) {
        check_add(report, CHECK_GOOD, "key", "the same at both ends");
    } else {
        check_add(report, CHECK_FAULT, "key", "%s",
                  !self->has_secret   ? "none here, one at the other end"
                  : !peer->has_secret ? "one here, none at the other end"
                                      : "the two ends have different secrets");
        check_next(report, "Give both ends the same key file.");
    }
}

static void judge_letters(const struct check_line *line, struct check_report *report)
{
    char here = line->settings.self.cable, there = line->result.peer.cable;
    if (!here || !there)
        return;
    if (here == there) {
        check_add(report, CHECK_GOOD, "ticket", "both ends are cable %c's by their tickets",
                  here == 'a' ? 'A' : 'B');
        return;
    }
    check_add(report, CHECK_FAULT, "swapped",
              "this end is cable %c's by its ticket, the other end cable %c's: the two cables are "
              "swapped",
              here == 'a' ? 'A' : 'B', there == 'a' ? 'A' : 'B');
    check_next(report,
               "Swap the plugs of cables A and B at one of the places: at the judge's "
               "machine, at the entities' machines%s. Their labels say where.",
               line->result.seen.box ? ", at the controller" : "");
}

static void next_of_silence(const struct check_line *line, struct check_report *report)
{
    bool box = line->result.seen.box;
    check_next(report,
               "What check says at the other end tells more. Nothing came there too: no "
               "cable, a %s one, or open ground (pin 5). One direction is dead: a broken "
               "wire. What it sends comes back: a test plug.",
               box ? "crossed" : "straight");
    check_next(report,
               "To tell those three apart, unplug the far end%s, join pins 2 and 3 in its plug "
               "(a paper clip) and check here again. Nothing comes back: no cable, or no "
               "wire of it arrives.",
               box ? " at the box" : "");
    if (box)
        check_next(report, "It comes back: the wires are there, so that cable is a null-modem "
                           "one or its ground is open. Take a 1:1 cable; try the other machine's "
                           "cable alike.");
    else
        check_next(report, "It comes back: the wires are there, so it is a straight cable or its "
                           "ground is open. Put a null-modem adapter in; if it stays silent, take "
                           "another cable.");
}

static void judge_silence(const struct check_line *line, struct check_report *report)
{
    const struct probe_result *result = &line->result;
    unsigned seconds = (unsigned)((result->called_us + 500000) / 1000000);
    bool early = result->called_us < LEAST_US;
    check_add(report, CHECK_FAULT, "other end", "nothing came from it in %u s%s", seconds,
              early ? ", which is too short to call a cable bad" : "");
    if (result->high)
        check_add(report, CHECK_NOTE, "",
                  "but it holds%s%s%s%s up: a machine is there and switched on",
                  result->high & LEVEL_CTS ? " CTS" : "", result->high & LEVEL_DSR ? " DSR" : "",
                  result->high & LEVEL_DCD ? " DCD" : "", result->high & LEVEL_RI ? " RI" : "");
    if (!early)
        check_add(report, CHECK_NOTE, "",
                  "it does not run check, or no data arrives: no cable, a %s one, or open ground",
                  result->seen.box ? "crossed (null-modem)" : "straight (for modems)");
    start_other(line, report);
    if (early) {
        check_next(report, line->ticket ? "Then press F3 here again, and wait longer."
                                        : "Call for longer: --wait 60.");
        return;
    }
    check_next(report, "Push the plugs in and screw them down at both ends%s.",
               result->seen.box ? " and at the controller's box" : "");
    next_of_silence(line, report);
}

static void judge_outcome(const struct check_line *line, struct check_report *report)
{
    switch (line->result.outcome) {
    case PROBE_CALLING:
    case PROBE_MET:
        return;
    case PROBE_SILENCE:
        judge_silence(line, report);
        return;
    case PROBE_ECHO:
        check_add(report, CHECK_FAULT, "data", "what this end sends comes back to it");
        judge_part(line, report);
        return;
    case PROBE_DEAF:
        check_add(report, CHECK_FAULT, "data",
                  "one direction is dead: the other end is heard, but does not hear this one");
        check_add(report, CHECK_NOTE, "", "pin 3 (TX) here to pin 2 (RX) there: missing");
        judge_part(line, report);
        return;
    case PROBE_MUTE:
        check_add(report, CHECK_FAULT, "data",
                  "the other end runs check, its signal lines move, but no data comes from it");
        check_add(report, CHECK_NOTE, "", "pin 3 (TX) there to pin 2 (RX) here: missing");
        judge_part(line, report);
        return;
    case PROBE_GARBAGE:
        check_add(report, CHECK_FAULT, "data",
                  "bytes come that are nothing of boothlink's, at any speed");
        check_next(report, "Is another device or program at the other end? Both ends must run "
                           "boothlink.");
        check_next(report, "If they do, the cable is bad or its ground (pin 5) is broken: take "
                           "another.");
        return;
    case PROBE_LINK:
        check_add(report, CHECK_FAULT, "other end",
                  "it runs boothlink, but not check; so its data arrives here, and no more is "
                  "known");
        check_other_end(line, true, OTHER_PORT, report);
        return;
    case PROBE_SAME_SIDE:
        check_add(report, CHECK_FAULT, "other end", "both are checked as %s ends",
                  line->settings.self.judge ? "judge's" : "entity's");
        check_next(report,
                   line->ticket
                       ? "Plug the cable in where its label says: one end at the judge's machine, "
                         "the other at an entity's."
                       : "Use --left or --right at the judge's machine, --line at the entity's.");
        if (line->result.seen.box)
            check_next(
                report,
                "Or a judge's plug and an entity's are exchanged at the controller's box: X1 "
                "and X3 are the judge's, X2 and X4 the entities'.");
        return;
    case PROBE_LOST:
        check_add(report, CHECK_FAULT, "other end", "it fell silent in the middle of the check");
        check_next(report, "Was check ended there, or the cable pulled? Begin again at both ends.");
        check_next(report, "If it happens again, take another cable.");
        return;
    }
}

static const char scene[] = "  +--------------+                                +--------------+\n"
                            "  | this machine |                                | the other    |\n"
                            "  |  serial port [>== plug ===== cable ===== plug ==<] serial port |\n"
                            "  +--------------+                                +--------------+\n";

static void draw(const struct check_line *line, struct check_report *report)
{
    const struct probe_result *result = &line->result;
    if (result->outcome == PROBE_MET)
        cable_draw(&result->seen, report->picture, sizeof report->picture);
    else if (result->outcome == PROBE_ECHO || result->outcome == PROBE_DEAF ||
             result->outcome == PROBE_MUTE)
        cable_draw(&result->seen, report->picture, sizeof report->picture);
    else
        snprintf(report->picture, sizeof report->picture, "%s", scene);
}

/* The remedy for a port that does not open. A board has no shell. */
static const char *port_step(const struct check_line *line)
{
    if (!line->ticket)
        return "`boothlink ports` lists the ports and what is wrong with each.";
    if (line->status == BL_BUSY)
        return "Switch this machine off and on: another program has its port. Then check again.";
    if (line->status == BL_NOPERM)
        return "Tell the steward: the user of this machine may not use its port.";
    if (line->status == BL_USAGE || (line->status == BL_NOINPUT && line->there))
        return "Tell the manager: venue.ini is to name a serial port of this machine and a speed "
               "that it has, such as serial:/dev/ttyUSB0@115200.";
    return "Push the plug of its adapter in, then check again.";
}

void check_progress(const struct check_line *line, uint32_t trying, unsigned left_s, bool signal,
                    char text[CHECK_PROGRESS])
{
    const char *heard = "nothing is heard yet";
    if (!line->settings.self.box) /* through the box, signal lines do not come */
        heard = signal ? "a signal comes, but no word yet"
                       : "no signal comes yet: is it plugged in at both ends?";
    if (trying)
        snprintf(text, CHECK_PROGRESS, "%c%s: the ends have met; trying %u baud",
                 line->side[0] & ~0x20, line->side + 1, trying);
    else
        snprintf(text, CHECK_PROGRESS, "%c%s: calling for %u s more; %s", line->side[0] & ~0x20,
                 line->side + 1, left_s + line->rest_s, heard);
}

void check_judge(const struct check_line *line, struct check_report *report)
{
    *report = (struct check_report){0};
    if (line->status != BL_OK) {
        check_add(report, CHECK_FAULT, "port", "%s", line->diag.text);
        check_next(report, "%s", port_step(line));
        return;
    }
    if (line->ether.asked) {
        check_judge_ether(line, report);
        if (report->faults)
            check_next(report, "Then check again.");
        return;
    }
    check_add(report, CHECK_GOOD, "port", "opened, at %u baud", line->settings.self.baud);
    if (line->result.outcome == PROBE_MET) {
        judge_cable(line, report);
        judge_speed(line, report);
        judge_clock(line, report);
        judge_peer(line, report);
        judge_letters(line, report);
    } else {
        judge_outcome(line, report);
    }
    if (report->faults)
        check_next(report, "Then check again.");
    draw(line, report);
}
