/* The desk's work, without the start of its program. */
#ifndef DESK_PROGRAM_DESK_H
#define DESK_PROGRAM_DESK_H

/* Runs until a signal, and returns the program's exit status. One desk at a time runs in a process;
 * each call begins anew. */
int desk_run(int argc, char **argv);

#endif
