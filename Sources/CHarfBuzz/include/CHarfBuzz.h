#ifndef CHARFBUZZ_H
#define CHARFBUZZ_H

#include <harfbuzz/hb-ot.h>
#include <harfbuzz/hb.h>

/// The functions of HarfBuzz that BroadsheetText uses.
///
/// They are looked up at the first use instead of linked: a process that measures no text then
/// neither maps nor relocates the library and the dozen libraries that it depends on.
#define CHARFBUZZ_FUNCTIONS(X) \
    X(hb_version_string) \
    X(hb_blob_create) \
    X(hb_blob_destroy) \
    X(hb_face_create) \
    X(hb_face_destroy) \
    X(hb_face_make_immutable) \
    X(hb_face_collect_unicodes) \
    X(hb_set_create) \
    X(hb_set_destroy) \
    X(hb_set_get_population) \
    X(hb_font_create) \
    X(hb_font_destroy) \
    X(hb_font_set_scale) \
    X(hb_font_set_variations) \
    X(hb_font_make_immutable) \
    X(hb_font_get_h_extents) \
    X(hb_font_get_nominal_glyph) \
    X(hb_font_get_glyph_h_advance) \
    X(hb_ot_layout_has_positioning) \
    X(hb_ot_layout_has_substitution) \
    X(hb_ot_var_get_axis_infos) \
    X(hb_buffer_create) \
    X(hb_buffer_destroy) \
    X(hb_buffer_clear_contents) \
    X(hb_buffer_add_utf16) \
    X(hb_buffer_guess_segment_properties) \
    X(hb_buffer_set_direction) \
    X(hb_buffer_set_script) \
    X(hb_buffer_set_language) \
    X(hb_buffer_allocation_successful) \
    X(hb_buffer_get_length) \
    X(hb_buffer_get_glyph_infos) \
    X(hb_buffer_get_glyph_positions) \
    X(hb_language_from_string) \
    X(hb_script_from_iso15924_tag) \
    X(hb_shape) \
    X(hb_shape_full)

/// One member a function, with its name and type.
struct CHarfBuzzFunctions {
#define CHARFBUZZ_MEMBER(name) __typeof__(name) *_Nonnull name;
    CHARFBUZZ_FUNCTIONS(CHARFBUZZ_MEMBER)
#undef CHARFBUZZ_MEMBER
};

/// The name of the library that is loaded.
#define CHARFBUZZ_LIBRARY "libharfbuzz.so.0"

/// Returns the functions, or NULL if the library or one of them is missing.
///
/// The first call loads the library; it remains loaded until the process ends.
const struct CHarfBuzzFunctions *_Nullable charfbuzz_functions(void);

#endif
