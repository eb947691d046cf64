/* Whatever an Entry returns: a document's canonical text is that of a document, so that reading it
 * again changes nothing that a template would look at; templates find only what is in it; and what
 * a CGI program prints is parsed within its bytes. The first byte says which. */
#include "form/cgi_reply.h"
#include "form/document.h"
#include "form/encode.h"
#include "form/page.h"
#include "form/template.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length);

static void look_for_answer(const struct document *document)
{
    static struct template *template, *piece;
    struct template_found found;
    size_t all = strlen(document->text);
    if (!template && (template_read(&template, form_pages[0].text, NULL) ||
                      template_read(&piece, "<p>%%ANSWER%%</p>", NULL)))
        abort();
    for (unsigned i = 0; i < 2; i++) {
        if (template_match(i ? piece : template, document->text, &found) == TEMPLATE_NOT)
            continue;
        if (found.answer < document->text ||
            found.answer + found.answer_length > document->text + all)
            abort();
        free(document_words(found.answer, found.answer_length));
    }
}

static void look_at_document(const uint8_t *bytes, size_t length)
{
    struct document *document;
    char type[ENCODE_TYPE_MAX];
    size_t sent;
    if (document_read(&document, (const char *)bytes, length, "", NULL))
        return;
    if (!document->text || !document->charset)
        abort();
    look_for_answer(document);
    if (document->form.there) {
        if (document->form.text >= document->form.count)
            abort();
        free(encode_form(&document->form, "caf\xC3\xA9 <&> %", document->charset, &sent, type));
    }
    document_free(document);
}

static void look_at_reply(const uint8_t *bytes, size_t length)
{
    static struct reply reply;
    char charset[32];
    if (cgi_reply_parse(&reply, (const char *)bytes, length, NULL))
        return;
    if (reply.body < (const char *)bytes ||
        reply.body + reply.length != (const char *)bytes + length)
        abort();
    reply_charset(reply.type, charset);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
    struct template *template;
    char *text;
    if (length < 2 || length > 65536)
        return 0;
    switch (bytes[0] % 3) {
    case 0:
        look_at_document(bytes + 1, length - 1);
        return 0;
    case 1:
        look_at_reply(bytes + 1, length - 1);
        return 0;
    default:
        if (!(text = calloc(1, length)))
            return 0;
        memcpy(text, bytes + 1, length - 1);
        if (template_read(&template, text, NULL) == BL_OK) {
            free(template_fill(template, "a", "b"));
            template_free(template);
        }
        free(text);
        return 0;
    }
}
