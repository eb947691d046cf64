#include "typed.h"

#include "base/file.h"
#include "command/command.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define WORDS_MOST 40
#define WAIT_US    (3600 * SECOND)
#define TEXT_MOST  (1u << 22)

static const char *const files[] = {"said", "complaints"}; /* for descriptors 1 and 2 */

struct typed {
    char *word[WORDS_MOST];
    int count;
};

/* Lets one of our descriptors lead to its file; returns where it led. */
static int redirect(int fd)
{
    const char *path = files[fd - STDOUT_FILENO];
    int was = dup(fd), to = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    if (was < 0 || to < 0 || dup2(to, fd) < 0)
        world_die("%s cannot be written", path);
    close(to);
    return was;
}

static void lead_back(int fd, int was)
{
    dup2(was, fd);
    close(was);
}

/* The prints of others while one of these commands waits are taken for its own. */
static int run_typed(void *arg)
{
    struct typed *typed = arg;
    fflush(stdout);
    int out = redirect(STDOUT_FILENO), err = redirect(STDERR_FILENO);
    int code = boothlink_main(typed->count, typed->word);
    fflush(stdout);
    lead_back(STDOUT_FILENO, out);
    lead_back(STDERR_FILENO, err);
    return code;
}

static const char *read_text(unsigned i)
{
    static char *text[2];
    free(text[i]);
    text[i] = NULL;
    return file_read_text(&text[i], files[i], TEXT_MOST, "text", NULL) ? "" : text[i];
}

const char *typed_run(struct machine *machine, const char *line, int *code)
{
    char words[2048];
    struct typed typed = {.word = {(char *)"boothlink"}, .count = 1};
    uint64_t until_us = world_now() + WAIT_US;
    snprintf(words, sizeof words, "%s", line);
    for (char *at = strtok(words, "|"); at && typed.count + 1 < WORDS_MOST; at = strtok(NULL, "|"))
        typed.word[typed.count++] = at;
    struct process *p = machine_run(machine, run_typed, &typed);
    while (process_lives(p) && world_now() < until_us && world_step())
        ;
    *code = process_lives(p) ? -1 : process_status(p);
    return read_text(0);
}

const char *typed_complaints(void)
{
    return read_text(1);
}
