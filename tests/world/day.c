/* Plays whole days of a venue in the world, by their seeds. What fails prints one line that plays
 * it again:
 *
 *     day --seed N [--count N] [--ruleset NAME] [--booths N] [--faults N] [--only 0,3]
 *         [--log] [--shrink] [--first] [--hash] */
#include "day_mishaps.h"

#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

static const struct day_rules *rules_of(const char *name)
{
    for (unsigned i = 0; i < DAY_RULES; i++)
        if (strcmp(day_rules[i].name, name) == 0)
            return &day_rules[i];
    fprintf(stderr, "there is no ruleset %s\n", name);
    exit(64);
}

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

struct wish {
    struct day_setup setup;
    uint64_t count;
    bool log, hash, first, shrink;
};

static bool read_wish(struct wish *wish, int argc, char **argv)
{
    static const struct option options[] = {{"seed", required_argument, NULL, 's'},
                                            {"count", required_argument, NULL, 'n'},
                                            {"ruleset", required_argument, NULL, 'r'},
                                            {"booths", required_argument, NULL, 'b'},
                                            {"faults", required_argument, NULL, 'f'},
                                            {"only", required_argument, NULL, 'o'},
                                            {"log", no_argument, NULL, 'l'},
                                            {"hash", no_argument, NULL, 'h'},
                                            {"first", no_argument, NULL, '1'},
                                            {"shrink", no_argument, NULL, 'k'},
                                            {NULL, 0, NULL, 0}};
    int option;
    *wish = (struct wish){.setup = {.seed = 1, .mishaps = 1, .only = UINT64_MAX}, .count = 1};
    while ((option = getopt_long(argc, argv, "", options, NULL)) != -1) {
        switch (option) {
        case 's':
            wish->setup.seed = strtoull(optarg, NULL, 10);
            break;
        case 'n':
            wish->count = strtoull(optarg, NULL, 10);
            break;
        case 'r':
            wish->setup.rules = rules_of(optarg);
            break;
        case 'b':
            wish->setup.booths = (unsigned)atoi(optarg);
            break;
        case 'f':
            wish->setup.mishaps = (unsigned)atoi(optarg);
            break;
        case 'o':
            wish->setup.only = read_only(optarg);
            break;
        case 'l':
            wish->log = true;
            break;
        case '1':
            wish->first = true;
            break;
        case 'k':
            wish->shrink = true;
            break;
        case 'h':
            wish->hash = true;
            break;
        default:
            return false;
        }
    }
    return optind == argc && wish->setup.booths <= DAY_BOOTHS;
}

/* The oracle that found it: what stands before the colon. */
static bool is_alike(const struct day_result *a, const struct day_result *b)
{
    return strncmp(a->wrong, b->wrong, strcspn(a->wrong, ":") + 1) == 0;
}

/* The bits of the fewest mishaps with which it still fails, by leaving out one after the other. */
static uint64_t shrink(const struct day_setup *setup, const struct day_result *result)
{
    struct day_setup less = *setup;
    less.only &= (1ull << result->mishaps) - 1;
    for (bool fewer = true; fewer;) {
        fewer = false;
        for (unsigned i = 0; i < result->mishaps; i++) {
            struct day_result got;
            if (!(less.only >> i & 1))
                continue;
            less.only &= ~(1ull << i);
            day_apart(&less, &got);
            if (is_alike(result, &got))
                fewer = true;
            else
                less.only |= 1ull << i;
        }
    }
    return less.only;
}

/* The line by which a failure is played again, with the least that it needs. */
static void tell(const struct wish *wish, const struct day_setup *setup,
                 const struct day_result *got, const char *program)
{
    struct day_mishap mishap[DAY_MISHAPS];
    const char *comma = " --only ";
    uint64_t only = wish->shrink ? shrink(setup, got) : 0;
    printf("%s --seed %" PRIu64, program, setup->seed);
    if (setup->rules)
        printf(" --ruleset %s", setup->rules->name);
    if (setup->booths)
        printf(" --booths %u", setup->booths);
    if (setup->mishaps != 1)
        printf(" --faults %u", setup->mishaps);
    for (unsigned i = 0; i < got->mishaps && wish->shrink; i++) {
        if (only >> i & 1) {
            printf("%s%u", comma, i);
            comma = ",";
        }
    }
    printf("    %s\n", got->wrong);
    day_mishaps_draw(mishap, setup->seed, setup->mishaps);
    for (unsigned i = 0; i < got->mishaps && wish->shrink; i++) {
        char text[120];
        day_mishap_text(&mishap[i], text, sizeof text);
        if (only >> i & 1)
            printf("    %u: %s\n", i, text);
    }
}

int main(int argc, char **argv)
{
    struct wish wish;
    struct rusage used;
    uint64_t failed = 0, sessions = 0, keys = 0;
    double seconds = 0;
    if (!read_wish(&wish, argc, argv)) {
        fprintf(stderr,
                "usage: %s --seed N [--count N] [--ruleset NAME] [--booths N] [--faults N] [--only "
                "0,3] [--log] [--shrink] [--first] [--hash]\n",
                argv[0]);
        return 64;
    }
    world_logs = wish.log;
    for (uint64_t i = 0; i < wish.count && !(wish.first && failed); i++) {
        struct day_result got;
        struct day_setup setup = wish.setup;
        setup.seed += i;
        day_apart(&setup, &got);
        if (wish.hash)
            printf("%" PRIu64 " %016" PRIx64 "\n", setup.seed, got.hash);
        if (got.wrong[0])
            tell(&wish, &setup, &got, argv[0]);
        fflush(stdout);
        failed += got.wrong[0] != '\0';
        sessions += got.sessions;
        keys += got.keys;
        seconds += (double)got.us / 1e6;
    }
    getrusage(RUSAGE_CHILDREN, &used);
    double cpu = (double)used.ru_utime.tv_sec + (double)used.ru_utime.tv_usec / 1e6 +
                 (double)used.ru_stime.tv_sec + (double)used.ru_stime.tv_usec / 1e6;
    if (!wish.hash)
        printf("%" PRIu64 " days, %" PRIu64 " failed; %" PRIu64 " sessions, %" PRIu64
               " keys; %.0f s of theirs in %.1f s of processor time\n",
               wish.count, failed, sessions, keys, seconds, cpu);
    return failed != 0;
}
