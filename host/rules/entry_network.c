#include "rules/entry_network.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <strings.h>

const char *const entry_network_words[] = {"none", "site", NULL};

/* Reads a decimal IPv4 address. Leading zeros are refused: some programs read 010 as 8. */
static bool read_v4(uint32_t *number, const char *text)
{
    *number = 0;
    for (unsigned i = 0; i < 4; i++) {
        size_t digits = strspn(text, "0123456789");
        unsigned part = 0;
        if (digits == 0 || digits > 3 || (digits > 1 && *text == '0'))
            return false;
        while (digits--)
            part = part * 10 + (unsigned)(*text++ - '0');
        if (part > 255 || *text++ != (i < 3 ? '.' : '\0'))
            return false;
        *number = *number << 8 | part;
    }
    return true;
}

static enum entry_network of_v4(uint32_t n)
{
    if (n >> 24 == 127)
        return ENTRY_NETWORK_NONE;
    return n >> 24 == 10 || n >> 20 == 0xAC1 || n >> 16 == 0xC0A8 || n >> 16 == 0xA9FE
               ? ENTRY_NETWORK_SITE
               : 0;
}

/* Finds the network of an IPv6 address; fc00::/7 and fe80::/10 show in its first four digits. */
static enum entry_network of_v6(const char *text)
{
    if (strcmp(text, "::1") == 0)
        return ENTRY_NETWORK_NONE;
    if (strspn(text, "0123456789abcdefABCDEF") != 4 || text[4] != ':' ||
        text[strspn(text, "0123456789abcdefABCDEF:")])
        return 0;
    return strncasecmp(text, "fc", 2) == 0 || strncasecmp(text, "fd", 2) == 0 ||
                   (strncasecmp(text, "fe", 2) == 0 && strchr("89abAB", text[2]))
               ? ENTRY_NETWORK_SITE
               : 0;
}

enum entry_network entry_network_of(const char *address)
{
    char host[64];
    uint32_t number;
    bool bracket;
    const char *at = strstr(address, "://");
    size_t length;
    if (strncmp(address, "unix:", 5) == 0)
        return ENTRY_NETWORK_NONE;
    at = at ? at + 3 : address;
    if (memchr(at, '@', strcspn(at, "/?#"))) /* user information comes before the host */
        return 0;
    bracket = *at == '[';
    at += bracket;
    length = strcspn(at, bracket ? "]" : ":/?#");
    if (length >= sizeof host)
        return 0;
    memcpy(host, at, length);
    host[length] = '\0';
    if (bracket)
        return at[length] ? of_v6(host) : 0;
    if (strcasecmp(host, "localhost") == 0)
        return ENTRY_NETWORK_NONE;
    return read_v4(&number, host) ? of_v4(number) : 0;
}
