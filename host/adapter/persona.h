/* A persona: a language model's instructions, and the settings of its requests. A file of text. If
 * its first line is "---", settings follow, "NAME: VALUE", up to the next such line. In the text
 * {session}, {now} and {remaining} stand for its name, the time and the time left. Pure. */
#ifndef ADAPTER_PERSONA_H
#define ADAPTER_PERSONA_H

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PERSONA_MAX      32768 /* bytes of the file */
#define PERSONA_TEXT_MAX 200

struct persona {
    const char *text;                /* in the parsed text */
    char model[PERSONA_TEXT_MAX];    /* "": the first that the server lists */
    char opening[PERSONA_TEXT_MAX];  /* typed before its first answer, as rules want; "": nothing */
    char fallback[PERSONA_TEXT_MAX]; /* typed where no answer came; "": silence */
    double temperature;              /* below 0: the server's own */
    int seed;                        /* below 0: none is sent */
    unsigned max_tokens;
    unsigned timeout_ms; /* of a server that says nothing more */
    unsigned retries;
    unsigned gap_ms; /* between two keys, on the average; 0: at once, for a venue that paces */
    bool stream, transliterate;
};

/* Parses text, which is changed and must stay. BL_DATA: the line, the fault, the remedy. */
enum bl_status persona_parse(struct persona *persona, char *text, struct bl_diag *diag);

/* Seconds as a person says them: "4 minutes", "50 seconds". */
#define PERSONA_SPAN 32
void persona_span(char out[PERSONA_SPAN], uint64_t seconds);

/* Writes the text with these words filled in, with a NUL. False: it has no room there. */
struct persona_words {
    const char *session, *now, *remaining;
};
bool persona_fill(const struct persona *persona, const struct persona_words *words, char *out,
                  size_t room);

#endif
