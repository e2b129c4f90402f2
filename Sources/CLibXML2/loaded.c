/* The functions of libxml2 that Chemopen uses. The first call loads the system's libxml2.
 *
 * A shared library that is linked with libxml2 always requires libxml2 and its dependencies: on Debian, 31 MB of ICU, which
 * every program that uses the library loads at each start. With this file, libxml2 is required only for reading XML.
 * .ci/release builds a library from this file, and the linker finds it before the system's library. */
#include "shim.h"
#include <dlfcn.h>
#include <pthread.h>

#define FUNCTIONS(X)                                                                                                   \
    X(xmlCreatePushParserCtxt, xmlParserCtxtPtr,                                                                       \
      (xmlSAXHandlerPtr handler, void *data, const char *chunk, int size, const char *name),                           \
      (handler, data, chunk, size, name), NULL)                                                                        \
    X(xmlCtxtUseOptions, int, (xmlParserCtxtPtr context, int options), (context, options), 0)                          \
    X(xmlFreeDoc, void, (xmlDocPtr document), (document), )                                                            \
    X(xmlFreeParserCtxt, void, (xmlParserCtxtPtr context), (context), )                                                \
    X(xmlParseChunk, int, (xmlParserCtxtPtr context, const char *chunk, int size, int end),                            \
      (context, chunk, size, end), 0)                                                                                  \
    X(xmlStopParser, void, (xmlParserCtxtPtr context), (context), )                                                    \
    X(xmlSAX2GetLineNumber, int, (void *context), (context), 0)                                                        \
    X(xmlStrlen, int, (const xmlChar *text), (text), 0)

#define DECLARE(name, result, parameters, arguments, none) static result(*loaded_##name) parameters;
FUNCTIONS(DECLARE)
static void **(*loaded_error_context)(void);
static int is_loaded;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void load(void) {
    static const char *const names[] = {"libxml2.so.2", "libxml2.so.16"};
    void *library = NULL;
    unsigned i;
    for (i = 0; i < sizeof names / sizeof *names && library == NULL; i++) library = dlopen(names[i], RTLD_LAZY | RTLD_LOCAL);
    if (library == NULL) return;
    is_loaded = 1;
#define FIND(name, result, parameters, arguments, none)                                                                \
    *(void **)&loaded_##name = dlsym(library, #name);                                                                  \
    if (loaded_##name == NULL) is_loaded = 0;
    FUNCTIONS(FIND)
    *(void **)&loaded_error_context = dlsym(library, "__xmlGenericErrorContext");
    if (loaded_error_context == NULL) is_loaded = 0;
}

#define DEFINE(name, result, parameters, arguments, none)                                                              \
    result name parameters {                                                                                           \
        pthread_once(&once, load);                                                                                     \
        if (!is_loaded) return none;                                                                                   \
        return loaded_##name arguments;                                                                                \
    }
#pragma GCC diagnostic ignored "-Wpedantic"
FUNCTIONS(DEFINE)

void **__xmlGenericErrorContext(void) {
    pthread_once(&once, load);
    return is_loaded ? loaded_error_context() : NULL;
}
