/* The files of the manager's page, built into boothlink-desk: page.html, page.css, page.js, and
 * door.js of host/web. */
#ifndef DESK_PAGE_FILES_H
#define DESK_PAGE_FILES_H

#include "base/built_text.h"

extern const struct built_text desk_page_files[];

#endif
