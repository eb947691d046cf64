/* "boothlink replay": a transcript or a journal on the judge's page. */
#include "booth/replaying.h"
#include "cli/transcript_tell.h"
#include "command/command.h"
#include "transcript/player.h"

#include <string.h>

#define SECOND_US 1000000u

/* "SS", "MM:SS" or "HH:MM:SS". */
static bool read_time(const char *text, uint64_t *us)
{
    uint64_t total = 0, part = 0;
    unsigned digits = 0, parts = 1;
    for (; *text; text++) {
        if (*text == ':' && digits && parts < 3) {
            total = (total + part) * 60;
            part = 0;
            digits = 0;
            parts++;
        } else if (*text >= '0' && *text <= '9' && digits < 7) {
            part = part * 10 + (uint64_t)(*text - '0');
            digits++;
        } else {
            return false;
        }
    }
    *us = (total + part) * SECOND_US;
    return digits > 0;
}

/* "0.25" to "50". */
static bool read_speed(const char *text, unsigned *hundredths)
{
    unsigned whole = 0, part = 0, digits = 0;
    const char *at = text;
    for (; *at >= '0' && *at <= '9' && at < text + 2; at++)
        whole = whole * 10 + (unsigned)(*at - '0');
    if (at == text)
        return false;
    if (*at == '.') {
        for (at++; *at >= '0' && *at <= '9' && digits < 2; at++, digits++)
            part = part * 10 + (unsigned)(*at - '0');
        if (digits == 1)
            part *= 10;
    }
    *hundredths = whole * 100 + part;
    return !*at && *hundredths >= PLAYER_SLOWEST && *hundredths <= PLAYER_FASTEST;
}

static enum bl_status take_speed(void *at, const char *value, struct bl_diag *diag)
{
    struct replay_options *options = at;
    return read_speed(value, &options->speed)
               ? BL_OK
               : bl_fail(diag, BL_USAGE, "--speed %.40s: expected a number from 0.25 to 50", value);
}

static enum bl_status take_at(void *at, const char *value, struct bl_diag *diag)
{
    struct replay_options *options = at;
    options->at_end = false;
    return read_time(value, &options->at_us)
               ? BL_OK
               : bl_fail(diag, BL_USAGE, "--at %.40s: expected seconds, MM:SS or HH:MM:SS", value);
}

static void start_replay(void *at)
{
    struct replay_options *options = at;
    options->speed = PLAYER_ONE;
    options->at_end = true;
}

static enum bl_status replay_run(const struct command_call *call, struct bl_diag *diag)
{
    struct replay_options *options = call->options;
    options->request.file = call->word[0];
    options->headless = options->headless || options->json;
    return replaying_run(options, diag);
}

static const struct command_option replay_options[] = {
    OPTION_TAKEN("--speed", "NUMBER", "times true speed, 0.25 to 50", take_speed),
    OPTION_TAKEN("--at", "TIME", "begin there: seconds, MM:SS or HH:MM:SS from the first key",
                 take_at),
    OPTION_ROW("--blind", NULL, "do not say who is the human", OPTION_FLAG, struct replay_options,
               blind),
    OPTION_ROW("--paused", NULL, "begin paused", OPTION_FLAG, struct replay_options, paused),
    OPTION_TAKEN("--side", "left|right", "only this side", transcript_take_side),
    OPTION_TAKEN("--from", "auto|journal|1996|2002|2004|2007|2009|2012|2013|2016|keys|asciicast",
                 "the format of the file, found out if not given", transcript_take_from),
    OPTION_ROW("--screen", "console|web[:PORT]",
               "web: on a page in a browser on this machine, whose address is told (default: "
               "console)",
               OPTION_TEXT, struct replay_options, screen),
    OPTION_ROW("--headless", NULL,
               "no screen: print the digests of the pages at --at, or at the end", OPTION_FLAG,
               struct replay_options, headless),
    OPTION_JSON(struct replay_options, "the same as one JSON object"),
    {0},
};

const struct command command_replay = {
    .name = "replay",
    .synopsis = "FILE [--speed NUMBER] [--at TIME] [--blind]",
    .help = "play a transcript or a journal on the judge's page",
    .text =
        "FILE is anything that \"boothlink transcript\" reads. Every key comes when it came, so "
        "that a pause lasts as long as it did; where the record has no times of keys (1996, 2002, "
        "2004) a line comes as a whole. Where a file holds several sessions, each begins with an "
        "empty page.\n\n"
        "Space pauses and goes on, the arrows go 10 seconds back and on, comma and full stop a "
        "minute, b to the beginning and e to the end, n to the next key; - and + change the speed, "
        "w hides or shows who is who, PgUp and PgDn look back in the page, q leaves.",
    .examples = "boothlink replay logfile.eliza.log --speed 4\n"
                "boothlink replay r1-j2-judge.journal --at 5:00 --blind",
    .options = replay_options,
    .size = sizeof(struct replay_options),
    .start = start_replay,
    .least = 1,
    .most = 1,
    .run = replay_run,
};
