// The documents that the proxy serves for a case: their text and their headers.
#pragma once

#include "case.h"

// The HTML of a page or frame. Free with g_free.
char *document_text(Case *self, Load *load);

// Further header lines, or NULL. Free with g_free.
char *document_headers(Load *load);
