/* Reads a line without echo, such as the eight words of a line's secret. */
#ifndef COMMAND_TYPED_H
#define COMMAND_TYPED_H

#include "base/status.h"

/* Reads a line from standard input and removes its newline. On a terminal it prints the question to
 * standard error and turns the echo off. The echo returns in any case, also after ^C or another
 * signal, whose earlier action then follows. BL_NOINPUT: the end of input; BL_DATA: the line is too
 * long. */
enum bl_status typed_line(const char *question, char *line, size_t size, struct bl_diag *diag);

#endif
