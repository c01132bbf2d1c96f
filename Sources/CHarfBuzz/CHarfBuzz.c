#include "CHarfBuzz.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stddef.h>

static struct {
#define CHARFBUZZ_SYMBOL(name) void *name;
    CHARFBUZZ_FUNCTIONS(CHARFBUZZ_SYMBOL)
#undef CHARFBUZZ_SYMBOL
} symbols;

_Static_assert(
    sizeof(symbols) == sizeof(struct CHarfBuzzFunctions),
    "POSIX lets a pointer to a function be stored as a pointer to data");

static int is_complete;

static void load(void) {
    void *library = dlopen(CHARFBUZZ_LIBRARY, RTLD_NOW | RTLD_LOCAL);
    if (!library) return;
#define CHARFBUZZ_LOAD(name) \
    symbols.name = dlsym(library, #name); \
    if (!symbols.name) return;
    CHARFBUZZ_FUNCTIONS(CHARFBUZZ_LOAD)
#undef CHARFBUZZ_LOAD
    is_complete = 1;
}

const struct CHarfBuzzFunctions *charfbuzz_functions(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, load);
    return is_complete ? (const struct CHarfBuzzFunctions *)(const void *)&symbols : NULL;
}
