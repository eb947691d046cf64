/* A language model's persona and answers. A persona's text is the end of its file, and filled in
 * without its words it is as it was; the keys of an answer are the same in any split, and are all
 * keys. */
#include "adapter/persona.h"
#include "adapter/typed_text.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void try_persona(const uint8_t *data, size_t size)
{
    struct persona persona;
    struct bl_diag diag = {""};
    char *text = malloc(size + 1);
    if (!text)
        abort();
    memcpy(text, data, size);
    text[size] = '\0';
    if (persona_parse(&persona, text, &diag) == BL_OK) {
        const struct persona_words same = {"{session}", "{now}", "{remaining}"};
        char *filled = malloc(size + 1);
        if (!filled || !persona_fill(&persona, &same, filled, size + 1) ||
            strcmp(filled, persona.text) != 0 || persona.text + strlen(persona.text) > text + size)
            abort();
        free(filled);
    } else if (!diag.text[0]) {
        abort();
    }
    free(text);
}

static void try_answer(const uint8_t *data, size_t size)
{
    static struct typed_text whole, parts;
    size_t portion = size ? data[0] % 7 + 1u : 1;
    bool as_is = size > 1 && data[1] & 1;
    typed_text_begin(&whole, as_is);
    typed_text_feed(&whole, (const char *)data, size);
    typed_text_end(&whole);
    typed_text_begin(&parts, as_is);
    for (size_t at = 0; at < size; at += portion)
        typed_text_feed(&parts, (const char *)data + at, size - at < portion ? size - at : portion);
    typed_text_end(&parts);
    if (whole.count > TYPED_KEYS || whole.count != parts.count ||
        memcmp(whole.key, parts.key, whole.count * sizeof whole.key[0]) != 0)
        abort();
    for (size_t i = 0; i < whole.count; i++) {
        uint32_t point = whole.key[i];
        if (point < ' ' || (point >= 0x7F && point < 0xA0) || point == 0xFFFD || point > 0x10FFFF ||
            (point >= 0xD800 && point < 0xE000))
            abort();
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    try_persona(data, size);
    try_answer(data, size);
    return 0;
}
