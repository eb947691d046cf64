/* Prints a file of the corpus of transcripts (tests/support/corpus.h), for the system tests.
 *
 *   corpus              a line for each: FORMAT DAMAGE ENCODING ENDS, all in numbers but the first
 *   corpus SEED         the same, with one encoding and one line end each, by that seed
 *   corpus FORMAT DAMAGE ENCODING ENDS */
#include "tests/support/corpus.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct corpus_file file;

static void print_row(size_t sample, unsigned damage, unsigned encoding, unsigned ends)
{
    if (corpus_make(&file, &corpus_samples[sample], encoding, ends, damage))
        printf("%s %u %u %u\n", format_row(corpus_samples[sample].format)->name, damage, encoding,
               ends);
}

static int print_list(const char *seed)
{
    struct dice dice = dice_make(seed ? strtoull(seed, NULL, 10) : 0);
    for (size_t i = 0; i < CORPUS_SAMPLES; i++)
        for (unsigned damage = 0; damage < CORPUS_DAMAGES; damage++)
            for (unsigned both = 0; both < CORPUS_ENCODINGS * CORPUS_ENDS; both++) {
                if (seed)
                    both = (unsigned)dice_below(&dice, CORPUS_ENCODINGS * CORPUS_ENDS);
                print_row(i, damage, both % CORPUS_ENCODINGS, both / CORPUS_ENCODINGS);
                if (seed)
                    break;
            }
    return 0;
}

int main(int argc, char **argv)
{
    if (argc < 5)
        return print_list(argv[1]);
    for (size_t i = 0; i < CORPUS_SAMPLES; i++)
        if (strcmp(format_row(corpus_samples[i].format)->name, argv[1]) == 0 &&
            corpus_make(&file, &corpus_samples[i], (unsigned)atoi(argv[3]), (unsigned)atoi(argv[4]),
                        (unsigned)atoi(argv[2])))
            return fwrite(file.bytes, 1, file.length, stdout) != file.length;
    return 64;
}
