/* "boothlink tap": the referee's passive listener. */
#include "booth/booth.h"
#include "booth/tap_booth.h"
#include "command/command.h"

#include <limits.h>
#include <sodium.h>
#include <string.h>

static enum bl_status take_line_secret(struct tap_listener *listener, const char *path,
                                       struct bl_diag *diag)
{
    struct line_secret secret;
    enum bl_status status;
    if (listener->lines == TAP_KEYS_MAX)
        return bl_fail(diag, BL_USAGE, "--line-key: at most %d", TAP_KEYS_MAX);
    status = booth_secret(&secret, path, diag);
    if (!status)
        memcpy(listener->line[listener->lines++].secret, secret.secret, SECURE_KEY);
    secret_wipe(&secret);
    return status;
}

struct tap_options {
    const char *interface, *write, *journal, *referee_key;
    struct option_list serial, line_key_file;
    unsigned side; /* enum side */
};

static enum bl_status check_options(const struct tap_options *o, struct bl_diag *diag)
{
    if ((o->interface != NULL) == (o->serial.count > 0))
        return bl_fail(diag, BL_USAGE, "expected one of --interface IF and --serial A --serial B");
    if (!o->interface && o->serial.count != 2)
        return bl_fail(diag, BL_USAGE, "--serial: expected two receivers, one for each direction");
    if (o->write && !o->interface)
        return bl_fail(diag, BL_USAGE, "--write goes with --interface: a file of frames of a hub");
    if (o->write && strcmp(o->write, "-") == 0)
        return bl_fail(diag, BL_USAGE,
                       "--write -: expected a file, standard output has what is heard in words");
    if (o->referee_key && !o->line_key_file.count)
        return bl_fail(diag, BL_USAGE,
                       "missing --line-key FILE beside --referee-key: the line's secret proves who "
                       "gave the session's keys away");
    return BL_OK;
}

static enum bl_status load_keys(struct tap_listener *listener, const struct tap_options *o,
                                struct bl_diag *diag)
{
    enum bl_status status = BL_OK;
    for (unsigned i = 0; !status && i < o->line_key_file.count; i++)
        status = take_line_secret(listener, o->line_key_file.value[i], diag);
    if (!status && o->referee_key) {
        status = key_referee_load(&listener->referee_key, o->referee_key, diag);
        listener->referee = status == BL_OK;
    }
    return status;
}

static enum bl_status tap_run(const struct command_call *call, struct bl_diag *diag)
{
    static struct tap_places places;
    static struct tap_listener listener;
    static char directory[PATH_MAX];
    const struct tap_options *o = call->options;
    const struct booth_options record = {.journal_dir = o->journal};
    if (sodium_init() < 0)
        return bl_fail(diag, BL_UNAVAIL, "the system gives no randomness");
    places.interface = o->interface;
    places.write = o->write;
    for (unsigned i = 0; i < o->serial.count; i++)
        places.serial[places.serials++] = o->serial.value[i];
    listener.side = (enum side)o->side;
    enum bl_status status = load_keys(&listener, o, diag);
    if (!status)
        status = check_options(o, diag);
    if (!status && o->journal) {
        status = booth_journal_dir(&record, directory, diag);
        listener.journal_dir = directory;
    }
    if (!status)
        status = tap_booth_run(&places, &listener, diag);
    sodium_memzero(&listener, sizeof listener);
    return status;
}

static const struct command_option tap_options[] = {
    OPTION_ROW("--interface", "IF", "listen on this Ethernet interface, on the lines' hub",
               OPTION_TEXT, struct tap_options, interface),
    OPTION_RANGE("--serial", "PORT", "listen with this receiver of a Y-cable; give it twice",
                 OPTION_LIST, struct tap_options, serial, 0, 2),
    OPTION_ROW("--referee-key", "FILE",
               "read encrypted lines whose judge's end has --referee FILE.pub", OPTION_TEXT,
               struct tap_options, referee_key),
    OPTION_RANGE("--line-key", "FILE", "the key file of such a line; may be given several times",
                 OPTION_LIST, struct tap_options, line_key_file, 0, TAP_KEYS_MAX),
    OPTION_ROW("--journal", "DIR", "keep a record of every session in this directory, of its own",
               OPTION_TEXT, struct tap_options, journal),
    OPTION_RANGE("--side", "left|right",
                 "the side of a line whose name does not tell (default: left)", OPTION_CHOICE,
                 struct tap_options, side, SIDE_LEFT, 0),
    OPTION_ROW("--write", "FILE",
               "write all frames that are heard to a new pcap file, for your eyes alone",
               OPTION_TEXT, struct tap_options, write),
    {0},
};

const struct command command_tap = {
    .name = "tap",
    .synopsis = "--interface IF | --serial A --serial B [OPTION]...",
    .help = "the referee's listener: who talks to whom, and what",
    .text =
        "Listens and never sends; run by another user than root it hears our lines' frames alone. "
        "Says which lines there are and who is at their ends, when they "
        "connect, every frame that belongs to no line (\"foreign\"), and what it missed itself "
        "(\"gap\"); so it does when its own interface or cable is out. A conversation is told key "
        "by key, and recorded with --journal, if it is not "
        "encrypted or the judge's end gives its keys to this referee. A transcript of that record "
        "is the same as one of the judge's, where nothing was missed.\n\n"
        "An encrypted line is read with --referee-key, which boothlink key referee made, and with "
        "--line-key, which proves that the keys come from the line's own end. Keys that were given "
        "more than a minute ago, or from now, are refused as a recording: the clocks of the "
        "judge's terminal and of this machine must be set.\n\n"
        "What it misses, on a hub that loses frames or because it came late, is named by the "
        "numbers "
        "of the keys, on the screen and in its record; where nobody can know whether there was "
        "more, it says that.\n\n"
        "The tap's record lacks what the judge's end writes without sending it, such as the close "
        "of a part that it leaves early.",
    .examples = "boothlink tap --interface eth0\n"
                "boothlink tap --interface eth0 --referee-key referee.key --line-key booth3.key "
                "--journal ~/heard\n"
                "boothlink tap --serial /dev/ttyUSB0 --serial /dev/ttyUSB1 --journal ~/heard",
    .options = tap_options,
    .size = sizeof(struct tap_options),
    .run = tap_run,
};
