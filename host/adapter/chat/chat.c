/* boothlink-chat: an Entry that is a language model behind a server. Each line of the judge on
 * standard input becomes a request with the whole conversation; the answer is typed key by key.
 * `boothlink entity --chat` runs this program in the sandbox; an entrant can run it at a terminal.
 *
 * * A terminal sends a brief (entity/chat_brief.h): the persona, the server's key, the session, and
 * the conversation on the page. Each request and each failure is an outcome (adapter/outcome.h),
 * which the terminal records. */
#include "adapter/chat/server.h"
#include "adapter/conversation.h"
#include "adapter/outcome.h"

#include "base/file.h"
#include "base/json.h"
#include "base/loop.h"
#include "base/option.h"
#include "base/utf8.h"
#include "entity/chat_brief.h"
#include "form/turn.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define BRIEF_MAX (1u << 22)

/* Sizes of memory allocated at the start. */
#define TALK_ROOM   (1u << 18)        /* bytes of a conversation */
#define LATER_ROOM  (1u << 15)        /* bytes of the judge's words that wait */
#define SYSTEM_ROOM (2 * PERSONA_MAX) /* bytes of the persona with its words filled in */
/* Most bytes of a request. An escaped byte takes six; a message of at least three bytes takes at
 * most 45 more. */
#define BODY_ROOM (15 * TALK_ROOM + 6 * SYSTEM_ROOM + 8 * PERSONA_TEXT_MAX)

#define READING_US    15000u   /* time to read a judge's line, for each key ... */
#define READING_MOST  2500000u /* ... and at most */
#define AGAIN_US      500000u  /* wait before a repeated request, doubled each time */
#define LIST_MS       10000u
#define LIST_AGAIN_US 1000000u

enum busy { BUSY_JOIN, BUSY_CANCEL, BUSY_IGNORE };
static const char *const busy_words[] = {"join", "cancel", "ignore", NULL};

struct chat {
    struct server server;
    struct persona persona;
    struct typed_text text;
    enum busy busy;
    const char *session;
    char now[40];
    bool briefed;
    char model[PERSONA_TEXT_MAX];
    struct conversation messages;
    struct conversation later; /* the judge's words during an answer */
    unsigned lost_told;        /* number of messages without room, as last reported */
    bool open;                 /* the judge has an unanswered line */
    bool waits;                /* a request will begin at due_us */
    bool typing;               /* an answer is being typed */
    bool whole;                /* the answer being typed has arrived completely */
    size_t typed;              /* number of the answer's keys that were typed */
    size_t opening;            /* number of its first keys that are the persona's opening, not the
                                * model's */
    unsigned asked, tries;
    uint64_t due_us, key_us;
    uint32_t dice;
};

#define outcome(...) outcome_tell(APART_TELLS, 1, __VA_ARGS__)

static void say(struct chat *c, enum talker talker, const char *text)
{
    conversation_say(&c->messages, talker, text);
}

/* The persona's text with its words filled in; "" if it does not fit. */
static const char *system_make(const struct chat *c)
{
    static char out[SYSTEM_ROOM];
    char remaining[PERSONA_SPAN] = "unknown";
    struct chat_state state = {.ends_us = 0};
    uint64_t now = bl_mono_us();
    if (c->briefed && pread(CHAT_BRIEF, &state, sizeof state, 0) != (ssize_t)sizeof state)
        state.ends_us = 0;
    state.session[sizeof state.session - 1] = '\0';
    if (state.ends_us)
        persona_span(remaining, state.ends_us > now ? (state.ends_us - now) / 1000000 : 0);
    const struct persona_words words = {state.session[0] ? state.session : c->session, c->now,
                                        remaining};
    return persona_fill(&c->persona, &words, out, sizeof out) ? out : "";
}

static void add_message(struct json_text *body, const char *role, const char *text)
{
    json_comma(body);
    json_put(body, "{");
    json_field(body, "role", role);
    json_field(body, "content", text);
    json_put(body, "}");
}

/* Writes a request with these messages. */
static const char *body_make(const struct chat *c, const struct conversation *messages,
                             unsigned max_tokens)
{
    static char text[BODY_ROOM];
    struct json_text body = {.at = text, .room = sizeof text - 1};
    const char *system = system_make(c), *message;
    enum talker talker;
    char number[40];
    json_put(&body, "{");
    json_field(&body, "model", c->model);
    json_name(&body, "messages");
    json_put(&body, "[");
    if (system[0])
        add_message(&body, "system", system);
    for (size_t at = 0; (message = conversation_next(messages, &at, &talker));)
        add_message(&body, talker == TALKER_USER ? "user" : "assistant", message);
    json_put(&body, "]");
    json_field_number(&body, "max_tokens", max_tokens);
    json_name(&body, "stream");
    json_put(&body, c->persona.stream ? "true" : "false");
    snprintf(number, sizeof number, "%g", c->persona.temperature);
    if (c->persona.temperature >= 0) {
        json_name(&body, "temperature");
        json_put(&body, number);
    }
    if (c->persona.seed >= 0)
        json_field_number(&body, "seed", c->persona.seed);
    json_put(&body, c->persona.stream ? ",\"stream_options\":{\"include_usage\":true}}" : "}");
    text[body.length] = '\0';
    return text;
}

static void put(const char *bytes, size_t length)
{
    while (length) {
        ssize_t n = write(STDOUT_FILENO, bytes, length);
        if (n < 0 && errno != EINTR)
            exit(EXIT_FAILURE);
        bytes += n > 0 ? n : 0;
        length -= n > 0 ? (size_t)n : 0;
    }
}

/* A gap as between a person's keys: 0.5 to 1.5 times the mean; sometimes one mean more. */
static uint64_t gap_us(struct chat *c)
{
    c->dice = c->dice * 1664525u + 1013904223u;
    uint64_t mean = c->persona.gap_ms * UINT64_C(1000);
    return mean / 2 + mean * (c->dice >> 16) / 65536 + (c->dice >> 28 == 0 ? mean : 0);
}

/* Ends the answer, complete or not. Its typed keys become a message of the conversation. */
static void answer_end(struct chat *c)
{
    static char text[TYPED_KEYS * UTF8_MAX + 1];
    const char *words;
    enum talker talker;
    size_t used = 0;
    for (size_t i = 0; i < c->typed; i++)
        used += utf8_encode(c->text.key[i], (uint8_t *)text + used);
    text[used] = '\0';
    say(c, TALKER_ASSISTANT, text);
    if (c->typed)
        put("\n", 1);
    for (size_t at = 0; (words = conversation_next(&c->later, &at, &talker));)
        say(c, TALKER_USER, words);
    conversation_clear(&c->later);
    c->typing = c->whole = false;
    c->typed = 0;
    c->tries = 0;
}

static void text_begin(struct chat *c)
{
    typed_text_begin(&c->text, !c->persona.transliterate);
    if (c->persona.opening[0] && !c->messages.answered) {
        typed_text_feed(&c->text, c->persona.opening, strlen(c->persona.opening));
        typed_text_feed(&c->text, "\n", 1);
    }
    c->opening = c->text.count;
    c->typed = 0;
    c->typing = true;
    c->whole = false;
    c->key_us = 0;
}

/* Types the persona's fallback, if any, for a missing answer. */
static void fall_back(struct chat *c)
{
    outcome("no answer after %u request%s: %s", c->tries, BL_S(c->tries),
            c->persona.fallback[0] ? "the fallback is typed" : "it is silent");
    text_begin(c);
    typed_text_feed(&c->text, c->persona.fallback, strlen(c->persona.fallback));
    typed_text_end(&c->text);
    c->whole = true;
}

static void ask(struct chat *c)
{
    struct bl_diag diag = {""};
    const char *body = body_make(c, &c->messages, c->persona.max_tokens);
    unsigned lost = c->messages.lost + c->later.lost;
    if (lost > c->lost_told)
        outcome("there is no room for the whole conversation: %u message%s of it are not sent",
                lost, BL_S(lost));
    c->lost_told = lost;
    c->waits = c->open = false;
    c->asked++;
    c->tries++;
    text_begin(c);
    if (server_ask(&c->server, body, c->persona.stream, c->persona.timeout_ms, &c->text, &diag)) {
        outcome("%s", diag.text);
        fall_back(c);
    }
}

/* Reports a request for the record. */
static void tell(const struct chat *c, const char *how)
{
    const struct server *s = &c->server;
    uint64_t now = bl_mono_us();
    char tokens[60] = "", again[20] = "", what[SERVER_WHY];
    snprintf(what, sizeof what, "%s", how);
    for (char *at = what;
         (at = strchr(at, ';'));) /* readers take the first ';' as the start of the figures */
        *at = ',';
    if (c->tries > 1)
        snprintf(again, sizeof again, ", try %u", c->tries);
    if (s->tokens_out >= 0)
        snprintf(tokens, sizeof tokens, ", %lld token%s in, %lld out", s->tokens_in,
                 BL_S(s->tokens_in), s->tokens_out);
    outcome("request %u: %.110s; %llu ms, first word after %lld ms%s%s%s%s", c->asked, what,
            (unsigned long long)(now - s->asked_us) / 1000,
            s->first_us ? (long long)(s->first_us - s->asked_us) / 1000 : -1LL, again, tokens,
            s->reason[0] ? ", finish " : "", s->reason);
}

static void take_state(struct chat *c, enum server_state state, const char *why)
{
    bool empty;
    if (state == SERVER_ASKS)
        return;
    if (state == SERVER_ANSWERED)
        typed_text_end(&c->text);
    empty = c->text.count <= c->opening;
    if (state == SERVER_ANSWERED && !empty) {
        tell(c, "answered");
        if (c->text.cut)
            outcome("its answer has more than %d keys: these are typed", TYPED_KEYS);
        c->whole = true;
        return;
    }
    tell(c, state == SERVER_ANSWERED ? "an empty answer" : why);
    if (c->typed) { /* a part of the answer is on the page, and counts as the answer */
        typed_text_end(&c->text);
        c->whole = true;
    } else if (state == SERVER_FAILED || c->tries > c->persona.retries) {
        fall_back(c);
    } else {
        c->typing = false;
        c->waits = true;
        c->due_us = bl_mono_us() + (AGAIN_US << (c->tries < 6 ? c->tries - 1 : 5));
    }
}

static void hear(struct chat *c, const struct form_turn *turn)
{
    uint64_t reading = strlen(turn->text) * (uint64_t)READING_US;
    bool busy = c->typing || c->server.asking || c->waits;
    if (turn->lost)
        outcome("the judge's line had %u byte%s more than are sent", turn->lost, BL_S(turn->lost));
    if (busy && c->busy == BUSY_CANCEL && !c->waits) {
        server_cancel(&c->server);
        answer_end(c);
        outcome("request %u: cancelled, the judge has said more", c->asked);
        busy = false;
    }
    if (busy && !c->waits) {
        conversation_say(&c->later, TALKER_USER, turn->text);
        c->open = c->open || c->busy == BUSY_JOIN;
        return;
    }
    say(c, TALKER_USER, turn->text);
    if (busy) /* the waiting request includes this line */
        return;
    c->waits = true;
    c->due_us = bl_mono_us() + (reading < READING_MOST ? reading : READING_MOST);
}

/* Types the keys that are due. Returns the time of the next key. */
static uint64_t type(struct chat *c, uint64_t now)
{
    uint8_t bytes[UTF8_MAX];
    /* The last key waits for the answer's end, since trailing blanks are dropped. */
    size_t ready = c->whole ? c->text.count : c->text.count > c->opening ? c->text.count - 1 : 0;
    while (c->typing && c->typed < ready && now >= c->key_us) {
        put((const char *)bytes, utf8_encode(c->text.key[c->typed++], bytes));
        c->key_us = (c->key_us && now - c->key_us < 1000000 ? c->key_us : now) + gap_us(c);
    }
    if (c->typing && c->whole && c->typed >= c->text.count) {
        answer_end(c);
        if (c->open) {
            c->waits = true;
            c->due_us = now;
        }
    }
    return c->typing && c->typed < ready ? c->key_us : BL_NEVER;
}

static void run(struct chat *c)
{
    static struct form_turn turn;
    bool ended = false;
    if (c->open) {
        c->waits = true;
        c->due_us = bl_mono_us();
    }
    for (;;) {
        struct pollfd in = {.fd = ended ? -1 : STDIN_FILENO, .events = POLLIN};
        uint64_t now = bl_mono_us(), due = type(c, now);
        char why[SERVER_WHY] = "";
        uint8_t bytes[512];
        if (c->waits && now >= c->due_us && !c->typing)
            ask(c);
        if (ended && !c->typing && !c->waits && !c->server.asking)
            return;
        if (c->waits && !c->typing && c->due_us < due)
            due = c->due_us;
        int wait = due == BL_NEVER ? 60000 : due <= now ? 0 : (int)((due - now + 999) / 1000);
        if (c->server.asking)
            take_state(c, server_run(&c->server, in.fd, wait, why), why);
        else if (poll(&in, 1, due == BL_NEVER ? -1 : wait) < 0)
            continue;
        if (in.fd < 0 || poll(&in, 1, 0) <= 0)
            continue;
        ssize_t n = read(STDIN_FILENO, bytes, sizeof bytes);
        ended = n == 0 || (n < 0 && errno != EINTR && errno != EAGAIN);
        for (ssize_t i = 0; i < n; i++)
            if (turn_take(&turn, bytes[i]))
                hear(c, &turn);
    }
}

/* Waits for a server that is starting or loading its model. It is ready when it has answered a
 * request of one token. */
static enum bl_status warm_up(struct chat *c, const char *hash, struct bl_diag *diag)
{
    char listed[PERSONA_TEXT_MAX] = "", why[SERVER_WHY] = "";
    char heat[32] = "the server's own", seed[32] = "the server's own";
    struct timespec span = {.tv_sec = LIST_AGAIN_US / 1000000};
    enum server_state state = SERVER_ASKS;
    bool told = false;
    enum bl_status status;
    while ((status = server_list(&c->server, listed, LIST_MS, diag)) == BL_UNAVAIL) {
        if (!told)
            outcome("%s; it is asked again every second", diag->text);
        told = true;
        nanosleep(&span, NULL);
    }
    snprintf(c->model, sizeof c->model, "%s", c->persona.model[0] ? c->persona.model : listed);
    if (!c->model[0])
        return status;
    char room[8];
    struct conversation first = {.text = room, .room = sizeof room};
    conversation_say(&first, TALKER_USER, "Hello");
    typed_text_begin(&c->text, true);
    status =
        server_ask(&c->server, body_make(c, &first, 1), c->persona.stream, 600000, &c->text, diag);
    while (!status && state == SERVER_ASKS)
        state = server_run(&c->server, -1, 1000, why);
    if (!status && state == SERVER_FAILED)
        outcome("the first request: %s", why);
    /* Several outcomes: each has little room. */
    outcome("the persona's SHA-256: %s", hash);
    if (c->persona.temperature >= 0)
        snprintf(heat, sizeof heat, "%g", c->persona.temperature);
    if (c->persona.seed >= 0)
        snprintf(seed, sizeof seed, "%d", c->persona.seed);
    outcome("temperature %s, seed %s, at most %u tokens", heat, seed, c->persona.max_tokens);
    outcome_tell(APART_IS_THERE, 1, "warmed up: model %s (listed: %s)", c->model,
                 listed[0] ? listed : "none");
    return status;
}

static void usage(void)
{
    fprintf(stderr, "usage: boothlink-chat --chat URL|unix:PATH [--persona FILE] [--chat-key FILE] "
                    "[--busy join|cancel|ignore]\n"
                    "man boothlink-entrant: \"A LANGUAGE MODEL\"\n");
    exit(64);
}

/* Reads a terminal's brief, which is JSON. */
static json_t *brief_read(void)
{
    char *text = malloc(BRIEF_MAX);
    size_t length = 0;
    ssize_t n;
    while (text && length < BRIEF_MAX &&
           (n = pread(CHAT_BRIEF, text + length, BRIEF_MAX - length,
                      (off_t)(CHAT_TEXT_AT + length))) > 0)
        length += (size_t)n;
    json_t *brief = text ? json_loadb(text, length, 0, NULL) : NULL;
    free(text);
    return brief;
}

static void history_take(struct chat *c, const json_t *history)
{
    size_t i;
    const json_t *row;
    json_array_foreach(history, i, row)
    {
        const char *who = json_string_value(json_object_get(row, "who"));
        const char *text = json_string_value(json_object_get(row, "text"));
        if (who && text)
            say(c, strcmp(who, "entity") == 0 ? TALKER_ASSISTANT : TALKER_USER, text);
    }
}

struct chat_given {
    const char *chat, *by, *persona, *key, *busy;
    char *persona_text;
    char *key_text;
};

static void options_read(struct chat_given *given, int argc, char **argv)
{
    const struct option_row rows[] = {{"chat", &given->chat},       {"by", &given->by},
                                      {"persona", &given->persona}, {"chat-key", &given->key},
                                      {"busy", &given->busy},       {NULL, NULL}};
    if (!option_read(rows, argc, argv) || !given->chat)
        usage();
}

static enum bl_status files_read(struct chat_given *given, struct bl_diag *diag)
{
    enum bl_status status = BL_OK;
    if (given->persona)
        status =
            file_read_text(&given->persona_text, given->persona, PERSONA_MAX, "a persona", diag);
    if (!status && given->key)
        status = file_read_secret(&given->key_text, given->key, 1000, "a server's key", diag);
    return status;
}

/* Sets the chat up from the command line or the brief. */
static enum bl_status begin(struct chat *c, struct chat_given *given, const json_t *brief,
                            struct bl_diag *diag)
{
    const char *session = json_string_value(json_object_get(brief, "session"));
    const char *busy = json_string_value(json_object_get(brief, "busy"));
    const char *persona = json_string_value(json_object_get(brief, "persona"));
    const char *key = json_string_value(json_object_get(brief, "key"));
    uint8_t sum[crypto_hash_sha256_BYTES];
    char hash[2 * sizeof sum + 1];
    time_t clock = (time_t)(bl_now().wall_us / 1000000);
    struct tm local;
    enum bl_status status = files_read(given, diag);
    char *text = status ? NULL
                        : strdup(given->persona_text ? given->persona_text
                                 : persona           ? persona
                                                     : "");
    if (!key)
        key = given->key_text;
    busy = given->busy ? given->busy : busy ? busy : busy_words[0];
    while (busy_words[c->busy] && strcmp(busy_words[c->busy], busy) != 0)
        c->busy++;
    if (!status && !busy_words[c->busy])
        status = bl_fail(diag, BL_USAGE, "--busy %.40s: expected join, cancel or ignore", busy);
    if (!status && !text)
        status = bl_fail(diag, BL_NOMEM, "no memory");
    if (status)
        return status;
    crypto_hash_sha256(sum, (const uint8_t *)text, strlen(text));
    sodium_bin2hex(hash, sizeof hash, sum, sizeof sum);
    strftime(c->now, sizeof c->now, "%A, %e %B %Y, %H:%M", localtime_r(&clock, &local));
    status = persona_parse(&c->persona, text, diag);
    if (status)
        return status;
    c->session = session ? session : "";
    c->briefed = brief != NULL;
    if (strlen(system_make(c)) == 0 && c->persona.text[0])
        return bl_fail(diag, BL_DATA, "the persona, filled in, has more than %d bytes",
                       SYSTEM_ROOM - 1);
    history_take(c, json_object_get(brief, "history"));
    c->dice = randombytes_random();
    status = server_open(&c->server, given->chat, given->by, key, diag);
    return status ? status : warm_up(c, hash, diag);
}

int main(int argc, char **argv)
{
    static char talk[TALK_ROOM], later[LATER_ROOM];
    static struct chat c = {.messages = {.text = talk, .room = sizeof talk},
                            .later = {.text = later, .room = sizeof later}};
    static struct chat_given given; /* its texts are needed until the end */
    struct bl_diag diag = {""};
    struct stat found;
    options_read(&given, argc, argv);
    signal(SIGPIPE, SIG_IGN);
    prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
    json_t *brief = fstat(CHAT_BRIEF, &found) == 0 && S_ISREG(found.st_mode) ? brief_read() : NULL;
    outcome_begin(brief ? CHAT_BRIEF + 1 : STDERR_FILENO + 1, 0);
    if (curl_global_init(CURL_GLOBAL_DEFAULT) || sodium_init() < 0)
        return bl_status_exit(BL_UNAVAIL);
    enum bl_status status = begin(&c, &given, brief, &diag);
    if (status)
        fprintf(stderr, "boothlink-chat: %s\n", diag.text);
    else
        run(&c);
    server_close(&c.server);
    curl_global_cleanup();
    return bl_status_exit(status);
}
