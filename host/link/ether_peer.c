#include "link/ether_peer.h"

#include "link/secured.h"

#include <stdio.h>

#define REFUSE_US 250000u
#define NOTICE_US 1000000u
#define SURE_US   500000u

void ether_peer_init(struct ether_peer *peer, enum link_role role, uint32_t instance,
                     const char *line, bool sealed)
{
    *peer = (struct ether_peer){.role = role, .instance = instance, .sealed = sealed};
    snprintf(peer->line, sizeof peer->line, "%s", line);
}

static bool is_due(uint64_t *last_us, uint64_t now_us, uint64_t period_us)
{
    if (*last_us && now_us - *last_us < period_us)
        return false;
    *last_us = now_us;
    return true;
}

/* True if the number is new and not too old. */
static bool is_fresh(const struct ether_peer *peer, uint32_t number)
{
    int32_t ahead = (int32_t)(number - peer->newest);
    return ahead > 0 || (ahead >= -LINK_OVERTAKE && !(peer->seen >> -ahead & 1));
}

/* The trouble that a frame shows. */
enum trouble { NO_TROUBLE, LOOP, SAME_KIND, LINE_TAKEN, THIRD };

static enum trouble trouble_of(const struct ether_peer *peer, const struct ether_frame *frame)
{
    if (frame->instance == peer->instance)
        return LOOP;
    if (frame->kind == ETHER_TAKEN && peer->known)
        return NO_TROUBLE;
    if (peer->role != LINK_ANY && frame->role == (unsigned)peer->role)
        return SAME_KIND;
    if (frame->kind == ETHER_TAKEN)
        return LINE_TAKEN;
    if (peer->known && !ether_same(&frame->from, &peer->address))
        return THIRD;
    return NO_TROUBLE;
}

static void say(const struct ether_peer *peer, enum trouble trouble,
                const struct ether_frame *frame, char notice[LINK_REASON_MAX])
{
    static const char *const roles[] = {"a terminal", "a judge's terminal", "an entity's terminal"};
    const char *who = roles[frame->role];
    char address[ETHER_TEXT_MAX];
    ether_text(&frame->from, address);
    switch (trouble) {
    case NO_TROUBLE:
        return;
    case LOOP:
        snprintf(notice, LINK_REASON_MAX,
                 "what this end sends comes back to it, from %s: there is a loop in the network",
                 address);
        return;
    case SAME_KIND:
        snprintf(notice, LINK_REASON_MAX,
                 "another terminal of this kind, %s, has the line '%s' too: give one of them "
                 "another line, as in ether:INTERFACE/LINE",
                 address, peer->line);
        return;
    case LINE_TAKEN:
        snprintf(notice, LINK_REASON_MAX,
                 "the line '%s' has its two ends already, says %s, %s: a third must take another "
                 "line",
                 peer->line, who, address);
        return;
    case THIRD:
        snprintf(notice, LINK_REASON_MAX,
                 "%s, %s, tries to join the line '%s' as a third end and is kept out", who, address,
                 peer->line);
        return;
    }
}

enum ether_verdict ether_peer_hear(struct ether_peer *peer, uint64_t now_us,
                                   const struct ether_frame *frame, char notice[LINK_REASON_MAX])
{
    enum trouble trouble = trouble_of(peer, frame);
    notice[0] = '\0';
    if (peer->sealed && peer->known && frame->kind == ETHER_DATA && trouble != LOOP &&
        secured_is_sealed(frame->payload, frame->length))
        return ETHER_TAKE;
    if (trouble && is_due(&peer->noticed_us, now_us, NOTICE_US))
        say(peer, trouble, frame, notice);
    if (frame->kind != ETHER_DATA || trouble == LOOP || (trouble && !peer->known))
        return ETHER_IGNORE;
    if (trouble)
        return is_due(&peer->refused_us, now_us, REFUSE_US) ? ETHER_REFUSE : ETHER_IGNORE;
    /* Another instance at the peer's address: the peer was started again. */
    if (!peer->sealed && peer->known && frame->instance == peer->peer_instance &&
        !is_fresh(peer, frame->number))
        return ETHER_IGNORE;
    return ETHER_TAKE;
}

bool ether_peer_versions(struct ether_peer *peer, uint64_t now_us)
{
    return !peer->known && is_due(&peer->noticed_us, now_us, NOTICE_US);
}

void ether_peer_proved(struct ether_peer *peer, uint64_t now_us, const struct ether_frame *frame)
{
    int32_t ahead = (int32_t)(frame->number - peer->newest);
    peer->proved_us = now_us;
    if (peer->sealed || !peer->known || frame->instance != peer->peer_instance) {
        peer->known = true;
        peer->address = frame->from;
        peer->peer_instance = frame->instance;
        peer->newest = frame->number;
        peer->seen = 1;
    } else if (ahead > 0) {
        peer->newest = frame->number;
        peer->seen = (uint8_t)(ahead < 8 ? peer->seen << ahead | 1 : 1);
    } else {
        peer->seen |= (uint8_t)(1u << -ahead);
    }
}

void ether_peer_lost(struct ether_peer *peer)
{
    peer->known = false;
}

const struct ether_address *ether_peer_address(const struct ether_peer *peer, uint64_t now_us)
{
    return peer->known && now_us < peer->proved_us + SURE_US ? &peer->address : &ether_everybody;
}
