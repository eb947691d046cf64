/* Engine.IO 3, Socket.IO's packets and the words of LPP v2 as clients of 2016 to 2019 write and
 * read them. The payloads are those that engine.io-parser 1.3 and 2.2 make. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "adapter/engine_io.h"
#include "adapter/lpp2_words.h"

static uint8_t bytes[4096];

static struct engine_payload payload_of(const void *text, size_t length, bool binary)
{
    memcpy(bytes, text, length);
    return (struct engine_payload){.at = bytes, .left = length, .binary = binary};
}

static void next_is(struct engine_payload *payload, char type, const char *data)
{
    struct engine_packet packet;
    assert_int_equal(engine_payload_next(payload, &packet), ENGINE_PACKET);
    assert_int_equal(packet.type, type);
    assert_int_equal(packet.length, strlen(data));
    assert_memory_equal(packet.data, data, packet.length);
}

static void ends(struct engine_payload *payload, enum engine_next how)
{
    struct engine_packet packet;
    assert_int_equal(engine_payload_next(payload, &packet), how);
}

static void test_text(void **state)
{
    static const char text[] = "6:2probe1:35:4é😀x";
    struct engine_payload payload = payload_of(text, strlen(text), false);
    (void)state;
    next_is(&payload, '2', "probe");
    next_is(&payload, '3', "");
    next_is(&payload, '4', "é😀x"); /* the face is two units */
    ends(&payload, ENGINE_END);
}

/* engine.io-parser 1.3: the text of each packet is UTF-8, and the whole is encoded once more. */
static void test_text_twice(void **state)
{
    static const char twice[] = "6:4na\xC3\x83\xC2\xAFv4:4\xC3\x83\xC2\xA9!";
    struct engine_payload payload = payload_of(twice, strlen(twice), false);
    (void)state;
    next_is(&payload, '4', "naïv");
    next_is(&payload, '4', "é!");
    ends(&payload, ENGINE_END);
    static const char once[] = "5:4\xC3\xA9t\xC3\xA9!"; /* Latin-1 that is no UTF-8 */
    payload = payload_of(once, strlen(once), false);
    next_is(&payload, '4', "été!");
    ends(&payload, ENGINE_END);
}

static void test_binary(void **state)
{
    static const char binary[] = "\0\1\2\3774hello, \xC3\xAF!!"
                                 "\0\1\3772";
    struct engine_payload payload = payload_of(binary, sizeof binary - 1, true);
    (void)state;
    next_is(&payload, '4', "hello, ï!!");
    next_is(&payload, '2', "");
    ends(&payload, ENGINE_END);
}

static void test_bad(void **state)
{
    static const struct {
        const char *text;
        size_t length;
        bool binary;
    } bad[] = {{"x", 1, false},
               {"6:2", 3, false},
               {":2", 2, false},
               {"0:", 2, false},
               {"1", 1, false},
               {"1:9", 3, false},
               {"1:b", 3, false}, /* binary data in base64 */
               {"99999999999999999999:2", 22, false},
               {"2:4\xC3", 4, false},
               {"2:4\xF0\x9F\x98\x80", 7, false}, /* half of a character */
               {"\1\1\3772", 4, true},            /* binary data */
               {"\0\3772", 3, true},
               {"\0\1\2\3774", 5, true},
               {"\0\1", 2, true},
               {"\0\12\3774", 4, true},
               {"\0\2\3774\xFF", 5, true}};
    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        struct engine_payload payload = payload_of(bad[i].text, bad[i].length, bad[i].binary);
        ends(&payload, ENGINE_BAD);
    }
}

static void test_add(void **state)
{
    uint8_t out[32];
    size_t used;
    (void)state;
    used = engine_payload_add(out, 0, sizeof out, false, "3probe", 6);
    used += engine_payload_add(out, used, sizeof out, false, "6", 1);
    assert_int_equal(used, 11);
    assert_memory_equal(out, "6:3probe1:6", 11);
    used = engine_payload_add(out, 0, sizeof out, true, "40123456789", 11);
    assert_int_equal(used, 15);
    assert_memory_equal(out, "\0\1\1\37740123456789", 15);
    assert_int_equal(engine_payload_add(out, used, 26, true, "40123456789", 11), 0);
    assert_int_equal(engine_payload_add(out, 0, 7, false, "3probe", 6), 0);
    assert_int_equal(engine_payload_add(out, 0, 8, false, "3probe", 6), 8);
}

static void test_query(void **state)
{
    char value[8];
    (void)state;
    assert_true(engine_query("EIO=3&transport=polling&sid=ab1", "sid", value, sizeof value));
    assert_string_equal(value, "ab1");
    assert_true(engine_query("EIO=3&sid=", "EIO", value, sizeof value));
    assert_string_equal(value, "3");
    assert_false(engine_query("xEIO=3&EIOx=4&EIO", "EIO", value, sizeof value));
    assert_false(engine_query("sid=12345678", "sid", value, sizeof value));
    assert_false(engine_query("", "sid", value, sizeof value));
}

static void socket_is(const char *data, enum socket_kind kind, bool elsewhere, const char *json)
{
    struct socket_packet packet;
    assert_true(socket_packet_read((const uint8_t *)data, strlen(data), &packet));
    assert_int_equal(packet.kind, kind);
    assert_int_equal(packet.elsewhere, elsewhere);
    assert_int_equal(packet.length, strlen(json));
    assert_memory_equal(packet.json, json, packet.length);
}

static void test_socket(void **state)
{
    struct socket_packet packet;
    (void)state;
    socket_is("2[\"control\",\"{}\"]", SOCKET_EVENT, false, "[\"control\",\"{}\"]");
    socket_is("217[\"x\"]", SOCKET_EVENT, false, "[\"x\"]"); /* it waits for an answer */
    socket_is("0", SOCKET_CONNECT, false, "");
    socket_is("0/?token=a", SOCKET_CONNECT, false, "");
    socket_is("0/other,", SOCKET_CONNECT, true, "");
    socket_is("2/other,3[\"x\"]", SOCKET_EVENT, true, "[\"x\"]");
    assert_false(socket_packet_read((const uint8_t *)"", 0, &packet));
    assert_false(socket_packet_read((const uint8_t *)"51-[\"x\"]", 8, &packet)); /* binary */
}

static void asks(const char *json, enum lpp2_ask what)
{
    struct lpp2_asked asked;
    lpp2_asked_read(&asked, json, strlen(json));
    if (asked.what != what)
        fail_msg("%s: %d, expected %d", json, asked.what, what);
    assert_int_equal(asked.why != NULL, what == LPP2_BAD);
    lpp2_asked_free(&asked);
}

#define WHO "\\\"id\\\":\\\"ai0\\\",\\\"secret\\\":\\\"abc123\\\""

static void test_asked(void **state)
{
    struct lpp2_asked asked;
    static const char said[] =
        "[\"message\",\"{\\\"content\\\":\\\"Sch\xC3\xB6n \\\\\\\"so\\\\\\\"\\\","
        "\\\"to\\\":\\\"judge0\\\"," WHO "}\"]";
    (void)state;
    lpp2_asked_read(&asked, said, strlen(said));
    assert_int_equal(asked.what, LPP2_MESSAGE);
    assert_string_equal(asked.id, "ai0");
    assert_string_equal(asked.secret, "abc123");
    assert_string_equal(asked.to, "judge0");
    assert_string_equal(asked.content, "Schön \"so\"");
    lpp2_asked_free(&asked);
    asks("[\"control\",\"{\\\"status\\\":\\\"register\\\"," WHO "}\"]", LPP2_REGISTER);
    asks("[\"control\",\"{\\\"status\\\":\\\"roundInformation\\\"," WHO "}\"]", LPP2_ROUND);
    asks("[\"control\",\"{\\\"status\\\":\\\"recap\\\"," WHO "}\"]", LPP2_RECAP);
    asks("[\"control\",{\"status\":\"register\",\"id\":\"ai0\"}]", LPP2_REGISTER);
    asks("[\"control\",\"{\\\"status\\\":\\\"scores\\\"," WHO "}\"]", LPP2_NONE);
    asks("[\"score\",\"{" WHO "}\"]", LPP2_NONE);
    asks("[\"message\",\"{\\\"content\\\":3,\\\"to\\\":\\\"judge0\\\"," WHO "}\"]", LPP2_BAD);
    asks("[\"message\",\"{\\\"content\\\":\\\"x\\\"," WHO "}\"]", LPP2_BAD);
    asks("[\"control\",\"{\\\"status\\\":\\\"register\\\"}\"]", LPP2_BAD);
    asks("[\"control\",\"{\\\"id\\\":\\\"ai 0\\\",\\\"status\\\":\\\"register\\\"}\"]", LPP2_BAD);
    asks("[\"control\",\"{\\\"id\\\":\\\"\\\",\\\"status\\\":\\\"register\\\"}\"]", LPP2_BAD);
    asks("[\"control\",\"no JSON\"]", LPP2_BAD);
    asks("[\"control\"]", LPP2_BAD);
    asks("[]", LPP2_BAD);
    asks("", LPP2_BAD);
    asks("{\"control\":1}", LPP2_BAD);
}

/* Whatever is in a field, it is a name of few letters that cannot be cut or taken for another, or
 * nothing. */
static void test_fields(void **state)
{
    char json[400], secret[LPP2_SECRET_MAX + 2], id[LPP2_NAME_MAX + 2];
    struct lpp2_asked asked;
    (void)state;
    for (unsigned more = 0; more < 2; more++) { /* as long as it may be, and longer */
        memset(id, 'i', sizeof id);
        memset(secret, 's', sizeof secret);
        id[LPP2_NAME_MAX + more] = secret[LPP2_SECRET_MAX] = '\0';
        snprintf(json, sizeof json,
                 "[\"control\",{\"status\":\"register\",\"id\":\"%s\","
                 "\"secret\":\"%s\"}]",
                 id, secret);
        asks(json, more ? LPP2_BAD : LPP2_REGISTER);
    }
    memset(secret, 's', sizeof secret);
    secret[LPP2_SECRET_MAX + 1] = '\0';
    snprintf(json, sizeof json,
             "[\"control\",{\"status\":\"register\",\"id\":\"a\","
             "\"secret\":\"%s\"}]",
             secret);
    lpp2_asked_read(&asked, json, strlen(json));
    assert_string_equal(asked.secret, ""); /* no part of it is one */
    lpp2_asked_free(&asked);
    /* A NUL in a message is a character of it, as it is no key. */
    static const char nul[] = "[\"message\",\"{\\\"content\\\":\\\"a\\\\u0000b\\\",\\\"to\\\":"
                              "\\\"judge0\\\"," WHO "}\"]";
    lpp2_asked_read(&asked, nul, strlen(nul));
    assert_int_equal(asked.what, LPP2_MESSAGE);
    assert_int_equal(asked.length, 3);
    assert_memory_equal(asked.content, "a\0b", 3);
    lpp2_asked_free(&asked);
    asks("[\"message\",\"{\\\"content\\\":\\\"\\\\ud800\\\",\\\"to\\\":\\\"judge0\\\"," WHO "}\"]",
         LPP2_BAD); /* half of a character */
    asks("[\"control\",{\"status\":\"register\",\"id\":\"a\\u001b\"}]", LPP2_BAD);
    asks("[\"control\",{\"status\":\"register\",\"id\":[\"a\"]}]", LPP2_BAD);
}

static void packet_is(char *packet, const char *text)
{
    assert_string_equal(packet, text);
    free(packet);
}

static void test_packets(void **state)
{
    (void)state;
    packet_is(
        lpp2_message_packet("judge0", "ai0", "na\xC3\xAFve \"\xF0\x9F\x98\x80\"", 13),
        "42[\"message\",\"{\\\"content\\\":\\\"na\\\\u00EFve "
        "\\\\\\\"\\\\uD83D\\\\uDE00\\\\\\\"\\\",\\\"to\\\":\\\"ai0\\\",\\\"id\\\":\\\"judge0\\\","
        "\\\"secret\\\":\\\"\\\"}\"]");
    packet_is(lpp2_control_packet("newRound", "ai3"),
              "42[\"control\",\"{\\\"status\\\":\\\"newRound\\\",\\\"partners\\\":{\\\"judge0\\\":"
              "[\\\"ai3\\\"],\\\"ai3\\\":[\\\"judge0\\\"]}}\"]");
    packet_is(lpp2_control_packet("endRound", NULL),
              "42[\"control\",\"{\\\"status\\\":\\\"endRound\\\"}\"]");
    packet_is(
        lpp2_round_packet(-1, LPP2_NOT_STARTED, "ai0"),
        "42[\"roundInformation\",\"{\\\"roundNumber\\\":-1,\\\"status\\\":\\\"Not Started\\\","
        "\\\"partners\\\":{}}\"]");
    packet_is(lpp2_error_packet("AuthError", "Invalid secret"),
              "42[\"AuthError\",\"Invalid secret\"]");
}

/* What is too much is left out from the front. */
static void test_recap(void **state)
{
    json_t *messages = json_array();
    char text[16];
    (void)state;
    for (int i = 0; i < 200; i++) {
        int length = snprintf(text, sizeof text, "line %d", i);
        json_array_append_new(messages, lpp2_message("ai0", "judge0", text, (size_t)length));
    }
    char *packet = lpp2_recap_packet(json_incref(messages), 1000);
    assert_in_range(strlen(packet), 700, 1000);
    assert_non_null(strstr(packet, "line 199"));
    assert_null(strstr(packet, "line 0\\"));
    free(packet);
    packet_is(lpp2_recap_packet(messages, 5), "42[\"recap\",\"[]\"]");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_text),   cmocka_unit_test(test_text_twice),
        cmocka_unit_test(test_binary), cmocka_unit_test(test_bad),
        cmocka_unit_test(test_add),    cmocka_unit_test(test_query),
        cmocka_unit_test(test_socket), cmocka_unit_test(test_asked),
        cmocka_unit_test(test_fields), cmocka_unit_test(test_packets),
        cmocka_unit_test(test_recap),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
