/* The options for the course of a judge's session, shared by `judge` and `lpp-judge`. */
#ifndef CLI_JUDGE_WORDS_H
#define CLI_JUDGE_WORDS_H

#include "booth/judge_booth.h"

/* As on the command line or in a ticket; NULL: not given. The caller keeps the strings. */
struct judge_words {
    const char *ruleset, *plan, *starts, *style, *begin;
};

/* The rows for a command whose struct of options has the field `words`, a struct judge_words. */
#define JUDGE_WORDS(type, words)                                                                   \
    OPTION_ROW("--ruleset", "NAME|FILE",                                                           \
               "plan, style, who starts and the ballot by these rules; see contest rulesets",      \
               OPTION_TEXT, type, words.ruleset),                                                  \
        OPTION_ROW("--plan", "PLAN",                                                               \
                   "parts, as '300 left,300 right,600 review' (default: open without end)",        \
                   OPTION_TEXT, type, words.plan),                                                 \
        OPTION_ROW("--starts", "judge|either", "who may begin (default: the judge)", OPTION_WORD,  \
                   type, words.starts),                                                            \
        OPTION_ROW("--begin", "key|ready|typed",                                                   \
                   "when a plan begins: by F9, when all entities (or the controller) are ready, "  \
                   "or with the first key that is typed",                                          \
                   OPTION_WORD, type, words.begin),                                                \
        OPTION_ROW("--style", "split|scroll|web",                                                  \
                   "page style, with fields as in boothlink-ticket(5)", OPTION_TEXT, type,         \
                   words.style)

/* Parses the words into the options. A missing plan, starts or style comes from the ruleset.
 * BL_USAGE, and errors of reading a ruleset. */
enum bl_status judge_words_read(struct judge_words *words, struct judge_options *options,
                                struct bl_diag *diag);

#endif
