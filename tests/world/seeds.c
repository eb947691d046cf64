#include "seeds.h"

#include "world.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#define OWN_MAX 8

struct wish {
    struct seed seed;
    uint64_t count;
    bool shrink, hash, first;
};

static const struct option common[] = {
    {"seed", required_argument, NULL, 's'},   {"count", required_argument, NULL, 'n'},
    {"faults", required_argument, NULL, 'f'}, {"only", required_argument, NULL, 'o'},
    {"log", no_argument, NULL, 'l'},          {"shrink", no_argument, NULL, 'k'},
    {"first", no_argument, NULL, '1'},        {"hash", no_argument, NULL, 'h'}};
#define COMMON (sizeof common / sizeof *common)

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

static bool read_wish(const struct seeds *seeds, struct wish *wish, int argc, char **argv)
{
    struct option all[COMMON + OWN_MAX + 1] = {{0}};
    int letter;
    memcpy(all, common, sizeof common);
    for (unsigned i = 0; i < OWN_MAX && seeds->option[i].name; i++)
        all[COMMON + i] = seeds->option[i];
    *wish =
        (struct wish){.seed = {.seed = 1, .faults = seeds->faults, .only = UINT64_MAX}, .count = 1};
    while ((letter = getopt_long(argc, argv, "", all, NULL)) != -1) {
        if (letter == 's')
            wish->seed.seed = strtoull(optarg, NULL, 10);
        else if (letter == 'n')
            wish->count = strtoull(optarg, NULL, 10);
        else if (letter == 'f')
            wish->seed.faults = (unsigned)atoi(optarg);
        else if (letter == 'o')
            wish->seed.only = read_only(optarg);
        else if (letter == 'l')
            world_logs = true;
        else if (letter == 'k')
            wish->shrink = true;
        else if (letter == '1')
            wish->first = true;
        else if (letter == 'h')
            wish->hash = true;
        else if (letter == '?' || !seeds->take(letter, optarg))
            return false;
    }
    return optind == argc;
}

/* The bits of the fewest mishaps with which the same oracle still finds it, by leaving out one
 * after the other. */
static uint64_t find_fewest(const struct seeds *seeds, const struct seed *seed,
                            const struct seed_result *result)
{
    struct seed less = *seed;
    less.only &= (1ull << result->mishaps) - 1;
    for (bool fewer = true; fewer;) {
        fewer = false;
        for (unsigned i = 0; i < result->mishaps; i++) {
            struct seed_result got;
            if (!(less.only >> i & 1))
                continue;
            less.only &= ~(1ull << i);
            seeds->play(&less, &got);
            if (strncmp(result->wrong, got.wrong, strcspn(result->wrong, ":") + 1) == 0)
                fewer = true;
            else
                less.only |= 1ull << i;
        }
    }
    return less.only;
}

/* The line by which a failure is played again, with the least that it needs. */
static void tell(const struct seeds *seeds, const struct wish *wish, const struct seed *seed,
                 const struct seed_result *got, const char *program)
{
    uint64_t only = wish->shrink ? find_fewest(seeds, seed, got) : 0;
    const char *comma = " --only ";
    printf("%s --seed %" PRIu64, program, seed->seed);
    seeds->tell();
    if (seed->faults != seeds->faults)
        printf(" --faults %u", seed->faults);
    for (unsigned i = 0; i < got->mishaps; i++) {
        if (only >> i & 1) {
            printf("%s%u", comma, i);
            comma = ",";
        }
    }
    if (wish->shrink && !only)
        printf(" --only none");
    printf("    %s\n", got->wrong);
    for (unsigned i = 0; i < got->mishaps; i++) {
        char text[120];
        if (!(only >> i & 1))
            continue;
        seeds->mishap(seed, i, text);
        printf("    %u: %s\n", i, text);
    }
}

int seeds_main(const struct seeds *seeds, int argc, char **argv)
{
    struct wish wish;
    struct rusage used;
    uint64_t failed = 0, counted = 0, keys = 0;
    double seconds = 0;
    if (!read_wish(seeds, &wish, argc, argv)) {
        fprintf(stderr,
                "usage: %s --seed N [--count N] %s [--faults N] [--only 0,3] [--log] [--shrink] "
                "[--first] [--hash]\n",
                argv[0], seeds->usage);
        return 64;
    }
    for (uint64_t i = 0; i < wish.count && !(wish.first && failed); i++) {
        struct seed seed = wish.seed;
        struct seed_result got;
        seed.seed += i;
        seeds->play(&seed, &got);
        if (wish.hash)
            printf("%" PRIu64 " %016" PRIx64 "\n", seed.seed, got.hash);
        if (got.wrong[0])
            tell(seeds, &wish, &seed, &got, argv[0]);
        fflush(stdout);
        failed += got.wrong[0] != '\0';
        counted += got.counted;
        keys += got.keys;
        seconds += (double)got.us / 1e6;
    }
    getrusage(RUSAGE_CHILDREN, &used);
    double cpu = (double)used.ru_utime.tv_sec + (double)used.ru_utime.tv_usec / 1e6 +
                 (double)used.ru_stime.tv_sec + (double)used.ru_stime.tv_usec / 1e6;
    if (!wish.hash)
        printf("%" PRIu64 " %s, %" PRIu64 " failed; %" PRIu64 " %s, %" PRIu64
               " keys; %.0f s of theirs in %.1f s of processor time\n",
               wish.count, seeds->unit, failed, counted, seeds->counted, keys, seconds, cpu);
    return failed != 0;
}
