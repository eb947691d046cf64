/* The likeness of two Entries' answers to one question, for the panel, which decides. Pure. Source:
 * 2003 r38: responses must differ in essence. */
#ifndef CONTEST_ANSWERS_H
#define CONTEST_ANSWERS_H

#include "contest/act.h"
#include "contest/report.h"
#include "transcript/history.h"

#include <stdbool.h>

/* True for the same words in the same order. Case and characters other than letters and digits are
 * ignored. A text without a word is like no other. */
bool answers_same_words(const char *a, const char *b);

/* The share of common words among all words of both, each counted once, in per cent. */
unsigned answers_likeness(const char *a, const char *b);

/* Entries' answers for comparison. All zeros at the start. */
struct answers {
    struct report_answer *answer; /* the answers, which own their texts */
    size_t count, room;
};

/* Adds the answers of a transcript's programs. A program without a name gets the name of `file` and
 * its side. */
enum bl_status answers_of_history(struct answers *answers, const struct history *history,
                                  const char *file, struct bl_diag *diag);

/* Adds the answers of a transcript in the form for people ("transcript convert --to text"), a C
 * string with lines such as "[14:03:22] left Judge: ..." and "Entity: ..."; with one side the lines
 * name no side. *any is false if there is no such line. */
enum bl_status answers_of_text(struct answers *answers, const char *text, const char *file,
                               bool *any, struct bl_diag *diag);

/* Adds the answer under the Entry's number, if the act is a screening answer. For store_read(),
 * with a struct answers as `at`. */
enum bl_status answers_of_act(void *at, const struct act *act, struct bl_diag *diag);

/* _shared: the index of the first answer to the next question, from `from` on, that two Entries
 * have answered. _other: the next answer, from `from` on, by another Entry to the question of
 * answer `first`. `count`: none. */
size_t answers_shared(const struct report_answer *answer, size_t count, size_t from);
size_t answers_other(const struct report_answer *answer, size_t count, size_t first, size_t from);

void answers_free(struct answers *answers);

#endif
