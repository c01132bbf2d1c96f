#ifndef CICU_H
#define CICU_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// The part of ICU that BroadsheetText uses, in plain types: ICU's own types would collide with
// those of the ICU inside of Swift's Foundation wherever both are imported.

/// Loads the library, and returns whether it is complete; all other functions require that it is.
///
/// It is loaded at the first use instead of linked: a process that measures no text then neither
/// maps nor relocates it. So a binary also runs with another version of ICU than that of its
/// headers, which is tried first, then all others from the newest to the oldest.
bool cicu_load(void);

/// The versions of ICU that are tried; all of them have the functions.
#define CICU_NEWEST 99
#define CICU_OLDEST 69

/// Writes the version into 4 bytes: the major and the minor number, and the patch.
void cicu_version(uint8_t *_Nonnull version);

/// Returns a character's script, as ICU's number (UAX #24).
int32_t cicu_script(uint32_t character);
/// Writes the scripts of Script_Extensions, at most `capacity`, and returns their number.
int32_t cicu_script_extensions(uint32_t character, int32_t *_Nonnull scripts, int32_t capacity);
/// Returns the four letters of a script (ISO 15924), or NULL.
const char *_Nullable cicu_script_tag(int32_t script);

/// Returns 1 for an opening bracket, 2 for a closing one, and 0 otherwise
/// (Bidi_Paired_Bracket_Type).
int32_t cicu_bracket_type(uint32_t character);
/// Returns the other bracket of a pair (Bidi_Paired_Bracket).
uint32_t cicu_paired_bracket(uint32_t character);
/// The classes of UAX #14 that the rules of newer versions of Unicode distinguish.
enum CICULineBreak {
    CICU_LB_OTHER,
    CICU_LB_ALPHABETIC,
    CICU_LB_HEBREW,
    CICU_LB_COMBINING,
    CICU_LB_BREAK_AFTER,
    CICU_LB_GLUE,
    CICU_LB_ZERO_WIDTH_SPACE,
    CICU_LB_CONTINGENT,
    CICU_LB_PREFIX,
    CICU_LB_POSTFIX,
};
/// Returns a character's class of UAX #14 with LB1 applied.
enum CICULineBreak cicu_line_break(uint32_t character);
/// Returns whether a character is a mark or a format character (General_Category M and Cf).
bool cicu_is_combining(uint32_t character);
/// Returns whether a character is wide, fullwidth or halfwidth (UAX #11).
bool cicu_is_east_asian(uint32_t character);

/// Creates an object for the bidirectional algorithm; NULL without memory.
void *_Nullable cicu_bidi_open(void);
void cicu_bidi_close(void *_Nullable bidi);
/// The base direction of a text by its first strong character; neutral without one.
enum CICUBaseDirection {
    CICU_BASE_LEFT_TO_RIGHT,
    CICU_BASE_RIGHT_TO_LEFT,
    CICU_BASE_NEUTRAL,
};
/// Returns the base direction of a text, whose paragraphs and isolates make no difference.
enum CICUBaseDirection cicu_bidi_base(const uint16_t *_Nullable text, int32_t length);
/// Returns the embedding level of each code unit, in paragraphs of the level `base` (UAX #9); NULL
/// without memory. The levels are valid until the next call.
const uint8_t *_Nullable cicu_bidi_levels(
    void *_Nonnull bidi, const uint16_t *_Nullable text, int32_t length, uint8_t base);

/// Creates an iterator over the break opportunities of lines with `lb=normal` (UAX #14), or over
/// the boundaries of grapheme clusters (UAX #29); NULL if ICU has no rules.
void *_Nullable cicu_line_breaks_open(void);
void *_Nullable cicu_clusters_open(void);
void cicu_breaks_close(void *_Nullable breaks);
/// Sets the text of an iterator, which has to remain where it is.
void cicu_breaks_set_text(
    void *_Nullable breaks, const uint16_t *_Nullable text, int32_t length);
/// Returns the first boundary after an offset, or a negative number.
int32_t cicu_breaks_following(void *_Nullable breaks, int32_t offset);
/// Returns the last boundary before an offset, or a negative number.
int32_t cicu_breaks_preceding(void *_Nullable breaks, int32_t offset);

#endif
