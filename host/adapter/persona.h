/* A persona: a text file with instructions for a language model and settings of its requests. If
 * the first line is "---", settings follow, "NAME: VALUE", up to the next line "---". In the text
 * {session}, {now} and {remaining} stand for the session's name, the time and the time left.
 * Pure. */
#ifndef ADAPTER_PERSONA_H
#define ADAPTER_PERSONA_H

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PERSONA_MAX      32768 /* bytes of the file */
#define PERSONA_TEXT_MAX 200

struct persona {
    const char *text;                /* points into the parsed text */
    char model[PERSONA_TEXT_MAX];    /* "": the first model that the server lists */
    char opening[PERSONA_TEXT_MAX];  /* typed before the first answer; "": nothing */
    char fallback[PERSONA_TEXT_MAX]; /* typed if no answer comes; "": silence */
    double temperature;              /* negative: the server's default */
    int seed;                        /* negative: none is sent */
    unsigned max_tokens;
    unsigned timeout_ms; /* longest silence of a server */
    unsigned retries;
    unsigned gap_ms; /* average gap between two keys; 0: none, if the venue paces */
    bool stream, transliterate;
};

/* Parses text, which is changed and must outlive the persona. BL_DATA: with the line, the fault and
 * the remedy. */
enum bl_status persona_parse(struct persona *persona, char *text, struct bl_diag *diag);

/* Writes seconds as words: "4 minutes", "50 seconds". */
#define PERSONA_SPAN 32
void persona_span(char out[PERSONA_SPAN], uint64_t seconds);

/* Writes the text with these words filled in, and a NUL. False: no room. */
struct persona_words {
    const char *session, *now, *remaining;
};
bool persona_fill(const struct persona *persona, const struct persona_words *words, char *out,
                  size_t room);

#endif
