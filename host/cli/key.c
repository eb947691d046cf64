/* "boothlink key": the keys of lines. */
#include "link/key.h"

#include "cli/command.h"
#include "cli/typed.h"

#include <sodium.h>
#include <string.h>
#include <sysexits.h>
#include <unistd.h>

#define TYPED_LINE 256

static void print_words(const struct line_key *key)
{
    char words[KEY_WORDS_TEXT];
    key_words_format(key->secret, words);
    puts(words);
    sodium_memzero(words, sizeof words);
}

/* Asks for the words until they are right, on a terminal; once, from anything else. */
static enum bl_status type_words(uint8_t secret[KEY_SECRET], struct bl_diag *diag)
{
    char line[TYPED_LINE];
    enum bl_status status;
    do {
        status = typed_line("The eight words of the first end: ", line, sizeof line, diag);
        if (status)
            break;
        status = key_words_parse(line, secret, diag);
        if (status && isatty(STDIN_FILENO))
            fprintf(stderr, "%s\n", diag->text);
    } while (status == BL_DATA && isatty(STDIN_FILENO));
    sodium_memzero(line, sizeof line);
    return status;
}

static enum bl_status make_new(const char *path, bool words, struct bl_diag *diag)
{
    struct line_key key = {0};
    uint8_t secret[KEY_SECRET];
    enum bl_status status = BL_OK;
    if (words)
        status = type_words(secret, diag);
    else
        key_draw(secret);
    if (!status)
        status = key_make(&key, secret, diag);
    if (!status)
        status = key_store(&key, path, diag);
    if (!status && !words) {
        print_words(&key);
        fprintf(stderr,
                "At the other end: 'boothlink key new --words FILE', and these words; or carry "
                "the file there.\n");
    } else if (!status) {
        puts("the words are right");
    }
    sodium_memzero(secret, sizeof secret);
    key_wipe(&key);
    return status;
}

static enum bl_status show(const char *path, struct bl_diag *diag)
{
    struct line_key key = {0};
    enum bl_status status = key_load(&key, path, diag);
    if (!status)
        print_words(&key);
    key_wipe(&key);
    return status;
}

/* Makes the key of its words again: a file of which a part was changed is seen. */
static enum bl_status check(const char *path, struct bl_diag *diag)
{
    struct line_key key = {0}, again = {0};
    enum bl_status status = key_load(&key, path, diag);
    if (!status)
        status = key_make(&again, key.secret, diag);
    if (!status && sodium_memcmp(key.key, again.key, SECURE_KEY) != 0)
        status = bl_fail(diag, BL_DATA,
                         "%s: the key is not that of its words: remove the file, and make it again "
                         "with 'boothlink key new --words %s'",
                         path, path);
    if (!status)
        printf("%s: a good key, for its user alone\n", path);
    key_wipe(&key);
    key_wipe(&again);
    return status;
}

static int key_run(const struct command *command, int argc, char **argv)
{
    struct command_walk walk = {.command = command, .argc = argc, .argv = argv};
    const char *word[2] = {NULL}, *name;
    struct bl_diag diag = {""};
    enum bl_status status;
    unsigned count = 0;
    bool words = false;
    while ((name = command_next(&walk))) {
        if (!walk.bare)
            words = true;
        else if (count < 2)
            word[count++] = name;
        else
            return command_fail(command, BL_USAGE, "too many arguments");
    }
    if (walk.status || walk.helped)
        return bl_status_exit(walk.status);
    if (sodium_init() < 0)
        return command_fail(command, BL_UNAVAIL, "the system gives no randomness");
    if (count == 2 && strcmp(word[0], "new") == 0)
        status = make_new(word[1], words, &diag);
    else if (count == 2 && !words && strcmp(word[0], "show") == 0)
        status = show(word[1], &diag);
    else if (count == 2 && !words && strcmp(word[0], "check") == 0)
        status = check(word[1], &diag);
    else if (count == 2 && !words && strcmp(word[0], "referee") == 0)
        status = key_referee_new(word[1], &diag);
    else
        return command_fail(command, BL_USAGE,
                            "give \"new FILE\", \"new --words FILE\", \"show FILE\", "
                            "\"check FILE\" or \"referee FILE\"");
    return status ? command_fail(command, status, diag.text) : EX_OK;
}

static const struct command_option key_options[] = {
    {"--words", NULL, "new: type the eight words of the first end, instead of drawing a key"},
    {0},
};

const struct command command_key = {
    .name = "key",
    .synopsis = "new [--words] FILE | show FILE | check FILE | referee FILE",
    .help = "make, show and check the key of a line",
    .text =
        "Both ends of a line that is encrypted hold the same key, in a file that nobody but its "
        "user may read. \"new\" draws one and prints it as eight words; at the other end \"new "
        "--words\" makes the same file of the words, and names one that is mistyped. \"show\" "
        "prints the words, to compare both ends. \"check\" tells whether a file is a good key.\n\n"
        "The eight words hold 80 bits: 72 of the key and 8 that check them. The key is made of "
        "them by Argon2id (3 passes, 64 MiB), so trying them all out is beyond anybody.\n\n"
        "\"referee\" makes a key for a referee who listens with \"boothlink tap\": FILE is the "
        "referee's alone, FILE.pub goes to the judges' terminals, as --referee FILE.pub.",
    .examples = "boothlink key new booth3.key\n"
                "boothlink key new --words booth3.key",
    .options = key_options,
    .run = key_run,
};
