/* The hub's ports: each is an interface in a network namespace of its own. */
#ifndef SIM_HUB_H
#define SIM_HUB_H

#include "sim/program/program.h"

#define HUB_PORTS_MAX 128
#define HUB_NAME_MAX  16
#define HUB_FRAME_MAX 2048

struct hub_port {
    struct sim_source source; /* events of the interface's other side */
    char name[HUB_NAME_MAX];
    int index;
    int space; /* descriptor of the port's network namespace */
    int tap;   /* the interface's other side; -1: removed */
    bool plugged;
    uint64_t sent, received; /* numbers of frames */
};

/* Prepares for making network namespaces; without root, enters a user namespace. */
void hub_spaces_begin(void);

/* Makes the port's namespace, with an interface that is up. sim_die() on failure. */
void hub_port_open(struct hub_port *port, const char *name, int index);
/* hub_port_remove() takes the interface away; hub_port_restore() makes a new one. */
void hub_port_remove(struct hub_port *port);
void hub_port_restore(struct hub_port *port);
/* Switches the interface on or off, as an administrator does. */
void hub_port_switch(struct hub_port *port, bool up);
void hub_port_plug(struct hub_port *port, bool plugged);

/* Runs a command in a namespace. where: the answer of a running hub to the command "where". */
void hub_enter(const char *where, char *const *argv) __attribute__((noreturn));

#endif
