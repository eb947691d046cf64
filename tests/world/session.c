/* Plays sessions of one booth in the world, by their seeds. What fails prints one line that plays
 * it again:
 *
 *     session --seed N [--count N] [--controller] [--secret] [--seconds S] [--faults N]
 *             [--only 0,3] [--log] [--shrink] [--first] */
#include "play.h"

#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

struct wish {
    struct play play;
    uint64_t count;
    bool log, shrink, hash, first;
};

static uint64_t read_only(const char *text)
{
    uint64_t only = 0;
    char *end = (char *)text;
    if (strcmp(text, "none") == 0)
        return 0;
    for (;; end++) {
        only |= 1ull << strtoul(end, &end, 10);
        if (*end != ',')
            return only;
    }
}

static bool read_wish(struct wish *wish, int argc, char **argv)
{
    static const struct option options[] = {
        {"seed", required_argument, NULL, 's'},    {"count", required_argument, NULL, 'n'},
        {"seconds", required_argument, NULL, 't'}, {"controller", no_argument, NULL, 'c'},
        {"secret", no_argument, NULL, 'e'},        {"faults", required_argument, NULL, 'f'},
        {"only", required_argument, NULL, 'o'},    {"log", no_argument, NULL, 'l'},
        {"shrink", no_argument, NULL, 'k'},        {"first", no_argument, NULL, '1'},
        {"hash", no_argument, NULL, 'h'},          {NULL, 0, NULL, 0}};
    int option;
    *wish = (struct wish){.play = {.seed = 1, .faults = 2, .only = UINT64_MAX}, .count = 1};
    while ((option = getopt_long(argc, argv, "", options, NULL)) != -1) {
        switch (option) {
        case 's':
            wish->play.seed = strtoull(optarg, NULL, 10);
            break;
        case 'n':
            wish->count = strtoull(optarg, NULL, 10);
            break;
        case 't':
            wish->play.seconds = (unsigned)atoi(optarg);
            break;
        case 'c':
            wish->play.controller = true;
            break;
        case 'e':
            wish->play.secret = true;
            break;
        case 'f':
            wish->play.faults = (unsigned)atoi(optarg);
            break;
        case 'o':
            wish->play.only = read_only(optarg);
            break;
        case 'l':
            wish->log = true;
            break;
        case 'k':
            wish->shrink = true;
            break;
        case '1':
            wish->first = true;
            break;
        case 'h':
            wish->hash = true;
            break;
        default:
            return false;
        }
    }
    return optind == argc;
}

/* The line by which a failure is played again, with the least that it needs. */
static void tell(const struct wish *wish, const struct play *play, const struct play_result *got,
                 const char *program)
{
    struct mishap mishap[MISHAPS];
    char text[120];
    uint64_t only = play->only;
    printf("%s --seed %" PRIu64, program, play->seed);
    if (play->controller)
        printf(" --controller");
    if (play->secret)
        printf(" --secret");
    if (play->seconds)
        printf(" --seconds %u", play->seconds);
    if (play->faults != 2)
        printf(" --faults %u", play->faults);
    if (wish->shrink) {
        const char *comma = " --only ";
        only = play_shrink(play, got);
        for (unsigned i = 0; i < got->mishaps; i++, comma = only >> (i - 1) & 1 ? "," : comma)
            if (only >> i & 1)
                printf("%s%u", comma, i);
        if (!only)
            printf(" --only none");
    }
    printf("    %s\n", got->wrong);
    if (!wish->shrink)
        return;
    play_mishaps(play, mishap);
    for (unsigned i = 0; i < got->mishaps; i++) {
        if (!(only >> i & 1))
            continue;
        mishap_text(&mishap[i], text, sizeof text);
        printf("    %u: %s\n", i, text);
    }
}

int main(int argc, char **argv)
{
    struct wish wish;
    struct rusage used;
    uint64_t failed = 0, differences = 0, keys = 0;
    double seconds = 0;
    if (!read_wish(&wish, argc, argv)) {
        fprintf(stderr,
                "usage: %s --seed N [--count N] [--controller] [--secret] [--seconds S] [--faults "
                "N] [--only 0,3] "
                "[--log] [--shrink] [--first] [--hash]\n",
                argv[0]);
        return 64;
    }
    world_logs = wish.log;
    for (uint64_t i = 0; i < wish.count && !(wish.first && failed); i++) {
        struct play play = wish.play;
        struct play_result got;
        play.seed += i;
        play_apart(&play, &got);
        if (wish.hash)
            printf("%" PRIu64 " %016" PRIx64 "\n", play.seed, got.hash);
        if (got.wrong[0])
            tell(&wish, &play, &got, argv[0]);
        fflush(stdout);
        failed += got.wrong[0] != '\0';
        differences += got.differences;
        keys += got.keys;
        seconds += (double)got.us / 1e6;
    }
    getrusage(RUSAGE_CHILDREN, &used);
    double cpu = (double)used.ru_utime.tv_sec + (double)used.ru_utime.tv_usec / 1e6 +
                 (double)used.ru_stime.tv_sec + (double)used.ru_stime.tv_usec / 1e6;
    if (!wish.hash)
        printf("%" PRIu64 " sessions, %" PRIu64 " failed; %" PRIu64 " sides for a steward, %" PRIu64
               " keys; %.0f s of theirs in %.1f s of processor time\n",
               wish.count, failed, differences, keys, seconds, cpu);
    return failed != 0;
}
