#include "COpenSSL.h"

#include <dlfcn.h>
#include <pthread.h>

#include <openssl/crypto.h>
#include <openssl/err.h>
#include <openssl/evp.h>

#define CRYPTO_FUNCTIONS(X) \
    X(ERR_clear_error) \
    X(EVP_DigestSign) \
    X(EVP_DigestSignInit) \
    X(EVP_DigestVerify) \
    X(EVP_DigestVerifyInit) \
    X(EVP_MD_CTX_free) \
    X(EVP_MD_CTX_new) \
    X(EVP_PKEY_free) \
    X(EVP_PKEY_get_raw_public_key) \
    X(EVP_PKEY_new_raw_private_key) \
    X(EVP_PKEY_new_raw_public_key) \
    X(OPENSSL_init_crypto)

static struct {
#define CRYPTO_MEMBER(name) __typeof__(name) *name;
    CRYPTO_FUNCTIONS(CRYPTO_MEMBER)
#undef CRYPTO_MEMBER
} crypto;

static bool is_complete;

static void load(void) {
    void *library = dlopen("libcrypto.so.3", RTLD_NOW | RTLD_LOCAL);
    if (!library) return;
    // POSIX lets a pointer to a function be stored as a pointer to data.
#define CRYPTO_LOAD(name) \
    *(void **)&crypto.name = dlsym(library, #name); \
    if (!crypto.name) return;
    CRYPTO_FUNCTIONS(CRYPTO_LOAD)
#undef CRYPTO_LOAD
    // At the end of the process other threads may still use what the library would free.
    is_complete = crypto.OPENSSL_init_crypto(OPENSSL_INIT_NO_ATEXIT, NULL) == 1;
}

bool copenssl_load_crypto(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, load);
    return is_complete;
}

COpenSSLKey *copenssl_ed25519_create(const uint8_t *bytes) {
    return (COpenSSLKey *)crypto.EVP_PKEY_new_raw_public_key(
        EVP_PKEY_ED25519, NULL, bytes, COPENSSL_ED25519_KEY_SIZE);
}

void copenssl_ed25519_destroy(COpenSSLKey *key) { crypto.EVP_PKEY_free((EVP_PKEY *)key); }

bool copenssl_ed25519_verify(
    COpenSSLKey *key, const uint8_t *signature, const uint8_t *message, size_t count) {
    EVP_MD_CTX *context = crypto.EVP_MD_CTX_new();
    bool is_valid = context &&
        crypto.EVP_DigestVerifyInit(context, NULL, NULL, NULL, (EVP_PKEY *)key) == 1 &&
        crypto.EVP_DigestVerify(
            context, signature, COPENSSL_ED25519_SIGNATURE_SIZE, message, count) == 1;
    crypto.EVP_MD_CTX_free(context);
    // The thread may use the library for TLS, which reads the errors of the thread.
    if (!is_valid) crypto.ERR_clear_error();
    return is_valid;
}

/// Returns the key pair of a private key, or NULL without memory.
static EVP_PKEY *pair(const uint8_t *secret) {
    return crypto.EVP_PKEY_new_raw_private_key(
        EVP_PKEY_ED25519, NULL, secret, COPENSSL_ED25519_KEY_SIZE);
}

bool copenssl_ed25519_public(const uint8_t *secret, uint8_t *bytes) {
    size_t size = COPENSSL_ED25519_KEY_SIZE;
    EVP_PKEY *key = pair(secret);
    bool is_made = key && crypto.EVP_PKEY_get_raw_public_key(key, bytes, &size) == 1;
    crypto.EVP_PKEY_free(key);
    return is_made;
}

bool copenssl_ed25519_sign(
    const uint8_t *secret, const uint8_t *message, size_t count, uint8_t *signature) {
    size_t size = COPENSSL_ED25519_SIGNATURE_SIZE;
    EVP_PKEY *key = pair(secret);
    EVP_MD_CTX *context = crypto.EVP_MD_CTX_new();
    bool is_made = key && context &&
        crypto.EVP_DigestSignInit(context, NULL, NULL, NULL, key) == 1 &&
        crypto.EVP_DigestSign(context, signature, &size, message, count) == 1;
    crypto.EVP_MD_CTX_free(context);
    crypto.EVP_PKEY_free(key);
    return is_made;
}
