/* The files of the referee's page, built into boothlink-referee: page.html, page.css, page.js, the
 * desk's conversation.js, and door.js of host/web. */
#ifndef DESK_REFEREE_PAGE_FILES_H
#define DESK_REFEREE_PAGE_FILES_H

#include "base/built_text.h"

extern const struct built_text referee_page_files[];

#endif
