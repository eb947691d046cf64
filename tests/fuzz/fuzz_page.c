/* Any line is safe to read as a page style, and any keys are safe to type on such a page. What is
 * taken reads back as it was written; rows and places are inside of it; and the same keys give the
 * same page again. */
#include "session/page.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length);

static struct page_row row;

static void check_rows(const struct page *page, const struct style *style)
{
    for (unsigned pane = 0; pane < PANES; pane++) {
        unsigned rows = page_rows(page, pane);
        if (page_has(page, pane) != (rows > 0))
            abort();
        for (unsigned i = 0; i < rows; i++) {
            page_row(page, pane, i, &row);
            if (row.columns > style->columns || row.cells > row.columns)
                abort();
        }
    }
    for (enum party party = 0; party < PARTIES; party++) {
        struct page_place place = page_place(page, party);
        struct page_part part = page_part(page, place.pane, party);
        if (place.row >= page_rows(page, place.pane) + !place.shown)
            abort();
        if (part.first + part.rows > page_rows(page, place.pane) || place.row < part.first ||
            place.row - part.first >= part.rows + !place.shown)
            abort();
    }
}

/* Two bytes are a key: the party and some bits of its code point, most of them of ASCII. */
static struct key_event key_of(const uint8_t *at)
{
    struct key_event event = {.party = at[0] & 1, .point = at[1]};
    if (at[0] & 2)
        event.point = (uint32_t)at[0] << 6 | at[1];
    return event;
}

static void type(struct page *page, const uint8_t *keys, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        struct key_event event = key_of(keys + 2 * i);
        page_apply(page, &event);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
    static struct page *page, *again;
    static struct page_row preview[4];
    uint8_t first[DIGEST_SIZE], second[DIGEST_SIZE];
    char line[256], text[STYLE_MAX + 1];
    struct style style, same;
    const uint8_t *end = memchr(bytes, '\n', length);
    size_t taken = end ? (size_t)(end - bytes) : length, count;
    if (taken >= sizeof line)
        return 0;
    memcpy(line, bytes, taken);
    line[taken] = '\0';
    if (style_parse(&style, line, 2, NULL) != BL_OK)
        return 0;
    style_format(&style, text);
    if (style_read(&same, text, NULL) != BL_OK || memcmp(&same, &style, sizeof style) != 0)
        abort();
    if (!page && (!(page = page_create(&style)) || !(again = page_create(&style))))
        return 0;
    page_begin(page, &style);
    page_begin(again, &style);
    count = end ? (length - taken - 1) / 2 : 0;
    for (size_t i = 0; i < count; i++) {
        const uint32_t waiting[] = {KEY_BACKSPACE, 'a', KEY_RETURN, 0x301};
        type(page, end + 1 + 2 * i, 1);
        page_preview(page, (enum party)(i % PARTIES), waiting, i % 5, 0, preview, 4);
    }
    check_rows(page, &style);
    if (count)
        type(again, end + 1, count);
    page_digest(page, first);
    page_digest(again, second);
    if (memcmp(first, second, DIGEST_SIZE) != 0)
        abort();
    return 0;
}
