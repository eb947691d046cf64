/* What has come from a driven program, as those who judge it ask for it. */
#include "validate/drive_private.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>

const uint8_t *drive_bytes(const struct drive *d, size_t *length)
{
    uint64_t from = d->mark > d->base ? d->mark : d->base;
    *length = (size_t)(d->total - from);
    return d->bytes + (from - d->base);
}

const char *drive_text(const struct drive *d)
{
    return d->text;
}

uint64_t drive_keys(const struct drive *d)
{
    return d->keys;
}

uint64_t drive_count(const struct drive *d)
{
    return d->total - d->mark;
}

const struct drive_read *drive_reads(const struct drive *d, size_t *count)
{
    *count = d->read_count - d->mark_read;
    return d->reads + d->mark_read;
}

uint64_t drive_mark_us(const struct drive *d)
{
    return d->mark_us;
}

uint64_t drive_typed_us(const struct drive *d)
{
    return d->typed_us;
}

uint64_t drive_bad(const struct drive *d)
{
    return d->state.bad - d->bad;
}

uint64_t drive_ignored(const struct drive *d)
{
    return d->state.ignored - d->ignored;
}

const char *drive_errors(const struct drive *d)
{
    return d->errors;
}

unsigned drive_lines(const struct drive *d)
{
    return d->lines;
}

const struct lpp_port *drive_lpp(const struct drive *d)
{
    return d->port;
}

const struct network *drive_network(const struct drive *d)
{
    return &d->network;
}

/* What a shell means by an exit status. */
static const char *shell_word(int status)
{
    return status == 127   ? " (there is no such program)"
           : status == 126 ? " (it cannot be run: no permission, or no program)"
                           : "";
}

const char *drive_ending(struct drive *d)
{
    const struct sandbox_facts *facts = sandbox_facts(d->sandbox);
    int status = atomic_load(&facts->status);
    d->ending[0] = '\0';
    if (!atomic_load(&facts->ended))
        return d->ending;
    /* A shell tells of its program's signal so. */
    int number = WIFSIGNALED(status)         ? WTERMSIG(status)
                 : WEXITSTATUS(status) > 128 ? WEXITSTATUS(status) - 128
                                             : 0;
    if (number > 0 && number < NSIG)
        snprintf(d->ending, sizeof d->ending, "was ended by signal %d (%s)", number,
                 strsignal(number));
    else
        snprintf(d->ending, sizeof d->ending, "ended by itself, exit status %d%s",
                 WEXITSTATUS(status), shell_word(WEXITSTATUS(status)));
    return d->ending;
}
