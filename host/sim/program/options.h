/* The common options of all simulators: the sources of commands. */
#ifndef SIM_OPTIONS_H
#define SIM_OPTIONS_H

#include <stdbool.h>
#include <stdio.h>

struct sim_options {
    const char *control; /* path of the control socket; NULL: none */
    const char *send;    /* the first command of the client mode; NULL: not the client mode */
    bool with_stdin;
};

/* Codes of the options, above a simulator's own codes. */
enum {
    SIM_OPTION_CONTROL = 256,
    SIM_OPTION_AT,
    SIM_OPTION_SCRIPT,
    SIM_OPTION_STDIN,
    SIM_OPTION_SEND,
    SIM_OPTION_HELP,
};

/* Rows for getopt_long()'s table, with the table's end. */
#define SIM_OPTIONS                                                                                \
    {"control", required_argument, NULL, SIM_OPTION_CONTROL},                                      \
        {"at", required_argument, NULL, SIM_OPTION_AT},                                            \
        {"script", required_argument, NULL, SIM_OPTION_SCRIPT},                                    \
        {"with-stdin", no_argument, NULL, SIM_OPTION_STDIN},                                       \
        {"send", required_argument, NULL, SIM_OPTION_SEND},                                        \
        {"help", no_argument, NULL, SIM_OPTION_HELP},                                              \
    {                                                                                              \
        NULL, 0, NULL, 0                                                                           \
    }

/* The help for these options. */
#define SIM_OPTIONS_USAGE                                                                          \
    "  --control SOCKET  listen there for commands\n"                                              \
    "  --at MS:COMMAND   run a command so long after the start (repeatable)\n"                     \
    "  --script FILE     the same from lines 'MS COMMAND'\n"                                       \
    "  --with-stdin      end when standard input does\n"

/* Takes one of the options above, with getopt's optarg. Ends the program after --help, or on
 * another code. */
void sim_option(struct sim_options *options, int code, void (*usage)(FILE *out));

/* The client mode: sends the command, and the words after the options, to a running simulator.
 * Returns an exit code. */
int sim_client(const struct sim_options *options, int argc, char **argv);

/* Prints "ready", and obeys commands until the end. Called when all is open. */
void sim_serve(const struct sim_options *options);

#endif
