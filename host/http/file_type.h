#ifndef HTTP_FILE_TYPE_H
#define HTTP_FILE_TYPE_H

/* The Content-Type of a page's file, by its ending: .html, .css or .js. */
const char *http_file_type(const char *name);

#endif
