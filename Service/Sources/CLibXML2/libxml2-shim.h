// Debian's libxml2 is built with ICU and includes ICU's headers, which collide with those that
// Foundation brings. Nothing that is used here depends on them.
#include <libxml/xmlversion.h>
#undef LIBXML_ICU_ENABLED

#include <iconv.h>
#include <libxml/HTMLparser.h>
#include <libxml/parser.h>
#include <libxml/parserInternals.h>
#include <libxml/xmlerror.h>
