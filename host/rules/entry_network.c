#include "rules/entry_network.h"

#include <arpa/inet.h>
#include <stdint.h>
#include <string.h>
#include <strings.h>

const char *const entry_network_words[] = {"none", "site", NULL};

static enum entry_network of_v4(const struct in_addr *number)
{
    uint32_t n = ntohl(number->s_addr);
    if (n >> 24 == 127)
        return ENTRY_NETWORK_NONE;
    return n >> 24 == 10 || n >> 20 == 0xAC1 || n >> 16 == 0xC0A8 || n >> 16 == 0xA9FE
               ? ENTRY_NETWORK_SITE
               : 0;
}

static enum entry_network of_v6(const struct in6_addr *number)
{
    const uint8_t *n = number->s6_addr;
    if (memcmp(n, &in6addr_loopback, sizeof in6addr_loopback) == 0)
        return ENTRY_NETWORK_NONE;
    return (n[0] & 0xFE) == 0xFC || (n[0] == 0xFE && (n[1] & 0xC0) == 0x80) ? ENTRY_NETWORK_SITE
                                                                            : 0;
}

enum entry_network entry_network_of(const char *address)
{
    char host[64];
    struct in_addr v4;
    struct in6_addr v6;
    const char *at = strstr(address, "://");
    size_t length;
    if (strncmp(address, "unix:", 5) == 0)
        return ENTRY_NETWORK_NONE;
    at = at ? at + 3 : address;
    if (memchr(at, '@', strcspn(at, "/?#"))) /* what stands before it is no host */
        return 0;
    at += *at == '[';
    length = strcspn(at, at > address && at[-1] == '[' ? "]" : ":/?#");
    if (length >= sizeof host)
        return 0;
    memcpy(host, at, length);
    host[length] = '\0';
    if (strcasecmp(host, "localhost") == 0)
        return ENTRY_NETWORK_NONE;
    if (inet_pton(AF_INET, host, &v4) == 1)
        return of_v4(&v4);
    return inet_pton(AF_INET6, host, &v6) == 1 ? of_v6(&v6) : 0;
}
