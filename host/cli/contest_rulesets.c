/* "boothlink contest rulesets": lists the rulesets, and finds one. */
#include "base/file.h"
#include "base/name.h"
#include "cli/contest.h"
#include "rules/ruleset_lines.h"
#include "rules/rulesets.h"
#include "session/style.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FILE_MAX 65536

enum bl_status contest_read_file(char **text, const char *path, struct bl_diag *diag)
{
    return file_read_text(text, path, FILE_MAX, "a text", diag);
}

enum bl_status contest_ruleset_text(char **text, const char *name, struct bl_diag *diag)
{
    const struct built_text *found;
    *text = NULL;
    if (strchr(name, '/') || name_ends(name, ".ini"))
        return contest_read_file(text, name, diag);
    if (ruleset_find(&found, name, diag))
        return BL_NOINPUT;
    *text = strdup(found->text);
    return *text ? BL_OK : bl_fail(diag, BL_NOMEM, "no memory");
}

enum bl_status contest_check_style(const struct ruleset *ruleset, struct bl_diag *diag)
{
    struct style style;
    struct bl_diag why;
    return ruleset->style[0] && style_parse(&style, ruleset->style, SIDES, &why)
               ? bl_fail(diag, BL_DATA, "[session] %s", why.text)
               : BL_OK;
}

enum bl_status contest_load_ruleset(struct ruleset *ruleset, const char *name, struct bl_diag *diag)
{
    char *text;
    struct bl_diag why;
    enum bl_status status = contest_ruleset_text(&text, name, diag);
    if (status == BL_OK)
        status = ruleset_parse(ruleset, text, name, diag);
    if (status == BL_OK && contest_check_style(ruleset, &why))
        status = bl_fail(diag, BL_DATA, "%s: %s", name, why.text);
    free(text);
    return status;
}

static void print_one(const struct ruleset *ruleset, json_t *list)
{
    if (list)
        json_array_append_new(list, json_pack("{s:s,s:s,s:i}", "name", ruleset->name, "title",
                                              ruleset->title, "printed_rounds",
                                              (int)ruleset->printed.rounds));
    else
        printf("%-14s %s\n", ruleset->name, ruleset->title);
}

static void print_line(void *ctx, const char *line)
{
    (void)ctx;
    command_print("%s\n", line);
}

static enum bl_status contest_rulesets(const struct command_call *call, struct bl_diag *diag)
{
    const struct contest_options *options = call->options;
    struct ruleset *ruleset;
    enum bl_status status = BL_OK;
    json_t *list;
    ruleset = malloc(sizeof *ruleset);
    if (!ruleset)
        return bl_fail(diag, BL_NOMEM, "no memory");
    if (call->words) { /* printed if it can be parsed */
        char *text[2] = {NULL, NULL};
        for (unsigned i = 0; i < call->words && !status; i++)
            if (!(status = contest_load_ruleset(ruleset, call->word[i], diag)))
                status = contest_ruleset_text(&text[i], call->word[i], diag);
        if (!status && !text[1])
            fputs(text[0], stdout);
        else if (!status)
            printf("lines that differ: %u\n", ruleset_differences(text[0], call->word[0], text[1],
                                                                  call->word[1], print_line, NULL));
        free(text[0]);
        free(text[1]);
        free(ruleset);
        return status;
    }
    list = options->json ? json_array() : NULL;
    for (const struct built_text *at = ruleset_texts; at->name && status == BL_OK; at++) {
        status = ruleset_parse(ruleset, at->text, at->name, diag);
        if (status == BL_OK)
            print_one(ruleset, list);
    }
    if (list && status == BL_OK)
        command_json(json_incref(list), JSON_INDENT(2));
    json_decref(list);
    free(ruleset);
    return status;
}

static const struct command_option rulesets_options[] = {
    OPTION_JSON(struct contest_options, "print a JSON array"),
    {0},
};

const struct command contest_rulesets_verbs[] = {
    {
        .name = "contest rulesets",
        .synopsis = "[NAME|FILE.ini [NAME|FILE.ini]]",
        .help = "list the rulesets, check and print one, or compare two",
        .text = "A ruleset is an .ini file in which each line cites its rule, and from which a "
                "venue can write its own: boothlink-ruleset(5). Of two, the lines that differ.",
        .examples = "boothlink contest rulesets loebner-2004 > ours.ini\n"
                    "boothlink contest rulesets ours.ini loebner-2004",
        .options = rulesets_options,
        .size = sizeof(struct contest_options),
        .least = 0,
        .most = 2,
        .run = contest_rulesets,
    },
    {0},
};
