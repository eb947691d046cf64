#include "adapter/lpp2_words.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#define DUMP (JSON_COMPACT | JSON_ENSURE_ASCII | JSON_PRESERVE_ORDER)

/* Copies a field. False: it is missing, too long, or has characters that a name or a text may not
 * have. */
static bool copy_word(const json_t *body, const char *field, char *word, size_t room, bool name)
{
    const char *text = json_string_value(json_object_get(body, field));
    if (!text || strlen(text) >= room)
        return false;
    for (const char *c = text; *c; c++)
        if (name ? !isalnum((unsigned char)*c) && !strchr("._-", *c) : (unsigned char)*c < ' ')
            return false;
    strcpy(word, text);
    return true;
}

static enum lpp2_ask control_of(const json_t *body)
{
    const char *status = json_string_value(json_object_get(body, "status"));
    if (!status)
        return LPP2_NONE;
    return strcmp(status, "register") == 0           ? LPP2_REGISTER
           : strcmp(status, "roundInformation") == 0 ? LPP2_ROUND
           : strcmp(status, "recap") == 0            ? LPP2_RECAP
                                                     : LPP2_NONE;
}

static const char *read_body(struct lpp2_asked *asked, const char *event)
{
    const json_t *content = json_object_get(asked->body, "content");
    if (!json_is_object(asked->body))
        return "its event is no JSON object in a string";
    if (!copy_word(asked->body, "id", asked->id, sizeof asked->id, true) || !asked->id[0])
        return "its \"id\" is missing, or is no name of at most 32 letters, digits, '.', '_', '-'";
    copy_word(asked->body, "secret", asked->secret, sizeof asked->secret, false);
    if (strcmp(event, "control") == 0) {
        asked->what = control_of(asked->body);
        return NULL;
    }
    if (!json_is_string(content) ||
        !copy_word(asked->body, "to", asked->to, sizeof asked->to, true))
        return "a message needs \"to\", a name, and \"content\", a string";
    asked->what = LPP2_MESSAGE;
    asked->content = json_string_value(content);
    asked->length = json_string_length(content);
    return NULL;
}

void lpp2_asked_read(struct lpp2_asked *asked, const char *json, size_t length)
{
    *asked = (struct lpp2_asked){.what = LPP2_BAD, .why = "it is no event: [\"NAME\",\"JSON\"]"};
    asked->root = json_loadb(json, length, 0, NULL);
    const char *event = json_string_value(json_array_get(asked->root, 0));
    const json_t *given = json_array_get(asked->root, 1);
    if (!event)
        return;
    if (strcmp(event, "control") != 0 && strcmp(event, "message") != 0) {
        asked->what = LPP2_NONE;
        asked->why = NULL;
        return;
    }
    /* some clients omit the string around the object */
    asked->body =
        json_is_string(given)
            ? json_loadb(json_string_value(given), json_string_length(given), JSON_ALLOW_NUL, NULL)
            : json_deep_copy(given);
    asked->why = read_body(asked, event);
    if (asked->why)
        asked->what = LPP2_BAD;
}

void lpp2_asked_free(struct lpp2_asked *asked)
{
    json_decref(asked->root);
    json_decref(asked->body);
}

/* The packet of an event with a text. */
static char *text_packet(const char *event, const char *text)
{
    json_t *array = json_pack("[ss]", event, text);
    char *all = array ? json_dumps(array, DUMP) : NULL;
    size_t length = all ? strlen(all) : 0;
    char *packet = all ? malloc(length + 3) : NULL;
    if (packet) {
        memcpy(packet, "42", 2);
        memcpy(packet + 2, all, length + 1);
    }
    free(all);
    json_decref(array);
    return packet;
}

/* The packet of an event with JSON, which is taken over. */
static char *event_packet(const char *event, json_t *body)
{
    char *text = body ? json_dumps(body, DUMP) : NULL;
    char *packet = text ? text_packet(event, text) : NULL;
    free(text);
    json_decref(body);
    return packet;
}

static json_t *partners_of(const char *id)
{
    return json_pack("{s:[s],s:[s]}", LPP2_JUDGE, id, id, LPP2_JUDGE);
}

char *lpp2_round_packet(int round, enum lpp2_status status, const char *id)
{
    static const char *const names[] = {"Not Started", "Running", "Finished"};
    return event_packet("roundInformation",
                        json_pack("{s:i,s:s,s:o}", "roundNumber", round, "status", names[status],
                                  "partners", round < 0 ? json_object() : partners_of(id)));
}

char *lpp2_control_packet(const char *status, const char *id)
{
    json_t *body = json_pack("{s:s}", "status", status);
    if (body && id)
        json_object_set_new(body, "partners", partners_of(id));
    return event_packet("control", body);
}

char *lpp2_error_packet(const char *event, const char *text)
{
    return text_packet(event, text);
}

json_t *lpp2_message(const char *from, const char *to, const char *content, size_t length)
{
    return json_pack("{s:s%,s:s,s:s,s:s}", "content", content, length, "to", to, "id", from,
                     "secret", "");
}

char *lpp2_message_packet(const char *from, const char *to, const char *content, size_t length)
{
    return event_packet("message", lpp2_message(from, to, content, length));
}

char *lpp2_recap_packet(json_t *messages, size_t most)
{
    for (;;) {
        char *packet = event_packet("recap", json_incref(messages));
        size_t length = packet ? strlen(packet) : 0;
        if (!packet || length <= most || json_array_size(messages) == 0) {
            json_decref(messages);
            return packet;
        }
        free(packet);
        /* The dropped share of the messages is the packet's excess. */
        for (size_t drop = json_array_size(messages) * (length - most) / length + 1;
             drop > 0 && json_array_size(messages) > 0; drop--)
            json_array_remove(messages, 0);
    }
}
