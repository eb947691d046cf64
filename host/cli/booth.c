/* "boothlink booth": the program of a booth's machine from power-on. */
#include "booth/day_run.h"

#include "command/command.h"

static void start_booth(void *at)
{
    struct day_options *options = at;
    options->place = "/etc/boothlink/place.ini";
    options->tickets = "/run/boothlink/stick";
}

static enum bl_status booth_run(const struct command_call *call, struct bl_diag *diag)
{
    const struct day_options *options = call->options;
    return options->again ? day_again(options, diag) : day_run(options, diag);
}

#define ROW(name, value, help, kind, field)                                                        \
    OPTION_ROW(name, value, help, kind, struct day_options, field)

static const struct command_option booth_options[] = {
    ROW("--place", "FILE",
        "which place this machine has (default: /etc/boothlink/place.ini); asked for, and written, "
        "if it is missing",
        OPTION_TEXT, place),
    ROW("--tickets", "DIR", "where the stick is when it is in (default: /run/boothlink/stick)",
        OPTION_TEXT, tickets),
    ROW("--journal", "DIR",
        "where tickets and records are kept (default: the user's state directory)", OPTION_TEXT,
        journal_dir),
    ROW("--folder", "DIR",
        "in the back room: the Entries' own folder, as of boothlink entity (default: the current)",
        OPTION_TEXT, folder),
    ROW("--entries", "DIR",
        "there, too: where Entries from the stick are installed (default: beside the records)",
        OPTION_TEXT, entries),
    ROW("--keeper", "SOCKET", "there, too: systemd starts the Entry, as of boothlink entity",
        OPTION_TEXT, keeper),
    ROW("--courier", "FILE", "where its courier says what is not at the desk; tickets: FILE.stick",
        OPTION_TEXT, courier),
    ROW("--again", "SESSION",
        "take back that a session is over for this machine, as r2-j3, and end: as F9 does while "
        "the machine waits",
        OPTION_TEXT, again),
    ROW("--kiosk", NULL, "no way out by the keyboard", OPTION_FLAG, kiosk),
    ROW("--screen", "console|web[:PORT]",
        "web: the screen is a page in a browser on this machine; its address is in booth.url "
        "beside the records, which its user alone may read (default: console)",
        OPTION_TEXT, screen),
    ROW("--small", NULL, "small type: else a console shows the largest that leaves 80 columns",
        OPTION_FLAG, small),
    {0},
};

const struct command command_booth = {
    .name = "booth",
    .synopsis = "[--place FILE] [--tickets DIR] [OPTION]...",
    .help = "what a machine runs all day: session after session, by its tickets",
    .text =
        "Asks once which place the machine has, such as \"booth 3, judge\" or \"booth 3, cable "
        "A\". When the stick is put in, takes that place's tickets from it and, in the back room, "
        "the Entries that they name, as they were handed in. Then holds their sessions one after "
        "another: Enter begins the next, and each ends by itself, at a judge's machine when the "
        "ballot is given. In between it says in plain words what comes next, and when the "
        "stick may be taken out; by then the records are on it.\n\n"
        "A machine that is switched on again goes on with the session it was in, without a key. "
        "Leaving a session that is not over (F10, confirmed by a word) asks what is to be done: "
        "Enter goes on with it, F8 says that it is over for this machine. On a spare machine in "
        "the place of a dead one F8 skips a session that the dead one has held, where its record "
        "is on the stick. Either asks for the word over; F9 takes it back, and asks for the word "
        "again. In the session in which the machine died, F8 at a judge's takes over what the "
        "other ends have on record.\n\n"
        "While a session waits, F3 checks its lines, as boothlink check --ticket does. At a "
        "judge's machine F2 practises: a program answers, for five minutes or until F10, and "
        "nothing of it is kept.\n\n"
        "boothlink-booth@tty1.service holds it on a console. boothlink-kiosk@tty1.service has it "
        "as a page, alone on the machine's screen, in the browser Chromium and the compositor cage "
        "(the package boothlink-kiosk brings both). Where there are no graphics, or they cannot be "
        "kept up, it starts the console's, which goes on with the same records.",
    .examples = "boothlink booth\n"
                "boothlink booth --place place.ini --tickets /media/stick --journal ~/contest",
    .options = booth_options,
    .size = sizeof(struct day_options),
    .start = start_booth,
    .run = booth_run,
};
