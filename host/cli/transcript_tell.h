/* The output of the verbs of "transcript" about a file. */
#ifndef CLI_TRANSCRIPT_TELL_H
#define CLI_TRANSCRIPT_TELL_H

#include "booth/transcript_source.h"

/* Print to standard output. _check_print returns the exit status. */
enum bl_status transcript_stats_print(const struct transcript_source *source, const char *file,
                                      bool json, struct bl_diag *diag);
void transcript_stats_draw(const struct transcript_source *source, const char *file); /* as SVG */
int transcript_check_print(const struct transcript_source *source, const char *file, bool json);
void transcript_formats_print(bool json);

/* Take --from and --side, of a command whose struct of options begins with the request. */
enum bl_status transcript_take_from(void *request, const char *value, struct bl_diag *diag);
enum bl_status transcript_take_side(void *request, const char *value, struct bl_diag *diag);

#endif
