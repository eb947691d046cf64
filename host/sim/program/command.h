/* The control language of the simulated cable: one line, one answer. */
#ifndef SIM_COMMAND_H
#define SIM_COMMAND_H

#include "sim/modem.h"

/* Sets the cable that the commands act on. */
void command_obey(struct modem *modem);

/* Obeys a line, as sim_program.command. */
bool command_line(const char *line, char *answer, size_t size);

void command_stats(struct modem *modem, char *text, size_t size);

#endif
