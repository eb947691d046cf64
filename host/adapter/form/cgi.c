/* Runs a CGI program: a new process for each request, one at a time. Source: RFC 3875. */
#include "adapter/form/exchange.h"
#include "adapter/form/stranger.h"

#include "base/loop.h"
#include "late/seccomp.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/pidfd.h>
#include <sys/wait.h>
#include <unistd.h>

#define END_US     UINT64_C(2000000)
#define ERROR_MOST 65536u /* most bytes of standard error passed on for a request */

struct running {
    pid_t pid;
    int in, out, err; /* our ends of the pipes; -1: closed */
    const char *body;
    size_t left;
    uint64_t due_us;
    size_t errors;
    bool line; /* the next byte of standard error begins a line */
};

static void close_one(int *fd)
{
    if (*fd >= 0)
        close(*fd);
    *fd = -1;
}

/* Writes libcurl's cookies in a browser's form. libcurl keeps lines of seven fields, separated by
 * tabs. */
static void cookies_put(struct exchange *e)
{
    struct curl_slist *list = NULL;
    char line[4096] = "";
    size_t used = 0;
    curl_easy_getinfo(e->curl, CURLINFO_COOKIELIST, &list);
    for (const struct curl_slist *at = list; at; at = at->next) {
        const char *name = at->data;
        for (unsigned tabs = 0; name && tabs < 5; tabs++) {
            name = strchr(name, '\t');
            name = name ? name + 1 : NULL;
        }
        const char *value = name ? strchr(name, '\t') : NULL;
        if (!value || used + strlen(name) + 3 > sizeof line)
            continue;
        used += (size_t)snprintf(line + used, sizeof line - used, "%s%.*s=%s", used ? "; " : "",
                                 (int)(value - name), name, value + 1);
    }
    curl_slist_free_all(list);
    if (used)
        setenv("HTTP_COOKIE", line, 1);
    else
        unsetenv("HTTP_COOKIE");
}

static void cookies_take(struct exchange *e, const struct reply *reply)
{
    char line[REPLY_FIELD_MAX + 64];
    for (unsigned i = 0; i < reply->cookies; i++) {
        bool placed = strcasestr(reply->cookie[i], "domain=") != NULL;
        snprintf(line, sizeof line, "Set-Cookie: %s%s", reply->cookie[i],
                 placed ? "" : "; domain=localhost");
        curl_easy_setopt(e->curl, CURLOPT_COOKIELIST, line);
    }
}

static void part_put(CURLU *url, CURLUPart what, const char *name, unsigned how)
{
    char *text = NULL;
    if (curl_url_get(url, what, &text, how) != CURLUE_OK)
        text = NULL;
    setenv(name, text ? text : "", 1);
    curl_free(text);
}

/* Puts the meta-variables into our environment. */
static bool environment_put(struct exchange *e, const struct request *request)
{
    static const char *const fixed[][2] = {{"GATEWAY_INTERFACE", "CGI/1.1"},
                                           {"SERVER_PROTOCOL", "HTTP/1.1"},
                                           {"SERVER_SOFTWARE", "boothlink"},
                                           {"SERVER_NAME", "localhost"},
                                           {"SERVER_PORT", "80"},
                                           {"REMOTE_ADDR", "127.0.0.1"},
                                           {"REMOTE_HOST", "localhost"},
                                           {"PATH_INFO", ""},
                                           {"HTTP_HOST", "localhost"},
                                           {"HTTP_ACCEPT", "text/html"},
                                           {"HTTP_USER_AGENT", "Mozilla/5.0"}};
    char length[24];
    CURLU *url = curl_url();
    if (!url || curl_url_set(url, CURLUPART_URL, request->url, 0)) {
        curl_url_cleanup(url);
        return false;
    }
    for (size_t i = 0; i < sizeof fixed / sizeof fixed[0]; i++)
        setenv(fixed[i][0], fixed[i][1], 1);
    part_put(url, CURLUPART_PATH, "SCRIPT_NAME", CURLU_URLDECODE);
    part_put(url, CURLUPART_PATH, "REQUEST_URI", 0);
    part_put(url, CURLUPART_QUERY, "QUERY_STRING", 0);
    curl_url_cleanup(url);
    setenv("REQUEST_METHOD", request->post ? "POST" : "GET", 1);
    snprintf(length, sizeof length, "%zu", request->length);
    if (request->post) {
        setenv("CONTENT_LENGTH", length, 1);
        setenv("CONTENT_TYPE", request->type, 1);
    } else {
        unsetenv("CONTENT_LENGTH");
        unsetenv("CONTENT_TYPE");
    }
    cookies_put(e);
    return true;
}

static _Noreturn void command_run(const char *command, int in, int out, int err)
{
    extern char **environ;
    static char sh[] = "sh", c[] = "-c";
    char *const argv[] = {sh, c, (char *)(uintptr_t)command, NULL};
    setsid();
    if (dup2(in, 0) < 0 || dup2(out, 1) < 0 || dup2(err, 2) < 0)
        _exit(126);
    close_range(3, UINT32_MAX, 0);
    signal(SIGPIPE, SIG_DFL);
    if (!stranger_bound())
        _exit(126);
    execve("/bin/sh", argv, environ);
    _exit(126);
}

static enum bl_status start(struct running *r, const char *command, struct bl_diag *diag)
{
    int in[2] = {-1, -1}, out[2] = {-1, -1}, err[2] = {-1, -1};
    enum bl_status status = late_load(&late_seccomp, diag);
    if (status)
        return status;
    bool good = pipe2(in, O_CLOEXEC) == 0 && pipe2(out, O_CLOEXEC) == 0 &&
                pipe2(err, O_CLOEXEC) == 0 && fcntl(in[1], F_SETFL, O_NONBLOCK) == 0;
    r->pid = good ? fork() : -1;
    if (r->pid == 0)
        command_run(command, in[0], out[1], err[1]);
    r->in = in[1];
    r->out = out[0];
    r->err = err[0];
    close_one(&in[0]);
    close_one(&out[1]);
    close_one(&err[1]);
    return r->pid > 0 ? BL_OK : bl_fail(diag, BL_IO, "no process: %s", strerror(errno));
}

static void give(struct running *r)
{
    ssize_t n = write(r->in, r->body, r->left);
    if (n < 0 && (errno == EAGAIN || errno == EINTR))
        return;
    if (n < 0)
        r->left = 0; /* the program does not read any more */
    else
        r->body += n, r->left -= (size_t)n;
    if (!r->left)
        close_one(&r->in);
}

/* Copies the program's standard error to ours and marks each line. */
static void pass_error(struct running *r)
{
    char bytes[1024], out[2 * sizeof bytes + 8];
    size_t used = 0;
    ssize_t n = read(r->err, bytes, sizeof bytes);
    if (n <= 0) {
        close_one(&r->err);
        return;
    }
    for (ssize_t i = 0; i < n && r->errors < ERROR_MOST; i++, r->errors++) {
        if (r->line) {
            out[used++] = '|';
            out[used++] = ' ';
        }
        r->line = bytes[i] == '\n';
        out[used++] = bytes[i] == '\n' || ((unsigned char)bytes[i] >= ' ') ? bytes[i] : '?';
        if (used > sizeof out - 4)
            break;
    }
    (void)!write(STDERR_FILENO, out, used);
}

/* Reads the program's output. BL_AGAIN: more may come. BL_OK: the output has ended. */
static enum bl_status take(struct exchange *e, struct running *r, struct bl_diag *diag)
{
    ssize_t n = read(r->out, e->bytes + e->length, EXCHANGE_MOST - e->length + 1);
    if (n < 0 && errno == EINTR)
        return BL_AGAIN;
    if (n <= 0)
        return BL_OK;
    e->length += (size_t)n;
    return e->length <= EXCHANGE_MOST
               ? BL_AGAIN
               : bl_fail(diag, BL_FULL, "it printed more than %u bytes", EXCHANGE_MOST);
}

static enum bl_status talk(struct exchange *e, struct running *r, struct bl_diag *diag)
{
    enum bl_status status = BL_AGAIN;
    while (status == BL_AGAIN) {
        struct pollfd polls[] = {{.fd = r->out, .events = POLLIN},
                                 {.fd = r->in, .events = POLLOUT},
                                 {.fd = r->err, .events = POLLIN}};
        uint64_t now = bl_mono_us();
        if (now >= r->due_us)
            return bl_fail(diag, BL_AGAIN, "it printed no whole document within %u s",
                           e->timeout_ms / 1000);
        if (poll(polls, 3, (int)((r->due_us - now + 999) / 1000)) <= 0)
            continue;
        if (polls[2].revents)
            pass_error(r);
        if (polls[1].revents)
            give(r);
        if (polls[0].revents)
            status = take(e, r, diag);
    }
    return status;
}

/* Waits END_US for the program's end, since it may still write a log. Then kills its whole
 * session. */
static int end(struct running *r)
{
    int status = 0, ended = pidfd_open(r->pid, 0);
    uint64_t due = bl_mono_us() + END_US, now = bl_mono_us();
    struct pollfd polls[] = {{.fd = ended, .events = POLLIN}, {.events = POLLIN}};
    while (ended >= 0 && !polls[0].revents && now < due) {
        polls[1].fd = r->err;
        if (poll(polls, 2, (int)((due - now + 999) / 1000)) > 0 && polls[1].revents)
            pass_error(r);
        now = bl_mono_us();
    }
    kill(-r->pid, SIGKILL);
    kill(r->pid, SIGKILL); /* the program may not have its own session yet */
    while (waitpid(r->pid, &status, 0) < 0 && errno == EINTR)
        ;
    close_one(&ended);
    close_one(&r->in);
    close_one(&r->out);
    close_one(&r->err);
    return status;
}

enum bl_status cgi_do(struct exchange *exchange, const struct request *request, struct reply *reply,
                      struct bl_diag *diag)
{
    struct running r = {.body = request->post ? request->body : "",
                        .left = request->post ? request->length : 0,
                        .due_us = bl_mono_us() + exchange->timeout_ms * UINT64_C(1000),
                        .line = true};
    enum bl_status status;
    int how;
    exchange->length = 0;
    if (!environment_put(exchange, request))
        return bl_fail(diag, BL_DATA, "its form leads to what is no address");
    status = start(&r, exchange->cgi, diag);
    if (status)
        return status;
    if (!r.left)
        close_one(&r.in);
    status = talk(exchange, &r, diag);
    if (status)
        kill(-r.pid, SIGKILL);
    how = end(&r);
    if (status)
        return status;
    if (WIFSIGNALED(how))
        return bl_fail(diag, BL_DATA, "it was ended by signal %d (%s)", WTERMSIG(how),
                       sigdescr_np(WTERMSIG(how)) ? sigdescr_np(WTERMSIG(how)) : "unknown");
    status = cgi_reply_parse(reply, exchange->bytes, exchange->length, diag);
    if (status && WIFEXITED(how) && WEXITSTATUS(how)) {
        char why[200];
        snprintf(why, sizeof why, "%.190s", diag->text);
        return bl_fail(diag, status, "it exited with code %d: %s", WEXITSTATUS(how), why);
    }
    if (!status)
        cookies_take(exchange, reply);
    return status;
}
