/* "boothlink line": a byte pipe over a line. */
#include "booth/line_booth.h"
#include "command/command.h"

static enum bl_status line_run(const struct command_call *call, struct bl_diag *diag)
{
    const struct line_options *given = call->options;
    if (!given->port || !given->path)
        return bl_fail(diag, BL_USAGE, "missing %s", given->port ? "--link PATH" : "--line PORT");
    return line_booth_run(given, diag);
}

static const struct command_option line_options[] = {
    OPTION_ROW("--line", "PORT", "the line: serial:DEVICE[@BAUD] or ether:INTERFACE[/LINE]",
               OPTION_TEXT, struct line_options, port),
    OPTION_ROW("--link", "PATH", "where the pty is to be found", OPTION_TEXT, struct line_options,
               path),
    OPTION_ROW("--key", "FILE", "encrypt the line by the secret in it: see boothlink key",
               OPTION_TEXT, struct line_options, key_file),
    OPTION_ROW("--rtscts", NULL, "RTS/CTS flow control: only for full cables without a controller",
               OPTION_FLAG, struct line_options, rtscts),
    OPTION_ROW("--insecure", NULL, "no encryption on Ethernet: only for a cable in sight",
               OPTION_FLAG, struct line_options, insecure),
    {0},
};

const struct command command_line = {
    .name = "line",
    .synopsis = "--line PORT --link PATH",
    .help = "a byte pipe over a line, for other programs",
    .text =
        "Makes a pty and joins it with the one at the other end: what a program writes there, a "
        "program reads here, byte for byte and in order, over bit errors and a cable that is "
        "pulled for a while. Started at both ends; ends by SIGTERM or ^C.",
    .examples = "boothlink line --line serial:/dev/ttyUSB0 --link /tmp/cable",
    .options = line_options,
    .size = sizeof(struct line_options),
    .run = line_run,
};
