/* The kinds of entity: a confederate at a keyboard, or an Entry by one of the ways in which it may
 * speak. One table, of which the command line, tickets and the venue's file take their words.
 * Pure. Source: 1996 spec, 2003 r15 and r20, 2004 A6, LPP, LPP v2. */
#ifndef RULES_KIND_H
#define RULES_KIND_H

#include "base/status.h"

#include <stdbool.h>

#define KIND_TEXT_MAX 512

/* The words of Entries: name in C, name on a command line, in a ticket and in the venue's file,
 * value, help. A kind's own word comes first, those that go with it alone behind it. */
#define KIND_WORDS(WORD)                                                                           \
    WORD(program, "program", "CMD", "the Entry, run by /bin/sh")                                   \
    WORD(lpp, "lpp", "DIR", "an Entry speaks LPP in this folder")                                  \
    KIND_SERVED_WORDS(WORD)

/* Those that a command line takes as they are. */
#define KIND_SERVED_WORDS(WORD)                                                                    \
    WORD(lpp2, "lpp2", "[ADDRESS:]PORT",                                                           \
         "an Entry of LPP v2 connects here (default: at 127.0.0.1): see above")                    \
    WORD(lpp2_secret, "lpp2-secret", "FILE",                                                       \
         "its first line is the secret that the Entry has to give")                                \
    WORD(web, "web", "URL", "the Entry is behind a form of HTML there, as in 2003: see above")     \
    WORD(cgi, "cgi", "CMD", "the same, of a CGI program that is started for each submission")      \
    WORD(template, "template", "FILE",                                                             \
         "where its answer stands in the document: HTML with %%ANSWER%%")                          \
    WORD(chat, "chat", "URL|unix:PATH",                                                            \
         "the Entry is a language model: a server of chat completions is there")                   \
    WORD(persona, "persona", "FILE", "its persona and settings: see boothlink-entrant(7)")         \
    WORD(busy, "busy", "join|cancel|ignore",                                                       \
         "a judge's line while it answers joins the next, cancels, or is not answered (default: "  \
         "join)")                                                                                  \
    WORD(chat_key, "chat-key", "FILE",                                                             \
         "its first line is the key that the server wants; or credential:NAME, of systemd")

enum kind_word {
#define KIND_WORD_ENUM(id, name, value, help) KIND_WORD_##id,
    KIND_WORDS(KIND_WORD_ENUM)
#undef KIND_WORD_ENUM
        KIND_WORD_COUNT
};

/* The words of a command line, NULL where one is not given. */
struct kind_texts {
#define KIND_POINTER(id, name, value, help) const char *id;
    KIND_WORDS(KIND_POINTER)
#undef KIND_POINTER
};

/* Members of a struct for the words of an Entry, "" where one is not given; and their texts, in the
 * order of enum kind_word, of a struct with such members. */
#define KIND_MEMBER(id, name, value, help)  char id[KIND_TEXT_MAX];
#define KIND_MEMBERS                        KIND_WORDS(KIND_MEMBER)
#define KIND_TEXT_OF(id, name, value, help) (KIND_FROM)->id,
/* Use: #define KIND_FROM pointer, then {KIND_WORDS(KIND_TEXT_OF)}. */

extern const char *const kind_words[KIND_WORD_COUNT]; /* their names */

enum kind_id {
    KIND_KEYBOARD,
    KIND_PROGRAM,
    KIND_LPP,
    KIND_LPP2,
    KIND_WEB,
    KIND_CGI,
    KIND_CHAT,
    KINDS
};

/* Its reach, of which a terminal makes its sandbox. */
enum kind_reach {
    KIND_REACHES_NOTHING,
    KIND_REACHES_US,    /* by one port or folder */
    KIND_REACHES_SERVER /* by a program of ours, which alone has a network */
};

struct entry_kind {
    const char *own, *value;  /* its own word: "lpp2", "PORT" */
    enum kind_word word;      /* the same; KIND_WORD_COUNT: a confederate's */
    const char *beside;       /* words that go with it, or with another one that says so, alone:
                                 " lpp2-secret ", "" */
    bool startable;           /* `program` may stand beside it, and starts it */
    const char *ours;         /* the program of ours that runs for it; NULL: none */
    const char *tried, *kept; /* further options of that while it is validated, and where its
                                 replies are kept for checks: " --delay 1"; NULL: none */
    bool told;                /* at its start it is told the conversation */
    bool registers;           /* it can be asked once it has connected to us, not before */
    enum kind_reach reach;
    const char
        *checks; /* the family of checks of the validator that are for it alone; NULL: none */
    /* If rules demand this kind, its checks stay open for other kinds. The Entry that they demand,
     * and an example of it; NULL: none. */
    const char *demand, *example;
};

extern const struct entry_kind entry_kinds[KINDS];

/* The kind of a set of words: `given` in the order of enum kind_word, NULL or "" where one is not
 * given, `keyboard` for a confederate. BL_DATA, with one line in diag: none, two, or a word beside
 * a kind that it does not go with. */
enum kind_wording {
    KIND_AS_FIELDS, /* in that line: as in a ticket, "lpp2 = PORT" */
    KIND_AS_OPTIONS,
    KIND_AS_ENTRY_OPTIONS /* of a command line on which no confederate can stand */
};
enum bl_status kind_find(enum kind_id *kind, const char *const given[KIND_WORD_COUNT],
                         bool keyboard, enum kind_wording wording, struct bl_diag *diag);

/* Does one of the words say how an Entry is reached? */
bool kind_is_given(const char *const given[KIND_WORD_COUNT]);

/* "program, lpp, lpp2 ...": the own words of all Entries, with text before each. */
void kind_list(char *out, size_t room, const char *before, const char *between);

#endif
