/* The built-in template, for want of another. */
#ifndef FORM_PAGE_H
#define FORM_PAGE_H

#include "base/built_text.h"

extern const struct built_text form_pages[];

#endif
