/* "boothlink desk": the desk of a contest. */
#include "cli/contest.h"
#include "contest/next.h"
#include "desk/start.h"

#include <string.h>

struct desk_options {
    struct contest_options common;
    struct desk_start start;
};

static void tell_address(void *ctx, const char *address, const char *interface)
{
    const struct desk_start *start = ctx;
    command_print("Booths reach it at nats://%s:%s (%s)\n", address,
                  start->listen + strlen(DESK_ANY), interface);
}

static void tell(struct desk_start *start, const char *path, unsigned made)
{
    char file[CONTEST_WORD_MAX], inbox[CONTEST_WORD_MAX];
    contest_next_word(file, path);
    contest_next_word(inbox, start->inbox);
    if (start->cluster)
        command_print("Booths reach it at %s; each includes %s/server/cluster.conf\n",
                      start->cluster, inbox);
    else if (strncmp(start->listen, DESK_ANY, strlen(DESK_ANY)) != 0)
        command_print("Booths reach it at nats://%s\n", start->listen);
    else if (!desk_start_addresses(tell_address, start))
        command_print("No booth reaches it yet: this machine has no address on a network\n");
    if (made)
        command_print("Next: boothlink contest tickets %s  # the sticks bring %u new key%s\n", file,
                      made, BL_S(made));
    command_print("Next: boothlink contest collect %s %s  # at any time, and again\n", file, inbox);
    fflush(stdout);
}

static enum bl_status desk_run(const struct command_call *call, struct bl_diag *diag)
{
    struct desk_start start = ((const struct desk_options *)call->options)->start;
    struct contest_file file = {.store = NULL};
    unsigned made = 0;
    enum bl_status status = desk_start_find(&start, call->word[0], diag);
    if (status == BL_OK)
        status = contest_file_open(&file, call, diag);
    if (status == BL_OK)
        status = desk_start_keys(&start, call->word[0], file.contest, &made, diag);
    contest_file_close(&file);
    if (status != BL_OK)
        return status;
    tell(&start, call->word[0], made);
    return desk_start_become(&start, diag);
}

static const struct command_option desk_options[] = {
    OPTION_ROW("--listen", "ADDRESS:PORT", "where booths reach it (default: " DESK_LISTEN ")",
               OPTION_TEXT, struct desk_options, start.listen),
    OPTION_ROW("--nats-server", "PATH", "the program (default: that of the Debian package)",
               OPTION_TEXT, struct desk_options, start.nats_server),
    OPTION_ROW("--server", "URL,URL", "a cluster of the venue's own, in place of that program",
               OPTION_TEXT, struct desk_options, start.cluster),
    OPTION_ROW("--page", "N", "port of the manager's page (default: the last one, or any)",
               OPTION_TEXT, struct desk_options, start.page),
    OPTION_ROW("--audience", "ADDRESS:PORT", "a page for the audience, on a network of its own",
               OPTION_TEXT, struct desk_options, start.audience),
    OPTION_ROW("--delay", "SECONDS", "so late it sees keys (default: after the seal)", OPTION_TEXT,
               struct desk_options, start.delay),
    {0},
};

const struct command command_desk = {
    .name = "desk",
    .synopsis = "FILE [--listen ADDRESS:PORT]",
    .help = "take the booths' records over the venue's network, and hand out tickets",
    .text =
        "The desk of a contest: boothlink-desk, see boothlink-network(7). Makes a key for each "
        "place that has none, in FILE.keys/places. The next sticks bring these, but a referee's is "
        "carried: it says the file. Takes records into FILE.inbox, for `contest collect`; hands "
        "out the sticks' tickets. Says the address of the manager's page, which shows the booths "
        "and does acts at a click.",
    .examples = "boothlink desk contest.db --listen 192.0.2.1:4222",
    .options = desk_options,
    .size = sizeof(struct desk_options),
    .least = 1,
    .most = 1,
    .run = desk_run,
};
