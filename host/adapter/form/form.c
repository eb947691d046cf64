/* boothlink-form: a browser for a program that types lines. It sends each line of the judge on
 * standard input to the Entry's form, and prints the answer after the delay of 2003 r30. `boothlink
 * entity --web` and --cgi run this program as their Entry, in the sandbox; an entrant can run it at
 * a terminal.
 *
 * A fault of the Entry is an outcome (adapter/outcome.h) instead of an answer; the next line is
 * sent as usual.
 *
 * Source: 2003 r15, r16, r21, r29, r30. */
#include "adapter/form/exchange.h"
#include "adapter/outcome.h"
#include "base/loop.h"
#include "base/option.h"
#include "base/utf8.h"
#include "form/document.h"
#include "form/encode.h"
#include "form/page.h"
#include "form/template.h"
#include "form/turn.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

#define DELAY_MS   5000 /* r30 */
#define TIMEOUT_MS 120000
#define ANSWER_MAX 2000 /* most bytes of an answer that are typed */
#define AGAIN_US   UINT64_C(1000000)
#define CGI_URL    "http://localhost/cgi-bin/entry"

struct options {
    const char *web, *by, *cgi, *template, *record;
    unsigned delay_ms, timeout_ms;
};

struct browser {
    struct options options;
    struct exchange exchange;
    struct template *template;
    struct document *document; /* the last document; NULL: none yet */
    unsigned turns;
    bool differs_told;
};

#define outcome(...) outcome_tell(APART_TELLS, 1, __VA_ARGS__)

static void sleep_until(uint64_t due_us)
{
    uint64_t now;
    while ((now = bl_mono_us()) < due_us) {
        uint64_t left = due_us - now;
        struct timespec span = {.tv_sec = (time_t)(left / 1000000),
                                .tv_nsec = (long)(left % 1000000) * 1000};
        nanosleep(&span, NULL);
    }
}

/* Keeps the reply for the validator: the document, the template with its answer, and a line about
 * the turn. */
static void record(const struct browser *b, const char *sent, const char *answer, const char *fit,
                   uint64_t took_us, const char *why)
{
    char path[4096];
    FILE *file;
    if (!b->options.record)
        return;
    for (unsigned i = 0; i < 2; i++) {
        snprintf(path, sizeof path, "%s/%u%s.html", b->options.record, b->turns,
                 i ? "-template" : "");
        char *filled = i ? template_fill(b->template, answer, sent) : NULL;
        const char *text = i ? filled : b->document ? b->document->text : "";
        file = fopen(path, "we");
        if (file) {
            fputs(text ? text : "", file);
            fclose(file);
        }
        free(filled);
    }
    snprintf(path, sizeof path, "%s/turns", b->options.record);
    file = fopen(path, "ae");
    if (!file)
        return;
    fprintf(file, "%u\t%s\t%llu\t%s\t%s\t%s\n", b->turns, fit, (unsigned long long)(took_us / 1000),
            sent, answer, why);
    fclose(file);
}

static enum bl_status take(struct browser *b, const struct reply *reply, struct bl_diag *diag)
{
    struct document *document;
    char charset[32];
    enum bl_status status;
    if (reply->status >= 400)
        return bl_fail(diag, BL_DATA, "it answered with status %u", reply->status);
    if (!reply_is_html(reply->type)) {
        char type[64];
        utf8_plain(type, sizeof type, reply->type, strlen(reply->type));
        return bl_fail(diag, BL_DATA, "it returned '%s': expected text/html", type);
    }
    reply_charset(reply->type, charset);
    status = document_read(&document, reply->body, reply->length, charset, diag);
    if (status)
        return status;
    document_free(b->document);
    b->document = document;
    return BL_OK;
}

/* Checks that the current document's form leads to the Entry's own host. */
static enum bl_status check_target(const struct browser *b, struct bl_diag *diag)
{
    char url[EXCHANGE_URL_MAX];
    return exchange_target(&b->exchange, b->document->form.action, NULL, url, diag);
}

static enum bl_status get(struct browser *b, struct bl_diag *diag)
{
    char url[EXCHANGE_URL_MAX];
    struct request request = {.url = url};
    struct reply reply;
    enum bl_status status;
    snprintf(url, sizeof url, "%s", b->options.web ? b->options.web : CGI_URL);
    status = exchange_do(&b->exchange, &request, &reply, diag);
    if (!status)
        status = take(b, &reply, diag);
    if (!status && !b->document->form.there)
        status = bl_fail(diag, BL_DATA, "its document has no form with a field for text");
    return status ? status : check_target(b, diag);
}

static enum bl_status submit(struct browser *b, const char *text, struct bl_diag *diag)
{
    const struct document_form *form = &b->document->form;
    char type[ENCODE_TYPE_MAX], url[EXCHANGE_URL_MAX];
    struct request request = {.post = form->post, .url = url, .type = type};
    struct reply reply;
    char *body = encode_form(form, text, b->document->charset, &request.length, type);
    enum bl_status status =
        body ? exchange_target(&b->exchange, form->action, form->post ? NULL : body, url, diag)
             : bl_fail(diag, BL_NOMEM, "no memory for what is sent");
    request.body = body;
    if (!status)
        status = exchange_do(&b->exchange, &request, &reply, diag);
    if (!status)
        status = take(b, &reply, diag);
    free(body);
    return status;
}

static void cut(char *answer)
{
    size_t length = ANSWER_MAX;
    if (strlen(answer) <= ANSWER_MAX)
        return;
    while (length && (answer[length] & 0xC0) == 0x80)
        length--;
    outcome("its answer has %zu byte%s: %d are typed", strlen(answer), BL_S(strlen(answer)),
            ANSWER_MAX);
    answer[length] = '\0';
}

static void tell_differs(struct browser *b, const struct template_found *found)
{
    char piece[100];
    if (b->differs_told)
        return;
    b->differs_told = true;
    utf8_plain(piece, sizeof piece, found->differs, found->differs_length);
    outcome("its document is not as the template: '%s' was not found; the answer was", piece);
}

/* Finds the Entry's words in the document. NULL: none. The caller frees them. */
static char *answer_find(struct browser *b, const char **fit, struct bl_diag *diag)
{
    static const char *const fits[] = {"fits", "near", "not"};
    struct template_found found;
    enum template_fit fitted = template_match(b->template, b->document->text, &found);
    char piece[100], *words;
    *fit = fits[fitted];
    if (fitted == TEMPLATE_NOT) {
        utf8_plain(piece, sizeof piece, found.differs, found.differs_length);
        bl_fail(diag, BL_DATA, "no answer stands where the template has it: '%s' was not found",
                piece);
        return NULL;
    }
    if (fitted == TEMPLATE_NEAR)
        tell_differs(b, &found);
    words = document_words(found.answer, found.answer_length);
    if (words)
        cut(words);
    return words;
}

static void type_out(const char *answer)
{
    size_t length = strlen(answer), at = 0;
    char line[ANSWER_MAX + 2];
    memcpy(line, answer, length);
    line[length++] = '\n';
    while (at < length) {
        ssize_t n = write(STDOUT_FILENO, line + at, length - at);
        if (n < 0 && errno != EINTR)
            exit(EXIT_FAILURE);
        at += n > 0 ? (size_t)n : 0;
    }
}

static void converse(struct browser *b, const struct form_turn *turn)
{
    uint64_t began = bl_mono_us(), came;
    struct bl_diag diag = {""};
    const char *fit = "none";
    char *answer = NULL;
    enum bl_status status = BL_OK;
    b->turns++;
    if (turn->lost)
        outcome("the judge's line had %u byte%s more than are sent", turn->lost, BL_S(turn->lost));
    /* If the current document cannot send a line, such as one without a form, the first document is
     * fetched again. */
    if (!b->document || !b->document->form.there || check_target(b, &diag))
        status = get(b, &diag);
    if (!status)
        diag.text[0] = '\0';
    if (!status)
        status = submit(b, turn->text, &diag);
    came = bl_mono_us();
    if (!status)
        answer = answer_find(b, &fit, &diag);
    record(b, turn->text, answer ? answer : "", fit, came - began, diag.text);
    if (!answer)
        outcome("%s", diag.text[0] ? diag.text : "no memory for its answer");
    else if (!*answer)
        outcome("its answer is empty");
    sleep_until(began + b->options.delay_ms * UINT64_C(1000));
    if (answer && *answer)
        type_out(answer);
    free(answer);
}

/* Gets the first document. The request is repeated until the server answers, since it may be
 * starting. The judge's keys wait in the pipe. */
static void begin(struct browser *b)
{
    struct bl_diag diag = {""};
    const char *fit;
    char *opening;
    bool told = false;
    enum bl_status status;
    while ((status = get(b, &diag)) == BL_UNAVAIL) {
        if (!told)
            outcome("%s; it is asked again every second", diag.text);
        told = true;
        sleep_until(bl_mono_us() + AGAIN_US);
    }
    if (status) {
        outcome("its first document: %s", diag.text);
        return;
    }
    opening = answer_find(b, &fit, &diag);
    b->differs_told = false;
    if (opening && *opening)
        type_out(opening);
    free(opening);
}

static void run(struct browser *b)
{
    static struct form_turn turn;
    uint8_t bytes[512];
    ssize_t n;
    begin(b);
    while ((n = read(STDIN_FILENO, bytes, sizeof bytes)) > 0 || (n < 0 && errno == EINTR))
        for (ssize_t i = 0; i < n; i++)
            if (turn_take(&turn, bytes[i]))
                converse(b, &turn);
}

static void usage(void)
{
    fprintf(stderr, "usage: boothlink-form (--web URL | --cgi CMD) [--template TEXT] [--delay MS] "
                    "[--timeout MS] [--record DIR]\n"
                    "man boothlink-entrant: \"A FORM OF 2003\"\n");
    exit(64);
}

static unsigned number(const char *text, unsigned most)
{
    char *end;
    unsigned long value = strtoul(text, &end, 10);
    if (*end || end == text || value > most)
        usage();
    return (unsigned)value;
}

static void options_read(struct options *o, int argc, char **argv)
{
    const char *delay = NULL, *timeout = NULL;
    const struct option_row rows[] = {{"web", &o->web},       {"by", &o->by},
                                      {"cgi", &o->cgi},       {"template", &o->template},
                                      {"delay", &delay},      {"timeout", &timeout},
                                      {"record", &o->record}, {NULL, NULL}};
    if (!option_read(rows, argc, argv) || !o->web == !o->cgi)
        usage();
    o->delay_ms = delay ? number(delay, 600000) : DELAY_MS;
    o->timeout_ms = timeout ? number(timeout, 600000) : TIMEOUT_MS;
}

int main(int argc, char **argv)
{
    static struct browser b;
    struct bl_diag diag = {""};
    enum bl_status status;
    options_read(&b.options, argc, argv);
    signal(SIGPIPE, SIG_IGN);
    /* A CGI program runs as the same user. It must not reach our output through /proc. */
    prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
    outcome_begin(STDERR_FILENO + 1, 0);
    if (curl_global_init(CURL_GLOBAL_DEFAULT))
        return bl_status_exit(BL_UNAVAIL);
    status = template_read(&b.template,
                           b.options.template ? b.options.template : form_pages[0].text, &diag);
    if (status) {
        char why[300];
        snprintf(why, sizeof why, "%s", diag.text);
        bl_fail(&diag, status, "the template: %s", why);
    } else {
        status = exchange_open(&b.exchange, b.options.web ? b.options.web : CGI_URL, b.options.cgi,
                               b.options.by, b.options.timeout_ms, &diag);
    }
    if (status) {
        fprintf(stderr, "boothlink-form: %s\n", diag.text);
    } else {
        run(&b);
        exchange_close(&b.exchange);
    }
    document_free(b.document);
    template_free(b.template);
    curl_global_cleanup();
    return bl_status_exit(status);
}
