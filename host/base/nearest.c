#include "base/nearest.h"

#include <string.h>

enum {
    LENGTH_MAX = 40, /* longer words are similar to no known word */
    NEAR = 3,        /* two words with more differences are not similar */
};

static unsigned least(unsigned a, unsigned b)
{
    return a < b ? a : b;
}

/* The number of letters that must be added, dropped, changed or swapped with a neighbour to turn a
 * into b (optimal string alignment); 1 if a has three letters or more and b begins with a. */
static unsigned distance(const char *a, const char *b)
{
    unsigned row[3][LENGTH_MAX + 1];
    size_t m = strlen(a);
    size_t n = strlen(b);
    if (m > LENGTH_MAX || n > LENGTH_MAX)
        return LENGTH_MAX;
    if (m > 2 && strncmp(a, b, m) == 0)
        return 1;
    for (size_t j = 0; j <= n; j++)
        row[0][j] = (unsigned)j;
    for (size_t i = 1; i <= m; i++) {
        unsigned *now = row[i % 3];
        const unsigned *last = row[(i + 2) % 3];
        const unsigned *before = row[(i + 1) % 3];
        now[0] = (unsigned)i;
        for (size_t j = 1; j <= n; j++) {
            now[j] = last[j - 1] + (a[i - 1] != b[j - 1]);
            now[j] = least(now[j], least(last[j], now[j - 1]) + 1);
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                now[j] = least(now[j], before[j - 2] + 1);
        }
    }
    return row[m % 3][n];
}

struct nearest nearest_start(const char *word)
{
    return (struct nearest){.word = word, .differences = LENGTH_MAX};
}

bool nearest_is(struct nearest *nearest, const char *candidate)
{
    unsigned d = distance(nearest->word, candidate);
    if (d > NEAR || d >= strlen(candidate) || d >= nearest->differences)
        return false;
    nearest->differences = d;
    return true;
}
