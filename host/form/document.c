#include "form/document.h"

#include "base/growing.h"
#include "base/utf8.h"

#include <libxml/HTMLparser.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define WINDOWS    "windows-1252"
#define ATTRIBUTES 32

/* The canonical text under construction. */
struct canon {
    struct growing text;
    bool blank; /* a blank must precede the next text */
    bool line;  /* at the start of a line, where blanks are dropped */
};

static void add(struct canon *canon, const char *text)
{
    growing_text(&canon->text, text);
}

static void add_escaped(struct canon *canon, char c)
{
    switch (c) {
    case '<':
        add(canon, "&lt;");
        return;
    case '>':
        add(canon, "&gt;");
        return;
    case '&':
        add(canon, "&amp;");
        return;
    case '"':
        add(canon, "&quot;");
        return;
    default:
        growing_put(&canon->text, &c, 1);
    }
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\n' || c == '\t' || c == '\r' || c == '\f';
}

/* True if the element is a block. Blanks beside it are not shown. */
static bool is_block(const char *name)
{
    static const char *const names[] = {
        "address", "blockquote", "body",     "br",    "center", "dd",    "div",  "dl",
        "dt",      "form",       "frameset", "h1",    "h2",     "h3",    "h4",   "h5",
        "h6",      "head",       "hr",       "html",  "li",     "link",  "meta", "ol",
        "p",       "pre",        "script",   "style", "table",  "tbody", "td",   "tfoot",
        "th",      "thead",      "title",    "tr",    "ul"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (strcasecmp(name, names[i]) == 0)
            return true;
    return false;
}

/* True for html, head and body without attributes, which every document has. */
static bool is_frame(const xmlNode *node)
{
    const char *name = (const char *)node->name;
    return !node->properties && (strcasecmp(name, "html") == 0 || strcasecmp(name, "head") == 0 ||
                                 strcasecmp(name, "body") == 0);
}

static void add_text(struct canon *canon, const char *text)
{
    for (; *text; text++) {
        if (is_blank(*text)) {
            canon->blank = true;
            continue;
        }
        if (canon->blank && !canon->line)
            add(canon, " ");
        canon->blank = canon->line = false;
        add_escaped(canon, *text);
    }
}

static void add_lower(struct canon *canon, const char *text)
{
    for (; *text; text++) {
        char c = *text >= 'A' && *text <= 'Z' ? (char)(*text - 'A' + 'a') : *text;
        add_escaped(canon, c);
    }
}

static int by_name(const void *a, const void *b)
{
    const xmlAttr *const *left = a, *const *right = b;
    return strcasecmp((const char *)(*left)->name, (const char *)(*right)->name);
}

static const char *attribute_text(const xmlAttr *attribute)
{
    const xmlNode *value = attribute->children;
    return value && value->content ? (const char *)value->content : "";
}

static void add_attributes(struct canon *canon, const xmlNode *node)
{
    const xmlAttr *sorted[ATTRIBUTES] = {NULL};
    size_t count = 0;
    for (const xmlAttr *a = node->properties; a && count < ATTRIBUTES; a = a->next)
        sorted[count++] = a;
    qsort(sorted, count, sizeof sorted[0], by_name);
    for (size_t i = 0; i < count; i++) {
        add(canon, " ");
        add_lower(canon, (const char *)sorted[i]->name);
        add(canon, "=\"");
        for (const char *c = attribute_text(sorted[i]); *c; c++)
            add_escaped(canon, *c);
        add(canon, "\"");
    }
}

static void add_tag(struct canon *canon, const xmlNode *node, bool ends)
{
    const char *name = (const char *)node->name;
    bool block = is_block(name);
    if (is_frame(node))
        return;
    if (!block && canon->blank && !canon->line)
        add(canon, " ");
    canon->blank = false;
    add(canon, ends ? "</" : "<");
    add_lower(canon, name);
    if (!ends)
        add_attributes(canon, node);
    add(canon, ">");
    canon->line = block;
}

static bool is_void(const xmlNode *node)
{
    const htmlElemDesc *known = htmlTagLookup(node->name);
    return known && known->empty;
}

/* Visits the nodes in document order without recursion. */
static void walk(struct canon *canon, xmlNode *top)
{
    xmlNode *node = top;
    while (node) {
        bool element = node->type == XML_ELEMENT_NODE;
        if (element)
            add_tag(canon, node, false);
        else if ((node->type == XML_TEXT_NODE || node->type == XML_CDATA_SECTION_NODE) &&
                 node->content)
            add_text(canon, (const char *)node->content);
        if (element && node->children) {
            node = node->children;
            continue;
        }
        if (element && !is_void(node))
            add_tag(canon, node, true);
        while (node != top && !node->next) {
            node = node->parent;
            add_tag(canon, node, true);
        }
        node = node == top ? NULL : node->next;
    }
}

static const char *attribute(const xmlNode *node, const char *name)
{
    for (const xmlAttr *a = node->properties; a; a = a->next)
        if (strcasecmp((const char *)a->name, name) == 0)
            return attribute_text(a);
    return NULL;
}

static bool is(const xmlNode *node, const char *name)
{
    return node->type == XML_ELEMENT_NODE && strcasecmp((const char *)node->name, name) == 0;
}

/* The next node of the document below `top`; NULL at the end. */
static xmlNode *following(xmlNode *node, const xmlNode *top)
{
    if (node->type == XML_ELEMENT_NODE && node->children)
        return node->children;
    while (node != top && !node->next)
        node = node->parent;
    return node == top ? NULL : node->next;
}

static bool field_add(struct document_form *form, const char *name, const char *value)
{
    struct document_field *field = &form->field[form->count];
    if (form->count == DOCUMENT_FIELDS || !name || !*name)
        return false;
    field->name = strdup(name);
    field->value = strdup(value ? value : "");
    form->count++;
    return field->name && field->value;
}

static bool is_one_of(const char *word, const char *const *words)
{
    for (; *words; words++)
        if (strcasecmp(word, *words) == 0)
            return true;
    return false;
}

struct fields_found {
    bool text, submit;
};

/* Collects the fields that a browser submits at Return in the first text field: text, hidden and
 * checked fields, and the first button. */
static void input_take(struct document_form *form, const xmlNode *node, struct fields_found *found)
{
    static const char *const texts[] = {"text", "search", "", NULL};
    static const char *const kept[] = {"hidden", "password", NULL};
    static const char *const checked[] = {"checkbox", "radio", NULL};
    const char *type = attribute(node, "type"), *value = attribute(node, "value");
    const char *name = attribute(node, "name");
    type = type ? type : "";
    if (attribute(node, "disabled"))
        return;
    if (is_one_of(type, texts)) {
        bool first = !found->text && name && *name && form->count < DOCUMENT_FIELDS;
        if (first)
            form->text = form->count;
        found->text = found->text || first;
        field_add(form, name, value);
    } else if (is_one_of(type, kept)) {
        field_add(form, name, value);
    } else if (is_one_of(type, checked) && attribute(node, "checked")) {
        field_add(form, name, value ? value : "on");
    } else if (strcasecmp(type, "submit") == 0 && !found->submit) {
        found->submit = true;
        field_add(form, name, value);
    }
}

/* The value of a list: the selected option; without one, the first. */
static void select_take(struct document_form *form, xmlNode *node)
{
    xmlNode *chosen = NULL;
    for (xmlNode *at = following(node, node); at; at = following(at, node)) {
        if (is(at, "option") && (!chosen || attribute(at, "selected")))
            chosen = at;
    }
    if (!chosen)
        return;
    xmlChar *text = xmlNodeGetContent(chosen);
    const char *value = attribute(chosen, "value");
    field_add(form, attribute(node, "name"), value ? value : (const char *)text);
    xmlFree(text);
}

static void textarea_take(struct document_form *form, xmlNode *node, struct fields_found *found)
{
    const char *name = attribute(node, "name");
    xmlChar *text = xmlNodeGetContent(node);
    if (!found->text && name && *name && form->count < DOCUMENT_FIELDS) {
        form->text = form->count;
        found->text = true;
    }
    field_add(form, name, (const char *)text);
    xmlFree(text);
}

static void form_empty(struct document_form *form)
{
    for (unsigned i = 0; i < form->count; i++) {
        free(form->field[i].name);
        free(form->field[i].value);
    }
    free(form->action);
    *form = (struct document_form){0};
}

static bool form_take(struct document_form *form, xmlNode *node)
{
    const char *method = attribute(node, "method"), *enctype = attribute(node, "enctype");
    const char *action = attribute(node, "action");
    struct fields_found found = {0};
    form->post = method && strcasecmp(method, "post") == 0;
    form->multipart = form->post && enctype && strcasecmp(enctype, "multipart/form-data") == 0;
    form->action = strdup(action ? action : "");
    for (xmlNode *at = following(node, node); at; at = following(at, node)) {
        if (is(at, "input"))
            input_take(form, at, &found);
        else if (is(at, "select"))
            select_take(form, at);
        else if (is(at, "textarea"))
            textarea_take(form, at, &found);
    }
    form->there = found.text && form->action;
    if (!form->there)
        form_empty(form);
    return form->there;
}

static void forms_look(struct document_form *form, xmlNode *top)
{
    for (xmlNode *at = top; at; at = following(at, top))
        if (is(at, "form") && form_take(form, at))
            return;
}

static void errors_ignore(void *ctx, const char *format, ...)
{
    (void)ctx, (void)format;
}

/* The character set that browsers use for this name (WHATWG Encoding, 4.2). */
static const char *as_browser(const char *charset)
{
    static const char *const windows[] = {"iso-8859-1", "iso8859-1", "iso_8859-1", "latin1",  "l1",
                                          "us-ascii",   "ascii",     "cp1252",     "x-cp1252"};
    for (size_t i = 0; i < sizeof windows / sizeof *windows; i++)
        if (strcasecmp(charset, windows[i]) == 0)
            return WINDOWS;
    return charset;
}

/* The character set of a document without one in its header, by its text or its bytes. */
static const char *own_charset(htmlDocPtr parsed, const char *bytes, size_t length)
{
    const char *said = (const char *)parsed->encoding;
    uint32_t point;
    if (said && *said)
        return as_browser(said);
    for (size_t taken; length; bytes += taken, length -= taken) {
        taken = *bytes & 0x80 ? utf8_decode((const uint8_t *)bytes, length, &point) : 1;
        if (taken == 0)
            return WINDOWS;
    }
    return "UTF-8";
}

static htmlDocPtr parse(const char *bytes, size_t length, const char *charset)
{
    const int how = HTML_PARSE_RECOVER | HTML_PARSE_NOERROR | HTML_PARSE_NOWARNING |
                    HTML_PARSE_NONET | HTML_PARSE_COMPACT;
    htmlDocPtr parsed;
    xmlSetGenericErrorFunc(NULL, errors_ignore);
    parsed = htmlReadMemory(bytes, (int)length, NULL, *charset ? charset : NULL, how);
    if (!parsed && *charset) /* an unknown character set */
        parsed = htmlReadMemory(bytes, (int)length, NULL, NULL, how);
    if (parsed && !*charset && strcmp(own_charset(parsed, bytes, length), WINDOWS) == 0) {
        xmlFreeDoc(parsed);
        parsed = htmlReadMemory(bytes, (int)length, NULL, WINDOWS, how);
    }
    return parsed;
}

static enum bl_status take(struct document *document, htmlDocPtr parsed, const char *charset,
                           struct bl_diag *diag)
{
    struct canon canon = {.line = true};
    xmlNode *root = xmlDocGetRootElement(parsed);
    const char *said = *charset ? charset : (const char *)parsed->encoding;
    if (!root)
        return bl_fail(diag, BL_DATA, "there is no document in what was returned");
    add(&canon, "");
    walk(&canon, root);
    document->text = canon.text.bytes;
    document->charset = strdup(said && *said ? said : "UTF-8");
    forms_look(&document->form, root);
    return canon.text.failed || !document->charset
               ? bl_fail(diag, BL_NOMEM, "no memory for a document")
               : BL_OK;
}

enum bl_status document_read(struct document **out, const char *bytes, size_t length,
                             const char *charset, struct bl_diag *diag)
{
    htmlDocPtr parsed;
    enum bl_status status;
    *out = NULL;
    charset = as_browser(charset);
    parsed = length ? parse(bytes, length, charset) : NULL;
    if (!parsed)
        return bl_fail(diag, BL_DATA, "there is no document in what was returned");
    *out = calloc(1, sizeof **out);
    status = *out ? take(*out, parsed, charset, diag)
                  : bl_fail(diag, BL_NOMEM, "no memory for a document");
    xmlFreeDoc(parsed);
    if (status) {
        document_free(*out);
        *out = NULL;
    }
    return status;
}

#define PIECE_BEFORE "<html><body><div>"
#define PIECE_BEHIND "</div></body></html>"

enum bl_status document_read_piece(struct document **out, const char *bytes, size_t length,
                                   struct bl_diag *diag)
{
    static const char before[] = "<div>", behind[] = "</div>";
    const size_t ends = sizeof before - 1 + sizeof behind - 1;
    size_t room = sizeof PIECE_BEFORE + length + sizeof PIECE_BEHIND, whole;
    char *page = malloc(room);
    enum bl_status status;
    *out = NULL;
    if (!page)
        return bl_fail(diag, BL_NOMEM, "no memory for a document");
    whole =
        (size_t)snprintf(page, room, "%s%.*s%s", PIECE_BEFORE, (int)length, bytes, PIECE_BEHIND);
    status = document_read(out, page, whole, "UTF-8", diag);
    free(page);
    if (status)
        return status;
    char *text = (*out)->text;
    size_t all = strlen(text);
    if (all >= ends && memcmp(text, before, sizeof before - 1) == 0 &&
        strcmp(text + all - (sizeof behind - 1), behind) == 0) {
        memmove(text, text + sizeof before - 1, all - ends);
        text[all - ends] = '\0';
    }
    return BL_OK;
}

void document_free(struct document *document)
{
    if (!document)
        return;
    form_empty(&document->form);
    free(document->text);
    free(document->charset);
    free(document);
}

struct words {
    char *text;
    size_t length;
    bool blank;
};

static void word_add(struct words *words, char c)
{
    if (c == ' ') {
        words->blank = true;
        return;
    }
    if (words->blank && words->length)
        words->text[words->length++] = ' ';
    words->blank = false;
    words->text[words->length++] = c;
}

/* Skips a tag, and the contents of a script or a style. Returns the text after it. */
static const char *tag_pass(struct words *words, const char *at, const char *end)
{
    char name[16] = "";
    size_t length = 0;
    const char *from = at + 1 + (at[1] == '/');
    while (from + length < end && from[length] != '>' && from[length] != ' ' &&
           length < sizeof name - 1)
        length++;
    memcpy(name, from, length);
    if (is_block(name))
        word_add(words, ' ');
    at = memchr(at, '>', (size_t)(end - at));
    at = at ? at + 1 : end;
    if (strcmp(name, "script") == 0 || strcmp(name, "style") == 0)
        while (at < end && *at != '<')
            at++;
    return at;
}

static const char *character_pass(struct words *words, const char *at, const char *end)
{
    static const struct {
        const char *name, character;
    } names[] = {{"&lt;", '<'}, {"&gt;", '>'}, {"&amp;", '&'}, {"&quot;", '"'}};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        size_t length = strlen(names[i].name);
        if ((size_t)(end - at) >= length && memcmp(at, names[i].name, length) == 0) {
            word_add(words, names[i].character);
            return at + length;
        }
    }
    if (end - at >= 2 && (uint8_t)at[0] == 0xC2 && (uint8_t)at[1] == 0xA0) { /* &nbsp; */
        word_add(words, ' ');
        return at + 2;
    }
    word_add(words, *at);
    return at + 1;
}

char *document_words(const char *text, size_t length)
{
    struct words words = {.text = malloc(2 * length + 1)};
    const char *end = text + length;
    if (!words.text)
        return NULL;
    while (text < end)
        text = *text == '<' ? tag_pass(&words, text, end) : character_pass(&words, text, end);
    words.text[words.length] = '\0';
    return words.text;
}
