#include "link/foreign.h"

#include "base/status.h"

#include <stdio.h>

enum { HEAD = 14, TAG = 4, PORT_NAMES = 12 };

static unsigned two(const uint8_t *bytes)
{
    return (unsigned)bytes[0] << 8 | bytes[1];
}

static const char *port_name(unsigned port)
{
    static const struct {
        unsigned port;
        const char *name;
    } names[PORT_NAMES] = {
        {22, " (SSH)"},   {53, " (DNS)"},    {67, " (DHCP)"},     {68, " (DHCP)"},
        {80, " (web)"},   {123, " (NTP)"},   {137, " (NetBIOS)"}, {443, " (web)"},
        {546, " (DHCP)"}, {1900, " (SSDP)"}, {5353, " (mDNS)"},   {5355, " (LLMNR)"},
    };
    for (unsigned i = 0; i < PORT_NAMES; i++)
        if (names[i].port == port)
            return names[i].name;
    return "";
}

/* The protocol inside IP; `at` is the offset of its header. */
static void inside(const char *version, unsigned protocol, const uint8_t *bytes, size_t length,
                   size_t at, char *text)
{
    const char *name = protocol == 6 ? "TCP" : protocol == 17 ? "UDP" : NULL;
    unsigned port;
    if (protocol == 1 || protocol == 58) {
        snprintf(text, FOREIGN_TEXT_MAX, "%s ICMP", version);
    } else if (protocol == 2 || protocol == 0) {
        snprintf(text, FOREIGN_TEXT_MAX, "%s multicast membership", version);
    } else if (name && length >= at + 4) {
        /* The lower of the two ports is taken as the service's. */
        port = two(bytes + at) < two(bytes + at + 2) ? two(bytes + at) : two(bytes + at + 2);
        snprintf(text, FOREIGN_TEXT_MAX, "%s %s port %u%s", version, name, port, port_name(port));
    } else {
        snprintf(text, FOREIGN_TEXT_MAX, "%s protocol %u", version, protocol);
    }
}

const char *foreign_text(const uint8_t *bytes, size_t length, char text[FOREIGN_TEXT_MAX])
{
    size_t at = HEAD;
    unsigned type = length >= HEAD ? two(bytes + 12) : 0;
    if (type == 0x8100 && length >= HEAD + TAG) {
        type = two(bytes + 12 + TAG);
        at += TAG;
    }
    if (length < HEAD)
        snprintf(text, FOREIGN_TEXT_MAX, "a frame of %zu byte%s", length, BL_S(length));
    else if (type == 0x0800 && length >= at + 20)
        inside("IPv4", bytes[at + 9], bytes, length, at + (size_t)(bytes[at] & 15) * 4, text);
    else if (type == 0x86DD && length >= at + 40)
        inside("IPv6", bytes[at + 6], bytes, length, at + 40, text);
    else if (type == 0x0806)
        snprintf(text, FOREIGN_TEXT_MAX, "ARP");
    else if (type == 0x88CC)
        snprintf(text, FOREIGN_TEXT_MAX, "LLDP");
    else if (type == 0x888E)
        snprintf(text, FOREIGN_TEXT_MAX, "802.1X");
    else if (type == 0x88B5)
        snprintf(text, FOREIGN_TEXT_MAX, "EtherType 0x88B5, but no frame of a line");
    else if (type < 0x0600 && length >= at + 2 && bytes[at] == 0x42 && bytes[at + 1] == 0x42)
        snprintf(text, FOREIGN_TEXT_MAX, "spanning tree");
    else
        snprintf(text, FOREIGN_TEXT_MAX, "EtherType 0x%04X", type);
    return text;
}
