/* The frames on the wire of a line with a secret, for its ends and for a listener. */
#ifndef LINK_SECURED_FRAME_H
#define LINK_SECURED_FRAME_H

#include "link/secured.h"

enum {
    KIND_KNOCK = 0x41,
    KIND_ASK = 0x42,
    KIND_OFFER = 0x43,
    KIND_HAND1 = 0x44,
    KIND_HAND2 = 0x45,
    KIND_DATA_JUDGE = 0x46,  /* from the end that began the session */
    KIND_DATA_ENTITY = 0x47, /* from the other end */
    KIND_PASS = 0x48,
};

enum {
    SECURED_VERSION = 1,
    NUMBER = 8,
    MAC = 16,
    HAND2_MAC = 8,
    CALL_LENGTH = 2 + 2 * NUMBER + MAC, /* KNOCK, ASK and OFFER */
    HAND1_LENGTH = 1 + SECURE_MESSAGE + NUMBER,
    HAND2_LENGTH = 1 + SECURE_MESSAGE + HAND2_MAC,
};

#endif
