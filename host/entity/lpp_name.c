#include "entity/lpp_name.h"

#include "base/keysym.h"
#include "base/utf8.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

static const char *const extensions[] = {[LPP_FROM_JUDGE] = ".judge", [LPP_FROM_ENTRY] = ".other"};

/* Finds the extension, beginning with its '.'; NULL: none of the protocol's. */
static const char *find_extension(const char *name, struct lpp_name *out)
{
    const char *dot = strrchr(name, '.');
    for (unsigned from = 0; dot && from < 2; from++) {
        if (strcasecmp(dot, extensions[from]) == 0) {
            out->from = (enum lpp_from)from;
            out->exact = strcmp(dot, extensions[from]) == 0;
            return dot;
        }
    }
    return NULL;
}

static void refuse(struct lpp_name *out, const char *why)
{
    out->kind = LPP_NO_KEY;
    out->why = why;
}

void lpp_name_read(const char *name, struct lpp_name *out)
{
    size_t digits = strspn(name, "0123456789"), zeros = strspn(name, "0");
    const char *extension;
    bool exact;
    *out = (struct lpp_name){.kind = LPP_FOREIGN, .why = ""};
    extension = strlen(name) <= LPP_NAME_MAX ? find_extension(name, out) : NULL;
    if (!extension)
        return;
    if (digits == 0) {
        refuse(out, "has no number");
        return;
    }
    out->digits = (uint8_t)digits;
    out->at = (uint8_t)(zeros < digits ? zeros : digits);
    out->end = (uint8_t)digits;
    if (name[digits] != '.' || name + digits >= extension) {
        refuse(out, "has no key's name between number and extension");
        return;
    }
    const char *key = name + digits + 1;
    out->point = keysym_point(key, (size_t)(extension - key), &exact);
    if (out->point == 0x0A)
        out->point = KEY_RETURN;
    if (out->point == 0 || !key_is_key(out->point)) {
        refuse(out, "names no key that is known");
        return;
    }
    out->kind = LPP_KEY;
    out->exact = out->exact && exact && digits == LPP_DIGITS;
}

int lpp_number_compare(const char *a, const struct lpp_name *read_a, const char *b,
                       const struct lpp_name *read_b)
{
    unsigned length_a = read_a->end - read_a->at, length_b = read_b->end - read_b->at;
    if (length_a != length_b)
        return length_a < length_b ? -1 : 1;
    return memcmp(a + read_a->at, b + read_b->at, length_a);
}

uint64_t lpp_number(const char *name, const struct lpp_name *read)
{
    uint64_t number = 0;
    if (read->end - read->at > LPP_DIGITS)
        return 0;
    for (unsigned i = read->at; i < read->end; i++)
        number = number * 10 + (uint64_t)(name[i] - '0');
    return number;
}

void lpp_name_write(char out[LPP_NAME_MAX + 1], uint64_t number, uint32_t point, enum lpp_from from)
{
    char itself[UTF8_MAX + 1];
    const char *name = keysym_name(point);
    itself[utf8_encode(point, (uint8_t *)itself)] = '\0';
    snprintf(out, LPP_NAME_MAX + 1, "%018" PRIu64 ".%s%s", number, name ? name : itself,
             extensions[from]);
}

uint64_t lpp_number_next(uint64_t last, uint64_t wall_us)
{
    uint64_t now_ms = wall_us / 1000;
    if (now_ms > last && now_ms <= LPP_NUMBER_MAX)
        return now_ms;
    return last < LPP_NUMBER_MAX ? last + 1 : 0;
}
