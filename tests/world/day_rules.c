#include "day_rules.h"

#include <string.h>

const struct day_rules day_rules[DAY_RULES] = {
    [DAY_1996] = {"loebner-1996", "5 left,2 change", "900 left,300 change", ASKED_RATING, 10,
                  .opening = "", .offline = true},
    [DAY_2003] = {"loebner-2003", "8 left,2 change", "900 left,300 change", ASKED_RATING, 5,
                  .opening = "", .judges = 5, .least = "answer-least = 1"},
    [DAY_2004] = {"loebner-2004", "12 both,2 change", NULL, ASKED_POINTS, .pairs = true,
                  .opening = "Hello, my name is Bob and I am the human.\n", .comms = true},
    [DAY_2009] = {"loebner-2009", "5 left,5 right,2 review", NULL, ASKED_HUMAN, .pairs = true,
                  .ranked = true, .opening = ""},
    [DAY_2010] = {"loebner-2010", "16 both,4 review,2 change", NULL, ASKED_HUMAN, .pairs = true,
                  .ranked = true, .opening = ""},
    [DAY_2011] = {"loebner-2011", "16 both,4 review,2 change", NULL, ASKED_HUMAN, .pairs = true,
                  .ranked = true, .opening = ""},
    [DAY_2012] = {"loebner-2012", "16 both,4 review,2 change", NULL, ASKED_HUMAN, .pairs = true,
                  .ranked = true, .opening = ""},
    [DAY_2013] = {"loebner-2013", "16 both,4 review,2 change", NULL, ASKED_HUMAN, .pairs = true,
                  .ranked = true, .opening = ""},
    [DAY_LONG_BET] = {"longbet-2002", "8 left", NULL, ASKED_VERDICT, .ranked = true, .opening = "",
                      .judges = 3, .entries = 1, .confederates = 3, .trials = 3},
    [DAY_2025] = {"three-party-2025", "16 both", NULL, ASKED_HUMAN, .pairs = true, .reasoned = true,
                  .rates = true, .opening = ""},
    [DAY_TWO_PARTY_2023] = {"two-party-2023", "8 left", NULL, ASKED_VERDICT, .reasoned = true,
                            .rates = true, .opening = ""},
    [DAY_TWO_PARTY_2024] = {"two-party-2024", "8 left", NULL, ASKED_VERDICT, .reasoned = true,
                            .rates = true, .opening = ""},
    [DAY_CLASS] = {"class", "16 both,4 review", NULL, ASKED_HUMAN, .pairs = true, .reasoned = true,
                   .surest = 5, .rates = true, .opening = "", .offline = true},
};

void day_people(const struct day_rules *rules, unsigned booths, unsigned *judges, unsigned *entries,
                unsigned *confederates)
{
    *judges = rules->judges ? rules->judges : booths;
    *entries = rules->entries ? rules->entries : rules->pairs ? booths : booths / 2;
    *confederates = rules->confederates ? rules->confederates
                    : rules->pairs      ? booths
                                        : booths - booths / 2;
}
