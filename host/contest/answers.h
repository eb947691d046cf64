/* The likeness of two Entries' answers to one question, for the panel that decides. Pure. Source:
 * 2003 r38: responses must differ in essence; the panel's decision is final, so nothing is decided
 * here. */
#ifndef CONTEST_ANSWERS_H
#define CONTEST_ANSWERS_H

#include "contest/act.h"
#include "contest/report.h"
#include "transcript/history.h"

#include <stdbool.h>

/* The same words in the same order; case and all that is no letter or digit do not count. A text
 * without a word is like no other. */
bool answers_same_words(const char *a, const char *b);

/* Words that both have, of all words that either has, each counted once: 0 to 100. */
unsigned answers_likeness(const char *a, const char *b);

/* Entries' answers, to be laid side by side. Zeroed is the start. */
struct answers {
    struct report_answer *answer; /* their texts are owned */
    size_t count, room;
};

/* Adds the answers of a transcript's programs; file is its name, for those without one. */
enum bl_status answers_of_history(struct answers *answers, const struct history *history,
                                  const char *file, struct bl_diag *diag);

/* The same of a transcript in the form for people ("transcript convert --to text"), a C string,
 * whose lines say "[14:03:22] left  Judge: ..." and "Entity: ..."; where there is one side none is
 * named. False in *any: it has no such line. */
enum bl_status answers_of_text(struct answers *answers, const char *text, const char *file,
                               bool *any, struct bl_diag *diag);

/* Adds the answer of the screening if the act is one, under the Entry's number. For store_read: at
 * is the struct answers. */
enum bl_status answers_of_act(void *at, const struct act *act, struct bl_diag *diag);

/* _shared: the first answer, from `from` on, that is the first to its question and is followed by
 * one of another Entry. _other: the next answer, from `from` on, of another Entry to the question
 * of answer `first`. `count` where there is none. */
size_t answers_shared(const struct report_answer *answer, size_t count, size_t from);
size_t answers_other(const struct report_answer *answer, size_t count, size_t first, size_t from);

void answers_free(struct answers *answers);

#endif
