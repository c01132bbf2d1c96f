#ifndef CBYTEMASKS_H
#define CBYTEMASKS_H

#include <stdint.h>
#include <string.h>

// In C because Swift has no operation that makes one bit of each comparison of a vector.

/// Returns the bytes among the 64 at `bytes` that a JSON string may not have, or that need a closer
/// look: quotes, backslashes, control characters, and bytes of non-ASCII characters. The first byte
/// is the lowest bit.
static inline uint64_t broadsheet_string_stops(const uint8_t *bytes) {
    typedef int8_t Block __attribute__((ext_vector_type(64), aligned(1)));
    typedef _Bool Mask __attribute__((ext_vector_type(64)));
    Block block = *(const Block *)bytes;
    // As signed numbers, the bytes of non-ASCII characters are below those of space, too.
    Mask stops = __builtin_convertvector((block == '"') | (block == '\\') | (block < 0x20), Mask);
    uint64_t bits;
    memcpy(&bits, &stops, sizeof bits);
    return bits;
}

#endif
