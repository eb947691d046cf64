/* "boothlink entity": the terminal in the back room. */
#include "booth/entity_booth.h"

#include "cli/booth_options.h"
#include "booth/ticket_file.h"
#include "terminal/browse.h"

struct entity_words {
    const char *program_io, *turn_end, *pace, *characters, *starts;
    unsigned hold_ms;
    bool keyboard, lpp;
};

struct entity_arguments {
    struct entity_options entity;
    struct entity_words words;
};

static enum bl_status read_words(struct entity_options *o, const struct entity_words *words,
                                 struct bl_diag *diag)
{
    static const char *const starts[] = {"judge", "either", NULL};
    unsigned io, turn, set, who;
    struct bl_diag why = {""};
    enum bl_status status =
        command_choose("--program-io", words->program_io, program_ios, &io, diag);
    if (!status)
        status = command_choose("--turn-end", words->turn_end, program_turn_ends, &turn, diag);
    if (!status)
        status = command_choose("--characters", words->characters, characters_words, &set, diag);
    if (!status && words->pace)
        status = pace_parse(&o->pace, words->pace, diag);
    if (!status)
        status = command_choose("--starts", words->starts, starts, &who, diag);
    if (status)
        return status;
    o->starts = (enum starts)who;
    o->pace.hold_us = words->hold_ms * 1000;
    o->characters = (int)set + 1;
    o->program.io = (enum program_io)io;
    o->program.turn_end = (enum turn_end)turn;
    if (!o->port && !o->lpp_entry)
        return bl_fail(diag, BL_USAGE, "missing --line PORT; 'boothlink ports' lists the lines");
    if (o->port && o->lpp_entry)
        return bl_fail(diag, BL_USAGE,
                       "expected one of --line PORT and --lpp-entry DIR: each is a way to a judge");
    if (words->starts && !o->lpp_entry)
        return bl_fail(diag, BL_USAGE,
                       "--starts goes with --lpp-entry: on a line the judge's end says who begins");
    if ((o->program.command || words->lpp) + words->keyboard + (o->booth.script != NULL) != 1)
        return bl_fail(diag, BL_USAGE,
                       "expected one of --keyboard, --program 'CMD', --lpp DIR and --script FILE");
    if (o->limit && (o->program.command || words->lpp))
        return bl_fail(diag, BL_USAGE, "--limit is for a confederate: it goes with --keyboard");
    if (o->limit && ticket_check_limit(o->limit, &why) != BL_OK)
        return bl_fail(diag, BL_USAGE, "--limit: the text %s", why.text);
    if (o->booth.session)
        return booth_session_check(o->booth.session, diag);
    return BL_OK;
}

static void fill_in(struct entity_options *o, struct entity_words *words,
                    const struct ticket *ticket)
{
    o->booth.session = ticket->session;
    ticket_about(ticket, o->booth.about, sizeof o->booth.about);
    o->port = ticket->line;
    o->controlled = ticket->controlled != 0;
    o->booth.key = ticket->line_key[0] ? ticket->line_key : NULL;
    if (ticket->line_insecure[0])
        o->booth.insecure = true;
    o->program.command = ticket->program[0] ? ticket->program : NULL;
    o->program.place.folder = ticket->folder[0] ? ticket->folder : NULL;
    o->program.strip_prompt = ticket->strip_prompt[0] ? ticket->strip_prompt : NULL;
    words->keyboard = ticket->keyboard[0] != '\0';
    words->lpp = ticket->lpp[0] != '\0';
    o->lpp_folder = words->lpp ? ticket->lpp : NULL;
    words->program_io = ticket->program_io[0] ? ticket->program_io : NULL;
    words->turn_end = ticket->turn_end[0] ? ticket->turn_end : NULL;
    words->pace = ticket->pace[0] ? ticket->pace : NULL;
    words->hold_ms = (unsigned)ticket->hold;
    words->characters = ticket->characters ? characters_words[ticket->characters - 1] : NULL;
    o->limit = ticket->limit[0] ? ticket->limit : NULL;
}

static enum bl_status choose_folder(struct entity_options *o, struct bl_diag *diag)
{
    static char folder[PATH_MAX];
    if (o->booth.headless)
        return bl_fail(diag, BL_USAGE, "without a screen --lpp needs the folder: --lpp DIR");
    o->lpp_folder = folder;
    return browse_folder(folder, "Which folder does the Entry use?", diag);
}

static enum bl_status take_ticket(void *options, const char *path, struct bl_diag *diag)
{
    static struct ticket ticket;
    struct entity_arguments *given = options;
    enum bl_status status = ticket_load(&ticket, path, "entity", diag);
    given->entity.booth.ticket = path;
    if (status == BL_OK)
        fill_in(&given->entity, &given->words, &ticket);
    return status;
}

static enum bl_status take_lpp(void *options, const char *folder, struct bl_diag *diag)
{
    struct entity_arguments *given = options;
    (void)diag;
    given->words.lpp = true;
    given->entity.lpp_folder = folder;
    return BL_OK;
}

static enum bl_status entity_run(const struct command_call *call, struct bl_diag *diag)
{
    struct entity_arguments *given = call->options;
    enum bl_status status = read_words(&given->entity, &given->words, diag);
    if (!status && given->words.lpp && !given->entity.lpp_folder)
        status = choose_folder(&given->entity, diag);
    return status ? status : entity_booth_run(&given->entity, diag);
}

#define ROW(name, value, help, kind, field)                                                        \
    OPTION_ROW(name, value, help, kind, struct entity_arguments, field)

static const struct command_option entity_options[] = {
    ROW("--line", "PORT", "the line to the judge: serial:DEVICE[@BAUD] or ether:INTERFACE[/LINE]",
        OPTION_TEXT, entity.port),
    ROW("--lpp-entry", "DIR",
        "instead of a line: be the Entry in the folder of an organiser's LPP judge program",
        OPTION_TEXT, entity.lpp_entry),
    ROW("--starts", "judge|either", "who may type first, with --lpp-entry (default: judge)",
        OPTION_WORD, words.starts),
    ROW("--keyboard", NULL, "a confederate types here", OPTION_FLAG, words.keyboard),
    ROW("--limit", "TEXT", "what a referee limits of it: shown here and on this end's record alone",
        OPTION_TEXT, entity.limit),
    ROW("--program", "CMD", "the Entry, run by /bin/sh", OPTION_TEXT, entity.program.command),
    ROW("--folder", "DIR", "the Entry's own folder, of which it gets a copy (default: the current)",
        OPTION_TEXT, entity.program.place.folder),
    OPTION_RANGE("--memory", "MIB", "the Entry may take (default: 1024)", OPTION_NUMBER,
                 struct entity_arguments, entity.program.place.memory_mib, 1, 1 << 20),
    OPTION_RANGE("--processes", "N", "the Entry may have at once (default: 128)", OPTION_NUMBER,
                 struct entity_arguments, entity.program.place.processes, 1, 10000),
    ROW("--keeper", "SOCKET", "systemd starts the Entry, as another user: boothlink-entry@.socket",
        OPTION_TEXT, entity.program.place.keeper),
    ROW("--no-sandbox", NULL, "the Entry may do all that this user may; it goes on record",
        OPTION_FLAG, entity.program.place.open),
    OPTION_TAKEN("--lpp", "[DIR]",
                 "an Entry speaks LPP in this folder; without DIR it is looked for", take_lpp),
    OPTION_RANGE("--lpp-scan", "MS",
                 "look into it so often, as on a network share, instead of watching it",
                 OPTION_NUMBER, struct entity_arguments, entity.lpp_scan_ms, 1, 10000),
    ROW("--program-io", "pty|pipe", "what the Entry runs on (default: pty)", OPTION_WORD,
        words.program_io),
    ROW("--turn-end", "lf|cr|crlf|two-returns",
        "what the judge's Return is to the Entry (default: lf)", OPTION_WORD, words.turn_end),
    ROW("--strip-prompt", "REGEX", "drop this where an output line of the Entry begins with it",
        OPTION_TEXT, entity.program.strip_prompt),
    ROW("--strip-echo", NULL, "drop what the Entry echoes of the judge's keys", OPTION_FLAG,
        entity.program.strip_echo),
    ROW("--controlled", NULL, "a controller cuts this line: silence is no fault before its turn",
        OPTION_FLAG, entity.controlled),
    ROW("--pace", "PACE", "as 'keys 110+-30' or 'message 60+-20 after 15000': see below",
        OPTION_TEXT, words.pace),
    OPTION_RANGE("--hold", "MS", "each key goes so long after it was pressed: see below",
                 OPTION_NUMBER, struct entity_arguments, words.hold_ms, 0, PACE_HOLD_MAX_MS),
    ROW("--characters", "any|ascii|latin-1", "others do not exist here, whoever types them",
        OPTION_WORD, words.characters),
    BOOTH_RECORD_ROWS(struct entity_arguments, entity.booth),
    BOOTH_LINE_ROWS(struct entity_arguments, entity.booth, take_ticket),
    {0},
};

const struct command command_entity = {
    .name = "entity",
    .synopsis = "(--line PORT | --lpp-entry DIR) (--keyboard | --program 'CMD' | --lpp [DIR] | "
                "--script FILE) "
                "[OPTION]...",
    .help = "the entity's terminal: a confederate or an Entry",
    .text =
        "Shows the same page as the judge sees. Keys are shown when they have their place on it; "
        "until then they stand beside it.\n\n"
        "What a person or an Entry types before it may waits in one queue of 4,096 keys, goes with "
        "its own gaps when it may, and is dropped at the end of a segment. An Entry is read byte "
        "by byte as it writes, and outlives this terminal: started again after a kill, the "
        "terminal takes the running Entry over.\n\n"
        "A pace, like --hold and --characters, is the venue's, and the same for both entities, or "
        "it tells which is which. Measured on contest logs of 2012 (tests/audit/pace), a "
        "classifier that sees the timing of one message tells person from program with an AUC (0.5 "
        "is "
        "guessing) of 0.85 without a pace, 0.995 if it knows the program from other sessions. "
        "'keys' at 110±30 ms hides nothing of that (0.86, 0.995); it spaces bursts and costs "
        "nothing in the median. 'message' holds a message until its Return or 10 s of silence, "
        "applies its BackSpaces, and types it at 60±20 ms from 15 s after the judge's Return on: "
        "0.56 [0.50 to 0.61], 0.62 if the program is known; a line is late by 4.3 s in the median "
        "and 15.9 s in one of twenty. What is said, and how much, is hidden by neither. --hold is "
        "for an Entry whose "
        "filter holds keys: 100 ms with --strip-prompt, the interval with --lpp-scan; give it to "
        "both entities.\n\n"
        "An Entry of the contests of 2007 to 2016 speaks LPP: each key is a sub-directory of a "
        "folder. With --lpp it runs unchanged; boothlink-lpp(5) says what is written there and "
        "what is taken. With --program too it is started here, and what it prints is no key.\n\n"
        "The other side of LPP: with --lpp-entry DIR an organiser's own judge program has the "
        "folder "
        "DIR, and whoever types here, a person, a program or an Entry of LPP with a folder of its "
        "own, is the Entry in it. The judge's directories are taken, ours are made with strictly "
        "growing numbers of 18 digits. Started again, the terminal goes on with the folder's "
        "session; --session NAME begins another.\n\n"
        "What is started here runs in the sandbox of `boothlink validate`: it sees what is "
        "installed and a copy of its folder, which goes with it, and has no network, no device and "
        "nothing of this user's. --lpp DIR is then a folder in there.",
    .examples =
        "boothlink entity --line serial:/dev/ttyUSB0 --keyboard\n"
        "boothlink entity --line serial:/dev/ttyUSB0 --program './entry' --strip-prompt '> '\n"
        "boothlink entity --lpp-entry /srv/judge1/left --program './entry'\n"
        "boothlink entity --line serial:/dev/ttyUSB0 --folder ~/entry --lpp lpp --program 'java "
        "Entry'",
    .options = entity_options,
    .size = sizeof(struct entity_arguments),
    .run = entity_run,
};
