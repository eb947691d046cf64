/* "boothlink entity": the terminal in the back room. */
#include "booth/entity_booth.h"

#include "cli/booth_options.h"
#include "entity/entry.h"
#include "booth/ticket_file.h"
#include "terminal/browse.h"

#include <string.h>

static const char folder_asked[] = "DIR"; /* with the address, --lpp needs no DIR */

struct entity_words {
    const char *program_io, *turn_end, *pace, *characters, *starts;
    unsigned hold_ms;
    bool keyboard;
};

struct entity_arguments {
    struct entity_options entity;
    struct entity_words words;
    struct kind_texts text;
    struct entry entry;
    struct ticket ticket; /* has texts of the members above */
    char folder[PATH_MAX];
};

/* Finds the entity's kind, where a script counts as a keyboard. */
#define KIND_FROM text
static enum bl_status find_kind(struct entity_arguments *given_words, struct bl_diag *diag)
{
    const struct entity_options *o = &given_words->entity;
    const struct kind_texts *text = &given_words->text;
    const char *const given[KIND_WORD_COUNT] = {KIND_WORDS(KIND_TEXT_OF)};
    bool keyboard = given_words->words.keyboard || o->comms;
    struct bl_diag why = {""};
    if (keyboard + (o->booth.script != NULL) > 1 ||
        kind_find(&given_words->entry.kind, given, keyboard || o->booth.script, KIND_AS_OPTIONS,
                  &why))
        return bl_fail(diag, BL_USAGE, "%s",
                       why.text[0] ? why.text : "expected one of --keyboard and --script FILE");
    return BL_OK;
}

/* Finds the Entry's kind and sets its options. */
static enum bl_status set_entry(struct entity_arguments *given, struct bl_diag *diag)
{
    struct entity_options *o = &given->entity;
    enum bl_status status = find_kind(given, diag);
    if (!status)
        status = entry_set(&given->entry, &o->program, &given->text, diag);
    if (given->entry.kind != KIND_KEYBOARD)
        o->entry_kind = &given->entry;
    return status;
}

static enum bl_status read_words(struct entity_arguments *given, struct bl_diag *diag)
{
    struct entity_options *o = &given->entity;
    struct entity_words *words = &given->words;
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
    status = set_entry(given, diag);
    if (status)
        return status;
    if (o->limit && given->entry.kind != KIND_KEYBOARD)
        return bl_fail(diag, BL_USAGE, "--limit is for a confederate: it goes with --keyboard");
    if (o->limit && ticket_check_limit(o->limit, &why) != BL_OK)
        return bl_fail(diag, BL_USAGE, "--limit: the text %s", why.text);
    if (o->comms && !strstr(o->comms, "{port}"))
        return bl_fail(diag, BL_USAGE, "--comms '%s': expected {port} in it, where its line is",
                       o->comms);
    if (o->booth.session)
        status = booth_session_check(o->booth.session, diag);
    return status;
}

static void fill_in(struct entity_arguments *given)
{
    struct entity_options *o = &given->entity;
    struct entity_words *words = &given->words;
    const struct ticket *ticket = &given->ticket;
    ticket_session(ticket, &o->booth);
    o->port = ticket->line;
    o->controlled = ticket->controlled != 0;
    o->booth.key_file = ticket->line_key_file[0] ? ticket->line_key_file : NULL;
    if (ticket->line_insecure[0])
        o->booth.insecure = true;
    o->program.place.folder = ticket->folder[0] ? ticket->folder : NULL;
    o->entry = ticket->entry[0] ? ticket->entry : NULL;
    o->program.strip_prompt = ticket->strip_prompt[0] ? ticket->strip_prompt : NULL;
    words->keyboard = ticket->keyboard[0] != '\0';
    words->program_io = ticket->program_io[0] ? ticket->program_io : NULL;
    words->turn_end = ticket->turn_end[0] ? ticket->turn_end : NULL;
    words->pace = ticket->pace[0] ? ticket->pace : NULL;
    words->hold_ms = (unsigned)ticket->hold;
    words->characters = ticket->characters ? characters_words[ticket->characters - 1] : NULL;
    o->typing = ticket_typing(ticket);
    o->limit = ticket->limit[0] ? ticket->limit : NULL;
    o->comms = ticket->comms[0] ? ticket->comms : NULL;
    o->round = (unsigned)ticket->round;
#define WORD(id, name, value, help) given->text.id = ticket->id[0] ? ticket->id : NULL;
    KIND_WORDS(WORD)
#undef WORD
}

static enum bl_status choose_folder(struct entity_arguments *given, struct bl_diag *diag)
{
    if (given->entity.booth.headless)
        return bl_fail(diag, BL_USAGE, "without a screen --lpp needs the folder: --lpp DIR");
    enum bl_status status = browse_folder(given->folder, "Which folder does the Entry use?", diag);
    given->text.lpp = given->folder;
    return status ? status : entry_set(&given->entry, &given->entity.program, &given->text, diag);
}

static enum bl_status take_ticket(void *options, const char *path, struct bl_diag *diag)
{
    struct entity_arguments *given = options;
    enum bl_status status = ticket_load(&given->ticket, path, "entity", diag);
    given->entity.booth.ticket = path;
    if (status == BL_OK)
        fill_in(given);
    return status;
}

static enum bl_status take_lpp(void *options, const char *folder, struct bl_diag *diag)
{
    struct entity_arguments *given = options;
    (void)diag;
    given->text.lpp = folder ? folder : folder_asked;
    return BL_OK;
}

static enum bl_status entity_run(const struct command_call *call, struct bl_diag *diag)
{
    struct entity_arguments *given = call->options;
    enum bl_status status = read_words(given, diag);
    if (!status && given->entry.folder == folder_asked)
        status = choose_folder(given, diag);
    if (given->entity.comms) {
        given->entity.program.command = given->entity.comms;
        given->entity.program.comms = true;
    }
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
    ROW("--comms", "CMD",
        "a confederate types at this communications program; {port} in it is its line", OPTION_TEXT,
        entity.comms),
    ROW("--limit", "TEXT",
        "what a referee does not let the confederate say: on this screen and record alone",
        OPTION_TEXT, entity.limit),
    ROW("--program", "CMD", "the Entry, run by /bin/sh", OPTION_TEXT, text.program),
    ROW("--folder", "DIR", "the Entry's own folder, of which it gets a copy (default: the current)",
        OPTION_TEXT, entity.program.place.folder),
    ROW("--entries", "DIR", "where the Entries are that tickets name (default: beside the record)",
        OPTION_TEXT, entity.entries),
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
                 "look into that folder so often, as on a network share, instead of watching it",
                 OPTION_NUMBER, struct entity_arguments, entity.scan_ms, 1, 10000),
#define WORD(id, name, value, help) ROW("--" name, value, help, OPTION_TEXT, text.id),
    KIND_SERVED_WORDS(WORD)
#undef WORD
        OPTION_RANGE("--form-delay", "MS",
                     "from a submission to its answer, at least (default: 5000)", OPTION_NUMBER,
                     struct entity_arguments, entry.form.delay_ms, 1, 600000),
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
    ROW("--pace", "PACE", "as 'keys 110+-30' or 'message 60+-20 after 15000': see above",
        OPTION_TEXT, words.pace),
    OPTION_RANGE("--hold", "MS", "how long each key waits from its pressing on: see above",
                 OPTION_NUMBER, struct entity_arguments, words.hold_ms, 0, PACE_HOLD_MAX_MS),
    ROW("--characters", "any|ascii|latin-1", "any other character is ignored, whoever types it",
        OPTION_WORD, words.characters),
    OPTION_RANGE("--message-most", "N", "characters of a message; further ones are not taken",
                 OPTION_NUMBER, struct entity_arguments, entity.typing.message_most, 1,
                 MESSAGE_LIMIT_MAX),
    BOOTH_RECORD_ROWS(struct entity_arguments, entity.booth),
    BOOTH_LINE_ROWS(struct entity_arguments, entity.booth, take_ticket),
    {0},
};

const struct command command_entity = {
    .name = "entity",
    .synopsis = "(--line PORT | --lpp-entry DIR) (--keyboard | --program 'CMD' | --lpp [DIR] | "
                "--lpp2 PORT | --web URL | --cgi 'CMD' | --chat URL | --script FILE) "
                "[OPTION]...",
    .help = "the entity's terminal: a confederate or an Entry",
    .text =
        "Shows the same page as the judge sees. Keys are shown when they have their place on it; "
        "until then they stand beside it.\n\n"
        "What a person or an Entry types while the line may not carry it waits in one queue of "
        "4,096 keys. It goes with its own gaps as soon as it may, and is dropped at the end of a "
        "part. An Entry is read byte "
        "by byte as it writes, and outlives this terminal: started again after a kill, the "
        "terminal takes the running Entry over.\n\n"
        "With --comms a confederate's keys go to a communications program (2004 A6, A14), and what "
        "that program sends on its port is what the entity types; the judge's keys come to that "
        "port. In CMD, {port} stands for the port. The page is shown by this terminal; what the "
        "program draws is not shown.\n\n"
        "--pace, --hold, --characters and --message-most must be the same for both entities, or "
        "they tell which is which; at a contest the rules and the venue set them. Measured on 12 "
        "contest logs of 2012, of "
        "two programs (tests/audit/pace), a classifier that sees only the timing of one message "
        "tells a person from a program with an AUC of 0.82, where 0.5 is guessing and 1 is "
        "certain; 0.995 if it knows the program from other sessions.\n\n'keys 110+-30' hides "
        "little of that (0.76, "
        "0.995): it spaces bursts, and half of all lines are not late at all. 'message 60+-20 "
        "after 15000' hides nearly all (0.43, no better than guessing; 0.61): it holds a message "
        "until its Return or 10 s of silence, applies its BackSpaces, and types it with gaps of "
        "60±20 ms, beginning 15 s after the judge's Return. Half of all lines are then late by "
        "more than 5.1 s, one in twenty by more than 17.4 s. Neither hides what is said, or how "
        "much.\n\n--hold is for an "
        "Entry whose output is held to be filtered: 100 ms with --strip-prompt, the interval with "
        "--lpp-scan. Give it to both entities.\n\n"
        "An Entry of the contests of 2007 to 2016 speaks LPP: each key is a sub-directory of a "
        "folder. With --lpp it runs unchanged; boothlink-lpp(5) says what is written there and "
        "what is taken. With --program too it is started here; then what it prints is ignored.\n\n"
        "An Entry of 2016 to 2019 speaks LPP v2: it is a client of socket.io. With --lpp2 it runs "
        "unchanged, connecting to http://127.0.0.1:PORT: in the sandbox where --program starts "
        "it, or by itself. On a machine of its own it needs ADDRESS, this machine's on a cable or "
        "network that the two share alone, and a secret. Each line of the judge is a message to "
        "it, and its messages are typed as every Entry's keys. boothlink-lpp(5) has the "
        "rest.\n\n"
        "An Entry of 2003 answers a form of HTML. With --web or --cgi what the judge sends is "
        "submitted to it at each Return, as a browser would (hidden fields, cookies, the "
        "document's "
        "own character set), and its answer, taken out of the document that it returns, is typed "
        "as every Entry's, not before --form-delay. It must stay on its own host, and return "
        "text/html of at most 256 KiB within two minutes; what it does not is on this end's "
        "record, "
        "and the next line is submitted all the same. --cgi runs in the sandbox, by CGI/1.1; with "
        "--web our own browser runs there, and reaches that server alone. boothlink-entrant(7) has "
        "the template.\n\n"
        "With --chat the Entry is a language model behind a server of OpenAI-style chat "
        "completions, "
        "as llama-server, Ollama or vLLM have it. The whole conversation, as it stands on the "
        "page, "
        "is sent at each Return of the judge, and the answer is typed key by key, without what is "
        "in <think> and without markdown. It reaches that server alone, as --web does; under "
        "systemd by boothlink-server@.socket. How each request went is on this end's record.\n\n"
        "With --lpp-entry DIR it is the other way round: an organiser's own judge program uses the "
        "folder DIR, and whoever types here, a person, a program or an Entry of LPP with a folder "
        "of its own, is the Entry in it. The judge's directories are taken, ours are made with "
        "strictly "
        "growing numbers of 18 digits. Started again, the terminal goes on with the folder's "
        "session; --session NAME begins another.\n\n"
        "What is started here runs in the sandbox of `boothlink validate`: it sees what is "
        "installed and a copy of its folder, which goes with it, and has no network, no device and "
        "nothing of this user's. --lpp DIR is then a folder in there.",
    .examples =
        "boothlink entity --line serial:/dev/ttyUSB0 --keyboard\n"
        "boothlink entity --line serial:/dev/ttyUSB0 --program './entry' --strip-prompt '> '\n"
        "boothlink entity --line serial:/dev/ttyUSB0 --folder ~/entry --lpp2 8080 --program 'node "
        "entry.js'\n"
        "boothlink entity --lpp-entry /srv/judge1/left --program './entry'\n"
        "boothlink entity --line serial:/dev/ttyUSB0 --folder ~/entry --lpp lpp --program 'java "
        "Entry'",
    .options = entity_options,
    .size = sizeof(struct entity_arguments),
    .run = entity_run,
};
