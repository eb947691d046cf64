/* The names of the Loebner Prize Protocol's directories, "time.keypress-name.extension". Strict in
 * writing, tolerant in reading. Pure.
 * Source: Loebner Prize 2009 rules, section 2 and appendix; DESIGN.md, "Entrants";
 * boothlink-entrant(7) for real clients. */
#ifndef ENTITY_LPP_NAME_H
#define ENTITY_LPP_NAME_H

#include "session/event.h"

#define LPP_NAME_MAX   255                          /* bytes; the system's limit */
#define LPP_DIGITS     18                           /* most digits of a number that we write */
#define LPP_NUMBER_MAX UINT64_C(999999999999999999) /* the greatest number that we write */

/* The maker of a directory, by its extension: ".judge", or ".other" for the Entry. */
enum lpp_from { LPP_FROM_JUDGE, LPP_FROM_ENTRY };

enum lpp_kind {
    LPP_KEY,    /* a key press */
    LPP_NO_KEY, /* an extension of the protocol, but no key; `why` has the fault */
    LPP_FOREIGN
};

struct lpp_name {
    enum lpp_kind kind;
    enum lpp_from from;
    const char *why;
    uint32_t point; /* LPP_KEY: the key */
    bool exact;     /* LPP_KEY: number, name and extension are written exactly as in the rules */
    uint8_t digits, at, end; /* digits: 0: no number; at, end: offsets of the number's first digit
                              * (without leading zeros) and of its end */
};

/* Parses a name of at most LPP_NAME_MAX bytes. Allows any number of digits, any case of the
 * extension, and the key names of keysym_point(). */
void lpp_name_read(const char *name, struct lpp_name *out);

/* Compares the numbers of two names: < 0, 0, > 0 as memcmp does. Both names have digits. */
int lpp_number_compare(const char *a, const struct lpp_name *read_a, const char *b,
                       const struct lpp_name *read_b);

/* The name's number; 0: none, or above LPP_NUMBER_MAX. */
uint64_t lpp_number(const char *name, const struct lpp_name *read);

/* Writes the directory's name by the rules. A key without a name in the rules stands for itself in
 * UTF-8. number is 1 to LPP_NUMBER_MAX, point a key. */
void lpp_name_write(char out[LPP_NAME_MAX + 1], uint64_t number, uint32_t point,
                    enum lpp_from from);

/* The number for the directory after number `last`: the clock's milliseconds; if these are not
 * above `last`, last + 1. 0: the numbers are used up. */
uint64_t lpp_number_next(uint64_t last, uint64_t wall_us);

#endif
