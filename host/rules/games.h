/* The design games-per-condition: a fixed number of games for each condition. A condition is an
 * Entry. People are judges and confederates by turns. A key determines the draw. Pure.
 * boothlink-contest(5), "Games by condition", describes the draw.
 *
 * * Sources: the three-party test of 2025, where participants change roles from game to game. */
#ifndef RULES_GAMES_H
#define RULES_GAMES_H

#include "base/status.h"

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

#define GAMES_PEOPLE_MAX     999
#define GAMES_BOOTHS_MAX     64
#define GAMES_CONDITIONS_MAX 64
#define GAMES_MAX            65536
#define GAMES_KEY            32

struct games_need {
    unsigned people, conditions;
    unsigned each;   /* games of each condition */
    unsigned booths; /* games at once */
    uint8_t key[GAMES_KEY];
};

struct game {
    uint16_t round, judge, confederate; /* numbers from 0; both people are from one list */
    uint8_t condition, booth;
    bool entry_left;
};

/* The games in the order of rounds. Large (512 KiB): the caller allocates it. */
struct games {
    unsigned count, rounds;
    struct game game[GAMES_MAX];
};

/* The number in "games-per-condition 100" of a ruleset; 0: another text. */
unsigned games_design(const char *text);

/* Draws the games. Two people meet at most once, and each condition has exactly its number of
 * games. A judge's numbers of games per condition differ by at most one; two people's numbers of
 * games as judge, or as confederate, differ by at most one, or by two if the number of people is
 * odd. BL_DATA if a number is out of range or there are too few people; BL_NOMEM. */
enum bl_status games_draw(struct games *games, const struct games_need *need, struct bl_diag *diag);

/* A table for reports: line 0 is the head, line i is game i - 1. games_json() returns an object
 * that the caller owns. */
#define GAMES_LINE 80
const char *games_line(const struct games *games, unsigned line, char out[GAMES_LINE]);
json_t *games_json(const struct games *games);

#endif
