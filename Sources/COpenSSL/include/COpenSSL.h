#ifndef COPENSSL_H
#define COPENSSL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// The parts of OpenSSL 3 that are used: of libssl, by BroadsheetStores, clients of TLS that do no
// I/O; of libcrypto, by BroadsheetService, signatures with Ed25519.
//
// The libraries are looked up at the first use instead of linked: a process without TLS and without
// such signatures has neither in memory.

/// The size of the texts of reasons, with their end.
#define COPENSSL_REASON_SIZE 256

/// Loads OpenSSL 3; returns false if it, or one of its functions, is missing.
///
/// It remains loaded until the process ends. The other functions may be called after a call that
/// returned true.
bool copenssl_load(void);

/// The certificates of a client; any number of threads may create sessions of it.
typedef struct COpenSSLContext COpenSSLContext;

/// Reads the certificates of a client, which verifies those of servers, with TLS 1.2 or later.
///
/// `ca` is the file of the certificates to trust, NULL for those of the system; `certificate` and
/// `key` are the files of the client's own, both or neither. Returns NULL and a reason, which
/// begins with "ca", "cert" or "key", if a file cannot be used.
COpenSSLContext *_Nullable copenssl_context_create(
    const char *_Nullable ca, const char *_Nullable certificate, const char *_Nullable key,
    char *_Nonnull reason);
void copenssl_context_destroy(COpenSSLContext *_Nonnull context);

/// The state of one connection; for one thread at a time.
typedef struct COpenSSLSession COpenSSLSession;

/// Creates the client's side of a connection to a server that has to prove that it is `host`, a
/// name or an address. Returns NULL if there is no memory, or if `host` is neither.
COpenSSLSession *_Nullable copenssl_session_create(
    COpenSSLContext *_Nonnull context, const char *_Nonnull host, bool is_address);
void copenssl_session_destroy(COpenSSLSession *_Nonnull session);

/// The outcome of a step.
enum COpenSSLStep {
    /// The step is complete.
    COPENSSL_DONE,
    /// The server has to send more bytes first.
    COPENSSL_NEEDS_MORE,
    /// The server has ended its stream.
    COPENSSL_ENDED,
    /// The connection cannot be used any longer (copenssl_session_reason).
    COPENSSL_FAILED,
};

/// Continues the handshake. There may be bytes to send after it, also when it has failed.
enum COpenSSLStep copenssl_session_handshake(COpenSSLSession *_Nonnull session);
/// Adds bytes of the server; returns false without memory.
bool copenssl_session_feed(
    COpenSSLSession *_Nonnull session, const void *_Nonnull bytes, size_t count);
/// Decrypts up to `size` bytes, and sets their number.
enum COpenSSLStep copenssl_session_read(
    COpenSSLSession *_Nonnull session, void *_Nonnull bytes, size_t size, size_t *_Nonnull count);
/// Encrypts bytes after the handshake.
enum COpenSSLStep copenssl_session_write(
    COpenSSLSession *_Nonnull session, const void *_Nonnull bytes, size_t count);
/// Returns the number of bytes that are to be sent.
size_t copenssl_session_pending(COpenSSLSession *_Nonnull session);
/// Takes up to `size` bytes to send, and returns their number.
size_t copenssl_session_take(COpenSSLSession *_Nonnull session, void *_Nonnull bytes, size_t size);
/// Returns the reason of a failure in OpenSSL's words.
const char *_Nonnull copenssl_session_reason(COpenSSLSession *_Nonnull session);

/// The numbers of bytes of a private or public key of Ed25519, and of a signature (RFC 8032).
#define COPENSSL_ED25519_KEY_SIZE 32
#define COPENSSL_ED25519_SIGNATURE_SIZE 64

/// Loads libcrypto of OpenSSL 3, as copenssl_load does for libssl; the functions of Ed25519 may be
/// called after a call that returned true.
bool copenssl_load_crypto(void);

/// A public key of Ed25519; any number of threads may verify signatures with it.
typedef struct COpenSSLKey COpenSSLKey;

/// Creates a key of its 32 bytes; returns NULL without memory.
COpenSSLKey *_Nullable copenssl_ed25519_create(const uint8_t *_Nonnull bytes);
void copenssl_ed25519_destroy(COpenSSLKey *_Nonnull key);
/// Returns whether the 64 bytes of a signature are that of a message; S is below the group order
/// then (RFC 8032 §5.1.7).
bool copenssl_ed25519_verify(
    COpenSSLKey *_Nonnull key, const uint8_t *_Nonnull signature,
    const uint8_t *_Nullable message, size_t count);
/// Writes the public key of a private one; returns false without memory.
bool copenssl_ed25519_public(const uint8_t *_Nonnull secret, uint8_t *_Nonnull bytes);
/// Writes the signature of a message with a private key; returns false without memory.
bool copenssl_ed25519_sign(
    const uint8_t *_Nonnull secret, const uint8_t *_Nullable message, size_t count,
    uint8_t *_Nonnull signature);

#endif
