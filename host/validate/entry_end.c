/* Judges that follow each other, the end of a line, the end of the Entry, what it leaves behind. */
#include "validate/entry_private.h"

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#define FILES_MOST 6u /* named in the evidence */
#define DEPTH_MOST 4u

ENTRY_CHECK(entry_judge_second)
{
    if (interview_start(v, false) && interview_ask(v, interview_line(v)) &&
        interview_again(v, false) && interview_ask(v, interview_line(v)))
        finding_pass(f, "answers a second judge");
}

/* Asks, and returns as soon as the answer has begun. */
static bool answer_begun(struct validate *v)
{
    enum drive_end end = drive_type(v->drive, interview_line(v), 0);
    if (!interview_good(v, end, "a program that takes the judge's keys"))
        return false;
    drive_mark(v->drive);
    end = drive_type(v->drive, "\r", 0);
    return interview_good(v, end, "a program that takes the judge's keys") &&
           interview_good(v, drive_wait_key(v->drive, v->options->answer_ms), "an answer");
}

ENTRY_CHECK(entry_judge_restart)
{
    if (interview_start(v, false) && answer_begun(v) && interview_again(v, true) &&
        interview_ask(v, interview_line(v)))
        finding_pass(f, "answers when it was killed in mid-conversation and started again");
}

ENTRY_CHECK(entry_cut_line)
{
    enum drive_end end;
    if (!interview_begin(v) || !answer_begun(v))
        return;
    end = drive_pause(v->drive, v->options->silence_ms / 4, true);
    if (!interview_good(v, end, "a program that is there when the line is back"))
        return;
    drive_wait_quiet(v->drive, v->options->quiet_ms, v->options->answer_ms);
    if (interview_ask(v, interview_line(v)))
        finding_pass(f, "answers the next judge after its line was cut in mid-answer");
}

ENTRY_CHECK(entry_cut_quiet)
{
    const struct validate_options *o = v->options;
    unsigned quiet = o->silence_ms / 4 > 2 * o->quiet_ms ? o->silence_ms / 4 : 2 * o->quiet_ms;
    unsigned ms = o->silence_ms / 2 > quiet ? o->silence_ms / 2 : quiet;
    enum drive_end end;
    const char *text;
    if (!interview_begin(v) || !answer_begun(v))
        return;
    end = drive_wait_quiet(v->drive, quiet, o->answer_ms);
    if (end != DRIVE_LATE && !interview_good(v, end, "a program that waits for the next judge"))
        return;
    drive_mark(v->drive);
    if (end == DRIVE_DONE) {
        end = drive_pause(v->drive, ms, false);
        if (!interview_good(v, end, "a program that waits for the next judge"))
            return;
    }
    if (end == DRIVE_DONE && drive_keys(v->drive) == 0) {
        finding_pass(f, "types nothing after its answer until the next judge");
        return;
    }
    text = drive_text(v->drive);
    finding_broken(f, "it types on though nobody is there");
    finding_expected(f, "nothing after the end of its answer, until the next judge types");
    finding_came(f, "%llu keys in %g s", (unsigned long long)drive_keys(v->drive), ms / 1000.0);
    finding_quote(f, "it typed ", text, strlen(text), 120);
    interview_end(v);
}

/* Hangs up, then asks to end, and says what it took. NULL: nothing has helped. */
static const char *ended_by(struct validate *v)
{
    sandbox_hang_up(drive_sandbox(v->drive));
    if (drive_wait_end(v->drive, v->options->end_ms) == DRIVE_ENDED)
        return "when its terminal hangs up";
    sandbox_signal(drive_sandbox(v->drive), SIGTERM);
    if (drive_wait_end(v->drive, v->options->end_ms) == DRIVE_ENDED)
        return "at SIGTERM";
    return NULL;
}

ENTRY_CHECK(entry_end_signal)
{
    const char *by;
    if (!interview_begin(v) || !interview_ask(v, interview_line(v)))
        return;
    by = ended_by(v);
    interview_end(v);
    if (by) {
        finding_pass(f, "ends %s", by);
        return;
    }
    finding_broken(f, "it has to be killed");
    finding_expected(f, "an end within %g s of hang-up, or of SIGTERM (--end-time)",
                     v->options->end_ms / 1000.0);
    finding_came(f, "it is still there");
}

ENTRY_CHECK(entry_end_leftover)
{
    uint32_t left;
    if (!interview_begin(v) || !interview_ask(v, interview_line(v)))
        return;
    if (!ended_by(v)) {
        sandbox_signal(drive_sandbox(v->drive), SIGKILL);
        drive_wait_end(v->drive, v->options->end_ms);
    }
    drive_wait_gone(v->drive, v->options->end_ms);
    left = atomic_load(&sandbox_facts(drive_sandbox(v->drive))->processes);
    interview_end(v);
    if (left == 0) {
        finding_pass(f, "leaves no process behind");
        return;
    }
    finding_broken(f, "it leaves processes behind");
    finding_expected(f, "no process when it has ended");
    finding_came(f, "%u after %g s", left, v->options->end_ms / 1000.0);
}

/* Files that are found below a folder, with what they are. */
struct files {
    bool whiteouts; /* only those of overlayfs, which stand for deleted files */
    unsigned count;
    char name[FILES_MOST][600];
};

static void file_found(struct files *files, const char *before, const char *name)
{
    if (files->count < FILES_MOST)
        snprintf(files->name[files->count], sizeof files->name[0], "%s%s", before, name);
    files->count++;
}

/* The programs have ended, or cannot change what is looked at faster than it is bounded here. */
static void files_find(struct files *files, int parent, const char *path, const char *before,
                       unsigned depth)
{
    int fd = openat(parent, path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    DIR *dir = fd >= 0 ? fdopendir(fd) : NULL;
    struct dirent *entry;
    if (!dir) {
        if (fd >= 0)
            close(fd);
        return;
    }
    while ((entry = readdir(dir)) && files->count < 1000) {
        struct stat found;
        char below[300];
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0 ||
            fstatat(fd, entry->d_name, &found, AT_SYMLINK_NOFOLLOW))
            continue;
        snprintf(below, sizeof below, "%s%s/", before, entry->d_name);
        if (S_ISDIR(found.st_mode)) {
            if (depth < DEPTH_MOST)
                files_find(files, fd, entry->d_name, below, depth + 1);
        } else if (files->whiteouts == (S_ISCHR(found.st_mode) && found.st_rdev == makedev(0, 0)) &&
                   strcmp(entry->d_name, "stub-resolv.conf") != 0 &&
                   strcmp(entry->d_name, "resolv.conf") != 0) {
            file_found(files, before, entry->d_name);
        }
    }
    closedir(dir);
}

static void files_tell(const struct files *files, struct finding *f)
{
    for (unsigned i = 0; i < files->count && i < FILES_MOST; i++)
        finding_quote(f, "", files->name[i], strlen(files->name[i]), 150);
    if (files->count > FILES_MOST)
        finding_evidence(f, "and %u more", files->count - FILES_MOST);
}

ENTRY_CHECK(entry_files_outside)
{
    struct files files = {0};
    static const char *const places[][2] = {
        {"tmp", "/tmp/"}, {"run", "/run/"}, {"vartmp", "/var/tmp/"}, {"shm", "/dev/shm/"}};
    int stage;
    if (!interview_start(v, true) || !interview_ask(v, interview_line(v)))
        return;
    ended_by(v); /* what it takes away at its end was not left */
    stage = sandbox_stage_fd(drive_sandbox(v->drive));
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++)
        files_find(&files, stage, places[i][0], places[i][1], 0);
    interview_end(v);
    if (!files.count) {
        finding_pass(f, "leaves no file outside its folder");
        return;
    }
    finding_broken(f, "it leaves files outside its folder");
    finding_expected(f, "files in its folder alone");
    finding_came(f, "%u files elsewhere (/tmp/home was its home, /tmp/elsewhere/entry its folder)",
                 files.count);
    files_tell(&files, f);
}

ENTRY_CHECK(entry_files_folder)
{
    struct files files = {.whiteouts = true};
    int written;
    if (!interview_start(v, false) || !interview_ask(v, interview_line(v)))
        return;
    ended_by(v);
    written = sandbox_written_fd(drive_sandbox(v->drive));
    if (written < 0) {
        finding_skip(f, "needs overlayfs");
        interview_end(v);
        return;
    }
    files_find(&files, written, ".", "", 0);
    interview_end(v);
    if (!files.count) {
        finding_pass(f, "its folder is whole afterwards");
        return;
    }
    finding_broken(f, "it deletes files that belong to it");
    finding_expected(f, "a folder that it can be started from again");
    finding_came(f, "%u deleted", files.count);
    files_tell(&files, f);
}
