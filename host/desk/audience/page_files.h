/* The files of the audience's page, built into boothlink-audience. */
#ifndef DESK_AUDIENCE_PAGE_FILES_H
#define DESK_AUDIENCE_PAGE_FILES_H

#include "base/built_text.h"

extern const struct built_text audience_page_files[];

#endif
