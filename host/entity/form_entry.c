#include "entity/form_entry.h"

#include "base/file.h"
#include "entity/relay.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* Our own program needs only some existing folder. */
#define NO_FOLDER "/srv"

struct form_words {
    char *text;
    size_t used;
    bool full;
};

static void add(struct form_words *c, const char *text, size_t length)
{
    c->full = c->full || c->used + length >= FORM_COMMAND_MAX;
    if (c->full)
        return;
    memcpy(c->text + c->used, text, length);
    c->used += length;
    c->text[c->used] = '\0';
}

/* Any word as sh(1) takes it. */
static void add_option(struct form_words *c, const char *name, const char *value)
{
    add(c, c->used ? " " : "", c->used ? 1 : 0);
    add(c, name, strlen(name));
    add(c, " '", 2);
    for (; *value; value++)
        add(c, *value == '\'' ? "'\\''" : value, *value == '\'' ? 4 : 1);
    add(c, "'", 1);
}

static bool is_address(const char *url)
{
    return (strncasecmp(url, "http://", 7) == 0 && url[7]) ||
           (strncasecmp(url, "https://", 8) == 0 && url[8]);
}

enum bl_status form_entry_set(struct program_options *options, struct form_entry *form,
                              struct bl_diag *diag)
{
    struct form_words command = {.text = form->command};
    char *template = NULL, delay[16];
    enum bl_status status = BL_OK;
    if (!form->web && !form->cgi)
        return form->template || form->delay_ms
                   ? bl_fail(diag, BL_USAGE,
                             "--template and --form-delay go with --web URL or --cgi CMD")
                   : BL_OK;
    if (form->web && (form->cgi || !is_address(form->web)))
        return bl_fail(
            diag, BL_USAGE,
            "--web %.200s: expected an address as http://HOST[:PORT]/PATH, without --cgi",
            form->web);
    if (form->template)
        status = file_read_text(&template, form->template, FORM_TEMPLATE_MAX, "a template of HTML",
                                diag);
    if (status)
        return status;
    add_option(&command, form->web ? "--web" : "--cgi", form->web ? form->web : form->cgi);
    if (template)
        add_option(&command, "--template", template);
    free(template);
    snprintf(delay, sizeof delay, "%u", form->delay_ms);
    if (form->delay_ms)
        add_option(&command, "--delay", delay);
    if (form->web && !options->place.open)
        add_option(&command, "--by", RELAY_PLACE);
    if (command.full)
        return bl_fail(diag, BL_USAGE, "--cgi, with its template, is longer than %d bytes",
                       FORM_COMMAND_MAX - 1);
    options->command = form->command;
    options->io = PROGRAM_PIPE;
    options->turn_end = TURN_LF;
    options->place.ours = form->web ? KIND_WEB : KIND_CGI;
    options->place.server = form->web;
    if (form->web && !options->place.folder)
        options->place.folder = NO_FOLDER;
    return BL_OK;
}
