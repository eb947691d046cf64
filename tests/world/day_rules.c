#include "day_rules.h"

#include <string.h>

const struct day_rules day_rules[DAY_RULES] = {
    {"loebner-1996", "5 left,2 change", ASKED_RATING, 10, .opening = ""},
    {"loebner-2009", "5 left,5 right,2 review", ASKED_HUMAN, .pairs = true, .ranked = true,
     .opening = ""},
    {"loebner-2004", "12 both,2 change", ASKED_POINTS, .pairs = true,
     .opening = "Hello, my name is Bob and I am the human.\n", .comms = true},
};

void day_people(const struct day_rules *rules, unsigned booths, unsigned *judges, unsigned *entries,
                unsigned *confederates)
{
    *judges = booths;
    *entries = rules->pairs ? booths : booths / 2;
    *confederates = rules->pairs ? booths : booths - booths / 2;
}
