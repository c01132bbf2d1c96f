#ifndef CNETTLE_SHIM_H
#define CNETTLE_SHIM_H

#include <nettle/hmac.h>
#include <nettle/sha1.h>
#include <nettle/sha2.h>
#include <nettle/version.h>

/// Writes the SHA-256 of `length` bytes into the 32 bytes of `digest` (FIPS 180-4).
static inline void cnettle_sha256(const uint8_t *data, size_t length, uint8_t *digest) {
    struct sha256_ctx context;
    sha256_init(&context);
    sha256_update(&context, length, data);
#if NETTLE_VERSION_MAJOR >= 4
    sha256_digest(&context, digest);
#else
    sha256_digest(&context, SHA256_DIGEST_SIZE, digest);
#endif
}

/// Writes the SHA-1 of `length` bytes into the 20 bytes of `digest` (RFC 3174).
static inline void cnettle_sha1(const uint8_t *data, size_t length, uint8_t *digest) {
    struct sha1_ctx context;
    sha1_init(&context);
    sha1_update(&context, length, data);
#if NETTLE_VERSION_MAJOR >= 4
    sha1_digest(&context, digest);
#else
    sha1_digest(&context, SHA1_DIGEST_SIZE, digest);
#endif
}

/// Writes the HMAC-SHA-256 of `length` bytes into the 32 bytes of `code` (RFC 2104).
static inline void cnettle_hmac_sha256(
    const uint8_t *key, size_t key_length, const uint8_t *data, size_t length, uint8_t *code) {
    struct hmac_sha256_ctx context;
    hmac_sha256_set_key(&context, key_length, key);
    hmac_sha256_update(&context, length, data);
#if NETTLE_VERSION_MAJOR >= 4
    hmac_sha256_digest(&context, code);
#else
    hmac_sha256_digest(&context, SHA256_DIGEST_SIZE, code);
#endif
}

#endif
