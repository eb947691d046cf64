/* Asks for a passphrase or key: a line that is typed without being shown. */
#ifndef CLI_TYPED_H
#define CLI_TYPED_H

#include "base/status.h"

/* Reads a line from standard input, without its end. On a terminal it asks first, on standard
 * error, and the terminal shows nothing of what is typed; it shows again whatever ends the reading,
 * ^C and other signals too, which then do what they did before. BL_NOINPUT at the end of input,
 * BL_DATA if the line is too long. */
enum bl_status typed_line(const char *question, char *line, size_t size, struct bl_diag *diag);

#endif
