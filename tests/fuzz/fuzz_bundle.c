/* A stranger's bundle: that of a sealed contest, with bytes of its files changed, put in or taken
 * out, files taken away and put beside. A change that is not in the hash of the whole is found.
 * Where the hashes were made to fit, the whole has another hash, and what follows from the acts
 * still follows from them.
 *
 * Input: a byte (1: the hashes are made to fit), then the changes: a byte each of file, kind and
 * length (at most what is left), two of the place, and the bytes. */
#include "base/file.h"
#include "desk/bundle.h"
#include "rules/rulesets.h"
#include "tests/support/drawn.h"
#include "tests/support/memory_folder.h"

#include <fcntl.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length);

enum change { REPLACE, PUT_IN, TAKE_OUT, CUT, REMOVE, ADD, CHANGES };

static const char *root;
static struct bundle good, now;
static char whole[2 * ACT_HASH_BYTES + 1], last[2 * ACT_HASH_BYTES + 1];
static int home = -1; /* the seeds are named from there */

/* The contest. */

static struct contest *contest;

static void hold(struct store *store)
{
    for (const struct built_text *at = ruleset_texts; at->name; at++)
        if (strcmp(at->name, "three-party-2025") == 0)
            drawn_hold(store, contest, at->text, 1);
    drawn_append(store, contest, "ballot",
                 json_loads("{\"judge\":1,\"entry\":1,\"confederate\":1,\"human\":true,\"fields\":"
                            "{\"confidence\":70,\"reason\":\"Wimbot is quick\"}}",
                            0, NULL));
    drawn_append(store, contest, "seal", json_object());
}

static void unread(void *ctx, const char *line)
{
    (void)ctx, (void)line;
    abort();
}

/* The folder. */

static void lay(const struct bundle *bundle)
{
    for (unsigned i = 0; i < bundle->files; i++) {
        char path[64];
        snprintf(path, sizeof path, "bundle/%.31s", bundle->file[i].name);
        FILE *file = fopen(path, "w");
        if (!file)
            abort();
        fwrite(bundle->file[i].text, 1, bundle->file[i].length, file);
        fclose(file);
    }
}

static void differs(void *ctx, const char *where, const char *what)
{
    (void)ctx;
    if (!where[0] || !what[0])
        abort();
}

static enum bl_status verify(struct bundle_told *told)
{
    struct bl_diag diag = {""};
    *told = (struct bundle_told){.differs = differs};
    enum bl_status status = bundle_verify(told, "bundle", &diag);
    if (status != BL_OK && !diag.text[0])
        abort();
    return status;
}

static void start(void)
{
    struct bl_diag diag = {""};
    struct store *store;
    struct bundle_told told;
    struct pseudonyms *pseudonyms = pseudonyms_create();
    root = memory_folder_begin("fuzz_bundle", &home);
    contest = contest_create();
    if (!contest || !pseudonyms || store_create(&store, "contest.db", &diag))
        abort();
    hold(store);
    const struct bundle_setup setup = {store, contest, pseudonyms, NULL, unread};
    if (store_read(store, 0, pseudonyms_take, pseudonyms, &diag) ||
        bundle_make(&good, &setup, &diag) || mkdir("bundle", 0700))
        abort();
    store_close(store);
    pseudonyms_destroy(pseudonyms);
    lay(&good);
    if (verify(&told) || told.differences || told.acts != 10)
        abort();
    strcpy(whole, told.whole);
    strcpy(last, told.last);
}

/* The changes. */

static void change(struct bundle_file *file, enum change kind, size_t at, const uint8_t *bytes,
                   size_t length)
{
    size_t out = kind == REPLACE || kind == TAKE_OUT ? length : 0;
    size_t in = kind == REPLACE || kind == PUT_IN ? length : 0;
    at = file->length ? at % file->length : 0;
    out = kind == CUT || out > file->length - at ? file->length - at : out;
    char *text = malloc(file->length + in + 1);
    if (!text)
        abort();
    memcpy(text, file->text, at);
    memcpy(text + at, bytes, in);
    memcpy(text + at + in, file->text + at + out, file->length - at - out);
    file->length += in - out;
    text[file->length] = '\0';
    free(file->text);
    file->text = text;
}

static void copy_good(void)
{
    now.files = good.files;
    for (unsigned i = 0; i < good.files; i++) {
        now.file[i] = good.file[i];
        now.file[i].text = malloc(good.file[i].length + 1);
        if (!now.file[i].text)
            abort();
        memcpy(now.file[i].text, good.file[i].text, good.file[i].length + 1);
    }
}

/* The last file is the list of hashes, as bundle_make() has it. */
static void fit_hashes(void)
{
    struct bundle_file *list = &now.file[now.files - 1];
    char *text = malloc((2 * ACT_HASH_BYTES + 40) * now.files + 1);
    size_t length = 0;
    if (!text || strcmp(list->name, BUNDLE_HASHES) != 0)
        abort();
    for (unsigned i = 0; i + 1 < now.files; i++) {
        uint8_t hash[ACT_HASH_BYTES];
        char hex[2 * ACT_HASH_BYTES + 1];
        contest_commit((const uint8_t *)now.file[i].text, now.file[i].length, hash);
        contest_hex(hash, sizeof hash, hex);
        length += (size_t)sprintf(text + length, "%s  %s\n", hex, now.file[i].name);
    }
    text[length] = '\0';
    free(list->text);
    list->text = text;
    list->length = length;
}

/* False: nothing is another than it was. */
static bool is_changed(void)
{
    for (unsigned i = 0; i < now.files; i++)
        if (now.file[i].length != good.file[i].length ||
            memcmp(now.file[i].text, good.file[i].text, good.file[i].length) != 0)
            return true;
    return false;
}

/* The files that follow from the acts as a whole. */
static bool follows(const char *name)
{
    return strncmp(name, "messages.", 9) != 0 && strncmp(name, "keys.", 5) != 0 &&
           strncmp(name, "sessions.", 9) != 0 && strcmp(name, "redactions.csv") != 0 &&
           strcmp(name, BUNDLE_HASHES) != 0;
}

static void check(bool others)
{
    struct bundle_told told;
    bool fine = verify(&told) == BL_OK && told.differences == 0;
    if (fine && strcmp(told.whole, whole) == 0 && (others || is_changed()))
        abort();
    for (unsigned i = 0; i < now.files; i++)
        if (strcmp(now.file[i].name, "contest.json") == 0 &&
            strcmp(now.file[i].text, good.file[i].text) != 0)
            return; /* other acts, or pseudonyms, which no hash of an act has */
    if (!fine || strcmp(told.last, last) != 0)
        return;
    for (unsigned i = 0; i < now.files; i++)
        if (follows(now.file[i].name) && strcmp(now.file[i].text, good.file[i].text) != 0)
            abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
    bool others = false;
    if (length < 1 || length > 4096)
        return 0;
    if (!root)
        start();
    else if (chdir(root))
        abort();
    const bool fits = bytes[0] & 1;
    memory_folder_empty("bundle");
    copy_good();
    const uint8_t *at = bytes + 1, *end = bytes + length;
    uint32_t removed = 0;
    for (; end - at >= 5; at += 5) {
        const unsigned file = at[0] % now.files;
        const enum change kind = at[1] % CHANGES;
        size_t content = at[2] < (size_t)(end - at - 5) ? at[2] : (size_t)(end - at - 5);
        const size_t place = (size_t)at[3] << 8 | at[4];
        removed |= kind == REMOVE ? 1u << file : 0;
        others = others || kind == REMOVE || kind == ADD;
        if (kind == ADD)
            close(open("bundle/another", O_CREAT | O_WRONLY, 0600));
        else if (kind != REMOVE)
            change(&now.file[file], kind, place, at + 5, content);
        at += kind == REPLACE || kind == PUT_IN ? content : 0;
    }
    if (fits)
        fit_hashes();
    lay(&now);
    for (unsigned i = 0; i < now.files; i++) {
        char path[64];
        snprintf(path, sizeof path, "bundle/%.31s", now.file[i].name);
        if (removed & 1u << i)
            unlink(path);
    }
    check(others);
    for (unsigned i = 0; i < now.files; i++)
        free(now.file[i].text);
    if (fchdir(home))
        abort();
    return 0;
}
