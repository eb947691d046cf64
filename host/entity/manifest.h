/* The manifest of a handed-in Entry: the Entry's command, its interpreter, and a hash of each file
 * of its folder. The manifest lies in that folder; on the day the folder is compared with it. A
 * text with a line for each file, in the order of their paths:
 *
 *   boothlink-manifest 1
 *   program perl eliza.pl
 *   interpreter /usr/bin/perl
 *   file 0e5751c0...a8 1234 - eliza.pl        BLAKE2b-256, bytes, x if it can be run
 *   link 786a02f7...ce 7 - words.txt          of the link's target
 *
 * Source: Loebner Prize 2009 rules, section 1. */
#ifndef ENTITY_MANIFEST_H
#define ENTITY_MANIFEST_H

#include "base/status.h"

#include <stddef.h>

#define MANIFEST_NAME "boothlink.manifest"
#define MANIFEST_MOST (16u << 20)

/* Writes the manifest into the folder. *files: the number of files and links. BL_DATA: the folder
 * has something that cannot be handed in, such as a socket, or a name with a newline. */
enum bl_status manifest_write(const char *folder, const char *program, unsigned *files,
                              struct bl_diag *diag);

/* Compares the folder with its manifest. BL_NOINPUT: no manifest. BL_DATA names the first file that
 * differs, is missing, or was not handed in. BL_UNAVAIL: the machine lacks the interpreter. */
enum bl_status manifest_check(const char *folder, unsigned *files, struct bl_diag *diag);

/* Reads the Entry's command from the manifest. */
enum bl_status manifest_program(const char *folder, char *program, size_t size,
                                struct bl_diag *diag);

#endif
