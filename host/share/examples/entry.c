/* A minimal Entry. It waits for the judge, takes each key when it is typed, also during an answer,
 * and answers key by key. --name NAME: the name in its first words (2004 rules, A3). --pace MS: the
 * time between two keys. A line beginning with @@ announces another judge (1996 rules, spec 1a). */
#define _GNU_SOURCE
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

static struct termios before, raw;
static struct pollfd judge = {.fd = 0, .events = POLLIN};
static int greeted;
static const char *name;
static char line[8192], out[4096]; /* the judge's keys; text still to be written */
static size_t length, filled;

static void leave(int number)
{
    tcsetattr(0, TCSANOW, &before);
    _exit(number ? 128 + number : 0);
}

static void say(const char *format, const char *word)
{
    snprintf(out + filled, sizeof out - filled, format, word);
    filled += strlen(out + filled);
}

/* Replace this function by your own. */
static const char *answer(void)
{
    static const char *const others[] = {"I see. Go on.", "That is new to me.", "Are you sure?"};
    static unsigned turn;
    return strcasestr(line, "hello") ? "Hi! Nice to meet you."
           : strchr(line, '?')       ? "Hm, I would have to think about that."
                                     : others[turn++ % 3];
}

static void take_key(char key)
{
    static char last;
    if (key == '\r' || (key == '\n' && last != '\r')) { /* some senders give both */
        line[length] = '\0';
        if (strncmp(line, "@@", 2) == 0) {
            greeted = 0;
        } else if (length > 0) { /* Return alone gets no answer */
            if (name && !greeted++)
                say("Hello, my name is %s and I am the human.\n", name);
            say("%s\n", answer());
        }
        length = 0;
    } else if (key == '\b' || key == 0x7F) { /* removes a whole UTF-8 character */
        while (length > 0 && (line[--length] & 0xC0) == 0x80)
            continue;
    } else if ((unsigned char)key >= ' ' && length < sizeof line - 1) {
        line[length++] = key;
    }
    last = key;
    if (before.c_lflag & ECHO) /* a screen of our own; boothlink's page shows the keys itself */
        fputs(key == '\b' || key == 0x7F ? "\b \b" : (char[]){key, '\0'}, stdout);
}

int main(int argc, char **argv)
{
    struct timespec now, written = {0};
    long pace_ms = 60, wait_ms;
    char key;
    for (int i = 1; i + 1 < argc; i += 2)
        if (strcmp(argv[i], "--name") == 0)
            name = argv[i + 1];
        else if (strcmp(argv[i], "--pace") == 0)
            pace_ms = atol(argv[i + 1]);
    setvbuf(stdout, NULL, _IONBF, 0); /* each key is written at once */
    if (tcgetattr(0, &before) == 0) {
        raw = before;
        raw.c_lflag &= ~(tcflag_t)(ICANON | ECHO);
        signal(SIGINT, leave);
        signal(SIGTERM, leave);
        tcsetattr(0, TCSANOW, &raw);
    }
    for (;;) {
        clock_gettime(CLOCK_MONOTONIC, &now);
        wait_ms = pace_ms - (now.tv_sec - written.tv_sec) * 1000 -
                  (now.tv_nsec - written.tv_nsec) / 1000000;
        if (filled && wait_ms <= 0) {
            putchar(out[0]);
            memmove(out, out + 1, filled--);
            written = now;
        } else if (poll(&judge, 1, filled ? (int)wait_ms : -1) > 0) {
            if (read(0, &key, 1) != 1)
                leave(0);
            take_key(key);
        }
    }
}
