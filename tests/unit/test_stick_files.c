/* A stick at a machine: what is taken from it and what is put on it, when it is pulled, when it is
 * full. A small tmpfs is not to be had without root, so that a full stick is a file where a folder
 * would have to be, and a limit on the size of files. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <signal.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/crc32c.h"
#include "booth/contest_records.h"
#include "booth/stick_files.h"
#include "tests/support/scratch.h"

#define PLACE "booth-3-judge"

static char root[SCRATCH_MAX];
static struct bl_diag diag;

static void run(const char *command)
{
    scratch_run(root, command);
}

static int start(void **state)
{
    (void)state;
    assert_int_equal(scratch_begin(root, "stick_files"), 0);
    assert_int_equal(chdir(root), 0);
    run("mkdir -p stick/boothlink/" PLACE " stick/boothlink/booth-3-cable-a records");
    run("echo ticket >stick/boothlink/" PLACE "/001.ticket");
    run("echo secret >stick/boothlink/" PLACE "/line.key; chmod 777 stick/boothlink/" PLACE "/*");
    run("echo other >stick/boothlink/booth-3-cable-a/001.ticket");
    return 0;
}

static int end(void **state)
{
    (void)state;
    run("rm -rf stick records own");
    assert_int_equal(chdir("/"), 0);
    return rmdir(root);
}

/* Writes the list of what is in that folder of the stick. */
static void write_list(const char *folder, bool complete, enum stick_room room, int64_t acts)
{
    struct stick stick = {complete, room, acts, "A contest"};
    char line[STICK_LINE_MAX], command[512];
    stick_head_write(&stick, line);
    FILE *list = fopen("stick/boothlink/" STICK_LIST, "w");
    assert_non_null(list);
    fputs(line, list);
    snprintf(command, sizeof command, "ls stick/boothlink/%s", folder);
    FILE *names = popen(command, "r");
    while (names && fgets(line, sizeof line, names)) {
        struct stick_file file = {.bytes = 0};
        char bytes[256], path[512];
        line[strcspn(line, "\n")] = '\0';
        snprintf(file.path, sizeof file.path, "%.40s/%.60s", folder, line);
        snprintf(path, sizeof path, "stick/boothlink/%s", file.path);
        FILE *in = fopen(path, "r");
        file.bytes = fread(bytes, 1, sizeof bytes, in);
        fclose(in);
        file.crc = crc32c(0, bytes, file.bytes);
        stick_file_write(&file, line);
        fputs(line, list);
    }
    pclose(names);
    fclose(list);
}

static enum bl_status take(bool *changed)
{
    if (access("stick/boothlink/" PLACE, F_OK) == 0)
        write_list(PLACE, true, STICK_JUDGES, 10);
    return stick_take("stick", PLACE, "own", changed, &diag);
}

static void refused_as(enum bl_status status, const char *folder, const char *why)
{
    assert_int_equal(stick_check("stick", folder, "records", &diag), status);
    if (!strstr(diag.text, why))
        fail_msg("it says '%s', not '%s'", diag.text, why);
}

static void refused(const char *folder, const char *why)
{
    refused_as(BL_DATA, folder, why);
}

static void test_is_held_against_its_list(void **state)
{
    (void)state;
    refused(PLACE, "it is missing: the stick was taken out while it was written");
    write_list(PLACE, false, STICK_JUDGES, 10);
    refused(PLACE, "it is not complete: the stick was taken out");
    write_list(PLACE, true, STICK_JUDGES, 10);
    assert_int_equal(stick_check("stick", PLACE, "records", &diag), BL_OK);
    run("echo tickex >stick/boothlink/" PLACE "/001.ticket");
    refused(PLACE, "001.ticket: it is not as it was written");
    run("rm stick/boothlink/" PLACE "/001.ticket");
    refused(PLACE, "001.ticket: it is missing");
    write_list(PLACE, true, STICK_BACK, 10);
    refused_as(BL_UNAVAIL, PLACE,
               "this is the stick of the back room: take that of the judges' room");
    write_list(PLACE, true, STICK_JUDGES, 9);
    refused_as(BL_BUSY, PLACE, "this stick is older");
    write_list(PLACE, true, STICK_JUDGES, 11);
    assert_int_equal(stick_check("stick", PLACE, "records", &diag), BL_OK);
    write_list(PLACE, true, STICK_JUDGES, 10);
    refused_as(BL_BUSY, PLACE, "this stick is older");
    /* Unless a person says so: the newer was not the manager's. */
    write_list(PLACE, true, STICK_JUDGES, 999999999);
    assert_int_equal(stick_check("stick", PLACE, "records", &diag), BL_OK);
    write_list(PLACE, true, STICK_JUDGES, 10);
    refused_as(BL_BUSY, PLACE, "this stick is older");
    stick_forget("records");
    assert_int_equal(stick_check("stick", PLACE, "records", &diag), BL_OK);
    write_list(PLACE, true, STICK_JUDGES, INT64_C(9000000000000000000));
    refused(PLACE, "this is no list of a stick");
    write_list(PLACE, true, STICK_JUDGES, -1);
    refused(PLACE, "this is no list of a stick");
}

/* Who carries a stick puts onto it what he likes. Only what the list has is taken, and nothing
 * of it leads anywhere else. */
static void test_takes_what_is_listed(void **state)
{
    bool changed;
    (void)state;
    write_list(PLACE, true, STICK_JUDGES, 10);
    run("cd stick/boothlink/" PLACE " && mkdir 000.ticket zzz && echo other >002.ticket && "
        "ln -s /etc/passwd 003.ticket && mkfifo 004.ticket && truncate -s 65M 005.ticket");
    assert_int_equal(stick_check("stick", PLACE, "records", &diag), BL_OK);
    assert_int_equal(stick_take("stick", PLACE, "own", &changed, &diag), BL_OK);
    run("test \"$(ls own | xargs)\" = '001.ticket line.key'");
    /* Listed, but not there as a file. */
    run("cd stick/boothlink/" PLACE " && rm -r 00[2-5].ticket zzz && cp 001.ticket ../kept");
    write_list(PLACE "/../" PLACE, true, STICK_JUDGES, 10);
    assert_int_equal(stick_take("stick", PLACE, "own", &changed, &diag), BL_OK);
    run("test \"$(ls own | xargs)\" = '001.ticket line.key'");
    run("rmdir stick/boothlink/" PLACE "/000.ticket");
    write_list(PLACE, true, STICK_JUDGES, 10);
    run("cd stick/boothlink/" PLACE " && rm 001.ticket && ln -s ../kept 001.ticket");
    refused(PLACE, "expected a ticket, a record or a list, a file");
    assert_int_not_equal(stick_take("stick", PLACE, "own", &changed, &diag), BL_OK);
    run("test \"$(cat own/001.ticket)\" = ticket");
}

/* More than a machine takes. */
static void test_takes_no_more_than_it_has_room_for(void **state)
{
    (void)state;
    enum { LARGE = 60000000 };
    uint8_t *zeros = calloc(1, LARGE);
    write_list(PLACE, true, STICK_JUDGES, 10);
    FILE *list = fopen("stick/boothlink/" STICK_LIST, "a");
    for (unsigned i = 0; i < 5; i++)
        fprintf(list, "%08x %d " PLACE "/%u.ticket\n", crc32c(0, zeros, LARGE), LARGE, i + 10);
    fclose(list);
    free(zeros);
    run("cd stick/boothlink/" PLACE
        " && for i in 10 11 12 13 14; do truncate -s 60000000 $i.ticket; done");
    refused(PLACE, "more than a machine takes");
    write_list(PLACE, true, STICK_JUDGES, 10);
    run("rm stick/boothlink/" PLACE "/1[0-4].ticket");
    write_list(PLACE, true, STICK_JUDGES, 10);
    list = fopen("stick/boothlink/" STICK_LIST, "a");
    for (unsigned i = 0; i < 2001; i++)
        fprintf(list, "00000000 0 " PLACE "/%u.key\n", i);
    fclose(list);
    run("cd stick/boothlink/" PLACE " && for i in $(seq 0 2000); do : >$i.key; done");
    refused(PLACE, "more than a machine takes");
}

/* Folders of a stick that lead elsewhere: nothing is written, or taken away, there. */
static void test_links(void **state)
{
    unsigned judge;
    (void)state;
    run("mkdir outside && echo mine >outside/mine && echo one >records/r1-j1-judge.journal");
    run("ln -s ../../outside stick/boothlink/records");
    assert_int_equal(stick_give("stick", PLACE, "records", &diag), BL_DATA);
    run("rm stick/boothlink/records && mkdir stick/boothlink/records && "
        "ln -s ../../../outside stick/boothlink/records/" PLACE);
    assert_int_equal(stick_give("stick", PLACE, "records", &diag), BL_DATA);
    run("ln -s ../../outside stick/boothlink/judge-2-ranks; echo x >outside/taken");
    assert_int_equal(stick_take_ranks("stick", PLACE, "records", &judge, &diag), BL_NOINPUT);
    run("rm outside/taken; mkdir records/judge-2-ranks; echo 4 >records/judge-2-ranks/b.ballot");
    assert_int_not_equal(stick_give_ranks("stick", PLACE, "records", 1, "b.ballot", &diag), BL_OK);
    run("mv stick/boothlink/" PLACE " elsewhere && ln -s ../../elsewhere stick/boothlink/" PLACE);
    write_list(PLACE, true, STICK_JUDGES, 10);
    refused(PLACE, "expected a folder");
    run("mv stick/boothlink real && ln -s ../real stick/boothlink");
    assert_false(stick_is_in("stick"));
    run("test \"$(ls outside)\" = mine && rm -r outside elsewhere real");
}

/* A stick that is pulled while a judge's folder is taken away: the ticket goes first, the mark
 * last, and what is left is nobody's to take. */
static void test_ranks_left(void **state)
{
    static const char *const left[] = {"two-judge.journal taken", "taken", ""};
    unsigned judge = 99;
    (void)state;
    for (unsigned i = 0; i < 3; i++) {
        char command[200];
        run("mkdir -p stick/boothlink/judge-2-ranks; echo two "
            ">stick/boothlink/judge-2-ranks/ranks.ticket");
        write_list("judge-2-ranks", true, STICK_JUDGES, 10);
        snprintf(command, sizeof command,
                 "cd stick/boothlink/judge-2-ranks && rm * && for n in %s; do echo x >$n; done",
                 left[i]);
        run(command);
        assert_int_equal(stick_take_ranks("stick", PLACE, "records", &judge, &diag), BL_NOINPUT);
        run("test ! -e stick/boothlink/judge-2-ranks");
    }
    /* One that lost its ticket otherwise is not taken away. */
    run("mkdir stick/boothlink/judge-2-ranks; echo x >stick/boothlink/judge-2-ranks/j.journal");
    assert_int_equal(stick_take_ranks("stick", PLACE, "records", &judge, &diag), BL_DATA);
    run("test -e stick/boothlink/judge-2-ranks/j.journal");
    /* Pulled before it began: nothing here is taken away either. */
    run("mkdir -p records/judge-2-ranks; echo 4 >records/judge-2-ranks/ranks-j2-judge.ballot");
    run("rm -r stick");
    assert_int_not_equal(
        stick_give_ranks("stick", PLACE, "records", 1, "ranks-j2-judge.ballot", &diag), BL_OK);
    run("test -e records/judge-2-ranks/ranks-j2-judge.ballot");
    /* Without a stick they are with the records, too, where a courier finds them. */
    run("rm -f records/ranks-j2-judge.ballot");
    assert_int_equal(stick_keep_ranks("records", 0, "ranks-j1-judge.ballot", &diag), BL_OK);
    run("test ! -e records/ranks-j1-judge.ballot");
    assert_int_equal(stick_keep_ranks("records", 1, "ranks-j2-judge.ballot", &diag), BL_OK);
    run("cmp records/ranks-j2-judge.ballot records/judge-2-ranks/ranks-j2-judge.ballot");
}

/* A stick that is pulled while it is read: nothing is begun with what is not whole, and the next
 * time the rest comes. The file that cannot be copied stands at any place of the folder. */
static void test_ranks_half_taken(void **state)
{
    (void)state;
    run("mkdir stick/boothlink/judge-2-ranks; cd stick/boothlink/judge-2-ranks; "
        "for n in ranks.ticket 1.journal 2.journal 3.journal 1.ballot 2.ballot 3.ballot; "
        "do echo $n >$n; done");
    write_list("judge-2-ranks", true, STICK_JUDGES, 10);
    for (unsigned i = 0; i < 6; i++) {
        char command[200];
        unsigned judge;
        snprintf(command, sizeof command,
                 "rm -rf records; mkdir -p records/judge-2-ranks/%u.%s/x; "
                 "rm -f stick/boothlink/judge-2-ranks/taken",
                 i / 2 + 1, i % 2 ? "ballot" : "journal");
        run(command);
        assert_int_not_equal(stick_take_ranks("stick", PLACE, "records", &judge, &diag), BL_OK);
        run("test ! -e records/judge-2-ranks/ranks.ticket");
        run("rm -r records/judge-2-ranks/*/");
        assert_int_equal(stick_take_ranks("stick", PLACE, "records", &judge, &diag), BL_OK);
        run("diff -r -x taken stick/boothlink/judge-2-ranks records/judge-2-ranks");
    }
}

/* This place takes the second judge's folder from the stick; returns the judge. */
static unsigned take_ranks(void)
{
    unsigned judge;
    run("mkdir stick/boothlink/judge-2-ranks; echo two "
        ">stick/boothlink/judge-2-ranks/ranks.ticket");
    write_list("judge-2-ranks", true, STICK_JUDGES, 10);
    assert_int_equal(stick_take_ranks("stick", PLACE, "records", &judge, &diag), BL_OK);
    return judge;
}

/* Each booth takes one judge's folder, gives his ranks back by the stick, and keeps nothing of him.
 */
static void test_ranks(void **state)
{
    unsigned judge;
    (void)state;
    judge = take_ranks();
    assert_int_equal(judge, 1);
    run("test \"$(cat records/judge-2-ranks/ranks.ticket)\" = two");
    assert_int_equal(stick_take_ranks("stick", "booth-1-judge", "records", &judge, &diag),
                     BL_NOINPUT);
    /* Power fails after that: the same machine has it still. */
    run("rm -r records/judge-2-ranks");
    assert_int_equal(stick_take_ranks("stick", PLACE, "records", &judge, &diag), BL_OK);
    /* The stick has lost the bytes of the place's name, so that nobody has them. */
    run("rm -r records/judge-2-ranks; : >stick/boothlink/judge-2-ranks/taken");
    assert_int_equal(stick_take_ranks("stick", PLACE, "records", &judge, &diag), BL_OK);
    run("echo 4 >records/judge-2-ranks/ranks-j2-judge.ballot");
    assert_int_equal(
        stick_give_ranks("stick", PLACE, "records", judge, "ranks-j2-judge.ballot", &diag), BL_OK);
    run("test \"$(cat stick/boothlink/records/" PLACE "/ranks-j2-judge.ballot)\" = 4");
    run("test ! -e records/judge-2-ranks -a ! -e stick/boothlink/judge-2-ranks");
    /* The stick is lost: the machine has them, and another stick gets them. */
    run("rm -r stick; mkdir -p stick/boothlink/judge-2-ranks");
    run("echo two >stick/boothlink/judge-2-ranks/ranks.ticket");
    write_list("judge-2-ranks", true, STICK_JUDGES, 11);
    assert_int_equal(stick_take_ranks("stick", PLACE, "records", &judge, &diag), BL_OK);
    assert_int_equal(
        stick_give_ranks("stick", PLACE, "records", judge, "ranks-j2-judge.ballot", &diag), BL_OK);
    run("test \"$(cat stick/boothlink/records/" PLACE "/ranks-j2-judge.ballot)\" = 4");
    run("test ! -e records/judge-2-ranks -a ! -e stick/boothlink/judge-2-ranks");
    assert_int_equal(contest_records_count("records").unsaved, 0);
}

/* The desk has had the ranks of a trial, and so no stick came for them. The next one brings those
 * of the next trial: they stay on it, and this machine may take them. */
static void test_ranks_of_the_next_trial(void **state)
{
    unsigned judge;
    (void)state;
    judge = take_ranks();
    run("echo 4 >records/judge-2-ranks/ranks-j2-judge.ballot");
    run("cd stick/boothlink/judge-2-ranks; rm taken; echo second >ranks.ticket");
    write_list("judge-2-ranks", true, STICK_JUDGES, 20);
    assert_int_equal(
        stick_give_ranks("stick", PLACE, "records", judge, "ranks-j2-judge.ballot", &diag), BL_OK);
    run("test \"$(cat stick/boothlink/records/" PLACE "/ranks-j2-judge.ballot)\" = 4");
    run("test ! -e records/judge-2-ranks -a -e stick/boothlink/judge-2-ranks/ranks.ticket");
    assert_int_equal(stick_take_ranks("stick", PLACE, "records", &judge, &diag), BL_OK);
    run("test \"$(cat records/judge-2-ranks/ranks.ticket)\" = second");
}

static void test_takes_its_own(void **state)
{
    struct stat info;
    bool changed;
    (void)state;
    assert_true(stick_is_in("stick"));
    assert_false(stick_is_in("records"));
    assert_int_equal(take(&changed), BL_OK);
    assert_true(changed);
    run("test \"$(ls own | xargs)\" = '001.ticket line.key' && cmp own/line.key "
        "stick/boothlink/" PLACE "/line.key");
    run("test -z \"$(grep -r other own)\"");
    assert_int_equal(stat("own/line.key", &info), 0);
    assert_int_equal(info.st_mode & 0777, 0600);
    assert_int_equal(take(&changed), BL_OK);
    assert_false(changed);
}

/* The newer stick is the whole truth. */
/* A place's key goes where its courier finds it, and a new one in the place of the old. A stick
 * that has none leaves it. */
static void test_keeps_the_places_key(void **state)
{
    bool changed;
    struct stat info;
    (void)state;
    assert_int_equal(take(&changed), BL_OK);
    assert_int_equal(stick_keep_key("own", "records", &diag), BL_OK);
    assert_int_not_equal(access("records/place.key", F_OK), 0);
    for (unsigned i = 0; i < 2; i++) {
        run(i ? "echo new >stick/boothlink/" PLACE "/place.key"
              : "echo old >stick/boothlink/" PLACE "/place.key");
        assert_int_equal(take(&changed), BL_OK);
        assert_int_equal(stick_keep_key("own", "records", &diag), BL_OK);
        run("cmp stick/boothlink/" PLACE "/place.key records/place.key");
    }
    assert_int_equal(stat("records/place.key", &info), 0);
    assert_int_equal(info.st_mode & 077, 0);
    run("rm stick/boothlink/" PLACE "/place.key");
    assert_int_equal(take(&changed), BL_OK);
    assert_int_equal(stick_keep_key("own", "records", &diag), BL_OK);
    run("test \"$(cat records/place.key)\" = new && ! test -e own/place.key");
    run("rm records/place.key");
}

static void test_takes_away(void **state)
{
    bool changed;
    (void)state;
    take(&changed);
    run("mv stick/boothlink/" PLACE "/001.ticket stick/boothlink/" PLACE "/001-2.ticket");
    assert_int_equal(take(&changed), BL_OK);
    assert_true(changed);
    run("test \"$(ls own | xargs)\" = '001-2.ticket line.key'");
    /* A stick for other machines leaves all as it is. */
    run("rm -r stick/boothlink/" PLACE);
    assert_int_equal(take(&changed), BL_OK);
    assert_false(changed);
    run("test \"$(ls own | xargs)\" = '001-2.ticket line.key'");
}

/* An unreadable file is another machine's, and stays. Where no folder is free none is replaced. */
static void test_gives_beside_others(void **state)
{
    static const char *const theirs[] = {"mkdir", "ln -s /dev/null", "truncate -s 65M", "mkfifo"};
    char make[256];
    (void)state;
    run("echo one >records/r1-j1-judge.journal");
    run("for n in '' -2 -3 -4 -5 -6 -7 -8; do mkdir -p stick/boothlink/records/" PLACE "$n; done");
    for (size_t i = 0; i < sizeof theirs / sizeof *theirs; i++) {
        snprintf(make, sizeof make,
                 "cd stick/boothlink/records/" PLACE " && rm -rf r1-j1-judge.journal && "
                 "%s r1-j1-judge.journal",
                 theirs[i]);
        run("rm -rf stick/boothlink/records/" PLACE "-2/*; rm -f records/records.saved");
        run(make);
        assert_int_equal(stick_give("stick", PLACE, "records", &diag), BL_OK);
        run("cmp records/r1-j1-judge.journal stick/boothlink/records/" PLACE
            "-2/r1-j1-judge.journal");
        run("cd stick/boothlink/records/" PLACE " && test ! -s r1-j1-judge.journal -o "
            "$(stat -c %s r1-j1-judge.journal) -gt 4");
    }
    run("for n in -2 -3 -4 -5 -6 -7 -8; do echo other >stick/boothlink/records/" PLACE
        "$n/r1-j1-judge.journal; done; rm records/records.saved");
    assert_int_equal(stick_give("stick", PLACE, "records", &diag), BL_DATA);
    assert_non_null(strstr(diag.text, "another stick"));
    run("test $(cat stick/boothlink/records/" PLACE "-?/r1-j1-judge.journal | sort -u) = other");
    assert_int_equal(contest_records_count("records").unsaved, 1);
}

static void test_gives_records(void **state)
{
    (void)state;
    assert_int_equal(stick_give("stick", PLACE, "records", &diag), BL_OK);
    run("test ! -e stick/boothlink/records");
    run("echo one >records/r1-j1-judge.journal; echo yes >records/r1-j1-judge.ballot");
    run("echo no >records/complaints");
    assert_int_equal(contest_records_count("records").unsaved, 2);
    assert_int_equal(stick_give("stick", PLACE, "records", &diag), BL_OK);
    run("test \"$(ls stick/boothlink/records/" PLACE
        " | xargs)\" = 'r1-j1-judge.ballot r1-j1-judge.journal'");
    assert_int_equal(contest_records_count("records").unsaved, 0);
    run("echo more >>records/r1-j1-judge.journal");
    assert_int_equal(contest_records_count("records").unsaved, 1);
    assert_int_equal(stick_give("stick", PLACE, "records", &diag), BL_OK);
    run("cmp records/r1-j1-judge.journal stick/boothlink/records/" PLACE "/r1-j1-judge.journal");
    /* Another machine of this place, a spare: each keeps what it has written. */
    run("mkdir spare; echo spare >spare/r1-j1-judge.journal");
    assert_int_equal(stick_give("stick", PLACE, "spare", &diag), BL_OK);
    run("cmp records/r1-j1-judge.journal stick/boothlink/records/" PLACE "/r1-j1-judge.journal");
    run("cmp spare/r1-j1-judge.journal stick/boothlink/records/" PLACE "-2/r1-j1-judge.journal");
    run("echo more >>spare/r1-j1-judge.journal; echo more >>records/r1-j1-judge.journal");
    assert_int_equal(stick_give("stick", PLACE, "spare", &diag), BL_OK);
    assert_int_equal(stick_give("stick", PLACE, "records", &diag), BL_OK);
    run("cmp records/r1-j1-judge.journal stick/boothlink/records/" PLACE "/r1-j1-judge.journal");
    run("cmp spare/r1-j1-judge.journal stick/boothlink/records/" PLACE "-2/r1-j1-judge.journal");
    run("test ! -e stick/boothlink/records/" PLACE "-3; rm -r spare");
    /* A stick that has lost a file's bytes, and another one, with nothing on it: they get all. */
    run(": >stick/boothlink/records/" PLACE "/r1-j1-judge.journal; : >records/records.saved");
    assert_int_equal(stick_give("stick", PLACE, "records", &diag), BL_OK);
    run("cmp records/r1-j1-judge.journal stick/boothlink/records/" PLACE "/r1-j1-judge.journal");
    run("rm -r stick/boothlink/records");
    assert_int_equal(stick_give("stick", PLACE, "records", &diag), BL_OK);
    run("cmp records/r1-j1-judge.ballot stick/boothlink/records/" PLACE "/r1-j1-judge.ballot");
    /* A machine that has lost all bytes of one takes nothing from the stick. */
    run("cp records/r1-j1-judge.journal kept; : >records/r1-j1-judge.journal");
    assert_int_equal(stick_give("stick", PLACE, "records", &diag), BL_OK);
    run("cmp kept stick/boothlink/records/" PLACE "/r1-j1-judge.journal; rm kept");
}

/* A record here that cannot be read is told as such, and not as another machine's. */
static void test_gives_no_unreadable_one(void **state)
{
    (void)state;
    run("mkdir records/r1-j1-judge.journal");
    assert_int_equal(stick_give("stick", PLACE, "records", &diag), BL_DATA);
    assert_non_null(strstr(diag.text, "records/r1-j1-judge.journal"));
    assert_null(strstr(diag.text, "another stick"));
}

/* The records of another contest are kept apart, counted until a stick has them, and come back. */
static void test_contests(void **state)
{
    struct records_count count;
    char id[CONTEST_ID];
    (void)state;
    assert_int_equal(contest_records_switch("records", "a1", &diag), BL_OK);
    run("echo one >records/r1-j1-judge.journal; echo two >records/r1-j1-judge.ballot");
    assert_int_equal(stick_give("stick", PLACE, "records", &diag), BL_OK);
    run("echo more >>records/r1-j1-judge.journal; : >records/r1-j1.over");
    assert_int_equal(contest_records_switch("records", "b2", &diag), BL_OK);
    contest_records_of("records", id);
    assert_string_equal(id, "b2");
    count = contest_records_count("records");
    assert_int_equal(count.all, 0);
    assert_int_equal(count.unsaved, 0);
    assert_int_equal(count.apart, 1); /* the journal has grown, a stick has the ballot */
    run("echo other >records/r1-j1-judge.journal");
    count = contest_records_count("records");
    assert_true(count.all == 1 && count.unsaved == 1 && count.apart == 1);
    assert_int_equal(contest_records_switch("records", "a1", &diag), BL_OK);
    count = contest_records_count("records");
    assert_true(count.all == 2 && count.unsaved == 1 && count.apart == 1);
    run("test -e records/r1-j1.over -a \"$(cat records/contest-b2/*.journal)\" = other");
    assert_int_equal(stick_give("stick", PLACE, "records", &diag), BL_OK);
    count = contest_records_count("records");
    assert_true(count.all == 2 && count.unsaved == 0 && count.apart == 1);
}

/* A name that is the end of another's. */
static void test_counts_whole_names(void **state)
{
    (void)state;
    run("echo one >records/a1-judge.journal");
    assert_int_equal(stick_give("stick", PLACE, "records", &diag), BL_OK);
    run("echo one >records/1-judge.journal");
    assert_int_equal(contest_records_count("records").unsaved, 1);
}

/* No room for the new one: the old one stays as it was, and the record still counts as unsaved. */
static void test_full(void **state)
{
    struct rlimit was, small = {64, RLIM_INFINITY};
    (void)state;
    run("echo one >records/r1-j1-judge.journal");
    assert_int_equal(stick_give("stick", PLACE, "records", &diag), BL_OK);
    run("seq 1000 >>records/r1-j1-judge.journal");
    signal(SIGXFSZ, SIG_IGN);
    getrlimit(RLIMIT_FSIZE, &was);
    small.rlim_max = was.rlim_max;
    setrlimit(RLIMIT_FSIZE, &small);
    enum bl_status status = stick_give("stick", PLACE, "records", &diag);
    setrlimit(RLIMIT_FSIZE, &was);
    assert_int_not_equal(status, BL_OK);
    assert_non_null(strstr(diag.text, "r1-j1-judge.journal"));
    run("test \"$(cat stick/boothlink/records/" PLACE "/r1-j1-judge.journal)\" = one");
    run("test \"$(ls stick/boothlink/records/" PLACE "/)\" = r1-j1-judge.journal");
    assert_int_equal(contest_records_count("records").unsaved, 1);
}

/* Pulled in mid-write: what is there is the old, or a part under another name, which is no record
 * and is written over the next time. */
static void test_pulled(void **state)
{
    bool changed;
    (void)state;
    run("echo one >records/r1-j1-judge.journal");
    run("mkdir -p stick/boothlink/records/" PLACE "; echo o >stick/boothlink/records/" PLACE
        "/r1-j1-judge.journal.part");
    assert_int_equal(stick_give("stick", PLACE, "records", &diag), BL_OK);
    run("test \"$(ls stick/boothlink/records/" PLACE ")\" = r1-j1-judge.journal");
    run("mv stick gone");
    assert_false(stick_is_in("stick"));
    assert_int_not_equal(stick_give("stick", PLACE, "records", &diag), BL_OK);
    assert_int_equal(take(&changed), BL_OK);
    assert_false(changed);
    run("mv gone stick");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_is_held_against_its_list, start, end),
        cmocka_unit_test_setup_teardown(test_takes_what_is_listed, start, end),
        cmocka_unit_test_setup_teardown(test_takes_no_more_than_it_has_room_for, start, end),
        cmocka_unit_test_setup_teardown(test_links, start, end),
        cmocka_unit_test_setup_teardown(test_ranks, start, end),
        cmocka_unit_test_setup_teardown(test_ranks_half_taken, start, end),
        cmocka_unit_test_setup_teardown(test_ranks_left, start, end),
        cmocka_unit_test_setup_teardown(test_ranks_of_the_next_trial, start, end),
        cmocka_unit_test_setup_teardown(test_takes_its_own, start, end),
        cmocka_unit_test_setup_teardown(test_keeps_the_places_key, start, end),
        cmocka_unit_test_setup_teardown(test_takes_away, start, end),
        cmocka_unit_test_setup_teardown(test_gives_records, start, end),
        cmocka_unit_test_setup_teardown(test_gives_beside_others, start, end),
        cmocka_unit_test_setup_teardown(test_gives_no_unreadable_one, start, end),
        cmocka_unit_test_setup_teardown(test_contests, start, end),
        cmocka_unit_test_setup_teardown(test_counts_whole_names, start, end),
        cmocka_unit_test_setup_teardown(test_full, start, end),
        cmocka_unit_test_setup_teardown(test_pulled, start, end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
