/* Signs a ballot file as a judge's machine does: the file of tests/support/ballots.sh from standard
 * input, to standard output.
 *
 *   signer KEY      KEY is the machine's key file, made if it is not there */
#include "booth/machine_key.h"
#include "rules/ballot_file.h"

#include <stdio.h>
#include <sodium.h>
#include <stdlib.h>
#include <string.h>
#include <sysexits.h>

static struct ballot_signer signer;
static uint8_t chain[BALLOT_CHAIN];

static void put(const char *line, size_t length)
{
    fwrite(line, 1, length, stdout);
    ballot_chain(chain, line, length);
}

int main(int argc, char **argv)
{
    static char text[1 << 16], line[BALLOT_LINE_MAX];
    static struct ballot_file file;
    struct bl_diag diag;
    size_t length = fread(text, 1, sizeof text - 1, stdin);
    if (argc != 2 || sodium_init() < 0)
        return EX_USAGE;
    if (machine_key_open(&signer, argv[1], &diag) != BL_OK ||
        ballot_file_read(&file, text, length, "standard input", &diag) != BL_OK) {
        fprintf(stderr, "signer: %s\n", diag.text);
        return EX_DATAERR;
    }
    file.head.keyed = true;
    memcpy(file.head.key, signer.key, BALLOT_KEY);
    put(line, ballot_head_write(&file.head, line));
    for (char *at = strchr(text, '\n') + 1, *end; (end = strchr(at, '\n')); at = end + 1) {
        put(at, (size_t)(end + 1 - at));
        put(line, ballot_signature_write(&signer, chain, file.given_us, line));
    }
    machine_key_wipe(&signer);
    return EX_OK;
}
