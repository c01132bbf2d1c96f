#include "CICU.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>

#include <unicode/ubidi.h>
#include <unicode/ubrk.h>
#include <unicode/uchar.h>
#include <unicode/uscript.h>
#include <unicode/uversion.h>

// ICU's functions: the function, and its symbol without the version that it ends with.
#define CICU_FUNCTIONS(X) \
    X(u_getBidiPairedBracket, "u_getBidiPairedBracket") \
    X(u_getIntPropertyValue, "u_getIntPropertyValue") \
    X(u_getVersion, "u_getVersion") \
    X(ubidi_close, "ubidi_close") \
    X(ubidi_getBaseDirection, "ubidi_getBaseDirection") \
    X(ubidi_getLevels, "ubidi_getLevels") \
    X(ubidi_open, "ubidi_open") \
    X(ubidi_setPara, "ubidi_setPara") \
    X(ubrk_close, "ubrk_close") \
    X(ubrk_following, "ubrk_following") \
    X(ubrk_open, "ubrk_open") \
    X(ubrk_preceding, "ubrk_preceding") \
    X(ubrk_setText, "ubrk_setText") \
    X(uscript_getScript, "uscript_getScript") \
    X(uscript_getScriptExtensions, "uscript_getScriptExtensions") \
    X(uscript_getShortName, "uscript_getShortName")

static struct {
#define CICU_MEMBER(function, symbol) __typeof__(function) *function;
    CICU_FUNCTIONS(CICU_MEMBER)
#undef CICU_MEMBER
} icu;

static bool is_complete;

/// Returns the address of a symbol of one version of the library.
static void *versioned(void *library, const char *symbol, int version) {
    char name[64];
    snprintf(name, sizeof name, "%s_%d", symbol, version);
    return dlsym(library, name);
}

static bool load_version(int version) {
    char name[32];
    snprintf(name, sizeof name, "libicuuc.so.%d", version);
    void *library = dlopen(name, RTLD_NOW | RTLD_LOCAL);
    if (!library) return false;
    // POSIX lets a pointer to a function be stored as a pointer to data.
#define CICU_LOAD(function, symbol) \
    *(void **)&icu.function = versioned(library, symbol, version); \
    if (!icu.function) return false;
    CICU_FUNCTIONS(CICU_LOAD)
#undef CICU_LOAD
    return true;
}

static void load(void) {
    is_complete = load_version(U_ICU_VERSION_MAJOR_NUM);
    for (int version = CICU_NEWEST; version >= CICU_OLDEST && !is_complete; version--)
        is_complete = load_version(version);
}

bool cicu_load(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, load);
    return is_complete;
}

void cicu_version(uint8_t *version) { icu.u_getVersion(version); }

int32_t cicu_script(uint32_t character) {
    UErrorCode status = U_ZERO_ERROR;
    return icu.uscript_getScript((UChar32)character, &status);
}

int32_t cicu_script_extensions(uint32_t character, int32_t *scripts, int32_t capacity) {
    _Static_assert(sizeof(UScriptCode) == sizeof(int32_t), "an enumeration of ICU is an int");
    UErrorCode status = U_ZERO_ERROR;
    int32_t count = icu.uscript_getScriptExtensions(
        (UChar32)character, (UScriptCode *)scripts, capacity, &status);
    return count < capacity ? count : capacity;
}

const char *cicu_script_tag(int32_t script) { return icu.uscript_getShortName((UScriptCode)script); }

int32_t cicu_bracket_type(uint32_t character) {
    return icu.u_getIntPropertyValue((UChar32)character, UCHAR_BIDI_PAIRED_BRACKET_TYPE);
}

uint32_t cicu_paired_bracket(uint32_t character) {
    return (uint32_t)icu.u_getBidiPairedBracket((UChar32)character);
}

enum CICULineBreak cicu_line_break(uint32_t character) {
    switch (icu.u_getIntPropertyValue((UChar32)character, UCHAR_LINE_BREAK)) {
    case U_LB_ALPHABETIC:
    case U_LB_AMBIGUOUS:
    case U_LB_SURROGATE:
    case U_LB_UNKNOWN: return CICU_LB_ALPHABETIC;
    case U_LB_COMPLEX_CONTEXT: {
        int32_t category = icu.u_getIntPropertyValue((UChar32)character, UCHAR_GENERAL_CATEGORY);
        return category == U_NON_SPACING_MARK || category == U_COMBINING_SPACING_MARK
                   ? CICU_LB_COMBINING
                   : CICU_LB_ALPHABETIC;
    }
    case U_LB_HEBREW_LETTER: return CICU_LB_HEBREW;
    case U_LB_COMBINING_MARK:
    case U_LB_ZWJ: return CICU_LB_COMBINING;
    case U_LB_BREAK_AFTER: return CICU_LB_BREAK_AFTER;
    case U_LB_GLUE: return CICU_LB_GLUE;
    case U_LB_ZWSPACE: return CICU_LB_ZERO_WIDTH_SPACE;
    case U_LB_CONTINGENT_BREAK: return CICU_LB_CONTINGENT;
    case U_LB_PREFIX_NUMERIC: return CICU_LB_PREFIX;
    case U_LB_POSTFIX_NUMERIC: return CICU_LB_POSTFIX;
    default: return CICU_LB_OTHER;
    }
}

bool cicu_is_combining(uint32_t character) {
    int32_t category = icu.u_getIntPropertyValue((UChar32)character, UCHAR_GENERAL_CATEGORY);
    return (U_MASK(category) & (U_GC_M_MASK | U_GC_CF_MASK)) != 0;
}

bool cicu_is_east_asian(uint32_t character) {
    int32_t width = icu.u_getIntPropertyValue((UChar32)character, UCHAR_EAST_ASIAN_WIDTH);
    return width == U_EA_WIDE || width == U_EA_FULLWIDTH || width == U_EA_HALFWIDTH;
}

void *cicu_bidi_open(void) { return icu.ubidi_open(); }

void cicu_bidi_close(void *bidi) { icu.ubidi_close(bidi); }

enum CICUBaseDirection cicu_bidi_base(const uint16_t *text, int32_t length) {
    switch (icu.ubidi_getBaseDirection(text, length)) {
    case UBIDI_LTR: return CICU_BASE_LEFT_TO_RIGHT;
    case UBIDI_RTL: return CICU_BASE_RIGHT_TO_LEFT;
    default: return CICU_BASE_NEUTRAL;
    }
}

const uint8_t *cicu_bidi_levels(
    void *bidi, const uint16_t *text, int32_t length, uint8_t base) {
    UErrorCode status = U_ZERO_ERROR;
    icu.ubidi_setPara(bidi, text, length, base, NULL, &status);
    const UBiDiLevel *levels = icu.ubidi_getLevels(bidi, &status);
    return U_SUCCESS(status) ? levels : NULL;
}

static void *open_breaks(UBreakIteratorType type, const char *locale) {
    UErrorCode status = U_ZERO_ERROR;
    UBreakIterator *breaks = icu.ubrk_open(type, locale, NULL, 0, &status);
    return U_SUCCESS(status) ? breaks : NULL;
}

void *cicu_line_breaks_open(void) { return open_breaks(UBRK_LINE, "en@lb=normal"); }

void *cicu_clusters_open(void) { return open_breaks(UBRK_CHARACTER, "en"); }

void cicu_breaks_close(void *breaks) {
    if (breaks) icu.ubrk_close(breaks);
}

void cicu_breaks_set_text(void *breaks, const uint16_t *text, int32_t length) {
    UErrorCode status = U_ZERO_ERROR;
    if (breaks) icu.ubrk_setText(breaks, text, length, &status);
}

int32_t cicu_breaks_following(void *breaks, int32_t offset) {
    return breaks ? icu.ubrk_following(breaks, offset) : -1;
}

int32_t cicu_breaks_preceding(void *breaks, int32_t offset) {
    return breaks ? icu.ubrk_preceding(breaks, offset) : -1;
}
