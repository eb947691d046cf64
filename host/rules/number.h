/* Numbers of people and of Entries in one contest. */
#ifndef RULES_NUMBER_H
#define RULES_NUMBER_H

#include <stdint.h>

/* The number, from 0, of a judge, a confederate, an Entry, a candidate or a seat. */
typedef uint16_t person_number;

/* The confederate of a meeting or a ballot with one entity: none, or the candidate. */
#define PERSON_NOBODY UINT16_MAX

#endif
