/* Shared by the files of the verbs of "boothlink contest". */
#ifndef CLI_CONTEST_H
#define CLI_CONTEST_H

#include "command/command.h"
#include "contest/act_batch.h"
#include "contest/store.h"

#include <stdbool.h>

/* The first options of every verb; NULL: not given. In a verb with one act, further options fill
 * members of `act`. */
struct contest_options {
    const char *author, *why;
    const char *received, *votes; /* as typed */
    bool json, panel;
    struct act_body act;
};
#define CONTEST_AUTHOR                                                                             \
    OPTION_ROW("--author", "NAME", "who does this, for the record (default: the user)",            \
               OPTION_TEXT, struct contest_options, author)
#define CONTEST_WHY_OF(help) OPTION_TAKEN("--why", "TEXT", help, contest_take_why)
#define CONTEST_WHY          CONTEST_WHY_OF("the reason, for the record")

/* Takes the reason. The word TEXT of a pasted command is refused. */
enum bl_status contest_take_why(void *options, const char *why, struct bl_diag *diag);

/* Rows for options of acts: for a member, such as "person.age", and for votes. The tables have the
 * option of a reason, or of an author. */
#define CONTEST_MEMBER(name, value, help, kind, member)                                            \
    OPTION_ROW(name, value, help, kind, struct contest_options, act.member)
#define CONTEST_VOTES(help)                                                                        \
    OPTION_ROW("--votes", "FOR:AGAINST", help, OPTION_TEXT, struct contest_options, votes)
extern const struct command_option contest_reason[], contest_author[];

/* Options of verbs whose act may correct an earlier one. */
struct contest_vote_options {
    struct contest_options common;
    bool correct;
};
#define CONTEST_CORRECT                                                                            \
    OPTION_ROW("--correct", NULL, "in the place of what was given", OPTION_FLAG,                   \
               struct contest_vote_options, correct)

/* The text of a ruleset by its name; with a slash or .ini at its end, by its file. The caller frees
 * it. The error of an unknown name lists the rulesets. */
enum bl_status contest_ruleset_text(char **text, const char *name, struct bl_diag *diag);
enum bl_status contest_load_ruleset(struct ruleset *ruleset, const char *name,
                                    struct bl_diag *diag);

/* Checks a ruleset's page style. BL_DATA. */
enum bl_status contest_check_style(const struct ruleset *ruleset, struct bl_diag *diag);

/* A whole text file, 64 KiB at most; the caller frees it. */
enum bl_status contest_read_file(char **text, const char *path, struct bl_diag *diag);

/* A contest's open file, and the contest made from its acts. */
struct contest_file {
    struct store *store;
    struct contest *contest;
    const char *author;
};

/* _open opens an existing file; _create makes a new one. The call's first word names the file; its
 * options begin with struct contest_options. The caller also closes the file after an error. */
enum bl_status contest_file_open(struct contest_file *file, const struct command_call *call,
                                 struct bl_diag *diag);
enum bl_status contest_file_create(struct contest_file *file, const struct command_call *call,
                                   struct bl_diag *diag);
void contest_file_close(struct contest_file *file);

/* Appends an act, or a batch, with the present time; applies it to the contest. */
enum bl_status contest_file_append(struct contest_file *file, const struct act_body *act,
                                   struct bl_diag *diag);
enum bl_status contest_file_append_all(struct contest_file *file, const struct act_batch *acts,
                                       struct bl_diag *diag);

/* The sources of a verb's act: the contest so far and the command line. */
struct contest_making {
    const struct contest *contest;
    const struct command_call *call;
    struct act_body *act; /* already has members from words and options, and --why */
    struct bl_diag *diag;
};

#define CONTEST_WORDS 3

/* A verb with one act. contest_act() opens the file, fills the act's members by words and options,
 * calls `make`, appends the act, reports it and names the next step. A verb with `undone` or
 * `untell` can be taken back by `contest undo`. */
struct contest_verb {
    enum act_kind kind;
    const char *words[CONTEST_WORDS]; /* the words after FILE: keys of members (act_word.h) */
    bool why;                         /* a reason is required */
    enum bl_status (*make)(const struct contest_making *making); /* NULL: nothing more to fill */
    const char *done; /* a line to print, where $1 is the first word after FILE; NULL: none */
    bool (*tell)(const struct contest_making *making); /* prints more; true: also the next step */
    /* Names the verb's own next step. False: none; contest_next() names one. */
    bool (*next)(const struct contest *contest, const char *path);
    bool quiet;         /* names no next step */
    const char *undone; /* a line of `undo`, without untell(): $1 is the verb, $2 the next word */
    void (*untell)(const struct contest *contest);
    bool (*undone_next)(const struct contest *contest, const char *path); /* as `next` */
};
enum bl_status contest_act_of(const struct contest_verb *verb, const struct command_call *call,
                              struct bl_diag *diag);
enum bl_status contest_act(const struct command_call *call, struct bl_diag *diag);
#define CONTEST_ACT(...) .size = sizeof(struct contest_options), CONTEST_ACT_BY(__VA_ARGS__)
#define CONTEST_ACT_BY(...)                                                                        \
    .run = contest_act, .act = &(const struct contest_verb)                                        \
    {                                                                                              \
        __VA_ARGS__                                                                                \
    }

/* Prints a line, where $1 is the first word after FILE. */
void contest_say(const char *line, const struct command_call *call);

extern const struct command command_contest;

/* The ruleset's text from the first act, with its comments; the caller frees it. */
enum bl_status contest_file_rules(const struct contest_file *file, char **text,
                                  struct bl_diag *diag);

struct venue;

/* Reports faults of a venue's ports and Entries that a terminal would refuse, and different ends of
 * a cable. */
struct faults;
void contest_check_venue(const struct venue *venue, const char *name, struct faults *faults);

/* Writes the sticks of a venue's file into a folder, and reports that. path: the contest's file.
 * `ranks`: with the judges' records for their ranks. `preliminary`: number, from 1, of the holding
 * of the preliminary round; 0: for the contest. */
enum bl_status contest_write_sticks(struct contest_file *file, const char *path, const char *venue,
                                    const char *out, bool ranks, int preliminary,
                                    struct bl_diag *diag);

/* Writes all people's sheets and the manager's own beside the contest's file, and reports that. */
enum bl_status contest_write_sheets(const struct contest_file *file, const char *path,
                                    const char *venue, struct bl_diag *diag);

/* Prints a line of collect_missing(). */
void contest_say_missing(void *ctx, const char *line);

/* Prints the next step (contest/next.h), as "Next: boothlink contest begin FILE 1". path: the
 * contest's. */
void contest_next(const struct contest *contest, const char *path);

/* contest_next() after `result`. */
void contest_next_result(const struct contest *contest, const char *path);

/* contest_next() after `verify`. whole: records and transcripts were checked, too. False: no step
 * is left. */
bool contest_next_verified(const struct contest *contest, const char *path, bool whole);

/* Names the step that makes tickets and sheets anew. Returns true. */
bool contest_tickets_anew(const struct contest *contest, const char *path);

/* If rounds are still to come, prints that `schedule` makes them anew. Returns true then. */
bool contest_schedule_anew(const struct contest *contest, const char *path);

struct selection;
void contest_selection_next(const struct contest *contest, const struct selection *selection,
                            const char *path);

/* The times of rounds with that plan, by --start and --breaks. Each is the venue's if NULL; the
 * venue may be NULL. */
struct timetable;
enum bl_status contest_timetable(struct timetable *timetable, const char *plan,
                                 const struct venue *venue, const char *start, const char *breaks,
                                 struct bl_diag *diag);

#endif
