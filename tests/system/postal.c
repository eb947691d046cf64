/* A place at a desk's nats-server, or nobody, that does there what it likes:
 *
 * postal URL KEY-FILE [hear SUBJECT | say SUBJECT TEXT REPLY | wish NUMBER TEXT]...
 *
 * KEY-FILE "": without one. A wish is a referee's, with that number (desk/watch.h).
 *
 * Prints "connected", or why not, and for each thing that it does what the server says: "may" or
 * why not. */
#include "desk/watch.h"
#include "post/keys.h"
#include "post/server_config.h"

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

static void send_wish(natsConnection *connection, const char *number, const char *text)
{
    static uint8_t sealed[POST_SEALED_MOST];
    uint8_t nonce[POST_NONCE];
    char subject[POST_SUBJECT_MAX];
    struct post_piece piece = {
        .kind = POST_PIECE, .copy = 1, .bytes = (const uint8_t *)text, .length = strlen(text)};
    snprintf(piece.file, sizeof piece.file, WATCH_LIMIT "%s", number);
    snprintf(subject, sizeof subject, POST_SUBJECT_UP "%s", keys.place);
    randombytes_buf(nonce, sizeof nonce);
    size_t length = post_seal(&keys, POST_UP, &piece, nonce, sealed);
    natsConnection_Publish(connection, subject, sealed, (int)length);
}

/* The server's word about it comes before the answer to a ping. */
static void tell(natsConnection *connection)
{
    const char *why = NULL;
    natsStatus status = natsConnection_FlushTimeout(connection, 60000);
    natsConnection_GetLastError(connection, &why);
    printf("%s\n", why && *why ? why : status == NATS_OK ? "may" : natsStatus_GetText(status));
}

/* A busy machine may be too slow for the limits of library and server, which are seconds. */
static natsStatus connect_at(natsConnection **connection, natsOptions *options)
{
    natsStatus status = NATS_TIMEOUT;
    for (int tries = 0; tries < 30; tries++) {
        status = natsConnection_Connect(connection, options);
        const char *why = nats_GetLastError(NULL);
        if (status == NATS_OK || (status != NATS_TIMEOUT && !(why && strstr(why, "Timeout"))))
            break;
    }
    return status;
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
    natsOptions_SetTimeout(options, 60000);
    if (*argv[2]) {
        read_key(argv[2]);
        post_nkey(keys.nkey, nkey);
        natsOptions_SetNKey(options, nkey, on_sign, NULL);
    }
    natsStatus status = connect_at(&connection, options);
    printf("%s\n", status == NATS_OK ? "connected" : natsStatus_GetText(status));
    for (int i = 3; status == NATS_OK && i + 1 < argc;) {
        natsSubscription *subscription = NULL;
        if (strcmp(argv[i], "hear") == 0) {
            natsConnection_SubscribeSync(&subscription, connection, argv[i + 1]);
            i += 2;
        } else if (strcmp(argv[i], "wish") == 0 && i + 2 < argc) {
            send_wish(connection, argv[i + 1], argv[i + 2]);
            i += 3;
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
