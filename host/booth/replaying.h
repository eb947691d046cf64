/* Plays a transcript or a journal on the judge's pages, with the original pauses. */
#ifndef BOOTH_REPLAYING_H
#define BOOTH_REPLAYING_H

#include "booth/transcript_source.h"

struct replay_options {
    struct transcript_request request;
    uint64_t at_us;
    bool at_end;    /* no time was given; a headless run prints the end */
    unsigned speed; /* see transcript/player.h */
    bool blind, paused, headless, json;
    const char *screen; /* see screens.h */
};

/* Plays until the user leaves. A headless run only prints the digests of the pages. */
enum bl_status replaying_run(const struct replay_options *options, struct bl_diag *diag);

#endif
