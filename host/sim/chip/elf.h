/* The firmware's variables, by its ELF. */
#ifndef SIM_ELF_H
#define SIM_ELF_H

#include <stdbool.h>
#include <stdint.h>

struct elf_variables {
    uint32_t watchdog, size; /* the variable of the name: its address, its bytes */
    uint32_t end;            /* end of all variables; 0: the ELF does not say */
};

/* False: no such ELF, or one without a watchdog. */
bool elf_variables(const char *path, struct elf_variables *variables);

#endif
