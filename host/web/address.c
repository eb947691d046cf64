#include "web/address.h"

#include "base/file.h"
#include "web/messages.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define BEFORE "http://127.0.0.1:"
#define BEHIND "/#"

bool web_address_read(struct web_address *address, const char *text)
{
    char *end;
    unsigned long port;
    if (strncmp(text, BEFORE, strlen(BEFORE)) != 0)
        return false;
    text += strlen(BEFORE);
    if (*text < '1' || *text > '9')
        return false;
    port = strtoul(text, &end, 10);
    if (port > 65535 || strncmp(end, BEHIND, strlen(BEHIND)) != 0)
        return false;
    text = end + strlen(BEHIND);
    if (strspn(text, "0123456789abcdef") != ADDRESS_TOKEN ||
        text[ADDRESS_TOKEN + strspn(text + ADDRESS_TOKEN, "\n")])
        return false;
    address->port = (unsigned)port;
    snprintf(address->token, sizeof address->token, "%s", text);
    return true;
}

void web_address_write(const struct web_address *address, char text[ADDRESS_MAX])
{
    snprintf(text, ADDRESS_MAX, BEFORE "%u" BEHIND "%s", address->port, address->token);
}

void web_address_draw(struct web_address *address)
{
    uint8_t random[ADDRESS_TOKEN / 2];
    randombytes_buf(random, sizeof random);
    address->port = 0;
    sodium_bin2hex(address->token, sizeof address->token, random, sizeof random);
}

void web_address_load(struct web_address *address, const char *path)
{
    char *text = NULL;
    bool known = file_read_text(&text, path, ADDRESS_MAX, "the address of a page", NULL) == BL_OK &&
                 web_address_read(address, text);
    free(text);
    if (!known)
        web_address_draw(address);
}

enum bl_status web_address_keep(const struct web_address *address, const char *path,
                                struct bl_diag *diag)
{
    char text[ADDRESS_MAX], temporary[PATH_MAX];
    web_address_write(address, text);
    if (snprintf(temporary, sizeof temporary, "%s.new", path) >= (int)sizeof temporary)
        return bl_fail(diag, BL_USAGE, say_fail_too_long_a_name, path);
    unlink(temporary);
    int fd = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (fd < 0)
        return file_fail(diag, temporary);
    bool written = dprintf(fd, "%s\n", text) > 0;
    if (close(fd) == 0 && written && rename(temporary, path) == 0)
        return BL_OK;
    enum bl_status status = file_fail(diag, path);
    unlink(temporary);
    return status;
}

bool web_address_is_host(const struct web_address *address, const char *host)
{
    char name[40];
    snprintf(name, sizeof name, "127.0.0.1:%u", address->port);
    return strcmp(host, name) == 0;
}

bool web_address_is_origin(const struct web_address *address, const char *origin)
{
    return strncmp(origin, "http://", 7) == 0 && web_address_is_host(address, origin + 7);
}
