#include "rules/kind.h"

#include <stdio.h>
#include <string.h>

const char *const kind_words[KIND_WORD_COUNT] = {
#define KIND_WORD_NAME(id, name, value, help) name,
    KIND_WORDS(KIND_WORD_NAME)
#undef KIND_WORD_NAME
};

const struct entry_kind entry_kinds[KINDS] = {
    [KIND_KEYBOARD] = {.own = "keyboard", .value = "yes", .word = KIND_WORD_COUNT, .beside = ""},
    [KIND_PROGRAM] = {.own = "program", .value = "CMD", .word = KIND_WORD_program, .beside = ""},
    [KIND_LPP] = {.own = "lpp",
                  .value = "DIR",
                  .word = KIND_WORD_lpp,
                  .beside = "",
                  .startable = true,
                  .reach = KIND_REACHES_US,
                  .checks = "lpp",
                  .demand = "an Entry that speaks the Loebner Prize Protocol (LPP)",
                  .example = "lpp_entry.py"},
    [KIND_LPP2] = {.own = "lpp2",
                   .value = "PORT",
                   .word = KIND_WORD_lpp2,
                   .beside = " lpp2-secret ",
                   .startable = true,
                   .registers = true,
                   .reach = KIND_REACHES_US,
                   .checks = "lpp2"},
    [KIND_WEB] = {.own = "web",
                  .value = "URL",
                  .word = KIND_WORD_web,
                  .beside = " template ",
                  .ours = "boothlink-form",
                  .tried = " --delay 1",
                  .kept = " --record /tmp",
                  .reach = KIND_REACHES_SERVER,
                  .checks = "web"},
    [KIND_CGI] = {.own = "cgi",
                  .value = "CMD",
                  .word = KIND_WORD_cgi,
                  .beside = " template ",
                  .ours = "boothlink-form",
                  .tried = " --delay 1",
                  .kept = " --record /tmp",
                  .reach = KIND_REACHES_NOTHING,
                  .checks = "web"},
    [KIND_CHAT] = {.own = "chat",
                   .value = "URL",
                   .word = KIND_WORD_chat,
                   .beside = " persona busy chat-key ",
                   .ours = "boothlink-chat",
                   .told = true,
                   .reach = KIND_REACHES_SERVER},
};

static bool is_given(const char *const given[KIND_WORD_COUNT], enum kind_word word)
{
    return word != KIND_WORD_COUNT && given[word] && given[word][0];
}

static void add(char *out, size_t room, const char *text)
{
    size_t used = strlen(out);
    snprintf(out + used, room - used, "%s", text);
}

void kind_list(char *out, size_t room, const char *before, const char *between)
{
    *out = '\0';
    for (int i = KIND_PROGRAM; i < KINDS; i++) {
        add(out, room, i == KIND_PROGRAM ? "" : i == KINDS - 1 ? " or " : between);
        add(out, room, before);
        add(out, room, entry_kinds[i].own);
    }
}

/* Lists all kinds: "'program = CMD', ... and 'keyboard = yes'", or "--program 'CMD', ... and
 * --keyboard". */
static void list_all(char *out, size_t room, enum kind_wording wording)
{
    char row[80];
    bool dash = wording != KIND_AS_FIELDS;
    int last = wording == KIND_AS_ENTRY_OPTIONS ? KINDS - 1 : KINDS;
    *out = '\0';
    for (int i = 1; i <= last; i++) {
        const struct entry_kind *kind = &entry_kinds[i % KINDS];
        bool quoted = strcmp(kind->value, "CMD") == 0, alone = kind->word == KIND_WORD_COUNT;
        if (!dash)
            snprintf(row, sizeof row, "'%s = %s'", kind->own, kind->value);
        else if (alone)
            snprintf(row, sizeof row, "--%s", kind->own);
        else
            snprintf(row, sizeof row, quoted ? "--%s '%s'" : "--%s %s", kind->own, kind->value);
        add(out, room, i == 1 ? "" : i == last ? " and " : ", ");
        add(out, room, row);
    }
}

/* Lists the kinds that a word may accompany: "'web = URL' or 'cgi = CMD'". */
static void list_beside(char *out, size_t room, const char *word, bool dash)
{
    char row[80], blank[64];
    *out = '\0';
    snprintf(blank, sizeof blank, " %s ", word);
    for (int i = 0; i < KINDS; i++) {
        if (!strstr(entry_kinds[i].beside, blank))
            continue;
        snprintf(row, sizeof row, dash ? "--%s %s" : "'%s = %s'", entry_kinds[i].own,
                 entry_kinds[i].value);
        add(out, room, *out ? " or " : "");
        add(out, room, row);
    }
}

static bool goes_with(const struct entry_kind *kind, enum kind_word word)
{
    char blank[64];
    snprintf(blank, sizeof blank, " %s ", kind_words[word]);
    return kind->word == word || strstr(kind->beside, blank) ||
           (word == KIND_WORD_program && kind->startable);
}

bool kind_is_given(const char *const given[KIND_WORD_COUNT])
{
    for (int i = 0; i < KINDS; i++)
        if (is_given(given, entry_kinds[i].word))
            return true;
    return false;
}

enum bl_status kind_find(enum kind_id *kind, const char *const given[KIND_WORD_COUNT],
                         bool keyboard, enum kind_wording wording, struct bl_diag *diag)
{
    bool dash = wording != KIND_AS_FIELDS;
    unsigned found = 0, starts = 0;
    char list[400];
    *kind = KIND_PROGRAM;
    for (int i = 0; i < KINDS; i++) {
        if (i == KIND_KEYBOARD ? !keyboard : !is_given(given, entry_kinds[i].word))
            continue;
        if (i == KIND_PROGRAM) {
            starts = 1;
            continue;
        }
        found++;
        *kind = (enum kind_id)i;
    }
    if (found + starts == 0 || found > 1 || (starts && found && !entry_kinds[*kind].startable)) {
        list_all(list, sizeof list, wording);
        return bl_fail(diag, BL_DATA, "expected one of %s", list);
    }
    for (int i = 0; i < KIND_WORD_COUNT; i++)
        if (is_given(given, (enum kind_word)i) &&
            !goes_with(&entry_kinds[*kind], (enum kind_word)i)) {
            list_beside(list, sizeof list, kind_words[i], dash);
            return bl_fail(diag, BL_DATA, "%s%s: expected it beside %s", dash ? "--" : "",
                           kind_words[i], list);
        }
    return BL_OK;
}
