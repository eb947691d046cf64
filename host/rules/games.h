/* The design games-per-condition: so many games for each condition, an Entry, among people who are
 * judges and confederates by turns, drawn with a key. Pure. boothlink-contest(5), "Games by
 * condition", has the way of the draw.
 *
 * Sources: the three-party test of 2025, where participants change roles from game to game. */
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
    unsigned each;   /* games of a condition */
    unsigned booths; /* games at once */
    uint8_t key[GAMES_KEY];
};

struct game {
    uint16_t round, judge, confederate; /* all from 0; people of one list */
    uint8_t condition, booth;
    bool entry_left;
};

/* In the order of their rounds. Large (512 KiB): the caller's. */
struct games {
    unsigned count, rounds;
    struct game game[GAMES_MAX];
};

/* "games-per-condition 100" of a ruleset; 0: it is none. */
unsigned games_design(const char *text);

/* Draws them. Nobody meets anybody twice, each condition has its games exactly, a judge has the
 * conditions equally often but for one game, and people the roles but for one, or for two where
 * their number is odd. BL_DATA names the number that is out of range, or says that there are too
 * few people; BL_NOMEM. */
enum bl_status games_draw(struct games *games, const struct games_need *need, struct bl_diag *diag);

/* A table: line 0 is its head, line i is of game i - 1. An object: the caller's. */
#define GAMES_LINE 80
const char *games_line(const struct games *games, unsigned line, char out[GAMES_LINE]);
json_t *games_json(const struct games *games);

#endif
