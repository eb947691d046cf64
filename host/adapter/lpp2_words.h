/* The messages of version 2 of the Loebner Prize Protocol (2016 to 2019), as Socket.IO packets.
 * Every event is a name and a JSON object in a string. Written packets are ASCII, since clients
 * treat other characters differently. Pure.
 *
 * * From an Entry: `control` with a status of "register", "roundInformation" or "recap", and
 * `message` with `to` and `content`, one whole line; each with `id` and `secret`. To an Entry:
 * `control` with a status of "newRound", "startRound" or "endRound", `roundInformation`, `message`,
 * `recap`, `AuthError` and `TargetError`. Source: the protocol's public description of 2016;
 * DESIGN.md, "Entrants". */
#ifndef ADAPTER_LPP2_WORDS_H
#define ADAPTER_LPP2_WORDS_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#define LPP2_NAME_MAX   32 /* bytes of an id */
#define LPP2_SECRET_MAX 64
#define LPP2_JUDGE                                                                                 \
    "judge0"          /* the partner of every Entry, which must not learn the judge's number */
#define LPP2_ROUNDS 4 /* clients count rounds from 0 to 3 */

enum lpp2_ask {
    LPP2_BAD,  /* `why` describes the fault */
    LPP2_NONE, /* not part of the protocol */
    LPP2_REGISTER,
    LPP2_ROUND,
    LPP2_RECAP,
    LPP2_MESSAGE
};

enum lpp2_status { LPP2_NOT_STARTED, LPP2_RUNNING, LPP2_FINISHED };

struct lpp2_asked {
    enum lpp2_ask what;
    const char *why; /* LPP2_BAD: the fault */
    char id[LPP2_NAME_MAX + 1], secret[LPP2_SECRET_MAX + 1], to[LPP2_NAME_MAX + 1];
    const char *content; /* `length` bytes of UTF-8, valid until lpp2_asked_free() */
    size_t length;
    json_t *root, *body;
};

/* Reads the JSON of an event, `length` bytes. The caller frees it by lpp2_asked_free() in any
 * case. */
void lpp2_asked_read(struct lpp2_asked *asked, const char *json, size_t length);
void lpp2_asked_free(struct lpp2_asked *asked);

/* Make packets, "42[...]", which the caller frees; NULL: no memory. round: -1 before the first. */
char *lpp2_round_packet(int round, enum lpp2_status status, const char *id);
char *lpp2_control_packet(const char *status, const char *id); /* id: for newRound; otherwise
                                                                * NULL */
char *lpp2_error_packet(const char *event, const char *text);
char *lpp2_message_packet(const char *from, const char *to, const char *content, size_t length);

/* lpp2_message(): a message of a recap. lpp2_recap_packet(): the packet; takes the messages over,
 * and leaves the first messages out if the packet would exceed `most` bytes. */
json_t *lpp2_message(const char *from, const char *to, const char *content, size_t length);
char *lpp2_recap_packet(json_t *messages, size_t most);

#endif
