/* A minimal communications program that matches entry.c (2004 rules, A6). Usage: comms PORT, at the
 * judge's computer and at the confederate's. It shows and sends each key at once. PORT is a serial
 * port with a null-modem cable (/dev/ttyUSB0) or an Ethernet interface (eth0). Ethernet needs
 * CAP_NET_RAW. As on entry.c's screen, BackSpace removes a character. */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <fcntl.h>
#include <linux/if_packet.h>
#include <net/if.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <termios.h>
#include <unistd.h>

#define KEYS_TYPE 0x88B5 /* the frames' EtherType, free for local use (IEEE 802) */
static struct termios before;

static void leave(int number)
{
    tcsetattr(0, TCSANOW, &before);
    _exit(number ? 128 + number : 0);
}

static void fail(const char *what)
{
    perror(what);
    exit(1);
}

static int serial_open(const char *path)
{
    struct termios raw;
    int line = open(path, O_RDWR | O_NOCTTY);
    if (line < 0 || tcgetattr(line, &raw) < 0)
        fail(path);
    cfmakeraw(&raw);
    cfsetspeed(&raw, B9600);
    raw.c_cflag |= CLOCAL | CREAD;
    if (tcsetattr(line, TCSAFLUSH, &raw) < 0)
        fail(path);
    return line;
}

static int ethernet_open(const char *name, struct sockaddr_ll *all)
{
    int line = socket(AF_PACKET, SOCK_DGRAM, htons(KEYS_TYPE));
    *all = (struct sockaddr_ll){AF_PACKET, htons(KEYS_TYPE), (int)if_nametoindex(name),
                                .sll_halen = 6};
    memset(all->sll_addr, 0xFF, 6); /* broadcast: any other end */
    if (line < 0 || bind(line, (struct sockaddr *)all, sizeof *all) < 0)
        fail(name);
    return line;
}

/* Shows the keys of either party. Other bytes, such as noise on the line, are not shown. */
static void show(const unsigned char *keys, ssize_t count)
{
    for (ssize_t i = 0; i < count; i++)
        if (keys[i] == '\b' || keys[i] == 0x7F)
            fputs("\b \b", stdout);
        else if (keys[i] == '\n' || keys[i] >= ' ')
            putchar(keys[i]);
}

int main(int argc, char **argv)
{
    unsigned char keys[2048];
    struct sockaddr_ll all;
    struct termios raw;
    int line, serial = argc == 2 && argv[1][0] == '/';
    if (argc != 2)
        return fprintf(stderr, "usage: comms PORT\n"), 64;
    line = serial ? serial_open(argv[1]) : ethernet_open(argv[1], &all);
    setvbuf(stdout, NULL, _IONBF, 0);
    if (tcgetattr(0, &before) < 0)
        fail("expected a terminal");
    raw = before;
    raw.c_lflag &= ~(tcflag_t)(ICANON | ECHO);
    signal(SIGINT, leave);
    signal(SIGTERM, leave);
    tcsetattr(0, TCSANOW, &raw);
    for (;;) {
        struct pollfd from[] = {{.fd = 0, .events = POLLIN}, {.fd = line, .events = POLLIN}};
        ssize_t count = 0;
        poll(from, 2, -1);
        if (from[0].revents && (count = read(0, keys, 1)) != 1)
            leave(0);
        show(keys, count);
        if (count && (serial ? write(line, keys, 1)
                             : sendto(line, keys, 1, 0, (struct sockaddr *)&all, sizeof all)) < 0)
            perror(argv[1]); /* the cable may be out; the next key may pass */
        if (from[1].revents)
            show(keys, read(line, keys, sizeof keys));
    }
}
