/* Finds the firmware's variables in its ELF. */
#ifndef SIM_ELF_H
#define SIM_ELF_H

#include <stdbool.h>
#include <stdint.h>

struct elf_variables {
    uint32_t watchdog, size; /* address and bytes of the variable `watchdog` */
    uint32_t end;            /* end of all variables; 0: the ELF does not say */
};

/* False: no such ELF, or no variable `watchdog`. */
bool elf_variables(const char *path, struct elf_variables *variables);

#endif
