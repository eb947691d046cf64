/* The output of "boothlink transcript" about a file: stats, check; and of the formats. */
#include "cli/transcript_tell.h"

#include "command/command.h"

#include "transcript/plot.h"
#include "transcript/stats.h"
#include "transcript/words.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <sysexits.h>

static json_t *party_json(const struct stats_party *p)
{
    json_t *json = json_object();
    json_object_set_new(json, "keys", json_integer((json_int_t)p->keys));
    json_object_set_new(json, "words", json_integer((json_int_t)p->words));
    json_object_set_new(json, "returns", json_integer((json_int_t)p->returns));
    json_object_set_new(json, "gaps", json_integer((json_int_t)p->gaps));
    json_object_set_new(json, "median_us", json_integer((json_int_t)p->median_us));
    json_object_set_new(json, "variation", json_real(p->variation));
    json_object_set_new(json, "backspaces", json_integer((json_int_t)p->backspaces));
    json_object_set_new(json, "backspace_share", json_real(stats_backspace_share(p)));
    return json;
}

/* Prints the requests to a language model's server, if any. */
static void requests_print(const struct requests *r, json_t *report)
{
    json_t *reasons = json_object();
    if (report && r->count)
        json_object_set_new(
            report, "requests",
            json_pack("{s:s,s:I,s:I,s:I,s:I,s:I,s:I,s:I,s:I,s:I,s:I,s:O}", "model", r->model,
                      "count", r->count, "answered", r->answered, "failed", r->failed, "cancelled",
                      r->cancelled, "retries", r->retries, "fallbacks", r->fallbacks, "median_ms",
                      r->median_ms, "most_ms", r->most_ms, "tokens_in", r->tokens_in, "tokens_out",
                      r->tokens_out, "reasons", reasons));
    else if (r->count)
        command_print("model %s: %" PRIu64 " request%s, %" PRIu64 " answered, %" PRIu64
                      " failed, %" PRIu64 " cancelled, %" PRIu64 " retries, %" PRIu64
                      " fallback%s\nanswers: median %" PRIu64 " ms, at most %" PRIu64
                      " ms; tokens: %" PRIu64 " in, %" PRIu64 " out\n",
                      r->model, r->count, BL_S(r->count), r->answered, r->failed, r->cancelled,
                      r->retries, r->fallbacks, BL_S(r->fallbacks), r->median_ms, r->most_ms,
                      r->tokens_in, r->tokens_out);
    for (unsigned i = 0; i < REQUESTS_REASONS && r->reason[i].count; i++) {
        json_object_set_new(reasons, r->reason[i].text,
                            json_integer((json_int_t)r->reason[i].count));
        if (!report)
            command_print("%s: %" PRIu64 "\n", r->reason[i].text, r->reason[i].count);
    }
    json_decref(reasons);
}

enum bl_status transcript_stats_print(const struct transcript_source *source, const char *file,
                                      bool json, struct bl_diag *diag)
{
    struct stats stats;
    json_t *report = json ? json_object() : NULL;
    if (stats_compute(&source->history, &stats) != BL_OK)
        return bl_fail(diag, BL_NOMEM, "%s", bl_status_text(BL_NOMEM));
    if (json) {
        json_object_set_new(report, "file", json_string(file));
        json_object_set_new(report, "format", json_string(transcript_source_format(source)));
    } else {
        printf("side   party      keys   words  median gap  variation  BackSpace\n");
    }
    for (unsigned i = 0; i < SIDES * PARTIES; i++) {
        const enum side side = i / PARTIES;
        const enum party party = i % PARTIES;
        const struct stats_party *p = &stats.of[side][party];
        if (json) {
            json_t *of = json_object_get(report, words_side(side));
            if (!of) {
                of = json_object();
                json_object_set_new(report, words_side(side), of);
            }
            json_object_set_new(of, words_party(party), party_json(p));
            continue;
        }
        printf("%-5s  %-6s  %7" PRIu64 "  %6" PRIu64, words_side(side), words_party(party), p->keys,
               p->words);
        if (p->gaps > 1)
            printf("  %7.1f ms  %9.2f", (double)p->median_us / 1000, p->variation);
        else
            printf("  %10s  %9s", "-", "-");
        if (p->keys)
            printf("  %7.1f %%\n", 100 * stats_backspace_share(p));
        else
            printf("  %9s\n", "-");
    }
    requests_print(&source->journal.requests, report);
    if (json)
        command_json(report, JSON_COMPACT);
    return BL_OK;
}

static void on_write(void *ctx, const char *bytes, size_t length)
{
    fwrite(bytes, 1, length, ctx);
}

void transcript_stats_draw(const struct transcript_source *source, const char *file)
{
    const struct html_out out = {on_write, stdout};
    const char *name = strrchr(file, '/');
    const struct plot_names names = {.title = name ? name + 1 : file};
    plot_typing(&out, &source->history, &names);
}

static json_t *fault_json(const struct history_fault *fault)
{
    json_t *json = json_object();
    json_object_set_new(json, "line",
                        fault->line ? json_integer((json_int_t)fault->line) : json_null());
    json_object_set_new(json, "damaged", json_boolean(fault->kind < FAULT_FIRST_ODD));
    json_object_set_new(json, "kind", json_string(history_fault_name(fault->kind)));
    json_object_set_new(json, "text", json_string(fault->text));
    return json;
}

int transcript_check_print(const struct transcript_source *source, const char *file, bool json)
{
    const struct history *history = &source->history;
    json_t *report = NULL, *faults = NULL;
    if (json) {
        report = json_object();
        faults = json_array();
        json_object_set_new(report, "file", json_string(file));
        json_object_set_new(report, "format", json_string(transcript_source_format(source)));
        json_object_set_new(report, "keys", json_integer((json_int_t)history->keys));
        json_object_set_new(report, "parts", json_integer((json_int_t)history->parts));
        json_object_set_new(report, "damaged", json_integer((json_int_t)history->damaged));
        json_object_set_new(report, "odd", json_integer((json_int_t)history->odd));
        json_object_set_new(report, "faults", faults);
    }
    for (size_t i = 0; i < history->faults; i++) {
        const struct history_fault *fault = &history->fault[i];
        if (json) {
            json_array_append_new(faults, fault_json(fault));
            continue;
        }
        command_print("%s:", file);
        if (fault->line)
            printf("%" PRIu64 ":", fault->line);
        command_print(" %s, %s: %s\n", fault->kind < FAULT_FIRST_ODD ? "damaged" : "odd",
                      history_fault_name(fault->kind), fault->text);
    }
    if (json) {
        command_json(report, JSON_COMPACT);
    } else {
        if (history->damaged + history->odd > history->faults)
            command_print("%s: %" PRIu64 " more\n", file,
                          history->damaged + history->odd - history->faults);
        command_print("%s: format %s, %zu key%s, %" PRIu64 " damaged, %" PRIu64 " odd\n", file,
                      transcript_source_format(source), history->keys, BL_S(history->keys),
                      history->damaged, history->odd);
    }
    /* An odd file has all its keys. */
    return history->damaged ? EX_DATAERR : history->odd ? EXIT_FAILURE : EX_OK;
}

void transcript_formats_print(bool json)
{
    json_t *list = json ? json_array() : NULL;
    for (enum format format = 0; format < FORMATS; format++) {
        const struct format_row *row = format_row(format);
        json_t *cannot = json ? json_array() : NULL;
        if (!json)
            printf("%-10s %s%s\n", row->name, row->about, row->reads ? "" : "; written only");
        if (!json && format > 0 && row->cannot && row->cannot == format_row(format - 1)->cannot) {
            printf("           without: the same as %s\n", format_row(format - 1)->name);
            continue;
        }
        for (enum loss loss = 0; loss < LOSSES; loss++) {
            if (!(row->cannot & 1u << loss))
                continue;
            if (json)
                json_array_append_new(cannot, json_string(loss_text(loss)));
            else
                printf("           %s %s\n",
                       row->cannot & ((1u << loss) - 1) ? "        " : "without:", loss_text(loss));
        }
        if (json) {
            json_t *object = json_object();
            json_object_set_new(object, "name", json_string(row->name));
            json_object_set_new(object, "years", json_string(row->years));
            json_object_set_new(object, "about", json_string(row->about));
            json_object_set_new(object, "reads", json_boolean(row->reads));
            json_object_set_new(object, "cannot", cannot);
            json_array_append_new(list, object);
        }
    }
    if (json)
        command_json(list, JSON_COMPACT);
    else
        printf("2003       lost: nobody has the page that the rules of 2003 refer to\n");
}

/* The value is checked when the file is read. */
enum bl_status transcript_take_from(void *request, const char *value, struct bl_diag *diag)
{
    (void)diag;
    ((struct transcript_request *)request)->from = value;
    return BL_OK;
}

enum bl_status transcript_take_side(void *request, const char *value, struct bl_diag *diag)
{
    struct transcript_request *asked = request;
    asked->one_side = true;
    return words_find_side(value, strlen(value), &asked->side)
               ? BL_OK
               : bl_fail(diag, BL_USAGE, "--side %.40s: expected left or right", value);
}
