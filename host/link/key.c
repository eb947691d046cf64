#include "link/key.h"

#include <errno.h>
#include <fcntl.h>
#include <sodium.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define HEAD "boothlink line key 1\n"

enum {
    HEX = 2 * SECURE_KEY,
    FILE_MAX = sizeof HEAD + HEX + 1 + KEY_WORDS_TEXT + 1,
    PASSES = 3,
};
#define MEMORY (64u * 1024 * 1024)

void key_draw(uint8_t secret[KEY_SECRET])
{
    randombytes_buf(secret, KEY_SECRET);
}

enum bl_status key_make(struct line_key *key, const uint8_t secret[KEY_SECRET],
                        struct bl_diag *diag)
{
    static const uint8_t salt[crypto_pwhash_SALTBYTES] = "boothlink key 1";
    memcpy(key->secret, secret, KEY_SECRET);
    if (crypto_pwhash(key->key, SECURE_KEY, (const char *)secret, KEY_SECRET, salt, PASSES, MEMORY,
                      crypto_pwhash_ALG_ARGON2ID13))
        return bl_fail(diag, BL_NOMEM, "making a key of words takes %u MiB of memory",
                       MEMORY / 1024 / 1024);
    return BL_OK;
}

void key_wipe(struct line_key *key)
{
    sodium_memzero(key, sizeof *key);
}

static size_t format(const struct line_key *key, char text[FILE_MAX])
{
    char hex[HEX + 1], words[KEY_WORDS_TEXT];
    int n;
    sodium_bin2hex(hex, sizeof hex, key->key, SECURE_KEY);
    key_words_format(key->secret, words);
    n = snprintf(text, FILE_MAX, HEAD "%s\n%s\n", hex, words);
    sodium_memzero(hex, sizeof hex);
    sodium_memzero(words, sizeof words);
    return (size_t)n;
}

static bool parse(struct line_key *key, const char *text, size_t length)
{
    char again[FILE_MAX];
    bool good = false;
    size_t n;
    if (length > sizeof HEAD - 1 + HEX && memcmp(text, HEAD, sizeof HEAD - 1) == 0 &&
        sodium_hex2bin(key->key, SECURE_KEY, text + sizeof HEAD - 1, HEX, NULL, &n, NULL) == 0 &&
        n == SECURE_KEY &&
        key_words_parse(text + sizeof HEAD - 1 + HEX, key->secret, NULL) == BL_OK)
        good = format(key, again) == length && sodium_memcmp(again, text, length) == 0;
    sodium_memzero(again, sizeof again);
    return good;
}

enum bl_status key_store(const struct line_key *key, const char *path, struct bl_diag *diag)
{
    char text[FILE_MAX];
    enum bl_status status = BL_OK;
    size_t length;
    int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (fd < 0 && errno == EEXIST)
        return bl_fail(diag, BL_USAGE, "%s is there already: remove it first, or name another file",
                       path);
    if (fd < 0)
        return bl_fail(diag, errno == EACCES ? BL_NOPERM : BL_NOINPUT, "%s: %s", path,
                       strerror(errno));
    length = format(key, text);
    if (fchmod(fd, 0600) || write(fd, text, length) != (ssize_t)length || fsync(fd))
        status = bl_fail(diag, BL_IO, "%s: %s", path, strerror(errno));
    sodium_memzero(text, sizeof text);
    if (close(fd) && !status)
        status = bl_fail(diag, BL_IO, "%s: %s", path, strerror(errno));
    if (status)
        unlink(path);
    return status;
}

static enum bl_status check_file(int fd, const char *path, struct bl_diag *diag)
{
    struct stat stat;
    if (fstat(fd, &stat))
        return bl_fail(diag, BL_IO, "%s: %s", path, strerror(errno));
    if (!S_ISREG(stat.st_mode))
        return bl_fail(diag, BL_DATA, "%s is no file: 'boothlink key new %s' makes a key", path,
                       path);
    if (stat.st_uid != geteuid())
        return bl_fail(diag, BL_NOPERM,
                       "%s belongs to another user: a key must be of the user who uses it ('chown "
                       "%u %s')",
                       path, geteuid(), path);
    if (stat.st_mode & 077)
        return bl_fail(diag, BL_NOPERM,
                       "%s: others may read or write this key (mode %04o); 'chmod 600 %s', or "
                       "make a new one if they may have read it",
                       path, (unsigned)stat.st_mode & 07777, path);
    return BL_OK;
}

enum bl_status key_load(struct line_key *key, const char *path, struct bl_diag *diag)
{
    char text[FILE_MAX + 1] = ""; /* read as text: a zero stands behind all that is taken */
    enum bl_status status;
    ssize_t length;
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
    if (fd < 0 && errno == ENOENT)
        return bl_fail(diag, BL_NOINPUT, "there is no key %s: 'boothlink key new %s' makes one",
                       path, path);
    if (fd < 0)
        return bl_fail(diag, errno == EACCES ? BL_NOPERM : BL_NOINPUT, "%s: %s", path,
                       strerror(errno));
    status = check_file(fd, path, diag);
    if (!status) {
        length = read(fd, text, sizeof text);
        if (length < 0)
            status = bl_fail(diag, BL_IO, "%s: %s", path, strerror(errno));
        else if (length > FILE_MAX - 1 || !parse(key, text, (size_t)length))
            status =
                bl_fail(diag, BL_DATA,
                        "%s is no key of a line, or is damaged: 'boothlink key new FILE' makes "
                        "one",
                        path);
    }
    close(fd);
    sodium_memzero(text, sizeof text);
    if (status)
        key_wipe(key);
    return status;
}
