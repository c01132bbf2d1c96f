#include "COpenSSL.h"

#include <dlfcn.h>
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <openssl/bio.h>
#include <openssl/crypto.h>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <openssl/x509_vfy.h>
#include <openssl/x509v3.h>

#define COPENSSL_FUNCTIONS(X) \
    X(BIO_ctrl_pending) \
    X(BIO_new) \
    X(BIO_read) \
    X(BIO_s_mem) \
    X(BIO_write) \
    X(ERR_clear_error) \
    X(ERR_get_error) \
    X(ERR_reason_error_string) \
    X(OPENSSL_init_ssl) \
    X(SSL_CTX_check_private_key) \
    X(SSL_CTX_ctrl) \
    X(SSL_CTX_free) \
    X(SSL_CTX_load_verify_file) \
    X(SSL_CTX_new) \
    X(SSL_CTX_set_default_passwd_cb) \
    X(SSL_CTX_set_default_passwd_cb_userdata) \
    X(SSL_CTX_set_default_verify_paths) \
    X(SSL_CTX_set_options) \
    X(SSL_CTX_set_verify) \
    X(SSL_CTX_use_PrivateKey_file) \
    X(SSL_CTX_use_certificate_chain_file) \
    X(SSL_ctrl) \
    X(SSL_do_handshake) \
    X(SSL_free) \
    X(SSL_get0_param) \
    X(SSL_get_error) \
    X(SSL_get_verify_result) \
    X(SSL_new) \
    X(SSL_read) \
    X(SSL_set1_host) \
    X(SSL_set_bio) \
    X(SSL_set_connect_state) \
    X(SSL_set_hostflags) \
    X(SSL_write) \
    X(TLS_client_method) \
    X(X509_VERIFY_PARAM_set1_ip_asc) \
    X(X509_verify_cert_error_string)

static struct {
#define COPENSSL_MEMBER(name) __typeof__(name) *name;
    COPENSSL_FUNCTIONS(COPENSSL_MEMBER)
#undef COPENSSL_MEMBER
} ssl;

static bool is_complete;

static void load(void) {
    // libcrypto, on which it depends, has a part of the functions.
    void *library = dlopen("libssl.so.3", RTLD_NOW | RTLD_LOCAL);
    if (!library) return;
    // POSIX lets a pointer to a function be stored as a pointer to data.
#define COPENSSL_LOAD(name) \
    *(void **)&ssl.name = dlsym(library, #name); \
    if (!ssl.name) return;
    COPENSSL_FUNCTIONS(COPENSSL_LOAD)
#undef COPENSSL_LOAD
    // At the end of the process other threads may still use what the library would free.
    is_complete = ssl.OPENSSL_init_ssl(OPENSSL_INIT_NO_ATEXIT, NULL) == 1;
}

bool copenssl_load(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, load);
    return is_complete;
}

/// Writes the first error of this thread since the last call of ERR_clear_error.
static void describe(char *text, size_t size, const char *prefix) {
    unsigned long code = ssl.ERR_get_error();
    char buffer[128] = "";
    const char *words = code ? ssl.ERR_reason_error_string(code) : "unknown error";
    // The library has no words for errors of the system.
    if (!words && ERR_SYSTEM_ERROR(code) &&
        !strerror_r(ERR_GET_REASON(code), buffer, sizeof buffer))
        words = buffer;
    snprintf(text, size, "%s%s%s", prefix, *prefix ? ": " : "", words ? words : "unknown error");
}

struct COpenSSLContext {
    SSL_CTX *context;
};

/// Refuses keys with a passphrase: the library would ask for it on the terminal.
static int refuse_passphrase(char *buffer, int size, int is_writing, void *is_locked) {
    *(bool *)is_locked = true;
    return -1;
}

/// Returns the name of the parameter that cannot be used, or NULL.
static const char *configure(
    SSL_CTX *context, const char *ca, const char *certificate, const char *key, bool *is_locked) {
    ssl.SSL_CTX_set_default_passwd_cb(context, refuse_passphrase);
    ssl.SSL_CTX_set_default_passwd_cb_userdata(context, is_locked);
    ssl.SSL_CTX_set_verify(context, SSL_VERIFY_PEER, NULL);
    // Since TLS 1.3 there is none; a write would have to wait for it.
    ssl.SSL_CTX_set_options(context, SSL_OP_NO_RENEGOTIATION);
    // A macro in the header.
    if (ssl.SSL_CTX_ctrl(context, SSL_CTRL_SET_MIN_PROTO_VERSION, TLS1_2_VERSION, NULL) != 1)
        return "TLS 1.2";
    if (ca ? ssl.SSL_CTX_load_verify_file(context, ca) != 1
           : ssl.SSL_CTX_set_default_verify_paths(context) != 1)
        return "ca";
    if (!certificate || !key) return NULL;
    if (ssl.SSL_CTX_use_certificate_chain_file(context, certificate) != 1) return "cert";
    if (ssl.SSL_CTX_use_PrivateKey_file(context, key, SSL_FILETYPE_PEM) != 1) return "key";
    return ssl.SSL_CTX_check_private_key(context) == 1 ? NULL : "key";
}

COpenSSLContext *copenssl_context_create(
    const char *ca, const char *certificate, const char *key, char *reason) {
    ssl.ERR_clear_error();
    COpenSSLContext *made = calloc(1, sizeof *made);
    if (made) made->context = ssl.SSL_CTX_new(ssl.TLS_client_method());
    if (!made || !made->context) {
        describe(reason, COPENSSL_REASON_SIZE, "TLS");
        free(made);
        return NULL;
    }
    bool is_locked = false;
    const char *part = configure(made->context, ca, certificate, key, &is_locked);
    if (!part) return made;
    if (is_locked)
        snprintf(reason, COPENSSL_REASON_SIZE, "%s: it has a passphrase", part);
    else
        describe(reason, COPENSSL_REASON_SIZE, part);
    copenssl_context_destroy(made);
    return NULL;
}

void copenssl_context_destroy(COpenSSLContext *context) {
    ssl.SSL_CTX_free(context->context);
    free(context);
}

struct COpenSSLSession {
    SSL *state;
    /// The bytes of the server, and those that are to be sent; the state owns both.
    BIO *input, *output;
    char reason[COPENSSL_REASON_SIZE];
};

/// Sets the identity that the server has to prove.
static bool set_host(SSL *state, const char *host, bool is_address) {
    if (is_address)
        return ssl.X509_VERIFY_PARAM_set1_ip_asc(ssl.SSL_get0_param(state), host) == 1;
    // Names are those of subjectAltName (RFC 9525 §6.3), and `*` is a whole label.
    ssl.SSL_set_hostflags(
        state, X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS | X509_CHECK_FLAG_NEVER_CHECK_SUBJECT);
    // Macros in the header. A name that is too long for the extension is none of a server, either.
    return ssl.SSL_set1_host(state, host) == 1 &&
        ssl.SSL_ctrl(
            state, SSL_CTRL_SET_TLSEXT_HOSTNAME, TLSEXT_NAMETYPE_host_name, (void *)host) == 1;
}

COpenSSLSession *copenssl_session_create(
    COpenSSLContext *context, const char *host, bool is_address) {
    ssl.ERR_clear_error();
    COpenSSLSession *session = calloc(1, sizeof *session);
    if (!session) return NULL;
    session->state = ssl.SSL_new(context->context);
    if (!session->state) {
        free(session);
        return NULL;
    }
    session->input = ssl.BIO_new(ssl.BIO_s_mem());
    session->output = ssl.BIO_new(ssl.BIO_s_mem());
    // Takes over both, also a single one.
    ssl.SSL_set_bio(session->state, session->input, session->output);
    if (session->input && session->output && set_host(session->state, host, is_address)) {
        ssl.SSL_set_connect_state(session->state);
        return session;
    }
    copenssl_session_destroy(session);
    return NULL;
}

void copenssl_session_destroy(COpenSSLSession *session) {
    ssl.SSL_free(session->state);
    free(session);
}

/// Returns the outcome of a call that returned `result`, and keeps the reason of a failure.
static enum COpenSSLStep outcome(COpenSSLSession *session, int result) {
    switch (ssl.SSL_get_error(session->state, result)) {
    case SSL_ERROR_NONE: return COPENSSL_DONE;
    case SSL_ERROR_WANT_READ: return COPENSSL_NEEDS_MORE;
    case SSL_ERROR_ZERO_RETURN: return COPENSSL_ENDED;
    default: break;
    }
    describe(session->reason, sizeof session->reason, "");
    long verified = ssl.SSL_get_verify_result(session->state);
    if (verified != X509_V_OK) {
        size_t count = strlen(session->reason);
        snprintf(
            session->reason + count, sizeof session->reason - count, " (%s)",
            ssl.X509_verify_cert_error_string(verified));
    }
    return COPENSSL_FAILED;
}

enum COpenSSLStep copenssl_session_handshake(COpenSSLSession *session) {
    ssl.ERR_clear_error();
    return outcome(session, ssl.SSL_do_handshake(session->state));
}

bool copenssl_session_feed(COpenSSLSession *session, const void *bytes, size_t count) {
    while (count > 0) {
        int part = count < INT_MAX ? (int)count : INT_MAX;
        int written = ssl.BIO_write(session->input, bytes, part);
        if (written <= 0) return false;
        bytes = (const char *)bytes + written;
        count -= (size_t)written;
    }
    return true;
}

enum COpenSSLStep copenssl_session_read(
    COpenSSLSession *session, void *bytes, size_t size, size_t *count) {
    ssl.ERR_clear_error();
    int result = ssl.SSL_read(session->state, bytes, size < INT_MAX ? (int)size : INT_MAX);
    *count = result > 0 ? (size_t)result : 0;
    return outcome(session, result);
}

enum COpenSSLStep copenssl_session_write(
    COpenSSLSession *session, const void *bytes, size_t count) {
    ssl.ERR_clear_error();
    while (count > 0) {
        int part = count < INT_MAX ? (int)count : INT_MAX;
        int result = ssl.SSL_write(session->state, bytes, part);
        if (result <= 0) return outcome(session, result);
        bytes = (const char *)bytes + result;
        count -= (size_t)result;
    }
    return COPENSSL_DONE;
}

size_t copenssl_session_pending(COpenSSLSession *session) {
    return ssl.BIO_ctrl_pending(session->output);
}

size_t copenssl_session_take(COpenSSLSession *session, void *bytes, size_t size) {
    int count = ssl.BIO_read(session->output, bytes, size < INT_MAX ? (int)size : INT_MAX);
    return count > 0 ? (size_t)count : 0;
}

const char *copenssl_session_reason(COpenSSLSession *session) { return session->reason; }
