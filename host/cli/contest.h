/* "boothlink contest VERB": shared by the files of its verbs. */
#ifndef CLI_CONTEST_H
#define CLI_CONTEST_H

#include "command/command.h"
#include "contest/act_batch.h"
#include "contest/store.h"

#include <stdbool.h>

/* The first options of every verb. */
struct contest_options {
    const char *author, *why, *text; /* NULL: not given */
    bool json;
};
#define CONTEST_AUTHOR                                                                             \
    OPTION_ROW("--author", "NAME", "who does this, for the record (default: the user)",            \
               OPTION_TEXT, struct contest_options, author)
#define CONTEST_WHY                                                                                \
    OPTION_ROW("--why", "TEXT", "the reason, for the record", OPTION_TEXT, struct contest_options, \
               why)

/* Of the verbs that may correct earlier ones. */
struct contest_vote_options {
    struct contest_options common;
    bool correct;
};
#define CONTEST_CORRECT                                                                            \
    OPTION_ROW("--correct", NULL, "in the place of what was given", OPTION_FLAG,                   \
               struct contest_vote_options, correct)

/* The text of the ruleset of that name or, when it has a slash or ends with .ini, of that file; the
 * caller frees it. Errors name the rulesets that there are. */
enum bl_status contest_ruleset_text(char **text, const char *name, struct bl_diag *diag);
enum bl_status contest_load_ruleset(struct ruleset *ruleset, const char *name,
                                    struct bl_diag *diag);

/* Checks a ruleset's page style, which ruleset_parse() leaves alone. BL_DATA. */
enum bl_status contest_check_style(const struct ruleset *ruleset, struct bl_diag *diag);

/* A whole text file, 64 KiB at most; the caller frees it. */
enum bl_status contest_read_file(char **text, const char *path, struct bl_diag *diag);

/* A contest's file with the contest its acts make. */
struct contest_file {
    struct store *store;
    struct contest *contest;
    const char *author;
};

/* Opens the file that is the call's first word, or makes it; the options begin with struct
 * contest_options. Close it also after an error. */
enum bl_status contest_file_open(struct contest_file *file, const struct command_call *call,
                                 struct bl_diag *diag);
enum bl_status contest_file_create(struct contest_file *file, const struct command_call *call,
                                   struct bl_diag *diag);
void contest_file_close(struct contest_file *file);

/* Appends an act of now, which counts from then on; and a list of them. */
enum bl_status contest_file_append(struct contest_file *file, const struct act_body *act,
                                   struct bl_diag *diag);
enum bl_status contest_file_append_all(struct contest_file *file, const struct act_batch *acts,
                                       struct bl_diag *diag);

/* The sources of a verb's act: the contest so far, and the command line; and the act itself. */
struct contest_making {
    const struct contest *contest;
    const struct command_call *call;
    struct act_body *act; /* has --why, if it was given */
    struct bl_diag *diag;
};

/* A verb that is one act: contest_act() opens the file, lets `make` fill the act in, appends it,
 * reports it, and then names the next step unless `tell` has done so (true). */
struct contest_verb {
    enum act_kind kind;
    bool why;                                                    /* there must be a reason */
    enum bl_status (*make)(const struct contest_making *making); /* NULL: there is nothing more */
    bool (*tell)(const struct contest_making *making);
    const char *done; /* instead of tell */
};
enum bl_status contest_act_of(const struct contest_verb *verb, const struct command_call *call,
                              struct bl_diag *diag);
enum bl_status contest_act(const struct command_call *call, struct bl_diag *diag);
#define CONTEST_ACT(...)                                                                           \
    .run = contest_act, .act = &(const struct contest_verb)                                        \
    {                                                                                              \
        __VA_ARGS__                                                                                \
    }

/* The ruleset's text out of the first act, whose comments the contest does not keep; the caller
 * frees it. */
enum bl_status contest_file_rules(const struct contest_file *file, char **text,
                                  struct bl_diag *diag);

struct venue;

/* Tells faults of a venue's ports and Entries that a terminal would refuse, and ends of a cable
 * that do not fit. */
struct faults;
void contest_check_venue(const struct venue *venue, const char *name, struct faults *faults);

/* Writes the sticks of a venue's file into a folder, and says so; path is the contest's. With the
 * judges' own records for their ranks or without; of the preliminary round's sessions for the time
 * of that number, or 0. */
enum bl_status contest_write_sticks(struct contest_file *file, const char *path, const char *venue,
                                    const char *out, bool ranks, int preliminary,
                                    struct bl_diag *diag);

/* Writes everybody's sheets and the manager's own beside the contest's file, and says so. */
enum bl_status contest_write_sheets(const struct contest_file *file, const char *path,
                                    const char *venue, struct bl_diag *diag);

/* Prints a line of collect_missing(). */
void contest_say_missing(void *ctx, const char *line);

/* Prints the next step (contest/next.h), as "Next: boothlink contest begin FILE 1"; path is the
 * contest's. */
void contest_next(const struct contest *contest, const char *path);

/* The same behind a result. */
void contest_next_result(const struct contest *contest, const char *path);

/* The same when tickets and sheets are to be made anew. */
void contest_tickets_anew(const struct contest *contest, const char *path);

/* If rounds are still to come: prints that `schedule` makes them anew, and is true. */
bool contest_schedule_anew(const struct contest *contest, const char *path);

struct selection;
void contest_selection_next(const struct contest *contest, const struct selection *selection,
                            const char *path);

/* A person by his place: "E2", "J1", "C3". BL_USAGE names the word. */
enum bl_status contest_person(const char *word, enum contest_role *role, unsigned *number,
                              struct bl_diag *diag);

/* "2009-04-07T10:00" or "2009-04-07", UTC, in us since 1970; 0 where the text is NULL: BL_USAGE. */
enum bl_status contest_time(const char *text, int64_t *received_us, struct bl_diag *diag);

/* The number of a person of that role; somebody of any role; the number of a round. BL_USAGE names
 * the word. */
enum bl_status contest_take(const char *word, enum contest_role role, int64_t *number,
                            struct bl_diag *diag);
enum bl_status contest_take_who(const char *word, struct act_who *who, struct bl_diag *diag);
enum bl_status contest_take_round(const char *word, int64_t *round, struct bl_diag *diag);

/* The times of rounds with that plan by --start and --breaks, which may be NULL, else as the venue
 * has them; venue may be NULL. */
struct timetable;
enum bl_status contest_timetable(struct timetable *timetable, const char *plan,
                                 const struct venue *venue, const char *start, const char *breaks,
                                 struct bl_diag *diag);

#endif
