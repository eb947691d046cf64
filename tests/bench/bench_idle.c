/* What a booth costs while nobody types: wake-ups, processor, memory. BENCH_LONG=1 looks for a
 * minute instead of 20 seconds. */
#include "tests/bench/rig.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define SETTLE_MS   4000 /* after the connection all that is set up is done */
#define SHORT_S     20
#define LONG_S      60
#define WAKES_MOST  8.0 /* a second: 4 for the line and 4 for the screen */
#define CPU_MOST    0.1 /* per cent of a core */
#define MEMORY_MOST 16.0

/* What the system counts of one process, all threads together. */
struct cost {
    double switches, cpu_s, memory_mib;
};

static double status_field(const char *path, const char *field)
{
    char line[256];
    double value = 0;
    size_t length = strlen(field);
    FILE *file = fopen(path, "re");
    while (file && fgets(line, sizeof line, file)) {
        if (strncmp(line, field, length) == 0)
            value = strtod(line + length, NULL);
    }
    if (file)
        fclose(file);
    return value;
}

/* User and system time, fields 14 and 15; the second, a name, may hold anything but ends with the
 * last bracket. */
static double cpu_s(pid_t pid)
{
    char path[64], text[1024];
    unsigned long user, system;
    size_t length = 0;
    FILE *file;
    const char *at;
    snprintf(path, sizeof path, "/proc/%d/stat", (int)pid);
    file = fopen(path, "re");
    if (file) {
        length = fread(text, 1, sizeof text - 1, file);
        fclose(file);
    }
    text[length] = '\0';
    at = strrchr(text, ')');
    if (!at ||
        sscanf(at, ") %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %lu %lu", &user, &system) != 2)
        rig_die("%s is not as it was", path);
    return (double)(user + system) / (double)sysconf(_SC_CLK_TCK);
}

static void look(pid_t pid, struct cost *cost)
{
    char folder[64], path[400];
    struct dirent *found;
    DIR *tasks;
    snprintf(folder, sizeof folder, "/proc/%d/task", (int)pid);
    *cost = (struct cost){.cpu_s = cpu_s(pid)};
    tasks = opendir(folder);
    if (!tasks)
        rig_die("%s: %s", folder, strerror(errno));
    while ((found = readdir(tasks))) {
        snprintf(path, sizeof path, "%s/%s/status", folder, found->d_name);
        if (found->d_name[0] != '.')
            cost->switches += status_field(path, "voluntary_ctxt_switches:");
    }
    closedir(tasks);
    snprintf(path, sizeof path, "/proc/%d/status", (int)pid);
    cost->memory_mib = status_field(path, "VmRSS:") / 1024;
}

int main(void)
{
    static const char *const names[RIG_ENDS] = {"judge", "entity"};
    int seconds = getenv("BENCH_LONG") ? LONG_S : SHORT_S;
    struct cost before[RIG_ENDS], after[RIG_ENDS];
    struct rig_booth booth;
    char name[64];
    rig_booth_open(&booth, "idle", true, "--keyboard");
    rig_watch(booth.all, RIG_ENDS, NULL, NULL, SETTLE_MS);
    for (int end = 0; end < RIG_ENDS; end++)
        look(booth.end[end].pid, &before[end]);
    rig_watch(booth.all, RIG_ENDS, NULL, NULL, seconds * 1000);
    for (int end = 0; end < RIG_ENDS; end++)
        look(booth.end[end].pid, &after[end]);
    rig_booth_close(&booth);
    for (int end = 0; end < RIG_ENDS; end++) {
        double wakes = (after[end].switches - before[end].switches) / seconds;
        double cpu = 100 * (after[end].cpu_s - before[end].cpu_s) / seconds;
        snprintf(name, sizeof name, "idle %s, wake-ups", names[end]);
        rig_row(name, wakes, "/s", NULL, 0, "<= 8", wakes <= WAKES_MOST);
        snprintf(name, sizeof name, "idle %s, processor", names[end]);
        rig_row(name, cpu, "% of a core", NULL, 0, "<= 0.1", cpu <= CPU_MOST);
        snprintf(name, sizeof name, "idle %s, memory", names[end]);
        rig_row(name, after[end].memory_mib, "MiB", NULL, 0, "<= 16",
                after[end].memory_mib <= MEMORY_MOST);
    }
    return 0;
}
