/* Debian's libxml2 pulls in the system's ICU headers, which clash with those that Foundation brings. */
#include <libxml/xmlversion.h>
#undef LIBXML_ICU_ENABLED
#include <libxml/parser.h>
#include <libxml/SAX2.h>
#include <libxml/xmlerror.h>
