/* What acts say, of every kind: read and written again it is the same; without one of its fields,
 * or with another kind of value there, it is refused by that name, or counts without it. */
#include "contest/act_body.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#define HEX  "00112233445566778899aabbccddeeff"
#define HEX9 "000102030405060708"

/* As acts have it at present, with all that can be said at once. */
static const char *const whole[ACT_KINDS] = {
    [ACT_CONTEST] = "{'name':'C','ruleset':'[ruleset]\\n','signatures':true}",
    [ACT_PERSON] = "{'role':'entry','name':'E','family':['A','B'],'submitter':'S','team':['T'],"
                   "'age':9,'guardian':true,'rights':true,'receipt':true,'received_us':1,"
                   "'how':'courier','own':true,'comms':'K','why':'W','unknown':true,'moves':true,"
                   "'chief':true}",
    [ACT_DELIVER] = "{'entry':1,'what':'P','received_us':2,'comms':true,'why':'W'}",
    [ACT_DATES] = "{'opens':'2003-01-01','moved-to':'2003-06-30','venue':'V','why':'W'}",
    [ACT_APPROVE] = "{'role':'confederate','number':2,'name':'N'}",
    [ACT_CONFLICT] = "{'role':'judge','number':1,'with_role':'entry','with_number':64,'why':'W'}",
    [ACT_WITHDRAW] = "{'role':'preliminary','number':1,'why':'W'}",
    [ACT_RENAME] = "{'role':'organiser','number':1,'name':'N','why':'W'}",
    [ACT_INTERESTS] = "{'role':'entry','number':1,'family':['A'],'team':['B']}",
    [ACT_SUBSTITUTE] = "{'role':'judge','number':1,'name':'N','why':'W','round':2,'family':['A'],"
                       "'unknown':true}",
    [ACT_MACHINE] = "{'place':'P','fingerprint':'" HEX9 "','withdrawn':true,'why':'W'}",
    [ACT_SETTLE] = "{'session':'r1-j1','file':2,'of':2,'hash':'" HEX HEX "','why':'W'}",
    [ACT_LIMIT] = "{'role':'confederate','number':1,'text':'T','why':'W'}",
    [ACT_REPEAT] = "{'round':1,'judge':2,'further':true,'why':'W'}",
    [ACT_EXCLUDE] = "{'round':1,'judge':2,'why':'W'}",
    [ACT_UNDO] = "{'what':'withdraw','role':'judge','number':1,'entry':1,'round':1,'judge':1,"
                 "'why':'W'}",
    [ACT_COMMIT] = "{'commitment':'" HEX HEX "','draw':2,'public':'P','lost':true,'why':'W'}",
    [ACT_SEED] = "{'seed':'" HEX HEX "','value':'V','by':'B'}",
    [ACT_SCHEDULE] = "{'rounds':[[[1,1,1],[2,2,2]],[[1,2,1]]],'order_from':1,'anew':true}",
    [ACT_BEGIN] = "{'round':1,'present':true,'why':'W'}",
    [ACT_BALLOT] = "{'judge':1,'entry':2,'confederate':3,'candidate':4,'trial':1,'points':[60,40],"
                   "'correction':true,'late':true,'further':true,'notes':'N'}",
    [ACT_RANKS] = "{'judge':1,'trial':1,'ranks':[[1,2],[2,1]],'correction':true}",
    [ACT_SEAL] = "{'round':1,'why':'W'}",
    [ACT_DISQUALIFY] = "{'entry':1,'for':3,'against':0,'judges':3,'panel':true,'organiser':true,"
                       "'why':'W'}",
    [ACT_PRELIM] = "{'entry':1,'numerator':0,'denominator':2}",
    [ACT_CONFER] = "{'entry':1,'for':2,'against':3,'place':1,'majority':false,'among':[1,2],"
                   "'why':'W'}",
    [ACT_COIN] = "{'commitment':'" HEX HEX "','seed':'" HEX "','after_conference':true,"
                 "'among':[2,3],'dispute':1}",
    [ACT_DISPUTE] = "{'matter':'M','entry':1,'for':2,'against':2,'judges':4,'panel':true,"
                    "'why':'W'}",
    [ACT_PHRASE] = "{'text':'T','why':'W'}",
    [ACT_ERASED] = "{'entry':1,'why':'W'}",
    [ACT_ANSWER] = "{'entry':1,'question':1,'kind':'K','asked':'Q','answer':'','ms':0}",
    [ACT_SCORE] = "{'entry':1,'question':1,'points':0}",
    [ACT_INVITE] = "{'entry':1,'undo':true,'final':true,'why':'W'}",
    [ACT_CHOOSE] = "{'entry':1,'undo':true,'final':true,'why':'W'}",
    [ACT_LOSE] = "{'entry':1,'undo':true,'final':true,'why':'W'}",
    [ACT_ALLOT] = "{'judge':1,'entries':[1,2]}",
    [ACT_LIST] = "{'judge':1,'entries':[2,1],'correction':true}",
    [ACT_SCREENED] = "{'entry':1,'points':-3}",
    [ACT_FINAL] = "{'entries':[1],'why':'W'}",
    [ACT_SURVEY] = "{'role':'judge','number':2,'sitter':1,'page':'before','fields':{'age':30},"
                   "'correction':true,'notes':'N'}",
    [ACT_TRIAL] = "{}",
};

static json_t *load(enum act_kind kind)
{
    char text[600];
    assert_non_null(whole[kind]);
    assert_true(strlen(whole[kind]) < sizeof text);
    strcpy(text, whole[kind]);
    for (char *at = text; (at = strchr(at, '\'')); at++)
        *at = '"';
    json_t *json = json_loads(text, JSON_REJECT_DUPLICATES, NULL);
    assert_non_null(json);
    return json;
}

/* What is written of a body that was read; what writing takes stays the body's. */
static json_t *write_again(struct act_body *body, json_t *json)
{
    if (body->kind == ACT_SCHEDULE || body->kind == ACT_RANKS)
        json_incref(json_object_get(json, body->kind == ACT_RANKS ? "ranks" : "rounds"));
    if (body->kind == ACT_BALLOT)
        json_incref(json);
    if (body->kind == ACT_SURVEY)
        json_incref(body->survey.fields);
    return act_body_write(body);
}

static void test_every_kind_is_read_as_it_was_written(void **state)
{
    (void)state;
    for (enum act_kind kind = 0; kind < ACT_KINDS; kind++) {
        struct act_body body;
        struct bl_diag diag;
        enum act_kind found;
        json_t *json = load(kind), *again;
        if (act_body_read(&body, kind, json, &diag) != BL_OK)
            fail_msg("%s: %s", act_kind_name(kind), diag.text);
        again = write_again(&body, json);
        if (!json_equal(json, again))
            fail_msg("%s: %s", act_kind_name(kind), json_dumps(again, JSON_COMPACT));
        assert_true(act_kind_find(act_kind_name(kind), &found));
        assert_int_equal(found, kind);
        json_decref(again);
        json_decref(json);
    }
}

/* After a change of a field: refused with its name, or taken, and then not with that value. */
static void check_changed(enum act_kind kind, json_t *json, const char *key)
{
    struct act_body body;
    struct bl_diag diag;
    char quoted[40];
    snprintf(quoted, sizeof quoted, "'%s'", key);
    if (act_body_read(&body, kind, json, &diag) != BL_OK) {
        if (!strstr(diag.text, quoted))
            fail_msg("%s without '%s': %s", act_kind_name(kind), key, diag.text);
        return;
    }
    json_t *again = write_again(&body, json);
    bool vote = kind == ACT_BALLOT;         /* which is the whole body */
    bool no = strcmp(key, "majority") == 0; /* what is not true is none */
    if (!vote && !no && json_object_get(again, key))
        fail_msg("%s: '%s' is %s", act_kind_name(kind), key, json_dumps(again, JSON_COMPACT));
    json_decref(again);
}

static void test_a_field_is_refused_by_its_name(void **state)
{
    (void)state;
    unsigned changed = 0;
    for (enum act_kind kind = 0; kind < ACT_KINDS; kind++) {
        json_t *all = load(kind), *value;
        const char *key;
        json_object_foreach(all, key, value)
        {
            json_t *json = json_copy(all);
            json_object_del(json, key);
            check_changed(kind, json, key);
            json_object_set_new(json, key, json_real(1.5));
            check_changed(kind, json, key);
            json_decref(json);
            changed++;
        }
        json_decref(all);
    }
    assert_true(changed > 100);
}

static void test_numbers_and_texts_have_bounds(void **state)
{
    (void)state;
    static const struct {
        enum act_kind kind;
        const char *key;
        int64_t number;
        const char *text;
        size_t length; /* of the text, repeated to it */
    } bad[] = {
        {ACT_SCORE, "points", 101, NULL, 0},     {ACT_SCORE, "points", -1, NULL, 0},
        {ACT_SCORE, "entry", 65, NULL, 0},       {ACT_REPEAT, "round", 0, NULL, 0},
        {ACT_WITHDRAW, "number", 1000, NULL, 0}, {ACT_CONFLICT, "with_number", 0, NULL, 0},
        {ACT_RENAME, "name", 0, "x", 96},        {ACT_RENAME, "name", 0, "", 0},
        {ACT_RENAME, "why", 0, "x", 256},        {ACT_LIMIT, "text", 0, "a\nb", 3},
        {ACT_SETTLE, "file", 65, NULL, 0},       {ACT_SETTLE, "hash", 0, "a", 1},
        {ACT_COMMIT, "commitment", 0, "A", 64},  {ACT_COMMIT, "commitment", 0, "0", 63},
        {ACT_APPROVE, "name", 0, "x", 64},       {ACT_PERSON, "role", 0, "nobody", 6},
        {ACT_SEED, "by", 0, "x\x7f", 2},         {ACT_CONFER, "against", 1000, NULL, 0},
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        struct act_body body;
        struct bl_diag diag = {""};
        char text[300] = "", quoted[40];
        json_t *json = load(bad[i].kind);
        while (bad[i].text && strlen(text) < bad[i].length)
            strcat(text, bad[i].text);
        json_object_set_new(json, bad[i].key,
                            bad[i].text ? json_string(text) : json_integer(bad[i].number));
        assert_int_equal(act_body_read(&body, bad[i].kind, json, &diag), BL_DATA);
        snprintf(quoted, sizeof quoted, "'%s'", bad[i].key);
        if (!strstr(diag.text, quoted))
            fail_msg("%s: %s", quoted, diag.text);
        json_decref(json);
    }
}

static void test_what_is_written(void **state)
{
    (void)state;
    struct act_body body = {
        .kind = ACT_RENAME,
        .rename = {.who = {CONTEST_JUDGE, 2}, .name = " Ann Lee\t", .why = "W"}};
    json_t *json = act_body_write(&body);
    char *text = json_dumps(json, JSON_COMPACT | JSON_SORT_KEYS);
    assert_string_equal(text,
                        "{\"name\":\"Ann Lee\",\"number\":2,\"role\":\"judge\",\"why\":\"W\"}");
    free(text);
    json_decref(json);
    body.rename.why = "\xff";
    assert_null(act_body_write(&body));
    body = (struct act_body){.kind = ACT_PERSON,
                             .person = {.name = "A", .team = {.text = "Bo Lee , ,Cy,"}}};
    json = act_body_write(&body);
    text = json_dumps(json, JSON_COMPACT | JSON_SORT_KEYS);
    assert_string_equal(text, "{\"name\":\"A\",\"role\":\"entry\",\"team\":[\"Bo Lee\",\"Cy\"]}");
    free(text);
    json_decref(json);
    body.person.team.text = "Bo,\xff";
    assert_null(act_body_write(&body));
    /* What is not UTF-8 lets the lists go as well: told by the sanitizers. */
    body.person.team.text = NULL;
    body.person.name = "\xff";
    assert_null(act_body_write(&body));
    body = (struct act_body){.kind = ACT_SCHEDULE, .schedule = {.rounds = json_array()}};
    json = act_body_write(&body);
    assert_non_null(json);
    json_decref(json);
}

static void test_a_reason_has_its_place(void **state)
{
    (void)state;
    for (enum act_kind kind = 0; kind < ACT_KINDS; kind++) {
        struct act_body body = {.kind = kind};
        json_t *json = load(kind);
        const char **why = act_body_why(&body);
        assert_int_equal(why != NULL, json_object_get(json, "why") != NULL);
        json_decref(json);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_kind_is_read_as_it_was_written),
        cmocka_unit_test(test_a_field_is_refused_by_its_name),
        cmocka_unit_test(test_numbers_and_texts_have_bounds),
        cmocka_unit_test(test_what_is_written),
        cmocka_unit_test(test_a_reason_has_its_place),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
