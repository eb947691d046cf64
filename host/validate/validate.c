#include "validate/validate.h"

#include "base/libexec.h"
#include "base/loop.h"
#include "validate/comms_private.h"
#include "validate/validate_private.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define RUNS 3 /* most runs of a check: two equal results decide */

void validate_defaults(struct validate_options *o)
{
    *o = (struct validate_options){.columns = 80,
                                   .rows = 25,
                                   .start_ms = 60000,
                                   .answer_ms = 20000,
                                   .quiet_ms = 1500,
                                   .silence_ms = 20000,
                                   .end_ms = 5000,
                                   .rates = "1,2,5,10,20",
                                   .keys = 6,
                                   .turns = 4,
                                   .echo_ms = 75,
                                   .gap_ms = 30,
                                   .outage_ms = 3000,
                                   .long_ms = 2 * 3600 * 1000,
                                   .lump_keys = 8,
                                   .lump_ms = 10,
                                   .memory_mib = 1024,
                                   .processes = 128,
                                   .processor = 50,
                                   .flood_bytes = 1u << 20,
                                   .seed = 1};
}

const char *check_rule(const struct check *check, const struct ruleset *ruleset,
                       enum verdict *broken)
{
    static const enum verdict verdicts[] = {VERDICT_FAIL, VERDICT_WARN, VERDICT_SKIP};
    *broken = check->broken;
    for (unsigned i = 0; i < ruleset->checks; i++) {
        const struct ruleset_check *of = &ruleset->check[i];
        if (strcmp(of->id, check->id) != 0)
            continue;
        *broken = verdicts[of->broken - 1];
        return of->cite[0] ? of->cite : NULL;
    }
    return NULL;
}

enum bl_status check_names(const struct ruleset *ruleset, struct bl_diag *diag)
{
    for (unsigned i = 0; i < ruleset->checks; i++) {
        const struct check *check = validate_checks;
        while (check->id && strcmp(check->id, ruleset->check[i].id) != 0)
            check++;
        if (!check->id)
            return bl_fail(diag, BL_DATA,
                           "%s: [checks] %s: no such check; 'boothlink validate list' has them",
                           ruleset->name, ruleset->check[i].id);
    }
    return BL_OK;
}

bool check_wanted(const struct check *check, const char *only)
{
    size_t family = strcspn(check->id, ".");
    if (!only)
        return true;
    while (*only) {
        size_t length = strcspn(only, ",");
        if (length == strlen(check->id) ? strncmp(only, check->id, length) == 0
                                        : length == family && !strncmp(only, check->id, length))
            return true;
        only += length;
        only += *only == ',';
    }
    return false;
}

static const struct finding *find(const struct validate_report *report, const char *id,
                                  size_t length)
{
    for (unsigned i = 0; i < report->count; i++) {
        const struct finding *f = &report->finding[i];
        if (strlen(f->check->id) == length && strncmp(f->check->id, id, length) == 0)
            return f;
    }
    return NULL;
}

bool validate_failed(const struct validate *v, const char *id)
{
    const struct finding *f = find(v->report, id, strlen(id));
    return f && (f->verdict == VERDICT_FAIL || f->verdict == VERDICT_WARN);
}

bool validate_wanted(const struct validate *v, const char *id)
{
    enum verdict broken;
    for (const struct check *c = validate_checks; c->id; c++)
        if (strcmp(c->id, id) == 0) {
            check_rule(c, v->options->ruleset, &broken);
            return check_wanted(c, v->options->only) && broken != VERDICT_SKIP;
        }
    return false;
}

bool validate_reported(const struct validate *v, const char *id)
{
    return find(v->report, id, strlen(id)) != NULL;
}

/* The failed check that prevents this one; NULL: this one can run. */
static const char *missing(const struct validate *v, const struct check *check)
{
    const char *at = check->needs;
    while (at && *at) {
        size_t length = strcspn(at, " ");
        const struct finding *f = find(v->report, at, length);
        if (f && (f->verdict == VERDICT_FAIL ||
                  (f->verdict == VERDICT_SKIP && f->cause && strcmp(f->cause, CRASH) != 0)))
            return f->cause ? f->cause : f->check->id;
        at += length + (at[length] == ' ');
    }
    return NULL;
}

static bool is_good(const struct finding *f)
{
    return f->verdict == VERDICT_PASS || f->verdict == VERDICT_SKIP;
}

static void attempt(struct validate *v, struct finding *f)
{
    finding_clear(f);
    v->finding = f;
    v->fresh = false;
    v->ending[0] = '\0';
    v->ended_at = 0;
    size_t lived = strlen(v->lived);
    snprintf(v->lived + lived, sizeof v->lived - lived, ",%s", f->check->id);
    f->check->run(v, f);
    f->runs++;
    if (!is_good(f)) {
        f->failed++;
        interview_end(v); /* the next check or attempt gets a new program */
    }
}

/* True if the program ended in both attempts after the same number of lines, although this check
 * typed all lines in only one of them. So the number matters, and the contents do not. An end
 * before the first line does not count. */
static bool is_countdown(const struct validate *v, unsigned ended_at, bool fresh)
{
    return v->ending[0] && ended_at && v->ended_at == ended_at && v->fresh != fresh;
}

static void blame_crash(struct validate *v, struct finding *f)
{
    validate_blame(v, CRASH, "the program %s after %u line%s", v->ending, v->ended_at,
                   BL_S(v->ended_at));
    finding_skip(f, "needs " CRASH);
    f->cause = CRASH;
}

static bool missing_of(const struct finding *f, char file[FINDING_TEXT])
{
    const char *errors = strstr(f->evidence, STANDARD_ERROR);
    return errors && errors_missing_file(errors + strlen(STANDARD_ERROR), file);
}

/* The failed or blamed check with the same missing file; NULL: none. */
static const char *same_file(const struct validate *v, const struct finding *f)
{
    char wanted[FINDING_TEXT], file[FINDING_TEXT];
    if (!missing_of(f, wanted))
        return NULL;
    for (unsigned i = 0; i < v->report->count; i++) {
        const struct finding *other = &v->report->finding[i];
        if (other->verdict == VERDICT_FAIL && missing_of(other, file) && !strcmp(file, wanted))
            return other->check->id;
    }
    for (unsigned i = 0; i < v->blames; i++)
        if (strcmp(v->blame[i].id, f->check->id) != 0 && validate_wanted(v, v->blame[i].id) &&
            !validate_reported(v, v->blame[i].id) &&
            errors_missing_file(v->blame[i].errors, file) && !strcmp(file, wanted))
            return v->blame[i].id;
    return NULL;
}

/* Runs a check until two runs agree. After one failed and two passed runs, the failure was chance,
 * or a crash of the program, which another check reports. */
static void run(struct validate *v, struct finding *f)
{
    struct finding failed;
    char ending[FINDING_TEXT];
    unsigned ended_at;
    bool fresh;
    attempt(v, f);
    if (is_good(f) || v->status || validate_blamed(v, f->check->id) || same_file(v, f))
        return;
    failed = *f;
    f->exhibits = NULL;
    memcpy(ending, v->ending, sizeof ending);
    ended_at = v->ended_at;
    fresh = v->fresh;
    if (ending[0] && validate_blamed(v, CRASH)) {
        /* The crash is one failure, of crash.signal: this check is tried with a new program. */
        exhibit_free(&failed.exhibits);
        attempt(v, f);
        if (!is_good(f) && v->ending[0])
            blame_crash(v, f);
        return;
    }
    while (f->runs < RUNS && f->failed < 2 && f->runs - f->failed < 2 && !v->status) {
        interview_end(v); /* a new program each time, even after a passed run */
        attempt(v, f);
        if (is_good(f))
            continue;
        exhibit_free(&failed.exhibits);
        failed = *f;
        f->exhibits = NULL;
        if (is_countdown(v, ended_at, fresh)) {
            exhibit_free(&failed.exhibits);
            blame_crash(v, f);
            return;
        }
    }
    if (f->failed >= 2) {
        unsigned runs = f->runs, times = f->failed;
        *f = failed;
        f->runs = runs;
        f->failed = times;
    } else {
        exhibit_free(&failed.exhibits);
        if (f->verdict == VERDICT_PASS && ending[0])
            validate_blame(v, CRASH, "the program %s during %s", ending, f->check->id);
    }
}

/* Skips a check that failed by the same missing file as another check. */
static void count_once(struct validate *v, struct finding *f)
{
    const char *cause = is_good(f) ? NULL : same_file(v, f);
    if (!cause)
        return;
    exhibit_free(&f->exhibits);
    finding_skip(f, "needs %s: the same file is missing", cause);
    f->cause = cause;
}

static void consider(struct validate *v, const struct check *check, struct finding *f)
{
    const char *cause;
    const struct blame *blame = validate_blamed(v, check->id);
    uint64_t start_us = bl_mono_us();
    *f = (struct finding){.check = check};
    f->rule = check_rule(check, v->options->ruleset, &f->broken);
    if (f->broken == VERDICT_SKIP) {
        finding_skip(f, "%s does not ask for it", v->options->ruleset->name);
    } else if (blame) {
        v->finding = f;
        f->runs = f->failed = 1;
        finding_broken(f, "%s", blame->came);
        finding_came(f, "%s", blame->came);
        memcpy(f->during, blame->during, sizeof f->during);
        if (blame->errors[0])
            finding_evidence(f, STANDARD_ERROR "%s\"", blame->errors);
        folder_hint(f, v);
    } else if ((cause = missing(v, check))) {
        finding_skip(f, "needs %s", cause);
        f->cause = cause;
    } else {
        run(v, f);
    }
    if (!v->status)
        count_once(v, f);
    f->took_ms = (bl_mono_us() - start_us) / 1000;
}

const struct entry_kind *validate_kind(const struct validate *v)
{
    return &entry_kinds[v->options->entry->kind];
}

bool validate_is_kind(const struct validate *v, const char *family)
{
    const char *checks = validate_kind(v)->checks;
    return checks && strcmp(checks, family) == 0;
}

/* Opens the adapter for the Entry and sets its options. A form's documents come without delay, and
 * are kept for other checks. */
static enum bl_status ours_open(struct validate *v, struct bl_diag *diag)
{
    char path[PATH_MAX];
    const struct entry_kind *kind = validate_kind(v);
    const char *tried = kind->tried ? kind->tried : "", *keeps = kind->kept ? kind->kept : "";
    enum bl_status status = BL_OK;
    if (!kind->ours)
        return BL_OK;
    status = libexec_path(path, kind->ours, diag);
    for (unsigned kept = 0; kept < 2; kept++)
        snprintf(v->command[kept], sizeof v->command[0], OURS_BOXED "%s%s%s", v->options->program,
                 tried, kept ? keeps : "");
    if (!status)
        status = entry_brief(&v->brief, v->options->entry, "validate", NULL, 0, 0, diag);
    if (!status)
        v->tool = open(path, O_RDONLY | O_CLOEXEC);
    return status || v->tool >= 0 ? status : bl_fail(diag, BL_IO, "%.200s does not open", path);
}

/* True if the check is only for another kind of Entry, which the rules do not demand. */
static bool is_other_kinds(const struct check *check, const struct validate_options *o,
                           const char *rule)
{
    const char *own = entry_kinds[o->entry->kind].checks;
    for (const struct entry_kind *k = entry_kinds; k < entry_kinds + KINDS; k++)
        if (k->checks && check_wanted(check, k->checks) && !(own && strcmp(own, k->checks) == 0) &&
            !(k->demand && rule))
            return true;
    return false;
}

/* True if the check is only for other rulesets or other programs. */
static bool is_others(const struct check *check, const struct validate_options *o)
{
    enum verdict broken;
    const char *rule = check_rule(check, o->ruleset, &broken);
    return broken == VERDICT_SKIP || is_other_kinds(check, o, rule) ||
           (check_wanted(check, "opening") && !o->ruleset->opening[0]);
}

/* True if the check is of this kind and applies. With `only`: if `only` names it. */
static bool is_run(const struct check *check, const struct validate_options *o)
{
    return check->kind == o->kind && check_wanted(check, o->only) &&
           (o->only || !is_others(check, o));
}

/* The first name in the list that is no check or family of the kind; NULL: none. */
static const char *only_wrong(const struct validate_options *o, size_t *length)
{
    char one[40];
    for (const char *at = o->only; at && *at; at += *length + (at[*length] == ',')) {
        bool found = false;
        *length = strcspn(at, ",");
        snprintf(one, sizeof one, "%.*s", (int)*length, at);
        for (const struct check *c = validate_checks; c->id && !found; c++)
            found = c->kind == o->kind && check_wanted(c, one);
        if (!found)
            return at;
    }
    return NULL;
}

static enum bl_status options_check(const struct validate_options *o, unsigned *wanted,
                                    struct bl_diag *diag)
{
    struct stat found;
    size_t length = 0;
    const char *wrong = only_wrong(o, &length);
    *wanted = 0;
    for (const struct check *c = validate_checks; c->id; c++)
        *wanted += is_run(c, o);
    if (wrong || *wanted == 0)
        return bl_fail(diag, BL_USAGE,
                       "--only %.*s: there is no such check; 'boothlink validate list' has them",
                       wrong ? (int)length : 0, wrong ? wrong : "");
    if (*wanted > VALIDATE_FINDINGS)
        return bl_fail(diag, BL_SOFTWARE, "%u checks have no room in the report", *wanted);
    if (stat(o->folder, &found) || !S_ISDIR(found.st_mode))
        return bl_fail(diag, BL_NOINPUT, "%s: %s; expected the folder of the program, --folder DIR",
                       o->folder, errno ? strerror(errno) : "is no folder");
    return BL_OK;
}

/* The first ^C stops the run, and findings so far are reported; a second one ends the process. */
static volatile sig_atomic_t interrupted;

static void on_interrupt(int signal)
{
    (void)signal;
    interrupted = 1;
}

static void interrupt_catch(void)
{
    struct sigaction action = {.sa_handler = on_interrupt, .sa_flags = SA_RESETHAND | SA_RESTART};
    interrupted = 0;
    sigaction(SIGINT, &action, NULL);
}

enum bl_status validate_run(const struct validate_options *options,
                            const struct validate_callbacks *callbacks,
                            struct validate_report *report, struct bl_diag *diag)
{
    struct validate *v = calloc(1, sizeof *v);
    unsigned wanted;
    enum bl_status status = options_check(options, &wanted, diag);
    if (!v || status) {
        free(v);
        return status ? status : bl_fail(diag, BL_NOMEM, "no memory");
    }
    *report = (struct validate_report){.options = options};
    v->options = options;
    v->report = report;
    v->status = ours_open(v, &v->diag);
    interrupt_catch();
    for (const struct check *c = validate_checks; c->id && !v->status; c++) {
        struct finding *f = &report->finding[report->count];
        report->asked += c->kind == options->kind && !is_others(c, options);
        if (!is_run(c, options) || interrupted)
            continue;
        callbacks->tell(callbacks->ctx, c, report->count + 1, wanted, NULL);
        consider(v, c, f);
        if (v->status)
            break;
        if (interrupted) { /* the signal may have disturbed the running check, too */
            exhibit_free(&f->exhibits);
            continue;
        }
        report->count++;
        report->total[f->verdict]++;
        callbacks->tell(callbacks->ctx, c, report->count, wanted, f);
    }
    report->interrupted = interrupted;
    interview_end(v);
    comms_free(v);
    typing_report(v, report);
    if (v->tool > 0)
        close(v->tool);
    if (v->brief > 0)
        close(v->brief);
    status = v->status;
    if (status && diag)
        *diag = v->diag;
    free(v);
    return status;
}

void report_end(struct validate_report *report)
{
    for (unsigned i = 0; i < report->count; i++)
        exhibit_free(&report->finding[i].exhibits);
    report->count = 0;
    fflush(stdout);
    if (report->interrupted)
        raise(SIGINT);
}

bool report_is_open(const struct finding *f)
{
    return f->verdict == VERDICT_SKIP && f->rule && f->broken == VERDICT_FAIL && !f->cause &&
           !f->spared;
}

enum report_verdict report_verdict(const struct validate_report *report)
{
    if (report->total[VERDICT_FAIL])
        return REPORT_REFUSED;
    for (unsigned i = 0; i < report->count; i++)
        if (report_is_open(&report->finding[i]))
            return REPORT_OPEN;
    return report->total[VERDICT_PASS] && report->count >= report->asked ? REPORT_ACCEPTED
                                                                         : REPORT_OPEN;
}
