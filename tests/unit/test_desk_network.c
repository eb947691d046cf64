/* The machines whose records may come by network: as the rules have it, and the venue. */
#include "contest/venue.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/file.h"

#define FOLDER "host/share/rulesets/"

static struct ruleset rules;
static struct venue venue;
static struct bl_diag diag;

static void of_rules_and_venue(void **state)
{
    static const struct {
        const char *rules;
        const char *word; /* the venue's; "": none */
        enum desk_network network;
        const char *wrong, *refused; /* at setup; at the desk */
    } rows[] = {
        {"loebner-1996", "", DESK_NETWORK_NONE, "",
         "there is no desk, for desk-network is none (1996 r9): sticks bring the records"},
        {"loebner-1996", "none", DESK_NETWORK_NONE, "",
         "there is no desk, for desk-network is none (1996 r9): sticks bring the records"},
        {"loebner-1996", "judges", DESK_NETWORK_NONE,
         "desk-network = judges: these rules allow no network (1996 r9): expected none",
         "there is no desk, for desk-network is none (1996 r9): sticks bring the records"},
        {"loebner-1996", "all", DESK_NETWORK_NONE,
         "desk-network = all: these rules allow no network (1996 r9): expected none",
         "there is no desk, for desk-network is none (1996 r9): sticks bring the records"},
        {"loebner-2003", "", DESK_NETWORK_ALL, "", ""},
        {"loebner-2003", "judges", DESK_NETWORK_JUDGES, "", ""},
        {"loebner-2003", "all", DESK_NETWORK_ALL, "", ""},
        {"loebner-2003", "none", DESK_NETWORK_NONE, "",
         "there is no desk, for desk-network is none (the venue): sticks bring the records"},
        {"loebner-2009", "", DESK_NETWORK_ALL, "", ""},
        {"loebner-2009", "none", DESK_NETWORK_NONE, "",
         "there is no desk, for desk-network is none (the venue): sticks bring the records"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char path[128], text[256], *ini;
        snprintf(path, sizeof path, FOLDER "%s.ini", rows[i].rules);
        assert_int_equal(file_read_text(&ini, path, 65536, "a ruleset", &diag), BL_OK);
        assert_int_equal(ruleset_parse(&rules, ini, path, &diag), BL_OK);
        free(ini);
        snprintf(text, sizeof text, "[venue]\nformat = 1\n%s%s\n[machines]\n",
                 rows[i].word[0] ? "desk-network = " : "", rows[i].word);
        assert_int_equal(venue_parse(&venue, text, "v", &diag), BL_OK);
        assert_int_equal(venue_desk_network(&venue, &rules), rows[i].network);
        diag.text[0] = '\0';
        assert_int_equal(venue_check_desk(&venue, &rules, &diag),
                         rows[i].wrong[0] ? BL_DATA : BL_OK);
        assert_string_equal(diag.text, rows[i].wrong);
        diag.text[0] = '\0';
        assert_int_equal(venue_begin_desk(&venue, &rules, &diag),
                         rows[i].refused[0] ? BL_DATA : BL_OK);
        assert_string_equal(diag.text, rows[i].refused);
    }
    assert_int_equal(venue_parse(&venue, "[venue]\nformat = 1\ndesk-network = some\n", "v", &diag),
                     BL_DATA);
}

/* Both ends of what a ruleset may say, and one of before it could. */
static void of_a_ruleset(void **state)
{
    static const struct {
        const char *says, *word;
        enum desk_network network;
        const char *wrong;
    } rows[] = {
        {"desk-network = judges ; r7: apart", "", DESK_NETWORK_JUDGES, ""},
        {"desk-network = judges ; r7: apart", "none", DESK_NETWORK_NONE, ""},
        {"desk-network = judges ; r7: apart", "all", DESK_NETWORK_JUDGES,
         "desk-network = all: these rules allow no entity's machine on a network (2009 r7): "
         "expected "
         "none or judges"},
        {"desk-network = all\nentry-network = none", "", DESK_NETWORK_ALL, ""},
        {"entry-network = none ; r9: none", "judges", DESK_NETWORK_NONE,
         "desk-network = judges: these rules allow no network (2009 r9): expected none"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char text[256], changed[16384], *ini;
        assert_int_equal(file_read_text(&ini, FOLDER "loebner-2009.ini", 16384, "", &diag), BL_OK);
        const char *session = strstr(ini, "[session]\n") + 10;
        snprintf(changed, sizeof changed, "%.*s%s\n%s", (int)(session - ini), ini, rows[i].says,
                 session);
        free(ini);
        assert_int_equal(ruleset_parse(&rules, changed, "r", &diag), BL_OK);
        snprintf(text, sizeof text, "[venue]\nformat = 1\n%s%s\n[machines]\n",
                 rows[i].word[0] ? "desk-network = " : "", rows[i].word);
        assert_int_equal(venue_parse(&venue, text, "v", &diag), BL_OK);
        assert_int_equal(venue_desk_network(&venue, &rules), rows[i].network);
        diag.text[0] = '\0';
        assert_int_equal(venue_check_desk(&venue, &rules, &diag),
                         rows[i].wrong[0] ? BL_DATA : BL_OK);
        assert_string_equal(diag.text, rows[i].wrong);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(of_rules_and_venue),
                                       cmocka_unit_test(of_a_ruleset)};
    return cmocka_run_group_tests_name("desk network", tests, NULL, NULL);
}
