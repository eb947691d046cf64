#include "cli/check_print.h"

#include "base/word.h"

#include <stdio.h>
#include <string.h>

enum { COLUMNS = 78, MARGIN = 18, CABLES_MAX = 32 };

/* Prints words after `used` columns, broken at COLUMNS with that margin. */
static void print_wrapped(const char *text, int used, int margin)
{
    while (*text) {
        size_t word = strcspn(text, " ");
        if (used > margin && used + 1 + (int)word > COLUMNS) {
            printf("\n%*s", margin, "");
            used = margin;
        } else if (used > margin) {
            putchar(' ');
            used++;
        }
        printf("%.*s", (int)word, text);
        used += (int)word;
        text += word + strspn(text + word, " ");
    }
    putchar('\n');
}

void check_print(const struct check_line *line, const struct check_report *report)
{
    static const char *const marks[] = {"ok", "WRONG", ""};
    printf("%s: %s\n\n", line->side, line->port);
    for (size_t i = 0; i < report->count; i++) {
        const struct check_finding *finding = &report->finding[i];
        printf("  %-9s %-6s", finding->what, marks[finding->mark]);
        print_wrapped(finding->text, MARGIN, MARGIN);
    }
    if (report->picture[0])
        printf("\n%s", report->picture);
    if (report->faults)
        printf("\nWhat to do next:\n");
    for (size_t i = 0; i < report->steps; i++) {
        printf("  %zu. ", i + 1);
        print_wrapped(report->step[i], 5, 5);
    }
    printf("\n%s: %s\n", line->side, report->faults ? "NOT READY" : "everything is right");
}

static json_t *rates_json(const struct probe_result *result)
{
    json_t *list = json_array();
    for (unsigned i = 0; i < PROBE_SLOTS; i++) {
        const struct probe_rate *rate = &result->rate[i];
        if (rate->baud)
            json_array_append_new(list, json_pack("{s:I,s:b,s:i,s:i,s:i,s:I}", "baud",
                                                  (json_int_t)rate->baud, "answered",
                                                  rate->answered, "sent", rate->sent, "arrived",
                                                  rate->arrived, "returned", rate->returned,
                                                  "rtt_us", (json_int_t)rate->rtt_us));
    }
    return list;
}

static const char *outcome_name(const struct check_line *line)
{
    static const char *const words[] = {
        [PROBE_CALLING] = "calling", [PROBE_MET] = "met",   [PROBE_SILENCE] = "silence",
        [PROBE_ECHO] = "echo",       [PROBE_DEAF] = "deaf", [PROBE_MUTE] = "mute",
        [PROBE_GARBAGE] = "garbage", [PROBE_LINK] = "link", [PROBE_SAME_SIDE] = "same side",
        [PROBE_LOST] = "lost",
    };
    if (line->status != BL_OK)
        return "no port";
    if (line->ether.asked)
        return line->ether.session ? "link" : line->ether.up ? "met" : "silence";
    return WORD_OF(words, line->result.outcome, "");
}

json_t *check_json(const struct check_line *line, const struct check_report *report)
{
    static const char *const marks[] = {"ok", "fault", "note"};
    const struct probe_result *result = &line->result;
    json_t *object = json_pack("{s:s,s:s,s:b,s:s}", "side", line->side, "port", line->port, "ok",
                               report->faults == 0, "outcome", outcome_name(line));
    json_t *findings = json_array(), *steps = json_array(), *cables_found = json_array();
    const struct cable *match[CABLES_MAX];
    size_t count = cable_match(&result->seen, match, CABLES_MAX);
    for (size_t i = 0; i < count && i < CABLES_MAX; i++)
        json_array_append_new(cables_found, json_string(match[i]->name));
    json_object_set_new(object, "cables", cables_found);
    if (line->ether.asked)
        json_object_set_new(object, "rtt_us", json_integer(line->ether.rtt_us));
    if (result->outcome == PROBE_MET) {
        json_object_set_new(object, "rates", rates_json(result));
        json_object_set_new(object, "offset_us", json_integer(result->offset_us));
        json_object_set_new(object, "precise_us", json_integer(result->precise_us));
    }
    if (result->heard)
        json_object_set_new(object, "peer_version", json_string(result->peer.version));
    for (size_t i = 0; i < report->count; i++)
        json_array_append_new(findings, json_pack("{s:s,s:s,s:s}", "what", report->finding[i].what,
                                                  "mark", marks[report->finding[i].mark], "text",
                                                  report->finding[i].text));
    json_object_set_new(object, "findings", findings);
    for (size_t i = 0; i < report->steps; i++)
        json_array_append_new(steps, json_string(report->step[i]));
    json_object_set_new(object, "next", steps);
    return object;
}
