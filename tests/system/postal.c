/* A place at a desk's nats-server, or nobody, that does there what it likes:
 *
 * postal URL KEY-FILE [hear SUBJECT | say SUBJECT TEXT REPLY]...      KEY-FILE "": without one
 *
 * Prints "connected", or why not, and for each thing that it does what the server says: "may" or
 * why not. */
#include "post/keys.h"

#include <nats/nats.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct post_keys keys;

static natsStatus on_sign(char **why, unsigned char **signature, int *length, const char *nonce,
                          void *ctx)
{
    (void)why, (void)ctx;
    *signature = malloc(POST_SIGNATURE);
    *length = POST_SIGNATURE;
    post_nkey_sign(keys.nkey, nonce, *signature);
    return NATS_OK;
}

static void read_key(const char *path)
{
    char text[POST_KEY_TEXT] = "";
    struct bl_diag diag;
    FILE *file = fopen(path, "r");
    if (!file || !fread(text, 1, sizeof text - 1, file) || post_key_read(&keys, text, path, &diag))
        exit(1);
    fclose(file);
}

/* The server's word about it comes before the answer to a ping. */
static void tell(natsConnection *connection)
{
    const char *why = NULL;
    natsStatus status = natsConnection_FlushTimeout(connection, 60000);
    natsConnection_GetLastError(connection, &why);
    printf("%s\n", why && *why ? why : status == NATS_OK ? "may" : natsStatus_GetText(status));
}

int main(int argc, char **argv)
{
    natsOptions *options = NULL;
    natsConnection *connection = NULL;
    char nkey[POST_NKEY_TEXT];
    if (argc < 3 || sodium_init() < 0 || natsOptions_Create(&options) != NATS_OK)
        return 64;
    natsOptions_SetURL(options, argv[1]);
    natsOptions_SetAllowReconnect(options, false);
    if (*argv[2]) {
        read_key(argv[2]);
        post_nkey(keys.nkey, nkey);
        natsOptions_SetNKey(options, nkey, on_sign, NULL);
    }
    natsStatus status = natsConnection_Connect(&connection, options);
    printf("%s\n", status == NATS_OK ? "connected" : natsStatus_GetText(status));
    for (int i = 3; status == NATS_OK && i + 1 < argc;) {
        natsSubscription *subscription = NULL;
        if (strcmp(argv[i], "hear") == 0) {
            natsConnection_SubscribeSync(&subscription, connection, argv[i + 1]);
            i += 2;
        } else {
            natsConnection_PublishRequestString(connection, argv[i + 1], argv[i + 3], argv[i + 2]);
            i += 4;
        }
        tell(connection);
        natsSubscription_Destroy(subscription);
    }
    natsConnection_Destroy(connection);
    natsOptions_Destroy(options);
    nats_CloseAndWait(1000);
    return status == NATS_OK ? 0 : 1;
}
