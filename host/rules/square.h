/* Pairs of orthogonal Latin squares: with one, all meet all in as many rounds as there are judges.
 * Pure. A pair exists for every order except 2 and 6: Tarry 1901 for 6, Bose, Shrikhande and Parker
 * 1960 for the rest. */
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
 * cell. False, with nothing written: order 0, 2, 6 or above SQUARE_ORDER_MAX. Equal input gives an
 * equal result. */
bool square_pair(struct square *first, struct square *second, unsigned order);

#endif
