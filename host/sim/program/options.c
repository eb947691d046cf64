#include "sim/program/options.h"

#include "sim/program/control.h"
#include "sim/program/program.h"

#include <getopt.h>
#include <stdlib.h>
#include <sysexits.h>

void sim_option(struct sim_options *options, int code, void (*usage)(FILE *out))
{
    switch (code) {
    case SIM_OPTION_CONTROL:
        options->control = optarg;
        return;
    case SIM_OPTION_AT:
        schedule_add(optarg, "--at");
        return;
    case SIM_OPTION_SCRIPT:
        schedule_load(optarg);
        return;
    case SIM_OPTION_STDIN:
        options->with_stdin = true;
        return;
    case SIM_OPTION_SEND:
        options->send = optarg;
        return;
    case SIM_OPTION_HELP:
        usage(stdout);
        exit(EX_OK);
    }
    sim_die(EX_USAGE, "--help lists the options");
}

int sim_client(const struct sim_options *options, int argc, char **argv)
{
    if (!options->control)
        sim_die(EX_USAGE, "missing --control SOCKET, beside --send");
    argv[--optind] = (char *)options->send; /* more words are more commands */
    return control_send(options->control, argv + optind, (size_t)(argc - optind));
}

void sim_serve(const struct sim_options *options)
{
    if (options->control)
        control_open(options->control);
    if (options->with_stdin)
        sim_with_stdin();
    schedule_start();
    puts("ready");
    fflush(stdout);
    sim_run();
}
