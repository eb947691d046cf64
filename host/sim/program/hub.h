/* The hub's ports: an interface in a network namespace of its own, and the names of both. */
#ifndef SIM_HUB_H
#define SIM_HUB_H

#include "sim/program/program.h"

#define HUB_PORTS_MAX 128
#define HUB_NAME_MAX  16
#define HUB_FRAME_MAX 2048

struct hub_port {
    struct sim_source source; /* the interface's other side */
    char name[HUB_NAME_MAX];
    int index;
    int space; /* its network namespace */
    int tap;   /* -1 while removed */
    bool plugged;
    uint64_t sent, received; /* frames */
};

/* Prepares for making namespaces: where we are not root, in a user namespace. */
void hub_spaces_begin(void);

/* Makes the port's namespace, and its interface there, and brings that up. sim_die at a failure. */
void hub_port_open(struct hub_port *port, const char *name, int index);
/* Takes the interface away, and makes a new one. */
void hub_port_remove(struct hub_port *port);
void hub_port_restore(struct hub_port *port);
/* Switches the interface on or off, as a system's administrator does. */
void hub_port_switch(struct hub_port *port, bool up);
/* The cable between the interface and the hub. */
void hub_port_plug(struct hub_port *port, bool plugged);

/* Runs a command in a namespace; `where` is a running hub's answer to the command "where". */
void hub_enter(const char *where, char *const *argv) __attribute__((noreturn));

#endif
