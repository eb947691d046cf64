#include "booth/booth.h"

#include "base/file.h"
#include "booth/messages.h"

#include <errno.h>
#include <sodium.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <time.h>

void booth_clock_init(struct booth_clock *clock)
{
    struct bl_time now = bl_now();
    clock->wall_us = now.wall_us;
    clock->mono_us = now.mono_us;
}

struct bl_time booth_now(const struct booth_clock *clock)
{
    uint64_t mono_us = bl_mono_us();
    return (struct bl_time){.mono_us = mono_us,
                            .wall_us = clock->wall_us + (mono_us - clock->mono_us)};
}

bool booth_clock_unset(const struct booth_clock *clock)
{
    return clock->wall_us < 1767225600ull * 1000000u; /* 2026-01-01 */
}

static enum bl_status make_dirs(char *path, struct bl_diag *diag)
{
    for (char *p = path + 1;; p++) {
        if (*p != '/' && *p != '\0')
            continue;
        char was = *p;
        *p = '\0';
        if (mkdir(path, 0700) == 0)
            file_sync_name(path, NULL);
        else if (errno != EEXIST)
            return bl_fail(diag, errno == EACCES || errno == EROFS ? BL_NOPERM : BL_IO,
                           say_fail_cannot_make_this_directory_for_the, path, strerror(errno));
        *p = was;
        if (was == '\0')
            return BL_OK;
    }
}

enum bl_status booth_journal_dir(const struct booth_options *options, char *path,
                                 struct bl_diag *diag)
{
    const char *state = getenv("XDG_STATE_HOME"), *home = getenv("HOME");
    int n;
    if (options->journal_dir)
        n = snprintf(path, PATH_MAX, "%s", options->journal_dir);
    else if (state && state[0] == '/')
        n = snprintf(path, PATH_MAX, "%s/boothlink", state);
    else if (home && home[0] == '/')
        n = snprintf(path, PATH_MAX, "%s/.local/state/boothlink", home);
    else
        return bl_fail(diag, BL_USAGE, say_fail_no_place_for_the_record_name);
    if (n <= 0 || n >= PATH_MAX - SESSION_ID_MAX - 32)
        return bl_fail(diag, BL_USAGE, say_fail_journal_expected_a_path_of_to,
                       PATH_MAX - SESSION_ID_MAX - 33);
    return make_dirs(path, diag);
}

void booth_session_name(uint64_t wall_us, char name[SESSION_ID_MAX + 1])
{
    time_t seconds = (time_t)(wall_us / 1000000u);
    struct tm tm;
    char stamp[20];
    gmtime_r(&seconds, &tm);
    strftime(stamp, sizeof stamp, "%Y%m%d-%H%M%S", &tm);
    snprintf(name, SESSION_ID_MAX + 1, "%s-%04x", stamp, randombytes_uniform(0x10000));
}

enum bl_status booth_session_check(const char *name, struct bl_diag *diag)
{
    size_t length =
        strspn(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._-");
    if (length == 0 || name[length] || length > SESSION_ID_MAX || name[0] == '.')
        return bl_fail(diag, BL_USAGE, say_fail_session_expected_to_letters_digits_or, name,
                       SESSION_ID_MAX);
    return BL_OK;
}

static void on_signal(uv_signal_t *handle, int number)
{
    struct booth_signals *signals = handle->data;
    (void)number;
    signals->stop(signals->ctx);
}

static const int stop_signals[] = {SIGTERM, SIGINT, SIGHUP};

void booth_signals_open(struct booth_signals *signals, uv_loop_t *loop, void (*stop)(void *ctx),
                        void *ctx)
{
    signals->stop = stop;
    signals->ctx = ctx;
    for (unsigned i = 0; i < 3; i++) {
        uv_signal_init(loop, &signals->handle[i]);
        signals->handle[i].data = signals;
        uv_signal_start(&signals->handle[i], on_signal, stop_signals[i]);
    }
}

void booth_signals_close(struct booth_signals *signals)
{
    for (unsigned i = 0; i < 3; i++) {
        uv_close((uv_handle_t *)&signals->handle[i], NULL);
        /* A closing terminal sends two signals. The second one must not end this process early. */
        signal(stop_signals[i], SIG_IGN);
    }
}

void booth_digest(const struct page *page, char hex[2 * DIGEST_SIZE + 1])
{
    uint8_t digest[DIGEST_SIZE];
    page_digest(page, digest);
    sodium_bin2hex(hex, 2 * DIGEST_SIZE + 1, digest, DIGEST_SIZE);
}

void booth_report_link(json_t *report, const struct link *link)
{
    struct link_stats stats;
    if (!link)
        return;
    link_stats(link, &stats);
    json_object_set_new(report, "line_bytes_out", json_integer((json_int_t)stats.bytes_out));
    json_object_set_new(report, "line_bytes_in", json_integer((json_int_t)stats.bytes_in));
    json_object_set_new(report, "frames_out", json_integer((json_int_t)stats.frames_out));
    json_object_set_new(report, "frames_in", json_integer((json_int_t)stats.frames_in));
    json_object_set_new(report, "frames_resent", json_integer((json_int_t)stats.resent));
    json_object_set_new(report, "garbage_bytes", json_integer((json_int_t)stats.garbage));
    json_object_set_new(report, "connections", json_integer((json_int_t)stats.connections));
}

enum bl_status booth_secret(struct line_secret *secret, const char *path, struct bl_diag *diag)
{
    if (!path)
        return BL_OK;
    /* First, so that the secret reaches no core file and no debugger. */
    prctl(PR_SET_DUMPABLE, 0);
    return secret_load(secret, path, diag);
}
