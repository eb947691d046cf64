#include "entity/lpp2_place.h"

#include "base/file.h"

#include <arpa/inet.h>
#include <stdlib.h>
#include <string.h>

#define PORT_MAX    65535
#define ADDRESS_BAD "%s %.80s: expected PORT, 1 to 65535, or ADDRESS:PORT, as 192.168.7.1:8080"

static enum bl_status read_secret(struct lpp2_place *place, const char *path, struct bl_diag *diag)
{
    char *text;
    enum bl_status status = file_read_text(&text, path, 4096, "a file with a secret", diag);
    if (status)
        return status;
    size_t length = strcspn(text, "\r\n");
    if (length == 0 || length > LPP2_SECRET_MAX)
        status = bl_fail(diag, BL_DATA, "%.200s:1: expected a secret of 1 to %d bytes", path,
                         LPP2_SECRET_MAX);
    else
        memcpy(place->secret, text, length);
    free(text);
    return status;
}

enum bl_status lpp2_place_read(struct lpp2_place *place, const char *text, const char *secret_file,
                               const char *what, struct bl_diag *diag)
{
    const char *colon = strrchr(text, ':'), *port = colon ? colon + 1 : text;
    struct in_addr address;
    char *rest;
    *place = (struct lpp2_place){.address = ""};
    unsigned long number = strtoul(port, &rest, 10);
    size_t length = colon ? (size_t)(colon - text) : 0;
    if (port[0] < '1' || port[0] > '9' || *rest || number > PORT_MAX ||
        length >= sizeof place->address || colon == text)
        return bl_fail(diag, BL_USAGE, ADDRESS_BAD, what, text);
    memcpy(place->address, text, length);
    place->port = (unsigned)number;
    if (colon && inet_pton(AF_INET, place->address, &address) != 1)
        return bl_fail(diag, BL_USAGE, ADDRESS_BAD, what, text);
    if (secret_file)
        return read_secret(place, secret_file, diag);
    if (colon && ntohl(address.s_addr) >> IN_CLASSA_NSHIFT != IN_LOOPBACKNET)
        return bl_fail(diag, BL_USAGE,
                       "%s %s: other machines reach that address, so it needs a secret: "
                       "%s-secret FILE",
                       what, text, what);
    return BL_OK;
}
