#include "sim/chip/elf.h"

#include <fcntl.h>
#include <gelf.h>
#include <string.h>
#include <unistd.h>

static void look(const GElf_Sym *symbol, const char *name, struct elf_variables *variables)
{
    /* The compiler adds a suffix to the names of static variables. */
    if (GELF_ST_TYPE(symbol->st_info) == STT_OBJECT && strncmp(name, "watchdog", 8) == 0) {
        variables->watchdog = (uint32_t)symbol->st_value;
        variables->size = (uint32_t)symbol->st_size;
    }
    if (strcmp(name, "_end") == 0)
        variables->end = (uint32_t)symbol->st_value;
}

bool elf_variables(const char *path, struct elf_variables *variables)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    Elf *elf;
    Elf_Scn *section = NULL;

    memset(variables, 0, sizeof(*variables));
    elf_version(EV_CURRENT);
    elf = fd < 0 ? NULL : elf_begin(fd, ELF_C_READ, NULL);
    while (elf && (section = elf_nextscn(elf, section))) {
        GElf_Shdr header;
        Elf_Data *data;

        if (!gelf_getshdr(section, &header) || header.sh_type != SHT_SYMTAB)
            continue;
        data = elf_getdata(section, NULL);
        for (int i = 0; (size_t)i < header.sh_size / header.sh_entsize; i++) {
            GElf_Sym symbol;
            const char *name;

            gelf_getsym(data, i, &symbol);
            name = elf_strptr(elf, header.sh_link, symbol.st_name);
            if (name)
                look(&symbol, name, variables);
        }
    }
    elf_end(elf);
    if (fd >= 0)
        close(fd);
    return variables->watchdog != 0;
}
