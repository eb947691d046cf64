#include "rules/square.h"

#include <string.h>

/* Makes squares of an odd order: 1 and 2 have inverses modulo an odd number. */
static void make_odd(struct square *first, struct square *second, unsigned order)
{
    for (unsigned i = 0; i < order; i++) {
        for (unsigned j = 0; j < order; j++) {
            first->cell[i][j] = (uint8_t)((i + j) % order);
            second->cell[i][j] = (uint8_t)((2 * i + j) % order);
        }
    }
}

/* Doubles an element of the field of 4, 8, 16, 32 or 64 elements: the product with the polynomial
 * x, reduced by an irreducible polynomial. */
static unsigned field_double(unsigned element, unsigned order)
{
    static const uint8_t reduce[] = {0, 0, 3, 3, 3, 5, 3}; /* x^k = this, for k = 2 to 6 */
    unsigned k = 0;
    while (1U << k < order)
        k++;
    element <<= 1;
    return element < order ? element : (element - order) ^ reduce[k];
}

static void make_field(struct square *first, struct square *second, unsigned order)
{
    for (unsigned i = 0; i < order; i++) {
        for (unsigned j = 0; j < order; j++) {
            first->cell[i][j] = (uint8_t)(i ^ j);
            second->cell[i][j] = (uint8_t)(field_double(i, order) ^ j);
        }
    }
}

static void multiply(struct square *out, const struct square *a, const struct square *b)
{
    unsigned n = b->order;
    for (unsigned i = 0; i < a->order * n; i++)
        for (unsigned j = 0; j < a->order * n; j++)
            out->cell[i][j] = (uint8_t)(a->cell[i / n][j / n] * n + b->cell[i % n][j % n]);
}

/* Orders 10, 14, 18, ...: a quasi-difference matrix over the integers modulo v = order - 3, with
 * three symbols that a shift does not change. A column has a row for each of row, column, first,
 * second, and is used in four rotations. There are columns of four values, whose four differences
 * between successive rows are all different, and columns of one such symbol and three values. Every
 * difference except 0 occurs once between neighbouring rows and once between opposite rows. The
 * search always tries the smallest unused difference; order 62 takes 50 ms. */
#define FIXED 3
#define BASES (FIXED + (SQUARE_ORDER_MAX - 10) / 4 + 1)

struct square_search {
    unsigned v, quadruples;
    bool near[SQUARE_ORDER_MAX], opposite[SQUARE_ORDER_MAX];
    uint8_t base[BASES][3]; /* differences from one row to the next */
};

static bool take_opposite(struct square_search *s, unsigned difference)
{
    difference %= s->v;
    if (difference == 0 || s->opposite[difference])
        return false;
    s->opposite[difference] = s->opposite[s->v - difference] = true;
    return true;
}

static void free_opposite(struct square_search *s, unsigned difference)
{
    difference %= s->v;
    s->opposite[difference] = s->opposite[s->v - difference] = false;
}

static bool search_from(struct square_search *s, unsigned k);

/* Finds the third difference of a quadruple that begins with a and b. The fourth makes the sum
 * 0. */
static bool search_third(struct square_search *s, unsigned k, unsigned a, unsigned b)
{
    for (unsigned c = 1; c < s->v; c++) {
        unsigned d = (3 * s->v - a - b - c) % s->v;
        if (s->near[c] || d == 0 || d == c || s->near[d] || !take_opposite(s, b + c))
            continue;
        s->near[c] = s->near[d] = true;
        s->base[k][2] = (uint8_t)c;
        if (search_from(s, k + 1))
            return true;
        s->near[c] = s->near[d] = false;
        free_opposite(s, b + c);
    }
    return false;
}

static bool search_from(struct square_search *s, unsigned k)
{
    unsigned a = 1;
    while (a < s->v && s->near[a])
        a++;
    if (k == s->quadruples + FIXED)
        return a == s->v;
    if (a == s->v)
        return false;
    s->near[a] = true;
    s->base[k][0] = (uint8_t)a;
    for (unsigned b = a + 1; b < s->v; b++) {
        if (s->near[b] || !take_opposite(s, a + b))
            continue;
        s->near[b] = true;
        s->base[k][1] = (uint8_t)b;
        if (k < s->quadruples ? search_third(s, k, a, b) : search_from(s, k + 1))
            return true;
        s->near[b] = false;
        free_opposite(s, a + b);
    }
    s->near[a] = false;
    return false;
}

/* Adds a column of the matrix, rotated by `turn`, in all v shifts. Symbols from v on are not
 * shifted. */
static void lay_column(struct square *first, struct square *second, unsigned v,
                       const unsigned column[4], unsigned turn)
{
    for (unsigned shift = 0; shift < v; shift++) {
        unsigned at[4];
        for (unsigned r = 0; r < 4; r++) {
            unsigned symbol = column[(r + turn) % 4];
            at[r] = symbol < v ? (symbol + shift) % v : symbol;
        }
        first->cell[at[0]][at[1]] = (uint8_t)at[2];
        second->cell[at[0]][at[1]] = (uint8_t)at[3];
    }
}

static bool make_quasi(struct square *first, struct square *second, unsigned order)
{
    struct square_search s = {.v = order - FIXED, .quadruples = (order - 10) / 4};
    const unsigned zero[4] = {0};
    struct square hole[2];
    if (!search_from(&s, 0))
        return false;
    lay_column(first, second, s.v, zero, 0);
    for (unsigned k = 0; k < s.quadruples + FIXED; k++) {
        const uint8_t *base = s.base[k];
        bool whole = k < s.quadruples;
        const unsigned column[4] = {
            whole ? 0 : s.v + k - s.quadruples,
            whole ? base[0] : 0,
            (whole ? base[0] + base[1] : base[0]) % s.v,
            (base[0] + base[1] + (whole ? base[2] : 0U)) % s.v,
        };
        for (unsigned turn = 0; turn < 4; turn++)
            lay_column(first, second, s.v, column, turn);
    }
    make_odd(&hole[0], &hole[1], FIXED); /* the cells whose row and column are unshifted symbols */
    for (unsigned i = 0; i < FIXED; i++) {
        for (unsigned j = 0; j < FIXED; j++) {
            first->cell[s.v + i][s.v + j] = (uint8_t)(s.v + hole[0].cell[i][j]);
            second->cell[s.v + i][s.v + j] = (uint8_t)(s.v + hole[1].cell[i][j]);
        }
    }
    return true;
}

bool square_pair(struct square *first, struct square *second, unsigned order)
{
    unsigned two = 1;
    if (order == 0 || order == 2 || order == 6 || order > SQUARE_ORDER_MAX)
        return false;
    memset(first, 0, sizeof *first);
    memset(second, 0, sizeof *second);
    first->order = second->order = order;
    while (order % (2 * two) == 0)
        two *= 2;
    if (two == 1) {
        make_odd(first, second, order);
    } else if (two == order) {
        make_field(first, second, order);
    } else if (two == 2) {
        return make_quasi(first, second, order);
    } else {
        struct square even[2] = {{.order = two}, {.order = two}};
        struct square odd[2] = {{.order = order / two}, {.order = order / two}};
        make_field(&even[0], &even[1], two);
        make_odd(&odd[0], &odd[1], order / two);
        multiply(first, &even[0], &odd[0]);
        multiply(second, &even[1], &odd[1]);
    }
    return true;
}
