/* Who types in the audit of blindness: the same script at the same times, by the ways of a person
 * and of a program.
 *
 *   typist seat SCRIPT LOG GO COMMAND...   on the keyboard of a terminal of 80x24 in which COMMAND
 *                                          runs, and is started again whenever it is killed
 *   typist output SCRIPT LOG GO            on standard output: an Entry on a pty or pipes
 *   typist folder SCRIPT LOG GO DIR        by directories in DIR: an Entry that speaks LPP
 *
 * A line of SCRIPT is "US HEX", bytes that are typed so long after those before, or "go", which
 * waits for the byte 'g' on GO, a FIFO that is made. LOG gets the microsecond at which each was
 * typed, since 1970, and for a seat "pid N" of each COMMAND. What a seat draws is watched: at 'p'
 * on GO its cells go to LOG.cells, and each text of a row that ever stood still to LOG.rows. */
#include "base/utf8.h"
#include "entity/lpp_name.h"
#include "validate/emulator.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/pidfd.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include <utmp.h>

enum {
    ROWS = 24,
    COLUMNS = 80,
    STILL_MS = 40,
    REST_US = 300000,
    SEEN_MAX = 4096,
    BYTES_MAX = 8192
};

static struct {
    FILE *script, *log;
    const char *log_name;
    int go;
    bool waiting;    /* for the next go, */
    unsigned told;   /* and how often that was told */
    uint64_t due_us; /* of the next bytes, by the monotonic clock */
    uint8_t bytes[BYTES_MAX];
    size_t length;
    bool over;
} typing;

static struct {
    int master;
    pid_t pid;
    int ended; /* a descriptor that is readable when it has ended */
    struct emulator *emulator;
    uint64_t seen[SEEN_MAX]; /* hashes of rows' texts */
    size_t seen_count;
    bool cells_asked;
    uint64_t moved_us; /* when something was drawn last, by the monotonic clock */
} seat = {.master = -1, .ended = -1};

static struct {
    int fd;
    uint64_t number;
} folder = {.fd = -1};

static void die(const char *what)
{
    fprintf(stderr, "typist: %s: %s\n", what, strerror(errno));
    exit(1);
}

static uint64_t clock_us(clockid_t clock)
{
    struct timespec t;
    clock_gettime(clock, &t);
    return (uint64_t)t.tv_sec * 1000000u + (uint64_t)t.tv_nsec / 1000u;
}

static void note(const char *text)
{
    fprintf(typing.log, "%s\n", text);
    fflush(typing.log);
}

/* The judge's directories, as an Entry removes those that it has read: before it waits, for a
 * disk that is being synced takes its time. */
static void sweep(void)
{
    int fd = dup(folder.fd);
    DIR *dir = fd < 0 ? NULL : fdopendir(fd);
    struct dirent *found;
    if (!dir)
        die("the folder");
    rewinddir(dir);
    while ((found = readdir(dir))) {
        struct lpp_name name;
        lpp_name_read(found->d_name, &name);
        if (name.kind == LPP_KEY && name.from == LPP_FROM_JUDGE)
            unlinkat(folder.fd, found->d_name, AT_REMOVEDIR);
    }
    closedir(dir);
}

static void next_line(void);

static void begin_block(void)
{
    if (!typing.waiting || typing.told == 0)
        return;
    typing.waiting = false;
    typing.told--;
    typing.due_us = clock_us(CLOCK_MONOTONIC);
    next_line();
}

/* Takes up the script's next line. */
static void next_line(void)
{
    char line[2 * BYTES_MAX + 40], *at;
    unsigned byte;
    typing.length = 0;
    if (!fgets(line, sizeof line, typing.script)) {
        typing.over = true;
        note("end");
        return;
    }
    if (strncmp(line, "go", 2) == 0) {
        if (folder.fd >= 0)
            sweep();
        typing.waiting = true;
        note("waits");
        begin_block();
        return;
    }
    typing.due_us += strtoull(line, &at, 10);
    while (*at == ' ')
        at++;
    for (; sscanf(at, "%2x", &byte) == 1 && typing.length < BYTES_MAX; at += 2)
        typing.bytes[typing.length++] = (uint8_t)byte;
}

static void write_all(int fd)
{
    for (size_t at = 0; at < typing.length;) {
        ssize_t n = write(fd, typing.bytes + at, typing.length - at);
        if (n > 0)
            at += (size_t)n;
        else if (errno == EAGAIN)
            poll(&(struct pollfd){.fd = fd, .events = POLLOUT}, 1, 100);
        else if (errno != EINTR)
            die("typing");
    }
}

static void make_directories(void)
{
    uint32_t point;
    size_t taken;
    for (size_t at = 0; at < typing.length; at += taken) {
        char name[LPP_NAME_MAX + 1];
        uint8_t *bytes = typing.bytes + at;
        uint64_t next = lpp_number_next(folder.number, clock_us(CLOCK_REALTIME));
        taken = utf8_decode(bytes, typing.length - at, &point);
        if (taken == 0)
            die("a folder takes UTF-8 alone");
        folder.number = next;
        lpp_name_write(name, next, point == '\n' ? KEY_RETURN : point, LPP_FROM_ENTRY);
        if (mkdirat(folder.fd, name, 0777))
            die(name);
    }
}

static void type_now(void)
{
    char text[40];
    snprintf(text, sizeof text, "%" PRIu64, clock_us(CLOCK_REALTIME));
    if (folder.fd >= 0)
        make_directories();
    else
        write_all(seat.master >= 0 ? seat.master : STDOUT_FILENO);
    note(text);
    next_line();
}

/* The seat. */

static uint64_t hash(const char *text)
{
    uint64_t h = UINT64_C(14695981039346656037);
    for (; *text; text++)
        h = (h ^ (uint8_t)*text) * UINT64_C(1099511628211);
    return h;
}

static FILE *beside_log(const char *extension, const char *mode)
{
    char path[PATH_MAX];
    snprintf(path, sizeof path, "%s.%s", typing.log_name, extension);
    FILE *file = fopen(path, mode);
    if (!file)
        die(path);
    return file;
}

/* The screen stands still: the texts of its rows that were never there before. */
static void look(void)
{
    static char text[PICTURE_ROW];
    const struct picture *picture = emulator_picture(seat.emulator);
    FILE *rows = NULL;
    for (unsigned row = 0; row < ROWS; row++) {
        size_t i = 0;
        picture_row_text(picture, row, text);
        uint64_t h = hash(text) + row;
        while (i < seat.seen_count && seat.seen[i] != h)
            i++;
        if (i < seat.seen_count || seat.seen_count == SEEN_MAX)
            continue;
        seat.seen[seat.seen_count++] = h;
        if (!rows)
            rows = beside_log("rows", "a");
        fprintf(rows, "%u %s\n", row, text);
    }
    if (rows)
        fclose(rows);
}

/* All cells, in a file that is whole when it is there. */
static void draw_cells(void)
{
    static char text[PICTURE_ROW];
    char path[PATH_MAX], ready[PATH_MAX];
    const struct picture *picture = emulator_picture(seat.emulator);
    FILE *cells = beside_log("cells~", "w");
    for (unsigned row = 0; row < ROWS; row++) {
        picture_row_text(picture, row, text);
        fprintf(cells, "%s\n", text);
        for (unsigned column = 0; column < COLUMNS; column++) {
            const struct picture_cell *cell = picture_at(picture, row, column);
            fprintf(cells, " %x.%x.%x", cell->fg, cell->bg, cell->look);
        }
        fputc('\n', cells);
    }
    fprintf(cells, "cursor %u,%u %d, bells %u, title %s\n", picture->cursor_row,
            picture->cursor_column, picture->cursor_shown, picture->bells, picture->title);
    fclose(cells);
    snprintf(path, sizeof path, "%s.cells~", typing.log_name);
    snprintf(ready, sizeof ready, "%s.cells", typing.log_name);
    if (rename(path, ready))
        die(ready);
}

static void seat_open(void)
{
    int slave;
    struct winsize size = {.ws_row = ROWS, .ws_col = COLUMNS};
    seat.emulator = emulator_create(ROWS, COLUMNS, NULL, NULL);
    if (!seat.emulator || openpty(&seat.master, &slave, NULL, NULL, &size))
        die("a pty");
    /* The slave stays open, so that the terminal outlives what runs in it, as a console does. */
    fcntl(seat.master, F_SETFD, FD_CLOEXEC);
    fcntl(seat.master, F_SETFL, O_NONBLOCK);
    fcntl(slave, F_SETFD, FD_CLOEXEC);
}

static void seat_start(char **command)
{
    char text[40];
    seat.pid = fork();
    if (seat.pid < 0)
        die("fork");
    if (seat.pid == 0) {
        int slave = open(ptsname(seat.master), O_RDWR | O_NOCTTY);
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        if (slave < 0 || login_tty(slave))
            _exit(1);
        setenv("TERM", "xterm", 1);
        execvp(command[0], command);
        _exit(127);
    }
    if (seat.ended >= 0)
        close(seat.ended);
    /* Heard at once: who types at the seat must not have it started again sooner. */
    seat.ended = pidfd_open(seat.pid, 0);
    if (seat.ended < 0)
        die("the command at the seat");
    snprintf(text, sizeof text, "pid %d", (int)seat.pid);
    note(text);
}

/* What is drawn at the seat, or what the judge says to an Entry. */
static void hear(int fd)
{
    char bytes[4096];
    ssize_t n = read(fd, bytes, sizeof bytes);
    if (n == 0)
        exit(0);
    if (n > 0 && seat.emulator) {
        emulator_feed(seat.emulator, bytes, (size_t)n);
        seat.moved_us = clock_us(CLOCK_MONOTONIC);
    }
}

/* Has the command ended? One that was killed is started again, as a unit of systemd is. */
static bool seat_over(char **command)
{
    int status;
    if (waitpid(seat.pid, &status, WNOHANG) != seat.pid)
        return false;
    if (!WIFSIGNALED(status) || WTERMSIG(status) != SIGKILL)
        return true;
    seat_start(command);
    return false;
}

static void take_go(void)
{
    char what;
    if (read(typing.go, &what, 1) != 1)
        return;
    if (what == 'p' && seat.emulator) {
        seat.cells_asked = true;
    } else if (what == 'g') {
        typing.told++;
        begin_block();
    }
}

/* listen_fd: what is heard there is read, -1 for none. */
static void run(char **command, int listen_fd)
{
    bool moved = false;
    while (!command || !seat_over(command)) {
        struct pollfd fds[] = {{.fd = typing.go, .events = POLLIN},
                               {.fd = listen_fd, .events = POLLIN},
                               {.fd = seat.ended, .events = POLLIN}};
        uint64_t now = clock_us(CLOCK_MONOTONIC);
        int64_t wait_us = command ? (moved ? STILL_MS : 50) * 1000 : 1000000;
        if (seat.cells_asked && now - seat.moved_us > REST_US) {
            seat.cells_asked = false;
            draw_cells();
        }
        if (typing.length && typing.due_us <= now) {
            type_now();
            continue;
        }
        bool types_next = typing.length && (int64_t)(typing.due_us - now) < wait_us;
        if (types_next)
            wait_us = (int64_t)(typing.due_us - now);
        struct timespec wait = {wait_us / 1000000, wait_us % 1000000 * 1000};
        int ready = ppoll(fds, 3, &wait, NULL);
        if (ready > 0 && fds[0].revents)
            take_go();
        if (ready > 0 && fds[1].revents) {
            hear(listen_fd);
            moved = command != NULL;
        } else if (ready == 0 && moved && !types_next) {
            look();
            moved = false;
        }
    }
}

int main(int argc, char **argv)
{
    bool sits = argc > 5 && strcmp(argv[1], "seat") == 0;
    bool makes = argc == 6 && strcmp(argv[1], "folder") == 0;
    if (!sits && !makes && !(argc == 5 && strcmp(argv[1], "output") == 0)) {
        fprintf(stderr, "typist: expected seat, output or folder, SCRIPT, LOG, GO and the rest\n");
        return 64;
    }
    signal(SIGPIPE, SIG_IGN);
    prctl(PR_SET_TIMERSLACK, 1000ul);
    if (mkfifo(argv[4], 0600) && errno != EEXIST)
        die(argv[4]);
    typing.script = fopen(argv[2], "re");
    typing.log = fopen(typing.log_name = argv[3], "ae");
    typing.go = open(argv[4], O_RDWR | O_NONBLOCK | O_CLOEXEC);
    if (!typing.script || !typing.log || typing.go < 0)
        die("its files");
    if (makes && (folder.fd = open(argv[5], O_RDONLY | O_DIRECTORY | O_CLOEXEC)) < 0)
        die(argv[5]);
    if (sits) {
        seat_open();
        seat_start(argv + 5);
    }
    typing.due_us = clock_us(CLOCK_MONOTONIC);
    next_line();
    run(sits ? argv + 5 : NULL, sits ? seat.master : makes ? -1 : STDIN_FILENO);
    return 0;
}
