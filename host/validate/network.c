#include "validate/network.h"

#include <arpa/inet.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum { ICMP = 1, IGMP = 2, TCP = 6, UDP = 17, ICMP6 = 58, HOP_BY_HOP = 0, DNS = 53 };

#define NAME_MAX_LENGTH 253

static unsigned get16(const uint8_t *at)
{
    return (unsigned)at[0] << 8 | at[1];
}

static void put16(uint8_t *at, unsigned value)
{
    at[0] = (uint8_t)(value >> 8);
    at[1] = (uint8_t)value;
}

static void note(struct network_note *list, unsigned *used, const char *text, unsigned count)
{
    for (unsigned i = 0; i < *used; i++)
        if (strcmp(list[i].text, text) == 0) {
            list[i].count += count;
            return;
        }
    if (*used < NETWORK_NOTES) {
        snprintf(list[*used].text, sizeof list[*used].text, "%s", text);
        list[(*used)++].count = count;
    }
}

void network_merge(struct network *network, const struct network *other)
{
    for (unsigned i = 0; i < other->frames; i++)
        note(network->frame, &network->frames, other->frame[i].text, other->frame[i].count);
    for (unsigned i = 0; i < other->lookups; i++)
        note(network->lookup, &network->lookups, other->lookup[i].text, other->lookup[i].count);
    network->frames_all += other->frames_all;
    network->lookups_all += other->lookups_all;
}

/* The Internet checksum (RFC 1071), continued from `start`. */
static unsigned sum(unsigned start, const uint8_t *bytes, size_t length)
{
    uint32_t total = start;
    for (size_t i = 0; i + 1 < length; i += 2)
        total += get16(bytes + i);
    if (length % 2)
        total += (unsigned)bytes[length - 1] << 8;
    while (total >> 16)
        total = (total & 0xFFFF) + (total >> 16);
    return total;
}

struct datagram {
    bool six;
    const uint8_t *bytes;
    size_t length; /* length of the whole */
    size_t header; /* bytes of the IP header */
    unsigned protocol;
    char to[INET6_ADDRSTRLEN];
    const uint8_t *payload;
    size_t left;
};

static bool datagram_parse(struct datagram *d, const uint8_t *frame, size_t length)
{
    *d = (struct datagram){.bytes = frame, .length = length};
    if (length >= 20 && frame[0] >> 4 == 4) {
        d->header = (frame[0] & 0x0Fu) * 4u;
        d->protocol = frame[9];
        inet_ntop(AF_INET, frame + 16, d->to, sizeof d->to);
    } else if (length >= 40 && frame[0] >> 4 == 6) {
        d->six = true;
        d->header = 40;
        d->protocol = frame[6];
        inet_ntop(AF_INET6, frame + 24, d->to, sizeof d->to);
    } else {
        return false;
    }
    if (d->header < 20 || d->header > length)
        return false;
    d->payload = frame + d->header;
    d->left = length - d->header;
    return true;
}

/* True for datagrams that the kernel sends when an interface comes up: multicast groups,
 * neighbours. */
static bool is_own(const struct datagram *d)
{
    return (d->six && (d->protocol == ICMP6 || d->protocol == HOP_BY_HOP) &&
            d->bytes[24] == 0xFF) ||
           (!d->six && d->protocol == IGMP);
}

/* Reads the name in a look-up, with dots. Returns the question's length; 0: none. */
static size_t question_parse(const uint8_t *dns, size_t length, char *name, size_t room)
{
    size_t at = 12, used = 0;
    if (length < 12 || (dns[2] & 0x80) || get16(dns + 4) != 1)
        return 0;
    while (at < length && dns[at]) {
        size_t part = dns[at];
        if (part > 63 || at + 1 + part >= length || used + part + 2 > room ||
            used + part > NAME_MAX_LENGTH)
            return 0;
        for (size_t i = 1; i <= part; i++) {
            uint8_t c = dns[at + i];
            name[used++] = c > 0x20 && c < 0x7F ? (char)c : '?';
        }
        name[used++] = '.';
        at += part + 1;
    }
    if (used)
        used--;
    name[used] = '\0';
    return at + 5 <= length ? at + 5 : 0;
}

static void header_answer(const struct datagram *d, uint8_t *answer, size_t length,
                          unsigned protocol)
{
    memset(answer, 0, d->six ? 40 : 20);
    if (d->six) {
        answer[0] = 0x60;
        put16(answer + 4, (unsigned)(length - 40));
        answer[6] = (uint8_t)protocol;
        answer[7] = 64;
        memcpy(answer + 8, d->bytes + 24, 16);
        memcpy(answer + 24, d->bytes + 8, 16);
        return;
    }
    answer[0] = 0x45;
    put16(answer + 2, (unsigned)length);
    answer[8] = 64;
    answer[9] = (uint8_t)protocol;
    memcpy(answer + 12, d->bytes + 16, 4);
    memcpy(answer + 16, d->bytes + 12, 4);
    put16(answer + 10, ~sum(0, answer, 20) & 0xFFFF);
}

/* The checksum of the pseudo header for UDP and ICMPv6 (RFC 768, 4443). */
static unsigned pseudo_sum(const struct datagram *d, const uint8_t *answer, size_t length,
                           unsigned protocol)
{
    unsigned total = sum(protocol + (unsigned)length, NULL, 0);
    return d->six ? sum(total, answer + 8, 32) : sum(total, answer + 12, 8);
}

static size_t lookup_answer(const struct datagram *d, size_t question, uint8_t *answer)
{
    size_t header = d->six ? 40 : 20, udp = 8 + question, length = header + udp;
    uint8_t *to = answer + header;
    if (length > NETWORK_FRAME_MAX)
        return 0;
    header_answer(d, answer, length, UDP);
    memcpy(to, d->payload + 2, 2);
    memcpy(to + 2, d->payload, 2);
    put16(to + 4, (unsigned)udp);
    put16(to + 6, 0);
    memcpy(to + 8, d->payload + 8, question);
    to[10] |= 0x80;
    to[11] = 0x83;         /* recursion available, NXDOMAIN */
    memset(to + 14, 0, 6); /* no records */
    unsigned check = ~sum(pseudo_sum(d, answer, udp, UDP), to, udp) & 0xFFFF;
    put16(to + 6, check ? check : 0xFFFF);
    return length;
}

/* Writes "destination unreachable", so the program does not wait for an answer. */
static size_t unreachable_answer(const struct datagram *d, uint8_t *answer)
{
    size_t header = d->six ? 40 : 20, quote = d->header + 8;
    size_t length = header + 8 + quote;
    uint8_t *to = answer + header;
    if (quote > d->length || d->protocol == ICMP || d->protocol == ICMP6)
        return 0;
    header_answer(d, answer, length, d->six ? ICMP6 : ICMP);
    memset(to, 0, 8);
    to[0] = d->six ? 1 : 3;
    to[1] = d->six ? 0 : 1; /* no route to the destination; host unreachable */
    memcpy(to + 8, d->bytes, quote);
    unsigned start = d->six ? pseudo_sum(d, answer, 8 + quote, ICMP6) : 0;
    put16(to + 2, ~sum(start, to, 8 + quote) & 0xFFFF);
    return length;
}

size_t network_take(struct network *network, const uint8_t *frame, size_t length,
                    uint8_t answer[NETWORK_FRAME_MAX])
{
    struct datagram d;
    char name[NAME_MAX_LENGTH + 3], text[NETWORK_TEXT];
    size_t question;
    if (!datagram_parse(&d, frame, length)) {
        network->frames_all++;
        note(network->frame, &network->frames, "a datagram that is neither IPv4 nor IPv6", 1);
        return 0;
    }
    if (is_own(&d))
        return 0;
    network->frames_all++;
    if (d.protocol == UDP && d.left >= 8 && get16(d.payload + 2) == DNS &&
        (question = question_parse(d.payload + 8, d.left - 8, name, sizeof name))) {
        network->lookups_all++;
        note(network->lookup, &network->lookups, name, 1);
        return lookup_answer(&d, question, answer);
    }
    if ((d.protocol == TCP || d.protocol == UDP) && d.left >= 8)
        snprintf(text, sizeof text, "%s to %s port %u", d.protocol == TCP ? "TCP" : "UDP", d.to,
                 get16(d.payload + 2));
    else
        snprintf(text, sizeof text, "IP protocol %u to %s", d.protocol, d.to);
    note(network->frame, &network->frames, text, 1);
    return unreachable_answer(&d, answer);
}
