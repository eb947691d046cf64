/* Many machines at once: crowd URL KEYS FOLDER FILES SECONDS TIMES. Each key file of KEYS is a
 * place with a connection of its own and FILES growing journals: of each two lines, five keys a
 * second on each, sent once a second from the first byte that the other side has not answered
 * for. The URL is a desk's (nats://ADDRESS:PORT), or tcp://127.0.0.1:PORT of the bare log. In
 * the end every copy in FOLDER is compared. Prints JSON. TIMES gets a row for each judge's
 * journal: its place, session, and the microsecond of each key. */
#include "base/loop.h"
#include "journal/journal.h"
#include "post/keys.h"
#include "post/server_config.h"
#include "tests/scale/crowd.h"
#include "tests/support/records.h"

#include <arpa/inet.h>
#include <dirent.h>
#include <errno.h>
#include <nats/nats.h>
#include <pthread.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#define PLACES   1024
#define KEYS_S   10 /* of a journal's two lines */
#define PATIENCE 60
#define SECOND   1000000u

struct file {
    char name[POST_FILE_MAX];
    uint8_t *bytes;
    size_t length, have;
    unsigned keys, answered;
    uint64_t *key_us;
    size_t *key_end;
};

struct crowd_place {
    struct post_keys keys;
    struct file *file;
    natsConnection *connection;
    int fd;
};

static struct crowd_place *place[PLACES];
static unsigned places, files, seconds;
static uint64_t *late; /* of each answered key, in us */
static size_t lates, messages;
static bool bare;
/* Of `late`, and of each file but its bytes: answers come in other threads. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void check(bool good, const char *what)
{
    if (good)
        return;
    fprintf(stderr, "crowd: %s: %s\n", what, strerror(errno));
    exit(1);
}

static uint64_t now_us(void)
{
    return bl_now().wall_us;
}

static void append(struct file *file, const struct journal_record *record)
{
    file->length += journal_encode(record, file->bytes + file->length);
}

/* A second's keys, each a record, as they were typed in the second before. */
static void type(struct file *file)
{
    uint64_t now = now_us();
    pthread_mutex_lock(&lock);
    for (unsigned i = 0; i < KEYS_S; i++) {
        uint64_t at = now - SECOND + (i + 1) * (SECOND / KEYS_S);
        const struct journal_record keys =
            records_keys((enum side)(i % 2), (enum party)(i / 2 % 2), file->keys / 2 + 1, at, "x");
        append(file, &keys);
        file->key_us[file->keys] = at;
        file->key_end[file->keys++] = file->length;
    }
    pthread_mutex_unlock(&lock);
}

static void hear(struct file *file, size_t have)
{
    uint64_t now = now_us();
    pthread_mutex_lock(&lock);
    if (have > file->have)
        file->have = have;
    for (; file->answered < file->keys && file->key_end[file->answered] <= file->have;
         file->answered++)
        late[lates++] = now - file->key_us[file->answered];
    pthread_mutex_unlock(&lock);
}

/* nats. */

static void on_message(natsConnection *connection, natsSubscription *subscription, natsMsg *message,
                       void *ctx)
{
    static _Thread_local uint8_t plain[POST_PLAIN_MOST];
    struct crowd_place *at = ctx;
    struct post_piece piece;
    (void)connection, (void)subscription;
    if (post_open(&at->keys, POST_DOWN, (const uint8_t *)natsMsg_GetData(message),
                  (size_t)natsMsg_GetDataLength(message), plain, &piece, NULL) == BL_OK &&
        piece.kind == POST_HAVE)
        for (unsigned i = 0; i < files; i++)
            if (strcmp(at->file[i].name, piece.file) == 0)
                hear(&at->file[i], (size_t)piece.offset);
    natsMsg_Destroy(message);
}

static natsStatus on_sign(char **why, unsigned char **signature, int *length, const char *nonce,
                          void *ctx)
{
    const struct crowd_place *at = ctx;
    (void)why;
    *signature = malloc(POST_SIGNATURE);
    *length = POST_SIGNATURE;
    post_nkey_sign(at->keys.nkey, nonce, *signature);
    return NATS_OK;
}

static void connect_nats(struct crowd_place *at, const char *url)
{
    char nkey[POST_NKEY_TEXT], subject[POST_SUBJECT_MAX];
    natsOptions *options = NULL;
    natsSubscription *subscription = NULL;
    post_nkey(at->keys.nkey, nkey);
    snprintf(subject, sizeof subject, POST_SUBJECT_DOWN "%s", at->keys.place);
    check(natsOptions_Create(&options) == NATS_OK, "options");
    natsOptions_SetURL(options, url);
    natsOptions_SetNKey(options, nkey, on_sign, at);
    natsOptions_UseGlobalMessageDelivery(options, true);
    natsOptions_SetTimeout(options, PATIENCE * 1000);
    natsStatus status = NATS_ERR; /* a busy server may refuse, as late */
    for (unsigned i = 0; status != NATS_OK && i < PATIENCE; i++)
        status = natsConnection_Connect(&at->connection, options);
    if (status == NATS_OK)
        status = natsConnection_Subscribe(&subscription, at->connection, subject, on_message, at);
    check(status == NATS_OK, natsStatus_GetText(status));
    natsOptions_Destroy(options);
}

static void send_nats(const struct crowd_place *at, const struct file *file, size_t from,
                      size_t length)
{
    static uint8_t sealed[POST_SEALED_MOST];
    uint8_t nonce[POST_NONCE];
    char subject[POST_SUBJECT_MAX];
    struct post_piece piece = {.kind = POST_PIECE,
                               .copy = 1,
                               .offset = from,
                               .bytes = file->bytes + from,
                               .length = length};
    snprintf(piece.file, sizeof piece.file, "%s", file->name);
    snprintf(subject, sizeof subject, POST_SUBJECT_UP "%s", at->keys.place);
    randombytes_buf(nonce, sizeof nonce);
    size_t size = post_seal(&at->keys, POST_UP, &piece, nonce, sealed);
    natsConnection_Publish(at->connection, subject, sealed, (int)size);
}

/* The bare log. */

static void *read_answers(void *ctx)
{
    struct crowd_place *at = ctx;
    struct frame_down frame;
    while (recv(at->fd, &frame, sizeof frame, MSG_WAITALL) == sizeof frame)
        if (frame.file < files)
            hear(&at->file[frame.file], (size_t)frame.have);
    return NULL;
}

static void connect_bare(struct crowd_place *at, const char *url)
{
    struct sockaddr_in to = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    pthread_t thread;
    to.sin_port = htons((uint16_t)atoi(strrchr(url, ':') + 1));
    at->fd = socket(AF_INET, SOCK_STREAM, 0);
    check(connect(at->fd, (struct sockaddr *)&to, sizeof to) == 0 &&
              pthread_create(&thread, NULL, read_answers, at) == 0,
          url);
}

static void send_bare(unsigned number, unsigned which, size_t from, size_t length)
{
    uint8_t bytes[sizeof(struct frame_up) + POST_BYTES_MOST];
    const struct frame_up frame = {(uint16_t)number, (uint16_t)which, (uint32_t)length, from};
    memcpy(bytes, &frame, sizeof frame);
    memcpy(bytes + sizeof frame, place[number]->file[which].bytes + from, length);
    check(send(place[number]->fd, bytes, sizeof frame + length, MSG_NOSIGNAL) ==
              (ssize_t)(sizeof frame + length),
          "send");
}

/* Both. */

/* False: everything is answered for. */
static bool send_rest(unsigned number, unsigned which)
{
    const struct file *file = &place[number]->file[which];
    pthread_mutex_lock(&lock);
    size_t from = file->have;
    pthread_mutex_unlock(&lock);
    size_t length = file->length - from;
    if (length > POST_BYTES_MOST)
        length = POST_BYTES_MOST;
    if (!length)
        return false;
    messages++;
    if (bare)
        send_bare(number, which, from, length);
    else
        send_nats(place[number], file, from, length);
    return true;
}

static void sleep_until(uint64_t mono_us)
{
    uint64_t now = bl_mono_us();
    if (mono_us > now)
        usleep((useconds_t)(mono_us - now));
}

static void add_place(const char *folder, const char *name)
{
    char path[4096], text[POST_KEY_TEXT] = "";
    struct crowd_place *at = place[places] = calloc(1, sizeof *at);
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *in = fopen(path, "r");
    check(at && in && fread(text, 1, sizeof text - 1, in) > 0 &&
              post_key_read(&at->keys, text, path, NULL) == BL_OK,
          path);
    fclose(in);
    at->file = calloc(files, sizeof *at->file);
    for (unsigned i = 0; at->file && i < files; i++) {
        struct file *file = &at->file[i];
        bool judge = strstr(name, "judge");
        char session[40];
        snprintf(session, sizeof session, "r%u-j%u", i + 1, places + 1);
        snprintf(file->name, sizeof file->name, "%s-%s.journal", session,
                 judge ? "judge" : "entity");
        file->bytes = malloc(4096 + (size_t)seconds * KEYS_S * 64);
        file->key_us = calloc((size_t)seconds * KEYS_S, sizeof *file->key_us);
        file->key_end = calloc((size_t)seconds * KEYS_S, sizeof *file->key_end);
        const struct journal_record head =
            records_header(session, judge ? PARTY_JUDGE : PARTY_ENTITY, now_us());
        append(file, &head);
    }
    places++;
}

static void read_places(const char *folder)
{
    struct dirent **names;
    int count = scandir(folder, &names, NULL, alphasort);
    for (int i = 0; i < count; i++)
        if (names[i]->d_name[0] != '.' && places < PLACES)
            add_place(folder, names[i]->d_name);
    late = calloc((size_t)places * files * seconds * KEYS_S, sizeof *late);
    check(places && late, folder);
}

static bool is_copied(const char *folder, unsigned number, unsigned which)
{
    const struct file *file = &place[number]->file[which];
    char path[4096];
    uint8_t *bytes = malloc(file->length + 1);
    if (bare)
        snprintf(path, sizeof path, "%s/%u-%u", folder, number, which);
    else
        snprintf(path, sizeof path, "%s/%s/%s", folder, place[number]->keys.place, file->name);
    FILE *in = fopen(path, "rb");
    bool equal = in && fread(bytes, 1, file->length + 1, in) == file->length &&
                 memcmp(bytes, file->bytes, file->length) == 0;
    if (in)
        fclose(in);
    free(bytes);
    return equal;
}

/* Sends on until everything is answered for. */
static void send_last(void)
{
    bool waiting = true;
    for (unsigned i = 0; waiting && i < PATIENCE; i++) {
        waiting = false;
        for (unsigned p = 0; p < places; p++)
            for (unsigned f = 0; f < files; f++)
                waiting |= send_rest(p, f);
        if (waiting)
            sleep(1);
    }
}

static int compare(const void *a, const void *b)
{
    const uint64_t *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

static void tell(const char *folder, const char *times)
{
    unsigned equal = 0;
    FILE *out = fopen(times, "w");
    for (unsigned p = 0; p < places; p++)
        for (unsigned f = 0; f < files; f++) {
            const struct file *file = &place[p]->file[f];
            equal += is_copied(folder, p, f);
            if (!out || !strstr(file->name, "judge"))
                continue;
            fprintf(out, "%s %.*s", place[p]->keys.place,
                    (int)(strlen(file->name) - strlen("-judge.journal")), file->name);
            for (unsigned k = 0; k < file->keys; k++)
                fprintf(out, " %llu", (unsigned long long)file->key_us[k]);
            fputc('\n', out);
        }
    check(out && fclose(out) == 0, times);
    pthread_mutex_lock(&lock); /* to the end: late answers are not counted */
    qsort(late, lates, sizeof *late, compare);
    printf(
        "{\"connections\": %u, \"journals\": %u, \"equal\": %u, \"keys\": %zu, \"messages\": %zu, "
        "\"answered_p50_ms\": %llu, \"answered_p99_ms\": %llu}\n",
        places, places * files, equal, lates, messages,
        (unsigned long long)(lates ? late[lates / 2] / 1000 : 0),
        (unsigned long long)(lates ? late[lates * 99 / 100] / 1000 : 0));
}

int main(int argc, char **argv)
{
    if (argc != 7 || sodium_init() < 0)
        return 64;
    bare = strncmp(argv[1], "tcp:", 4) == 0;
    files = (unsigned)atoi(argv[4]);
    seconds = (unsigned)atoi(argv[5]);
    read_places(argv[2]);
    for (unsigned p = 0; p < places; p++)
        (bare ? connect_bare : connect_nats)(place[p], argv[1]);
    uint64_t begin_us = bl_mono_us();
    for (uint64_t slot = 0; slot < (uint64_t)seconds * places; slot++) {
        sleep_until(begin_us + slot * SECOND / places);
        for (unsigned f = 0; f < files; f++) {
            type(&place[slot % places]->file[f]);
            send_rest((unsigned)(slot % places), f);
        }
    }
    send_last();
    tell(argv[3], argv[6]);
    return 0;
}
