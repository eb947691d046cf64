/* Checks that the Entry runs as long as a contest without growing. With libfaketime the Entry's
 * clock runs faster than ours, so two hours take two minutes. */
#include "validate/entry_private.h"

#include "base/loop.h"

#include <glob.h>
#include <limits.h>
#include <stdio.h>

#define SPEED  60u /* factor of the Entry's clock, as in `setting` */
#define PARTS  4u /* parts of the time whose memory is compared; in the first the program settles */
#define ASKS   12u                 /* questions in each part, at least */
#define LITTLE (UINT64_C(8) << 20) /* bytes of allowed growth */

/* Finds the library for the clock, which is not on the linker's search path. */
static bool library_find(char path[PATH_MAX])
{
    static const char *const places[] = {"/usr/lib/*/faketime/libfaketime.so.1",
                                         "/usr/lib/faketime/libfaketime.so.1"};
    bool found = false;
    path[0] = '\0';
    for (size_t i = 0; i < sizeof places / sizeof places[0] && !found; i++) {
        glob_t list;
        found = glob(places[i], 0, NULL, &list) == 0;
        if (found)
            snprintf(path, PATH_MAX, "%s", list.gl_pathv[0]);
        globfree(&list);
    }
    return found;
}

static bool part_talk(struct validate *v, uint64_t part_us)
{
    uint64_t start_us = bl_mono_us();
    unsigned pause_ms = (unsigned)(part_us / 1000 / ASKS);
    while (bl_mono_us() - start_us < part_us)
        if (!interview_ask(v, interview_line(v)) ||
            !interview_good(v, actor_pause(v->entry, pause_ms, false), "a program that goes on"))
            return false;
    return true;
}

/* The program's memory in bytes, without its files, which are on a disk at a contest. */
static uint64_t memory_now(const struct validate *v)
{
    const struct sandbox_facts *facts = sandbox_facts(actor_sandbox(v->entry));
    uint64_t memory = atomic_load(&facts->memory), files = atomic_load(&facts->files);
    return memory > files ? memory - files : 0;
}

/* True if the memory grows in every part. */
static bool is_growing(const uint64_t memory[PARTS])
{
    uint64_t grown = memory[PARTS - 1] > memory[0] ? memory[PARTS - 1] - memory[0] : 0;
    if (grown <= LITTLE + memory[0] / 4)
        return false;
    for (unsigned i = 1; i < PARTS; i++)
        if (memory[i] < memory[i - 1] + grown / (2 * PARTS))
            return false;
    return true;
}

static void judge_memory(struct finding *f, const uint64_t memory[PARTS], unsigned minutes)
{
    for (unsigned i = 0; i < PARTS; i++)
        finding_evidence(f, "after %u of %u parts: %llu MiB", i + 1, PARTS,
                         (unsigned long long)memory[i] >> 20);
    if (!is_growing(memory)) {
        finding_pass(f, "still answers after %u minute%s, with %.1f MiB", minutes, BL_S(minutes),
                     (double)memory[PARTS - 1] / (1 << 20));
        return;
    }
    finding_broken(f, "it grows as long as it is talked with");
    finding_expected(f, "memory that does not grow all the time");
    finding_came(f, "%llu MiB after a quarter of %u minute%s, %llu MiB at their end",
                 (unsigned long long)memory[0] >> 20, minutes, BL_S(minutes),
                 (unsigned long long)memory[PARTS - 1] >> 20);
}

ENTRY_CHECK(entry_long_run)
{
    char library[PATH_MAX];
    uint64_t memory[PARTS], part_us = v->options->long_ms * UINT64_C(1000) / PARTS;
    bool good = true;
    bool fast = library_find(library);
    if (!v->options->long_run) {
        unsigned seconds = v->options->long_ms / 1000;
        finding_skip(f, "add --long: %u minute%s on its clock, %u minute%s here%s",
                     (seconds + 59) / 60, BL_S((seconds + 59) / 60),
                     ((fast ? seconds / SPEED : seconds) + 59) / 60,
                     BL_S(((fast ? seconds / SPEED : seconds) + 59) / 60),
                     fast ? "" : ", for libfaketime is not installed");
        return;
    }
    if (fast) {
        v->preload = library;
        v->setting = "FAKETIME=+0 x60";
        part_us /= SPEED;
    }
    good = interview_start(v, false);
    v->preload = v->setting = NULL;
    for (unsigned i = 0; i < PARTS && good; i++) {
        good = part_talk(v, part_us);
        if (good)
            memory[i] = memory_now(v);
    }
    interview_end(v);
    if (good)
        judge_memory(f, memory, v->options->long_ms / 60000);
}
