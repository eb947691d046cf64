/* What a browser is told: rows that it lacks and no others, whatever was typed; strings that stay
 * strings; and who is let in by an address. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>
#include <jansson.h>

#include "tests/support/random.h"
#include "web/proof.h"
#include "web/scene.h"

#define ROUNDS  60
#define KEYS    400
#define PENDING 12

#define SERVERS "9b4bbb14910569ff1f22affdff99c9ce11ab14cdab42d62b4dad0f73bd6bb34f"
#define PAGES   "101d9af2d920836c50f6e7d629acbb3db199cb52ab0b2d5dff60c5d7d0628bbf"

static struct bl_diag diag;

/* What a browser has of a pane, as host/web/page.js keeps it. */
struct shown {
    uint64_t first;
    json_t *rows;
};

static void apply(struct shown *shown, const json_t *told)
{
    uint64_t from = (uint64_t)json_integer_value(json_array_get(told, 2));
    uint64_t base = (uint64_t)json_integer_value(json_array_get(told, 3));
    uint64_t end = (uint64_t)json_integer_value(json_array_get(told, 4));
    const json_t *rows = json_array_get(told, 5);
    while (json_array_size(shown->rows) && shown->first < base) {
        json_array_remove(shown->rows, 0);
        shown->first++;
    }
    if (!json_array_size(shown->rows))
        shown->first = base;
    for (size_t i = 0; i < json_array_size(rows); i++) {
        size_t at = (size_t)(from - shown->first) + i;
        json_t *row = json_array_get(rows, i);
        if (at < json_array_size(shown->rows))
            json_array_set(shown->rows, at, row);
        else
            json_array_append(shown->rows, row);
    }
    while (json_array_size(shown->rows) > end - shown->first)
        json_array_remove(shown->rows, json_array_size(shown->rows) - 1);
}

/* Asks for rows until there are no more, with little room, and applies them. */
static void follow(struct scene_pane *sent, struct shown *shown, const struct screen_model *model,
                   unsigned pane, size_t room)
{
    static char buffer[200000];
    for (bool all = false; !all;) {
        struct json_text out = {.at = buffer, .room = room};
        json_put(&out, "[");
        all = scene_rows(sent, model, SIDE_LEFT, pane, 100, &out);
        json_put(&out, "]");
        assert_false(out.full);
        json_t *told = json_loadb(buffer, out.length, 0, NULL);
        assert_non_null(told);
        for (size_t i = 0; i < json_array_size(told); i++)
            apply(shown, json_array_get(told, i));
        json_decref(told);
    }
}

static uint32_t random_point(struct dice *dice)
{
    static const uint32_t points[] = {'a',  'b',  ' ',    ' ',   '<',    '"',
                                      '\\', 0xE4, 0x4E2D, 0x301, 0x2028, KEY_TAB};
    unsigned n = (unsigned)dice_below(dice, 20);
    if (n < 3)
        return KEY_BACKSPACE;
    if (n == 3)
        return KEY_RETURN;
    return points[dice_below(dice, sizeof points / sizeof points[0])];
}

static void test_rows(void **state)
{
    struct dice dice = dice_make(dice_seed("web"));
    (void)state;
    for (unsigned round = 0; round < ROUNDS; round++) {
        static struct scene_pane sent[PANES], anew;
        struct style style;
        struct shown shown[PANES] = {{0, json_array()}, {0, json_array()}};
        uint32_t pending[PENDING];
        style_begin(&style, (enum style_form)(round % STYLE_FORMS), 1 + round % 2);
        struct page *page = page_create(&style);
        struct screen_model model = {.role = round & 4 ? PARTY_ENTITY : PARTY_JUDGE, .sides = 1};
        model.side[SIDE_LEFT] =
            (struct screen_side){.page = page, .title = "LEFT", .pending = pending};
        memset(sent, 0, sizeof sent);
        for (unsigned i = 0; i < KEYS; i++) {
            struct key_event event = {.party = (uint8_t)dice_below(&dice, 2),
                                      .point = random_point(&dice)};
            page_apply(page, &event);
            if (dice_below(&dice, 90) == 0)
                page_clear(page);
            model.side[SIDE_LEFT].pending_count =
                dice_below(&dice, 4) ? 0 : dice_below(&dice, PENDING);
            for (unsigned p = 0; p < model.side[SIDE_LEFT].pending_count; p++)
                pending[p] = random_point(&dice);
            for (unsigned pane = 0; pane < PANES; pane++) {
                struct shown fresh = {0, json_array()};
                if (dice_below(&dice, 3) == 0) { /* not after each key */
                    follow(&sent[pane], &shown[pane], &model, pane, 12000);
                    memset(&anew, 0, sizeof anew);
                    follow(&anew, &fresh, &model, pane, 200000);
                    assert_true(json_equal(fresh.rows, shown[pane].rows));
                    assert_int_equal(fresh.first, shown[pane].first);
                }
                json_decref(fresh.rows);
            }
        }
        page_destroy(page);
        json_decref(shown[0].rows);
        json_decref(shown[1].rows);
    }
}

static void test_nothing_is_told_twice(void **state)
{
    static struct scene_pane sent;
    char buffer[20000];
    struct style style;
    (void)state;
    style_begin(&style, STYLE_SPLIT, 1);
    struct page *page = page_create(&style);
    struct screen_model model = {.sides = 1, .side = {{.page = page}}};
    struct key_event event = {.party = PARTY_JUDGE, .point = 'x'};
    struct json_text out = {.at = buffer, .room = sizeof buffer};
    memset(&sent, 0, sizeof sent);
    page_apply(page, &event);
    assert_true(scene_rows(&sent, &model, SIDE_LEFT, PANE_LOWER, 100, &out));
    assert_int_not_equal(out.length, 0);
    out.length = 0;
    assert_true(scene_rows(&sent, &model, SIDE_LEFT, PANE_LOWER, 100, &out));
    assert_int_equal(out.length, 0);
    page_destroy(page);
}

static void test_strings_stay_strings(void **state)
{
    static const char text[] = "</script>\"\\\n\x01 \xE2\x80\xA8 \xC3\xA4 \xFF";
    char buffer[200] = "";
    struct json_text out = {.at = buffer, .room = sizeof buffer};
    (void)state;
    json_put(&out, "{");
    json_field(&out, "a", text);
    json_field_number(&out, "b", -7);
    json_field(&out, "c", NULL);
    json_put(&out, "}");
    assert_null(memchr(buffer, '<', out.length));
    json_t *told = json_loadb(buffer, out.length, 0, NULL);
    assert_string_equal(json_string_value(json_object_get(told, "a")),
                        "</script>\"\\\n\x01 \xE2\x80\xA8 \xC3\xA4 ?");
    assert_int_equal(json_integer_value(json_object_get(told, "b")), -7);
    json_decref(told);
    struct json_text small = {.at = buffer, .room = 5};
    json_string_of(&small, "longer than that");
    assert_true(small.full);
}

static void test_addresses(void **state)
{
    static const char good[] = "http://127.0.0.1:8017/#0123456789abcdef0123456789abcdef";
    static const char *const bad[] = {"",
                                      "http://127.0.0.1:0/#0123456789abcdef0123456789abcdef",
                                      "http://127.0.0.1:70000/#0123456789abcdef0123456789abcdef",
                                      "http://127.0.0.1:80/#0123456789abcdef0123456789abcde",
                                      "http://127.0.0.1:80/#0123456789abcdef0123456789abcdeF",
                                      "http://127.0.0.1:80/0123456789abcdef0123456789abcdef/",
                                      "http://10.0.0.1:80/#0123456789abcdef0123456789abcdef",
                                      "http://127.0.0.1:80/#0123456789abcdef0123456789abcdef/x"};
    struct web_address address;
    char text[ADDRESS_MAX];
    (void)state;
    for (unsigned i = 0; i < sizeof bad / sizeof bad[0]; i++)
        assert_false(web_address_read(&address, bad[i]));
    assert_true(web_address_read(&address, good));
    web_address_write(&address, text);
    assert_string_equal(text, good);
    assert_true(web_address_is_origin(&address, "http://127.0.0.1:8017"));
    assert_false(web_address_is_origin(&address, "http://127.0.0.1:8018"));
    assert_false(web_address_is_origin(&address, "https://127.0.0.1:8017"));
    assert_false(web_address_is_origin(&address, "null"));
    assert_false(web_address_is_host(&address, "localhost.example:8017"));
}

static void test_an_address_is_kept(void **state)
{
    char folder[] = "/tmp/web.XXXXXX", path[64];
    struct web_address first, again;
    struct stat made;
    (void)state;
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/judge.url", folder);
    web_address_load(&first, path);
    assert_int_equal(first.port, 0);
    assert_int_equal(strlen(first.token), ADDRESS_TOKEN);
    first.port = 4711;
    assert_int_equal(web_address_keep(&first, path, &diag), BL_OK);
    assert_int_equal(stat(path, &made), 0);
    assert_int_equal(made.st_mode & 0777, 0600);
    web_address_load(&again, path);
    assert_int_equal(again.port, 4711);
    assert_string_equal(again.token, first.token);
    assert_int_equal(truncate(path, 10), 0);
    web_address_load(&again, path); /* nothing of it is believed */
    assert_int_equal(again.port, 0);
    assert_string_not_equal(again.token, first.token);
    assert_int_equal(unlink(path), 0);
    assert_int_equal(rmdir(folder), 0);
}

/* No proof is good for another port, token, party or number: who answers at one port has nothing
 * from what is said at another. */
static void test_proofs(void **state)
{
    static const uint8_t asked[] = "0123456789abcdef0123456789abcdef";
    struct web_address address = {.port = 8017}, other = {.port = 8018}, token = {.port = 8017};
    struct proof proof, again;
    char server[PROOF_TEXT + 1], text[PROOF_TEXT + 1];
    (void)state;
    snprintf(address.token, sizeof address.token, "%.32s", asked);
    snprintf(other.token, sizeof other.token, "%.32s", asked);
    snprintf(token.token, sizeof token.token, "%.31s0", asked);
    assert_false(proof_begin(&proof, asked, PROOF_NUMBER - 1));
    assert_false(proof_begin(&proof, (const uint8_t *)"0123456789abcdef0123456789abcdeF", 32));
    assert_true(proof_begin(&proof, asked, PROOF_NUMBER));
    assert_true(proof_begin(&again, asked, PROOF_NUMBER));
    assert_string_not_equal(proof.drawn, again.drawn);
    proof_of_server(&proof, &address, server);
    assert_false(proof_is_page(&proof, &address, (const uint8_t *)server, PROOF_TEXT));
    proof_of_server(&proof, &other, text);
    assert_string_not_equal(text, server);
    proof_of_server(&proof, &token, text);
    assert_string_not_equal(text, server);
    proof_of_server(&again, &address, text);
    assert_string_not_equal(text, server);
    /* Reckoned by Python's hmac. */
    memset(proof.drawn, 'a', PROOF_NUMBER);
    proof_of_server(&proof, &address, text);
    assert_string_equal(text, SERVERS);
    assert_true(proof_is_page(&proof, &address, (const uint8_t *)PAGES, PROOF_TEXT));
    assert_false(proof_is_page(&proof, &address, (const uint8_t *)PAGES, PROOF_TEXT - 1));
    assert_false(proof_is_page(&again, &address, (const uint8_t *)PAGES, PROOF_TEXT));
    assert_false(proof_is_page(&proof, &other, (const uint8_t *)PAGES, PROOF_TEXT));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rows),
        cmocka_unit_test(test_nothing_is_told_twice),
        cmocka_unit_test(test_strings_stay_strings),
        cmocka_unit_test(test_addresses),
        cmocka_unit_test(test_an_address_is_kept),
        cmocka_unit_test(test_proofs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
