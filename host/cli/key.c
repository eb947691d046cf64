/* "boothlink key": the keys of lines. */
#include "booth/machine_key.h"
#include "link/secret.h"

#include "command/command.h"
#include "command/typed.h"

#include <sodium.h>
#include <unistd.h>

#define TYPED_LINE 256

static void print_words(const struct line_secret *secret)
{
    char words[KEY_WORDS_TEXT];
    secret_words_format(secret->seed, words);
    puts(words);
    sodium_memzero(words, sizeof words);
}

/* Asks for the words: on a terminal until they are right, from other input once. */
static enum bl_status type_words(uint8_t seed[SECRET_SEED], struct bl_diag *diag)
{
    char line[TYPED_LINE];
    enum bl_status status;
    do {
        status = typed_line("The eight words of the first end: ", line, sizeof line, diag);
        if (status)
            break;
        status = secret_words_parse(line, "the first end", seed, diag);
        if (status && isatty(STDIN_FILENO))
            fprintf(stderr, "%s\n", diag->text);
    } while (status == BL_DATA && isatty(STDIN_FILENO));
    sodium_memzero(line, sizeof line);
    return status;
}

struct key_options {
    bool words;
};

static enum bl_status no_randomness(struct bl_diag *diag)
{
    return bl_fail(diag, BL_UNAVAIL, "the system gives no randomness");
}

static enum bl_status key_new(const struct command_call *call, struct bl_diag *diag)
{
    const char *path = call->word[0];
    const bool words = ((const struct key_options *)call->options)->words;
    struct line_secret secret = {0};
    uint8_t seed[SECRET_SEED];
    enum bl_status status = sodium_init() < 0 ? no_randomness(diag) : BL_OK;
    if (!status && words)
        status = type_words(seed, diag);
    else if (!status)
        secret_draw(seed);
    if (!status)
        status = secret_make(&secret, seed, diag);
    if (!status)
        status = secret_store(&secret, path, diag);
    if (!status && !words) {
        print_words(&secret);
        fprintf(stderr,
                "At the other end: 'boothlink key new --words FILE', and these words; or carry "
                "the file there.\n");
    } else if (!status) {
        puts("the words are right");
    }
    sodium_memzero(seed, sizeof seed);
    secret_wipe(&secret);
    return status;
}

static enum bl_status key_show(const struct command_call *call, struct bl_diag *diag)
{
    struct line_secret secret = {0};
    struct ballot_signer signer;
    char words[KEY_WORDS_TEXT];
    if (machine_key_load(&signer, call->word[0], NULL) == BL_OK) {
        machine_key_words(signer.key, words);
        machine_key_wipe(&signer);
        puts(words);
        return BL_OK;
    }
    enum bl_status status = secret_load(&secret, call->word[0], diag);
    if (!status)
        print_words(&secret);
    secret_wipe(&secret);
    return status;
}

/* Makes the key again from its words, to find a file that was partly changed. */
static enum bl_status key_check(const struct command_call *call, struct bl_diag *diag)
{
    const char *path = call->word[0];
    struct line_secret secret = {0}, again = {0};
    enum bl_status status =
        sodium_init() < 0 ? no_randomness(diag) : secret_load(&secret, path, diag);
    if (!status)
        status = secret_make(&again, secret.seed, diag);
    if (!status && sodium_memcmp(secret.secret, again.secret, SECURE_KEY) != 0)
        status = bl_fail(diag, BL_DATA,
                         "%s: the secret is not that of its words: remove the file, and make it "
                         "again with 'boothlink key new --words %s'",
                         path, path);
    if (!status)
        printf("%s: a good key file, for its user alone\n", path);
    secret_wipe(&secret);
    secret_wipe(&again);
    return status;
}

static enum bl_status key_referee(const struct command_call *call, struct bl_diag *diag)
{
    return sodium_init() < 0 ? no_randomness(diag) : key_referee_new(call->word[0], diag);
}

static const struct command_option new_options[] = {
    OPTION_ROW("--words", NULL, "type the eight words of the first end instead of drawing a secret",
               OPTION_FLAG, struct key_options, words),
    {0},
};

static const struct command key_verbs[] = {
    {
        .name = "key new",
        .synopsis = "[--words] FILE",
        .help = "draw a secret and print its words, or make the same file of the words",
        .text = "FILE may not be there yet; nobody but its user may read it. With --words, at the "
                "other end, the eight words are asked for, and one that is mistyped is named.",
        .examples = "boothlink key new booth3.key\nboothlink key new --words booth3.key",
        .options = new_options,
        .size = sizeof(struct key_options),
        .least = 1,
        .most = 1,
        .run = key_new,
    },
    {
        .name = "key show",
        .synopsis = "FILE",
        .help = "print the words, to compare both ends",
        .text = "Prints the eight words of a line's secret. Whoever has them has the secret. Of a "
                "machine's own key, which signs ballots, those that its board shows; they are no "
                "secret.",
        .least = 1,
        .most = 1,
        .run = key_show,
    },
    {
        .name = "key check",
        .synopsis = "FILE",
        .help = "tell whether a file is a good key file",
        .text = "Exits with 65 if the secret is not that of its words, or others may read the "
                "file.",
        .least = 1,
        .most = 1,
        .run = key_check,
    },
    {
        .name = "key referee",
        .synopsis = "FILE",
        .help = "make a key for a referee who listens with boothlink tap",
        .text = "FILE is the referee's alone; FILE.pub goes to the judges' terminals, as "
                "--referee FILE.pub.",
        .least = 1,
        .most = 1,
        .run = key_referee,
    },
    {0},
};

const struct command command_key = {
    .name = "key",
    .synopsis = "new|show|check|referee FILE",
    .help = "make, show and check the secret of a line, in a key file",
    .text =
        "Both ends of a line that is encrypted hold the same secret, in a key file that nobody but "
        "its user may read.\n\n"
        "The eight words hold 80 bits: 72 of which the secret is made, and 8 that check them. It "
        "is made by Argon2id (3 passes, 64 MiB), so trying them all out is beyond anybody.",
    .examples = "boothlink key new booth3.key\n"
                "boothlink key new --words booth3.key",
    .verbs = (const struct command *const[]){key_verbs, NULL},
};
