/* The checks of an Entry, one function for each row of checks.c. */
#ifndef VALIDATE_ENTRY_PRIVATE_H
#define VALIDATE_ENTRY_PRIVATE_H

#include "validate/validate_private.h"

#include <dirent.h>

#define ENTRY_CHECK(name) void name(struct validate *v, struct finding *f)

/* entry_quiet_ms() is the time without keys that ends an answer; entry_calm_ms() is the time before
 * the next judge. */
unsigned entry_quiet_ms(const struct validate_options *options);
unsigned entry_calm_ms(const struct validate_options *options);

/* Opens a subfolder for reading from its start, or with "." the folder itself; NULL on failure. */
DIR *entry_folder(int parent, const char *path);

/* Reads the first bytes of a file in a folder and appends a NUL; the caller frees them. An
 * unreadable file is empty. NULL if out of memory. */
#define ENTRY_FILE_MOST (1u << 20)
char *entry_file(int folder, const char *name, size_t *length);

ENTRY_CHECK(entry_start_time);
ENTRY_CHECK(entry_start_ends);
ENTRY_CHECK(entry_start_quiet);
ENTRY_CHECK(entry_start_asks);
ENTRY_CHECK(entry_start_folder);
ENTRY_CHECK(entry_start_memory);

ENTRY_CHECK(entry_talk_first);
ENTRY_CHECK(entry_talk_silence);
ENTRY_CHECK(entry_talk_long);
ENTRY_CHECK(entry_talk_returns);
ENTRY_CHECK(entry_talk_backspace);
ENTRY_CHECK(entry_talk_paste);
ENTRY_CHECK(entry_talk_unicode);
ENTRY_CHECK(entry_talk_marks);
ENTRY_CHECK(entry_talk_linefeed);
ENTRY_CHECK(entry_talk_unfinished);
ENTRY_CHECK(entry_talk_busy);

ENTRY_CHECK(entry_keys_single);
ENTRY_CHECK(entry_keys_utf8);
ENTRY_CHECK(entry_keys_controls);
ENTRY_CHECK(entry_keys_rate);
ENTRY_CHECK(entry_keys_keyboard);
ENTRY_CHECK(entry_keys_message);
ENTRY_CHECK(entry_keys_echo);

ENTRY_CHECK(entry_opening_words);
ENTRY_CHECK(entry_opening_each);

ENTRY_CHECK(entry_judge_second);
ENTRY_CHECK(entry_judge_restart);
ENTRY_CHECK(entry_cut_line);
ENTRY_CHECK(entry_cut_quiet);

ENTRY_CHECK(entry_end_signal);
ENTRY_CHECK(entry_end_leftover);
ENTRY_CHECK(entry_files_outside);
ENTRY_CHECK(entry_files_folder);

ENTRY_CHECK(entry_net_frames);
ENTRY_CHECK(entry_net_lookups);
ENTRY_CHECK(entry_limit_memory);
ENTRY_CHECK(entry_limit_processes);
ENTRY_CHECK(entry_limit_output);
ENTRY_CHECK(entry_limit_processor);
ENTRY_CHECK(entry_crash_signal);
ENTRY_CHECK(entry_long_run);

ENTRY_CHECK(entry_lpp_names);
ENTRY_CHECK(entry_lpp_digits);
ENTRY_CHECK(entry_lpp_order);
ENTRY_CHECK(entry_lpp_deletes);
ENTRY_CHECK(entry_lpp_foreign);
ENTRY_CHECK(entry_lpp_speed);
ENTRY_CHECK(entry_lpp_backlog);
ENTRY_CHECK(entry_lpp_restart);

ENTRY_CHECK(entry_lpp2_words);
ENTRY_CHECK(entry_lpp2_keys);
ENTRY_CHECK(entry_lpp2_again);

ENTRY_CHECK(entry_web_template);
ENTRY_CHECK(entry_web_look);
ENTRY_CHECK(entry_web_delay);
ENTRY_CHECK(entry_web_log);

ENTRY_CHECK(entry_1996_prompt);
ENTRY_CHECK(entry_1996_returns);
ENTRY_CHECK(entry_1996_transcript);
ENTRY_CHECK(entry_1996_command);
ENTRY_CHECK(entry_1996_size);

#endif
