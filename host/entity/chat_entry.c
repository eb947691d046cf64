#include "entity/chat_entry.h"

#include "adapter/persona.h"
#include "base/file.h"
#include "base/utf8.h"

#include <jansson.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/mman.h>
#include <unistd.h>

/* True if the file lies in the folder, under any name. */
static bool lies_in(const char *file, const char *folder)
{
    char path[PATH_MAX], of[PATH_MAX];
    if (!realpath(file, path) || !realpath(folder, of))
        return false;
    size_t length = strlen(of);
    return strncmp(path, of, length) == 0 && (path[length] == '/' || length == 1);
}

/* Checks that the persona's text is UTF-8 and that boothlink-chat knows its settings. */
static enum bl_status persona_check(const char *text, const char *path, struct bl_diag *diag)
{
    struct persona persona;
    struct bl_diag why;
    uint32_t point;
    unsigned line = 1;
    for (size_t at = 0, taken, length = strlen(text); at < length; at += taken) {
        taken = utf8_decode((const uint8_t *)text + at, length - at, &point);
        if (!taken)
            return bl_fail(diag, BL_DATA, "%.200s: line %u: expected text in UTF-8", path, line);
        line += point == '\n';
    }
    char *copy = strdup(text); /* parsing changes the lines of settings */
    if (!copy)
        return bl_fail(diag, BL_NOMEM, "no memory for the persona");
    enum bl_status status = persona_parse(&persona, copy, &why);
    free(copy);
    return status ? bl_fail(diag, status, "%.200s: %.100s", path, why.text) : BL_OK;
}

/* Reads and checks a persona; the caller frees the text. */
static enum bl_status persona_read(char **text, const char *path, struct bl_diag *diag)
{
    enum bl_status status = file_read_text(text, path, PERSONA_MAX, "a persona", diag);
    if (status)
        return status;
    status = persona_check(*text, path, diag);
    if (status) {
        free(*text);
        *text = NULL;
    }
    return status;
}

enum bl_status chat_entry_check(const struct chat_entry *chat, const char *folder,
                                struct bl_diag *diag)
{
    static const char *const busy[] = {"join", "cancel", "ignore"};
    bool local = strncmp(chat->chat, "unix:/", 6) == 0;
    bool known = !chat->busy;
    if (!local && strncasecmp(chat->chat, "http://", 7) && strncasecmp(chat->chat, "https://", 8))
        return bl_fail(diag, BL_USAGE, "--chat %.200s: expected http://HOST[:PORT] or unix:/PATH",
                       chat->chat);
    for (size_t i = 0; i < sizeof busy / sizeof busy[0]; i++)
        known = known || strcmp(busy[i], chat->busy) == 0;
    if (!known)
        return bl_fail(diag, BL_USAGE, "--busy %.40s: expected join, cancel or ignore", chat->busy);
    if (chat->key && folder && lies_in(chat->key, folder))
        return bl_fail(diag, BL_USAGE,
                       "--chat-key %.200s: it is in the Entry's folder; expected a file elsewhere",
                       chat->key);
    if (chat->persona) {
        char *text;
        enum bl_status status = persona_read(&text, chat->persona, diag);
        if (status)
            return status;
        free(text);
    }
    return BL_OK;
}

/* Adds a party's message to the history, as the page shows it. */
static void message_end(json_t *history, enum party party, char *text, size_t *length)
{
    while (*length && text[*length - 1] == '\n')
        --*length;
    text[*length] = '\0';
    if (*length)
        json_array_append_new(
            history,
            json_pack("{s:s,s:s}", "who", party == PARTY_JUDGE ? "judge" : "entity", "text", text));
    *length = 0;
}

static json_t *history_make(const struct key_event *event, uint64_t count, uint64_t answered)
{
    json_t *history = json_array();
    char *text = malloc(count * UTF8_MAX + 1);
    size_t length = 0;
    enum party last = PARTY_JUDGE;
    for (uint64_t i = 0; text && i < count; i++) {
        if (i >= answered && event[i].party == PARTY_JUDGE)
            continue;
        if (event[i].party != last)
            message_end(history, last, text, &length);
        last = (enum party)event[i].party;
        if (event[i].point == KEY_RETURN) {
            text[length++] = '\n';
        } else if (event[i].point == KEY_BACKSPACE) {
            while (length && ((uint8_t)text[length - 1] & 0xC0) == 0x80)
                length--;
            if (length && text[length - 1] != '\n')
                length--;
        } else {
            length += utf8_encode(event[i].point, (uint8_t *)text + length);
        }
    }
    if (text)
        message_end(history, last, text, &length);
    free(text);
    return history;
}

enum bl_status chat_entry_brief(int *fd, const struct chat_entry *chat, const char *session,
                                const struct key_event *event, uint64_t count, uint64_t answered,
                                struct bl_diag *diag)
{
    char *persona = NULL, *key = NULL, *text = NULL;
    enum bl_status status = BL_OK;
    *fd = -1;
    if (chat->persona)
        status = persona_read(&persona, chat->persona, diag);
    if (!status && chat->key)
        status = file_read_secret(&key, chat->key, CHAT_KEY, "a server's key", diag);
    if (!status) {
        json_t *brief = json_pack("{s:s,s:s,s:s*,s:s*,s:o}", "session", session, "persona",
                                  persona ? persona : "", "busy", chat->busy, "key", key, "history",
                                  history_make(event, count, answered));
        text = json_dumps(brief, JSON_COMPACT);
        json_decref(brief);
        *fd = memfd_create("boothlink-brief", MFD_CLOEXEC);
        if (!text || *fd < 0 ||
            pwrite(*fd, text, strlen(text), CHAT_TEXT_AT) != (ssize_t)strlen(text))
            status = bl_fail(diag, BL_NOMEM, "no memory for the model's brief");
    }
    if (key)
        explicit_bzero(key, strlen(key));
    if (key && text)
        explicit_bzero(text, strlen(text));
    free(persona);
    free(key);
    free(text);
    return status;
}

void chat_entry_tell(int brief, uint64_t ends_us, const char *session)
{
    struct chat_state state = {.ends_us = ends_us};
    snprintf(state.session, sizeof state.session, "%s", session);
    if (pwrite(brief, &state, sizeof state, 0) != (ssize_t)sizeof state)
        return; /* the model then knows neither the time nor the name */
}
