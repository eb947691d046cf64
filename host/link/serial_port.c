/* Opens and sets serial ports. Works around libserialport 0.1.1: it takes kernel names and no
 * links; its handle is not close-on-exec; it sets RTS/CTS in the wrong word of the termios
 * structure, without effect; it accepts a speed above the chip's; "no parity" also drops bytes with
 * framing errors, which are the sign of a wrong speed. */
#include "link/serial_port.h"

#include "late/serialport.h"
#include "link/cable.h"
#include "link/device.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/serial.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <termios.h>
#include <unistd.h>

/* With a greater deviation two UARTs disagree on the last bit of a byte. */
enum { BAUD_OFF_PERMILLE = 25 };

enum bl_status serial_parse(const char *name, char device[SERIAL_PATH_MAX], uint32_t *baud,
                            struct bl_diag *diag)
{
    const char *at = strrchr(name, '@');
    size_t length = at ? (size_t)(at - name) : strlen(name);
    const char *directory = memchr(name, '/', length) ? "" : "/dev/"; /* "ttyUSB0" is enough */
    *baud = SERIAL_BAUD_DEFAULT;
    if (at) {
        char *end;
        unsigned long value = strtoul(at + 1, &end, 10);
        if (at[1] < '0' || at[1] > '9' || *end || value < SERIAL_BAUD_LEAST ||
            value > SERIAL_BAUD_MOST)
            return bl_fail(diag, BL_USAGE,
                           "serial:%s: the speed '%s': expected a number from %u to %u", name,
                           at + 1, SERIAL_BAUD_LEAST, SERIAL_BAUD_MOST);
        *baud = (uint32_t)value;
    }
    if (length == 0 || length + strlen(directory) >= SERIAL_PATH_MAX)
        return bl_fail(diag, BL_USAGE,
                       "serial:%s names no device: a port is written serial:/dev/ttyUSB0@115200",
                       name);
    snprintf(device, SERIAL_PATH_MAX, "%s%.*s", directory, (int)length, name);
    return BL_OK;
}

static enum bl_status fail_errno(const char *path, int error, struct bl_diag *diag)
{
    switch (error) {
    case EACCES:
    case EPERM:
        return device_denied(path, diag);
    case EBUSY:
        return device_busy(path, diag);
    case ENOENT:
        return bl_fail(diag, BL_NOINPUT,
                       "there is no device %s: `boothlink ports` lists those that are", path);
    case ENXIO:
    case ENODEV:
        return bl_fail(diag, BL_NOINPUT,
                       "%s is only a name: no device is behind it; `boothlink ports` lists those "
                       "that are",
                       path);
    case ENOTTY:
    case EINVAL:
        return bl_fail(diag, BL_NOINPUT,
                       "%s is no serial port: `boothlink ports` lists those that are", path);
    default:
        return bl_fail(diag, BL_IO, "%s cannot be opened: %s", path, strerror(error));
    }
}

/* True if another process has the port open, or has locked it. Programs without a lock (a login,
 * gpsd, cat) would read the bytes and change the settings. */
static bool is_held(const char *path)
{
    char holders[16];
    return device_holders(path, holders, sizeof holders);
}

/* Takes the port for this process alone. The lock keeps out programs that ask for it. The ioctl
 * keeps out all programs except root's. The kernel lets root in, so root first looks for the ioctl
 * of another program. */
static bool is_ours(int fd)
{
    int taken = 0;
    if (flock(fd, LOCK_EX | LOCK_NB) < 0)
        return false;
    if (ioctl(fd, TIOCGEXCL, &taken) == 0 && taken)
        return false;
    return ioctl(fd, TIOCEXCL) == 0;
}

static enum bl_status set_up(struct serial_port *port, const char *path, uint32_t baud, bool rtscts,
                             struct bl_diag *diag)
{
    struct sp_port *handle = port->handle;
    const int fd = port->fd;
    struct sp_port_config *config;
    struct termios termios;
    int got = -1;
    bool good;
    if (late_serialport.new_config(&config) != SP_OK)
        return bl_fail(diag, BL_NOMEM, "%s: out of memory", path);
    late_serialport.set_config_baudrate(config, (int)baud);
    late_serialport.set_config_bits(config, 8);
    late_serialport.set_config_parity(config, SP_PARITY_NONE);
    late_serialport.set_config_stopbits(config, 1);
    late_serialport.set_config_rts(config, SP_RTS_ON);
    late_serialport.set_config_cts(config, SP_CTS_IGNORE);
    late_serialport.set_config_dtr(config, SP_DTR_ON);
    late_serialport.set_config_dsr(config, SP_DSR_IGNORE);
    late_serialport.set_config_xon_xoff(config, SP_XONXOFF_DISABLED);
    good = late_serialport.set_config(handle, config) == SP_OK;
    if (good && late_serialport.get_config(handle, config) == SP_OK)
        late_serialport.get_config_baudrate(config, &got);
    late_serialport.free_config(config);
    if (!good)
        return bl_fail(diag, BL_USAGE, "%s cannot be set to %u baud, 8N1", path, baud);
    if (got < 0 || (uint32_t)abs(got - (int)baud) > baud / 1000 * BAUD_OFF_PERMILLE)
        return bl_fail(diag, BL_USAGE,
                       "%s cannot do %u baud, it gives %d: use a lower speed at both ends", path,
                       baud, got);
    if (tcgetattr(fd, &termios) < 0)
        return bl_fail(diag, BL_IO, "%s: %s", path, strerror(errno));
    termios.c_iflag &= ~(tcflag_t)IGNPAR;
    termios.c_cflag &= ~(tcflag_t)CRTSCTS;
    if (rtscts)
        termios.c_cflag |= CRTSCTS;
    if (tcsetattr(fd, TCSANOW, &termios) < 0 || tcgetattr(fd, &port->set) < 0)
        return bl_fail(diag, BL_IO, "%s: %s", path, strerror(errno));
    port->baud = baud;
    port->rtscts = rtscts;
    return BL_OK;
}

/* Tells the driver not to collect bytes. Most drivers support one of the two ways; a pty supports
 * none. */
static void hurry(int fd, const char *path)
{
    struct serial_struct serial;
    device_hurry(path);
    if (ioctl(fd, TIOCGSERIAL, &serial) < 0)
        return;
    serial.flags |= ASYNC_LOW_LATENCY;
    (void)ioctl(fd, TIOCSSERIAL, &serial);
}

/* Opens the port and keeps its earlier settings, which libserialport changes while opening. */
static bool open_as_found(struct serial_port *port, struct sp_port *handle, const char *path)
{
    int fd = open(path, O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);
    port->restores = fd >= 0 && tcgetattr(fd, &port->before) == 0;
    bool good = late_serialport.open(handle, SP_MODE_READ_WRITE) == SP_OK;
    if (fd >= 0)
        close(fd);
    return good;
}

enum bl_status serial_port_open(struct serial_port *port, const char *device, uint32_t baud,
                                bool rtscts, struct bl_diag *diag)
{
    char path[PATH_MAX];
    struct stat status;
    struct sp_port *handle;
    enum bl_status result = late_load(&late_serialport, diag);
    if (result != BL_OK)
        return result;
    if (!realpath(device, path))
        return fail_errno(device, errno, diag);
    if (stat(path, &status) < 0)
        return fail_errno(path, errno, diag);
    if (!S_ISCHR(status.st_mode))
        return fail_errno(path, ENOTTY, diag);
    if (device_locked(path))
        return device_busy(path, diag);
    if (late_serialport.get_port_by_name(path, &handle) != SP_OK)
        return fail_errno(path, ENOTTY, diag);
    if (device_is_ours(path)) {
        late_serialport.free_port(handle);
        return bl_fail(diag, BL_USAGE,
                       "%s is in use by this program already: every line needs a port of its own",
                       path);
    }
    if (!open_as_found(port, handle, path)) {
        int error = late_serialport.last_error_code();
        late_serialport.free_port(handle);
        return fail_errno(path, error, diag);
    }
    port->handle = handle;
    late_serialport.get_port_handle(handle, &port->fd);
    fcntl(port->fd, F_SETFD, FD_CLOEXEC);
    if (!is_ours(port->fd) || is_held(path))
        result = device_busy(path, diag);
    else
        result = set_up(port, path, baud, rtscts, diag);
    if (result != BL_OK) {
        late_serialport.close(handle);
        late_serialport.free_port(handle);
        return result;
    }
    hurry(port->fd, path);
    /* Drops bytes from before the opening. */
    tcflush(port->fd, TCIOFLUSH);
    return BL_OK;
}

enum bl_status serial_port_rate(struct serial_port *port, uint32_t baud, struct bl_diag *diag)
{
    tcdrain(port->fd);
    return set_up(port, late_serialport.get_port_name(port->handle), baud, false, diag);
}

static bool is_same(const struct termios *a, const struct termios *b)
{
    return a->c_iflag == b->c_iflag && a->c_oflag == b->c_oflag && a->c_cflag == b->c_cflag &&
           a->c_lflag == b->c_lflag && a->c_cc[VMIN] == b->c_cc[VMIN] &&
           a->c_cc[VTIME] == b->c_cc[VTIME] && cfgetospeed(a) == cfgetospeed(b) &&
           cfgetispeed(a) == cfgetispeed(b);
}

bool serial_port_renew(struct serial_port *port)
{
    struct termios found;
    if (tcgetattr(port->fd, &found) < 0 || is_same(&found, &port->set))
        return false;
    /* Stores all settings, then a speed without a name, which tcsetattr() does not support. */
    if (tcsetattr(port->fd, TCSANOW, &port->set) < 0)
        return false;
    return set_up(port, late_serialport.get_port_name(port->handle), port->baud, port->rtscts,
                  NULL) == BL_OK;
}

void serial_port_outputs(struct serial_port *port, unsigned levels)
{
    late_serialport.set_rts(port->handle, levels & LEVEL_RTS ? SP_RTS_ON : SP_RTS_OFF);
    late_serialport.set_dtr(port->handle, levels & LEVEL_DTR ? SP_DTR_ON : SP_DTR_OFF);
}

bool serial_port_inputs(struct serial_port *port, unsigned *levels)
{
    enum sp_signal signals;
    *levels = 0;
    if (late_serialport.get_signals(port->handle, &signals) != SP_OK)
        return false;
    *levels = (signals & SP_SIG_CTS ? LEVEL_CTS : 0) | (signals & SP_SIG_DSR ? LEVEL_DSR : 0) |
              (signals & SP_SIG_DCD ? LEVEL_DCD : 0) | (signals & SP_SIG_RI ? LEVEL_RI : 0);
    return true;
}

/* True after a hang-up. A read then returns nothing, as from a port without bytes. */
static bool has_hung_up(int fd)
{
    struct pollfd look = {.fd = fd};
    return poll(&look, 1, 0) > 0 && look.revents & (POLLHUP | POLLERR | POLLNVAL);
}

ssize_t serial_port_read(struct serial_port *port, void *bytes, size_t size)
{
    ssize_t n = read(port->fd, bytes, size);
    if (n > 0)
        return n;
    return (n == 0 ? !has_hung_up(port->fd) : errno == EAGAIN || errno == EINTR) ? 0 : -1;
}

ssize_t serial_port_write(struct serial_port *port, const void *bytes, size_t length)
{
    ssize_t n = write(port->fd, bytes, length);
    port->restores = false;
    return n < 0 && (errno == EAGAIN || errno == EINTR) ? 0 : n;
}

bool serial_port_waiting(struct serial_port *port, size_t *bytes)
{
    int waiting = 0;
    bool said = ioctl(port->fd, TIOCOUTQ, &waiting) == 0 && waiting >= 0;
    *bytes = said ? (size_t)waiting : 0;
    return said;
}

void serial_port_close(struct serial_port *port)
{
    size_t waiting;
    /* With flow control the other end can hold bytes back, and close() would wait for them. */
    if (serial_port_waiting(port, &waiting) && waiting > 0)
        tcflush(port->fd, TCOFLUSH);
    if (port->restores)
        tcsetattr(port->fd, TCSANOW, &port->before);
    late_serialport.close(port->handle);
    late_serialport.free_port(port->handle);
    port->handle = NULL;
    port->fd = -1;
}
