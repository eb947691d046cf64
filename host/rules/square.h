/* Pairs of orthogonal Latin squares, by which everybody meets everybody in as many rounds as there
 * are judges. Pure. Such a pair exists for every order except 2 and 6: Tarry 1901 for 6, Bose,
 * Shrikhande and Parker 1960 for the rest. */
#ifndef RULES_SQUARE_H
#define RULES_SQUARE_H

#include <stdbool.h>
#include <stdint.h>

#define SQUARE_ORDER_MAX 64

struct square {
    unsigned order;
    uint8_t cell[SQUARE_ORDER_MAX][SQUARE_ORDER_MAX]; /* 0 to order - 1 */
};

/* Fills two orthogonal Latin squares of this order: superimposed, each pair of values occurs in one
 * cell. False for 0, 2, 6 and above SQUARE_ORDER_MAX, with nothing written. The result is always
 * the same. */
bool square_pair(struct square *first, struct square *second, unsigned order);

#endif
