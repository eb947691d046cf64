#include "tests/support/sandboxed.h"
#include "tests/support/namespaces.h"

#include <dirent.h>
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cmocka.h>

/* A folder with a file, in another folder with a file. */
char sandboxed_outer[200], sandboxed_folder[240];

static void file_write(const char *in, const char *name, const char *text)
{
    char path[300];
    FILE *file;
    snprintf(path, sizeof path, "%s/%s", in, name);
    file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    assert_int_equal(fclose(file), 0);
}

static void assert_file(const char *in, const char *name, const char *text)
{
    char path[300], found[100] = "";
    FILE *file;
    snprintf(path, sizeof path, "%s/%s", in, name);
    file = fopen(path, "r");
    assert_non_null(file);
    assert_non_null(fgets(found, sizeof found, file));
    fclose(file);
    assert_string_equal(found, text);
}

static unsigned files_in(const char *path)
{
    unsigned count = 0;
    DIR *dir = opendir(path);
    assert_non_null(dir);
    for (struct dirent *found; (found = readdir(dir));)
        count += found->d_name[0] != '.';
    closedir(dir);
    return count;
}

int sandboxed_setup(void **state)
{
    const char *tmp = getenv("TMPDIR");
    (void)state;
    snprintf(sandboxed_outer, sizeof sandboxed_outer, "%s/sandbox.XXXXXX", tmp ? tmp : "/tmp");
    assert_non_null(mkdtemp(sandboxed_outer));
    snprintf(sandboxed_folder, sizeof sandboxed_folder, "%s/entry", sandboxed_outer);
    assert_int_equal(mkdir(sandboxed_folder, 0755), 0);
    file_write(sandboxed_outer, "above", "above");
    file_write(sandboxed_folder, "inside", "inside");
    return 0;
}

int sandboxed_teardown(void **state)
{
    char path[300];
    (void)state;
    snprintf(path, sizeof path, "%s/inside", sandboxed_folder);
    unlink(path);
    rmdir(sandboxed_folder);
    snprintf(path, sizeof path, "%s/above", sandboxed_outer);
    unlink(path);
    return rmdir(sandboxed_outer);
}

/* Everything is as it was, and no process of ours is left: all that ran in a sandbox was below its
 * first process, which was our child. */
void sandboxed_untouched(void)
{
    assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
    assert_int_equal(errno, ECHILD);
    assert_file(sandboxed_outer, "above", "above");
    assert_file(sandboxed_folder, "inside", "inside");
    assert_int_equal(files_in(sandboxed_outer), 2);
    assert_int_equal(files_in(sandboxed_folder), 1);
}

struct sandbox_options sandboxed_with(const char *command)
{
    return (struct sandbox_options){.command = command,
                                    .folder = sandboxed_folder,
                                    .turn_end = TURN_LF,
                                    .columns = 80,
                                    .rows = 25,
                                    .memory_mib = 256,
                                    .processes = 40,
                                    .net = SANDBOX_NET_LISTEN};
}

struct actor *sandboxed_start_with(const struct sandbox_options *sandbox)
{
    static const struct actor_options options = {.flood_bytes = SANDBOXED_FLOOD};
    struct bl_diag diag = {""};
    struct actor *actor;
    enum bl_status status = actor_open_alone(&actor, sandbox, &options, &diag);
    if (status == BL_UNAVAIL)
        namespaces_skip(diag.text);
    assert_int_equal(status, BL_OK);
    return actor;
}

struct actor *sandboxed_start(const char *command)
{
    struct sandbox_options sandbox = sandboxed_with(command);
    return sandboxed_start_with(&sandbox);
}

void sandboxed_end(struct actor *actor)
{
    scene_close(actor_scene(actor));
    sandboxed_untouched();
}

void sandboxed_wait_text(struct actor *actor, const char *text)
{
    while (!strstr(actor_said(actor).text, text))
        assert_int_equal(actor_pause(actor, 20, false), ACTOR_DONE);
}
