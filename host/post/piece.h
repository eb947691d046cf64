/* The messages between a booth's machine and the desk, before they are sealed (post/keys.h). A
 * record travels in pieces: bytes of one of a place's files, and their offset. The desk answers
 * with the number of first bytes on its disk, and their hash. A piece may be lost, doubled or late.
 * Pure.
 *
 * * Up, from a place: ASK requests an answer about a file; PIECE brings bytes of it. Down: HAVE; or
 * OTHER, if the desk has other bytes under that name. After OTHER the sender goes on with the next
 * copy of the file.
 *
 * * Tickets come down in pieces, too. ASK for stick.list is answered by the desk's HAVE: the length
 * and the hash of the place's part of the list. WANT is for the bytes of a file in that list, or of
 * the list itself, from an offset on; a PIECE answers it.
 *
 * STATE goes up from time to time: the clock of the machine, the room on its disk, a number drawn
 * at each start of its courier, the count of its STATEs since then, and the name of a ticket that
 * stick and desk have brought differently; POST_NO_TICKET: none. RUN answers it with the number of
 * the desk's run, which the courier's next STATE returns: so a STATE that somebody has kept and
 * plays again is known as such.
 *
 * A message is version (1), kind (1), copy (1), length of the name (1), name, offset (8), and
 * behind a HAVE the hash (16), behind a STATE room (8), number (8), count (8) and run (8), behind a
 * RUN the run (8), behind a PIECE the number of bytes (2) and these; zeros fill the message up to a
 * power of two, so the length tells little. Numbers are little-endian. STATE and RUN are of version
 * 2, and all others of version 1: an older desk still takes records, and names the newer courier. A
 * STATE of version 1 has neither count nor run. */
#ifndef POST_PIECE_H
#define POST_PIECE_H

#include "base/status.h"

#include <stdbool.h>
#include <stdint.h>

#define POST_VERSION     1
#define POST_VERSION_RUN 2 /* of STATE and RUN */
#define POST_COPIES      64
#define POST_PLACE_MAX   32 /* with the zero behind it */
#define POST_FILE_MAX    64
#define POST_HASH        16
#define POST_PLAIN_LEAST 512
#define POST_PLAIN_MOST  16384
#define POST_TICKET      2048 /* least length of a ticket's message: a confederate's is shorter */
#define POST_TICKET_MOST (POST_TICKET - 128) /* most bytes of a ticket in such a message */
#define POST_BYTES_MOST  (POST_PLAIN_MOST - 128)
#define POST_LENGTH_MOST (UINT64_C(256) << 20) /* bytes of a file */

#define POST_NO_TICKET "none"

enum post_kind { POST_ASK = 1, POST_PIECE, POST_HAVE, POST_OTHER, POST_WANT, POST_STATE, POST_RUN };

struct post_piece {
    enum post_kind kind;
    unsigned version; /* 0: that of today; 1: a STATE of an earlier courier */
    unsigned copy;    /* from 1 to POST_COPIES */
    char file[POST_FILE_MAX];
    uint64_t offset; /* PIECE, WANT: of the first byte; HAVE: the bytes on the disk; STATE: the wall
                      * clock in microseconds; otherwise 0 */
    uint8_t hash[POST_HASH]; /* HAVE: BLAKE2b of the bytes on the disk */
    uint64_t room, number;   /* STATE: bytes left on the disk; of the courier's start */
    uint64_t count, run;     /* STATE: from 1; RUN, STATE: of the desk's run, 0: not known */
    const uint8_t *bytes;    /* PIECE: at least one; the caller's */
    size_t length;
};

/* True for lower-case letters and digits, with single hyphens and dots between them, as in
 * "r1-j2-judge.journal". */
bool post_is_file(const char *name);
/* True for lower-case letters and digits, with single hyphens between them, as in
 * "booth-1-judge". */
bool post_is_place(const char *name);

/* Writes the piece as a message. Returns the message's length, zeros included; 0: the piece is
 * invalid. */
size_t post_piece_write(const struct post_piece *piece, uint8_t out[POST_PLAIN_MOST]);

/* Reads a message; the piece's bytes point into `plain`. BL_DATA: not a message.
 * BL_OTHER_VERSION. */
enum bl_status post_piece_read(struct post_piece *piece, const uint8_t *plain, size_t length,
                               struct bl_diag *diag);

#endif
