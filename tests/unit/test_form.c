/* What a form of 2003 is sent and what it returns: the judge's line, documents and their forms,
 * templates, encodings, and what a CGI program prints. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "form/cgi_reply.h"
#include "form/document.h"
#include "form/encode.h"
#include "form/page.h"
#include "form/template.h"
#include "form/turn.h"
#include "tests/support/random.h"

#define ROUNDS 500

static struct bl_diag diag;

static struct document *read_text(const char *text, const char *charset)
{
    struct document *document;
    assert_int_equal(document_read(&document, text, strlen(text), charset, &diag), BL_OK);
    return document;
}

static void test_line_is_sent_as_it_stands_at_its_return(void **state)
{
    static struct form_turn turn;
    const char *typed = "Hek\x7Fllx\x08o, \xC3\xBC\x7F\xC3\xA4 you\t?\x01\n";
    (void)state;
    for (size_t i = 0; typed[i]; i++)
        assert_int_equal(turn_take(&turn, (uint8_t)typed[i]), typed[i] == '\n');
    assert_string_equal(turn.text, "Hello, \xC3\xA4 you ?");
    assert_false(turn_take(&turn, 0x7F)); /* of the next line, which is empty */
    assert_string_equal(turn.text, "");
    for (unsigned i = 0; i < TURN_MAX + 5; i++)
        turn_take(&turn, 'x');
    assert_true(turn_take(&turn, '\n'));
    assert_int_equal(turn.length, TURN_MAX);
    assert_int_equal(turn.lost, 5);
}

static void test_equal_documents_are_equal_strings(void **state)
{
    struct document *a =
        read_text("<!DOCTYPE html><HTML><!-- x --><BODY>\n<P CLASS='q' id=z>Fish &amp;"
                  "  <B>chips</B> now<BR>\n</BODY></HTML>",
                  "");
    struct document *b =
        read_text("<p id=\"z\" class=\"q\">Fish &#38; <b>chips</b>\nnow<br></p>", "");
    (void)state;
    assert_string_equal(a->text, "<p class=\"q\" id=\"z\">Fish &amp; <b>chips</b> now<br></p>");
    assert_string_equal(a->text, b->text);
    document_free(a);
    document_free(b);
}

static void test_character_sets(void **state)
{
    struct document *latin = read_text("<p>caf\xE9</p>", "iso-8859-1");
    struct document *said = read_text(
        "<head><meta http-equiv=content-type content='text/html; charset=windows-1252'></head>"
        "<p>\x93quoted\x94</p>",
        "");
    struct document *unknown = read_text("<p>plain</p>", "x-no-such-set");
    (void)state;
    assert_string_equal(latin->text, "<p>caf\xC3\xA9</p>");
    assert_non_null(strstr(said->text, "<p>\xE2\x80\x9Cquoted\xE2\x80\x9D</p>"));
    assert_string_equal(unknown->text, "<p>plain</p>");
    /* As browsers read it, and as they send a form of it. */
    static const char quoted[] = "\xE2\x80\x9Cquoted\xE2\x80\x9D";
    struct document *windows[] = {
        read_text("<p>\x93quoted\x94</p>", "ISO-8859-1"),
        read_text("<head><meta http-equiv=content-type content='text/html; charset=iso-8859-1'>"
                  "</head><p>\x93quoted\x94</p>",
                  ""),
        read_text("<p>\x93quoted\x94</p>", "")};
    for (size_t i = 0; i < 3; i++) {
        assert_non_null(strstr(windows[i]->text, quoted));
        assert_string_equal(windows[i]->charset, "windows-1252");
        document_free(windows[i]);
    }
    document_free(latin);
    document_free(said);
    document_free(unknown);
}

static void test_form_sends_what_a_browser_would(void **state)
{
    struct document *d = read_text(
        "<form action=/no><input type=submit></form>"
        "<form ACTION='say?x=1' METHOD=Post>"
        "<input type=hidden name=id value='a&amp;b'><input name=say value=old><input name=more>"
        "<input type=checkbox name=c1 checked><input type=checkbox name=c2>"
        "<input type=text name=off disabled><input type=file name=f>"
        "<select name=s><option>one<option value=2 selected>two</select>"
        "<input type=submit name=go value=Send><input type=submit name=stop value=Stop></form>",
        "");
    char type[ENCODE_TYPE_MAX], *body;
    size_t length;
    (void)state;
    assert_true(d->form.there && d->form.post && !d->form.multipart);
    assert_string_equal(d->form.action, "say?x=1");
    assert_string_equal(d->form.field[d->form.text].name, "say");
    body = encode_form(&d->form, "Who are you? 100% \xC3\xA9", "UTF-8", &length, type);
    assert_string_equal(body, "id=a%26b&say=Who+are+you%3F+100%25+%C3%A9&more=&c1=on&s=2&go=Send");
    assert_int_equal(length, strlen(body));
    assert_string_equal(type, "application/x-www-form-urlencoded");
    free(body);
    body = encode_form(&d->form, "\xC3\xA9\xE2\x82\xAC", "iso-8859-1", &length, type);
    assert_non_null(strstr(body, "&say=%E9%26%238364%3B&"));
    free(body);
    document_free(d);
    d = read_text("<p>no form <input name=q></p><form><input type=hidden name=h></form>", "");
    assert_false(d->form.there);
    document_free(d);
}

static void test_multipart(void **state)
{
    struct document *d = read_text("<form method=post enctype=multipart/form-data>"
                                   "<textarea name='a\"b'>was</textarea></form>",
                                   "");
    char type[ENCODE_TYPE_MAX], *body;
    size_t length;
    (void)state;
    body = encode_form(&d->form, "boothlink-form-0", "UTF-8", &length, type);
    assert_string_equal(type, "multipart/form-data; boundary=boothlink-form-1");
    assert_string_equal(body, "--boothlink-form-1\r\nContent-Disposition: form-data; "
                              "name=\"a%22b\"\r\n\r\nboothlink-form-0\r\n--boothlink-form-1--\r\n");
    free(body);
    document_free(d);
}

/* What the template finds in the document: "FIT|answer|judge". */
static const char *found_in(const char *text, const char *page)
{
    static char said[400];
    static const char *const fits[] = {"fits", "near", "not"};
    struct template *template;
    struct template_found found;
    struct document *document = read_text(page, "");
    char *answer = NULL, *judge = NULL;
    assert_int_equal(template_read(&template, text, &diag), BL_OK);
    enum template_fit fit = template_match(template, document->text, &found);
    if (found.answer)
        answer = document_words(found.answer, found.answer_length);
    if (found.judge)
        judge = document_words(found.judge, found.judge_length);
    snprintf(said, sizeof said, "%s|%s|%s", fits[fit], answer ? answer : "", judge ? judge : "");
    free(answer);
    free(judge);
    document_free(document);
    template_free(template);
    return said;
}

static void test_template_finds_the_answer(void **state)
{
    static const char whole[] =
        "<html><body><p>You: %%JUDGE%%<p>I: %%ANSWER%%<hr>%%REST%%</body></html>";
    static const char piece[] = "<b>Bot:</b> %%ANSWER%%<br>";
    (void)state;
    assert_string_equal(found_in(whole, "<p>You: hi</p> <p>I: I <i>am</i>  well</p><hr><p>any"),
                        "fits|I am well|hi");
    assert_string_equal(found_in(whole, "<p>You: hi</p><p>I:</p><hr>"), "fits||hi");
    /* Something else before it: not the template's page, but the answer is where it should be. */
    assert_string_equal(found_in(whole, "<h1>Ann</h1><p>You: hi</p><p>I: well</p><hr>"),
                        "near|well|");
    assert_string_equal(found_in(whole, "<p>You: hi</p><p>It: well</p><hr>"), "not||");
    assert_string_equal(
        found_in(piece, "<b>Bot:</b> one<br><b>You:</b> two<br><b>Bot:</b> three<br>"),
        "fits|three|");
    assert_string_equal(found_in(piece, "<b>Bot:</b> a &lt;br&gt; &amp; b<br>"),
                        "fits|a <br> & b|");
    assert_string_equal(found_in("%%ANSWER%%", "<p>all of it<p>is"), "fits|all of it is|");
    assert_string_equal(found_in(piece, "<b>Bot:</b> never ends"), "not||");
}

static void refuse(const char *text, const char *why)
{
    struct template *template;
    assert_int_equal(template_read(&template, text, &diag), BL_DATA);
    assert_null(template);
    assert_non_null(strstr(diag.text, why));
}

static void test_templates_that_are_none(void **state)
{
    static char many[TEMPLATE_MAX + 2];
    (void)state;
    refuse("<p>%%JUDGE%%</p>", "%%ANSWER%% is missing");
    refuse("<p>%%ANSWER%% %%ANSWER%%</p>", "twice");
    for (unsigned i = 0; i < TEMPLATE_PARTS; i++)
        strcat(many, "<p>%%A%%");
    refuse(many, "more than 63 placeholders");
    memset(many, 'x', TEMPLATE_MAX + 1);
    refuse(many, "8192 are the most");
}

/* Whatever is said, the template that is built in gives it back, and the document fits. */
static void test_what_is_said_comes_back(void **state)
{
    static const char *const words[] = {"Hello", "<p>",         "&amp;", "\"",  "%%ANSWER%%",
                                        "</p>",  "caf\xC3\xA9", "<!--",  "-->", "'",
                                        "1<2",   "%%JUDGE%%",   "&"};
    struct template *template;
    struct dice dice = dice_make(dice_seed("form"));
    (void)state;
    assert_int_equal(template_read(&template, form_pages[0].text, &diag), BL_OK);
    for (unsigned i = 0; i < ROUNDS; i++) {
        char said[2][200] = {"", ""}, *page, *answer, *judge;
        struct template_found found;
        for (unsigned k = 0; k < 2; k++)
            for (uint64_t n = dice_below(&dice, 6); n; n--)
                snprintf(said[k] + strlen(said[k]), 40, "%s%s", said[k][0] ? " " : "",
                         words[dice_below(&dice, sizeof words / sizeof words[0])]);
        page = template_fill(template, said[0], said[1]);
        struct document *document = read_text(page, "UTF-8");
        if (said[0][0] && said[1][0])
            assert_string_equal(document->text, page);
        assert_int_equal(template_match(template, document->text, &found), TEMPLATE_FITS);
        answer = document_words(found.answer, found.answer_length);
        judge = document_words(found.judge, found.judge_length);
        assert_string_equal(answer, said[0]);
        assert_string_equal(judge, said[1]);
        free(answer);
        free(judge);
        free(page);
        document_free(document);
    }
    template_free(template);
}

static enum bl_status parse(struct reply *reply, const char *text)
{
    diag.text[0] = '\0';
    return cgi_reply_parse(reply, text, strlen(text), &diag);
}

static void test_what_a_cgi_program_prints(void **state)
{
    struct reply r;
    char charset[32];
    (void)state;
    assert_int_equal(parse(&r, "Content-Type: text/html; charset=\"latin1\"\r\nSet-Cookie: a=1; "
                               "path=/\nX: y\n\n<p>\n\nbody"),
                     BL_OK);
    assert_int_equal(r.status, 200);
    assert_int_equal(r.cookies, 1);
    assert_string_equal(r.cookie[0], "a=1; path=/");
    assert_string_equal(r.body, "<p>\n\nbody");
    assert_true(reply_is_html(r.type));
    reply_charset(r.type, charset);
    assert_string_equal(charset, "latin1");
    char printed[3 * REPLY_FIELD_MAX];
    snprintf(printed, sizeof printed,
             "Content-Type: text/html\nSet-Cookie: %0*d\nSet-Cookie: b=2\n\n", REPLY_FIELD_MAX, 0);
    assert_int_equal(parse(&r, printed), BL_OK);
    assert_int_equal(r.cookies, 1);
    assert_string_equal(r.cookie[0], "b=2");
    assert_int_equal(parse(&r, "location: /there\n\n"), BL_OK);
    assert_int_equal(r.status, 302);
    assert_int_equal(parse(&r, "Status: 404 Not here\ncontent-type:text/htmlx\n\n"), BL_OK);
    assert_int_equal(r.status, 404);
    assert_false(reply_is_html(r.type));
    assert_int_equal(parse(&r, ""), BL_DATA);
    assert_string_equal(diag.text, "it printed nothing");
    assert_int_equal(parse(&r, "Content-Type: text/html\n"), BL_DATA);
    assert_non_null(strstr(diag.text, "no empty line"));
    assert_int_equal(parse(&r, "<html>\n\n"), BL_DATA);
    assert_non_null(strstr(diag.text, "'<html>'"));
    assert_int_equal(parse(&r, "X: y\n\n"), BL_DATA);
    assert_non_null(strstr(diag.text, "no Content-Type"));
    assert_int_equal(parse(&r, "Status: 20 OK\n\n"), BL_DATA);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_line_is_sent_as_it_stands_at_its_return),
        cmocka_unit_test(test_equal_documents_are_equal_strings),
        cmocka_unit_test(test_character_sets),
        cmocka_unit_test(test_form_sends_what_a_browser_would),
        cmocka_unit_test(test_multipart),
        cmocka_unit_test(test_template_finds_the_answer),
        cmocka_unit_test(test_templates_that_are_none),
        cmocka_unit_test(test_what_is_said_comes_back),
        cmocka_unit_test(test_what_a_cgi_program_prints),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
