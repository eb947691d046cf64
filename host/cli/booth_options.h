/* The options of a booth's two terminals, `judge` and `entity`, and of other commands that open
 * one. */
#ifndef CLI_BOOTH_OPTIONS_H
#define CLI_BOOTH_OPTIONS_H

#include "booth/booth.h"
#include "command/command.h"

/* The rows for a command whose struct of options has the field `booth`, a struct booth_options. */
#define BOOTH_RECORD_ROWS(type, booth)                                                             \
    OPTION_ROW("--journal", "DIR",                                                                 \
               "where the record is kept (default: the user's state directory)", OPTION_TEXT,      \
               type, booth.journal_dir),                                                           \
        OPTION_ROW("--session", "NAME",                                                            \
                   "name of the session (default: resume the newest unfinished one)", OPTION_TEXT, \
                   type, booth.session),                                                           \
        OPTION_ROW("--script", "FILE", "timed keys from a file instead of the keyboard",           \
                   OPTION_TEXT, type, booth.script),                                               \
        OPTION_ROW("--headless", NULL, "no screen; end when the script or the plan is done",       \
                   OPTION_FLAG, type, booth.headless),                                             \
        OPTION_ROW("--json", NULL, "print a final report as one JSON object", OPTION_FLAG, type,   \
                   booth.json),                                                                    \
        OPTION_ROW("--day", NULL, NULL, OPTION_FLAG, type, booth.day),                             \
        OPTION_ROW("--screen", "console|web[:PORT]",                                               \
                   "web: the screen is a page in a browser on this machine; the address is told "  \
                   "at the start and kept beside the record (default: console)",                   \
                   OPTION_TEXT, type, booth.screen),                                               \
        OPTION_ROW("--small", NULL,                                                                \
                   "small type: else a console shows the largest that leaves 80 columns",          \
                   OPTION_FLAG, type, booth.small)

#define BOOTH_LINE_ROWS(type, booth, take_ticket)                                                  \
    OPTION_ROW("--kiosk", NULL, "no way out by the keyboard", OPTION_FLAG, type, booth.kiosk),     \
        OPTION_ROW("--rtscts", NULL,                                                               \
                   "RTS/CTS flow control: only for full cables without a controller", OPTION_FLAG, \
                   type, booth.rtscts),                                                            \
        OPTION_ROW("--key", "FILE", "encrypt the line by the secret in it: see boothlink key",     \
                   OPTION_TEXT, type, booth.key_file),                                             \
        OPTION_ROW("--insecure", NULL, "no encryption on Ethernet: only for a cable in sight",     \
                   OPTION_FLAG, type, booth.insecure),                                             \
        OPTION_ROW("--trace", "FILE", "write the length of every frame, for tests of blindness",   \
                   OPTION_TEXT, type, booth.trace),                                                \
        OPTION_TAKEN("--ticket", "FILE", "take all of this from a session ticket", take_ticket)

#endif
