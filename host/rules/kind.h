/* The kinds of entity: a confederate at a keyboard, or an Entry by one of the protocols. The table
 * has the words of the command line, tickets and the venue's file. Pure. Source: 1996 spec, 2003
 * r15 and r20, 2004 A6, LPP, LPP v2. */
#ifndef RULES_KIND_H
#define RULES_KIND_H

#include "base/status.h"

#include <stdbool.h>

#define KIND_TEXT_MAX 512

/* The words of Entries: identifier in C, name in options, tickets and the venue's file, value,
 * help. A kind's own word comes first, followed by the words for this kind alone. */
#define KIND_WORDS(WORD)                                                                           \
    WORD(program, "program", "CMD", "the Entry, run by /bin/sh")                                   \
    WORD(lpp, "lpp", "DIR", "an Entry speaks LPP in this folder")                                  \
    KIND_SERVED_WORDS(WORD)

/* The words that are command-line options as they are. */
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

/* The values on a command line; NULL: not given. */
struct kind_texts {
#define KIND_POINTER(id, name, value, help) const char *id;
    KIND_WORDS(KIND_POINTER)
#undef KIND_POINTER
};

/* KIND_MEMBERS declares members for the words of an Entry; "": not given. KIND_TEXT_OF lists the
 * texts of such a struct in the order of enum kind_word. */
#define KIND_MEMBER(id, name, value, help)  char id[KIND_TEXT_MAX];
#define KIND_MEMBERS                        KIND_WORDS(KIND_MEMBER)
#define KIND_TEXT_OF(id, name, value, help) (KIND_FROM)->id,
/* Use: #define KIND_FROM pointer, then {KIND_WORDS(KIND_TEXT_OF)}. */

extern const char *const kind_words[KIND_WORD_COUNT]; /* names of the words */

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

/* The network access of an Entry, which its sandbox gives. */
enum kind_reach {
    KIND_REACHES_NOTHING,
    KIND_REACHES_US,    /* our side, by one port or folder */
    KIND_REACHES_SERVER /* one server, through a program of ours in the sandbox */
};

struct entry_kind {
    const char *own, *value;  /* the kind's own word and its value: "lpp2", "PORT" */
    enum kind_word word;      /* the own word's number; KIND_WORD_COUNT for a confederate */
    const char *beside;       /* other words that this kind accepts: " lpp2-secret ", "" */
    bool startable;           /* `program` may be given, too, and starts the Entry */
    const char *ours;         /* the kind's adapter, which speaks for the Entry; NULL: none */
    const char *tried, *kept; /* tried: options in the validator; kept: folder of kept replies; or
                               * NULL */
    bool told;                /* gets the conversation so far at its start */
    bool registers;           /* can be asked after it has connected to us */
    enum kind_reach reach;
    const char *checks; /* the validator's family of checks for this kind alone; NULL: none */
    /* For rules that demand this kind: demand: the demanded Entry in words; example: its option;
     * NULL: none. The kind's checks then stay open for other kinds. */
    const char *demand, *example;
};

extern const struct entry_kind entry_kinds[KINDS];

/* Finds the kind from a set of words. given: in the order of enum kind_word; NULL or "": not given.
 * keyboard: a confederate. wording: the form of words in messages. BL_DATA, with one line in diag:
 * no kind or two kinds are given, or a word that the kind does not accept. */
enum kind_wording {
    KIND_AS_FIELDS, /* the message says "lpp2 = PORT", as in a ticket */
    KIND_AS_OPTIONS,
    KIND_AS_ENTRY_OPTIONS /* options of a command line that has no confederates */
};
enum bl_status kind_find(enum kind_id *kind, const char *const given[KIND_WORD_COUNT],
                         bool keyboard, enum kind_wording wording, struct bl_diag *diag);

/* True if one of the words names the way to an Entry. */
bool kind_is_given(const char *const given[KIND_WORD_COUNT]);

/* Lists the own words of all Entries, "program, lpp, lpp2 ...", with a text before each. */
void kind_list(char *out, size_t room, const char *before, const char *between);

#endif
