/* Shared by the simulators' programs: the loop, the way out, and the parsing of options and
 * commands. */
#ifndef SIM_PROGRAM_H
#define SIM_PROGRAM_H

#include "sim/loop.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct sim_program {
    const char *name; /* name of the program in messages */
    /* Obeys one line of the control language, and writes the answer without a newline. True: the
     * line was obeyed. */
    bool (*command)(const char *line, char *answer, size_t size);
    /* Cleans up before the program ends. */
    void (*clean_up)(void);
};

/* sim_begin() is called first. From sim_open() on SIGTERM, SIGINT and SIGHUP end sim_run(). */
void sim_begin(const struct sim_program *program);
void sim_open(void);
/* Makes sim_run() end when standard input ends. */
void sim_with_stdin(void);
/* Runs the loop until sim_quit(). */
void sim_run(void);
void sim_quit(void);

bool sim_command(const char *line, char *answer, size_t size);

/* Prints "NAME: ..." and ends the program. */
void sim_die(int code, const char *format, ...) __attribute__((noreturn, format(printf, 2, 3)));

int sim_loop(void);
/* Adds a descriptor to the loop, with EPOLL bits. sim_die() on failure. */
void sim_watch(int fd, struct sim_source *source, uint32_t events);

/* Parse the value of an option. sim_die() if it is bad. */
double sim_rate(const char *option, const char *text);
uint64_t sim_number(const char *option, const char *text, uint64_t min, uint64_t max);

/* Writes a simulator's record to a file. sim_die() on failure. */
void sim_write(const char *path, const char *text);

/* Parse a word of a command. False: it is no number, or out of range. */
bool sim_number_parse(const char *word, uint64_t max, uint64_t *value);
bool sim_rate_parse(const char *word, double *rate);

/* A command: its words, and the buffer for its answer. */
struct sim_request {
    char *const *words;
    char *answer;
    size_t size;
};

struct sim_verb {
    const char *name, *arguments;
    int count;
    bool (*run)(const struct sim_request *request);
};

/* Finds the line's verb in a table that ends with a NULL name, and obeys it. */
bool sim_obey(const struct sim_verb *verbs, const char *line, char *answer, size_t size);
/* The verb "quit". */
bool sim_do_quit(const struct sim_request *request);
/* Answers with the fault, and returns false. */
bool sim_refuse(const struct sim_request *request, const char *what);

#endif
