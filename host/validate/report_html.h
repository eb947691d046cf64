/* The report of a validation as one self-contained HTML file with the compared screens. Well-formed
 * XML; texts of programs and entrants are escaped (base/html.h). */
#ifndef VALIDATE_REPORT_HTML_H
#define VALIDATE_REPORT_HTML_H

#include "base/html.h"
#include "validate/validate.h"

void report_html(const struct validate_report *report, const char *again,
                 const struct html_out *out);

#endif
