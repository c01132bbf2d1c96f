#define CURL_DISABLE_DEPRECATION
#define CURL_DISABLE_TYPECHECK
#include "CCurl.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include <curl/curl.h>

#define CCURL_FUNCTIONS(X) \
    X(curl_easy_cleanup) \
    X(curl_easy_getinfo) \
    X(curl_easy_init) \
    X(curl_easy_setopt) \
    X(curl_easy_strerror) \
    X(curl_free) \
    X(curl_global_init) \
    X(curl_multi_add_handle) \
    X(curl_multi_cleanup) \
    X(curl_multi_info_read) \
    X(curl_multi_init) \
    X(curl_multi_perform) \
    X(curl_multi_poll) \
    X(curl_multi_remove_handle) \
    X(curl_multi_setopt) \
    X(curl_multi_wakeup) \
    X(curl_slist_append) \
    X(curl_slist_free_all) \
    X(curl_url) \
    X(curl_url_cleanup) \
    X(curl_url_get) \
    X(curl_url_set) \
    X(curl_version_info)

// The macros of the header have the names of functions, and would change the members below.
#undef curl_easy_getinfo
#undef curl_easy_setopt
#undef curl_multi_setopt

static struct {
#define CCURL_MEMBER(name) __typeof__(name) *name;
    CCURL_FUNCTIONS(CCURL_MEMBER)
#undef CCURL_MEMBER
} curl;

static bool is_complete;

static bool load_library(const char *name) {
    void *library = dlopen(name, RTLD_NOW | RTLD_LOCAL);
    if (!library) return false;
    // POSIX lets a pointer to a function be stored as a pointer to data.
#define CCURL_LOAD(name) \
    *(void **)&curl.name = dlsym(library, #name); \
    if (!curl.name) return false;
    CCURL_FUNCTIONS(CCURL_LOAD)
#undef CCURL_LOAD
    return curl.curl_global_init(CURL_GLOBAL_DEFAULT) == CURLE_OK;
}

static void load(void) {
    // The second is the library over GnuTLS, of systems that have no other.
    is_complete = load_library("libcurl.so.4") || load_library("libcurl-gnutls.so.4");
}

bool ccurl_load(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, load);
    return is_complete;
}

const char *ccurl_version(void) { return curl.curl_version_info(CURLVERSION_NOW)->version; }

/// Returns whether a part of two URLs is the same; an absent one equals another absent one.
static bool is_same_part(CURLU *one, CURLU *other, CURLUPart part, bool may_exist) {
    char *mine = NULL, *theirs = NULL;
    bool has_mine = !curl.curl_url_get(one, part, &mine, CURLU_DEFAULT_PORT);
    bool has_theirs = !curl.curl_url_get(other, part, &theirs, CURLU_DEFAULT_PORT);
    bool is_same = has_mine == has_theirs && may_exist == has_mine &&
        (!has_mine || !strcmp(mine, theirs));
    curl.curl_free(mine);
    curl.curl_free(theirs);
    return is_same;
}

bool ccurl_is_same_origin(const char *one, const char *other) {
    CURLU *mine = curl.curl_url(), *theirs = curl.curl_url();
    bool is_same = mine && theirs && !curl.curl_url_set(mine, CURLUPART_URL, one, 0) &&
        !curl.curl_url_set(theirs, CURLUPART_URL, other, 0) &&
        is_same_part(mine, theirs, CURLUPART_SCHEME, true) &&
        is_same_part(mine, theirs, CURLUPART_HOST, true) &&
        is_same_part(mine, theirs, CURLUPART_PORT, true) &&
        is_same_part(mine, theirs, CURLUPART_USER, false);
    curl.curl_url_cleanup(mine);
    curl.curl_url_cleanup(theirs);
    return is_same;
}

struct CCurlTransfer {
    CURL *handle;
    struct curl_slist *fields;
    void *context;
    bool (*on_line)(void *context, const char *bytes, size_t count);
    bool (*on_coded)(void *context, size_t count);
    bool (*on_body)(void *context, const char *bytes, size_t count);
    bool has_too_much;
    char reason[CURL_ERROR_SIZE];
    CURLcode code;
};

static size_t receive_line(char *bytes, size_t size, size_t count, void *context) {
    CCurlTransfer *transfer = context;
    count *= size;
    return transfer->on_line(transfer->context, bytes, count) ? count : 0;
}

static size_t receive_body(char *bytes, size_t size, size_t count, void *context) {
    CCurlTransfer *transfer = context;
    count *= size;
    // 0 would not end a transfer whose part is empty.
    return transfer->on_body(transfer->context, bytes, count) ? count : count + 1;
}

// libcurl's only function that sees the bytes of all layers, those between chunks included. It
// cannot end a transfer, so the next one does.
static int receive_coded(
    CURL *handle, curl_infotype type, char *bytes, size_t count, void *context) {
    CCurlTransfer *transfer = context;
    if (type == CURLINFO_DATA_IN && !transfer->on_coded(transfer->context, count))
        transfer->has_too_much = true;
    return 0;
}

static int receive_progress(
    void *context, curl_off_t total, curl_off_t count, curl_off_t to_send, curl_off_t sent) {
    CCurlTransfer *transfer = context;
    return transfer->has_too_much;
}

static bool append_field(CCurlTransfer *transfer, const char *field) {
    struct curl_slist *fields = curl.curl_slist_append(transfer->fields, field);
    if (fields) transfer->fields = fields;
    return fields;
}

static bool configure(CCurlTransfer *transfer, const struct CCurlRequest *request) {
    CURL *handle = transfer->handle;
#define SET(option, value) \
    if (curl.curl_easy_setopt(handle, option, value) != CURLE_OK) return false;
    SET(CURLOPT_URL, request->url)
    SET(CURLOPT_PROTOCOLS, (long)(CURLPROTO_HTTP | CURLPROTO_HTTPS))
    // Redirects are followed by the caller, who knows where they may lead.
    SET(CURLOPT_FOLLOWLOCATION, 0L)
    SET(CURLOPT_NOSIGNAL, 1L)
    SET(CURLOPT_SSL_VERIFYPEER, 1L)
    SET(CURLOPT_SSL_VERIFYHOST, 2L)
    if (request->ca_file) {
        SET(CURLOPT_CAINFO, request->ca_file)
        // Without the folder of the system, whose certificates would be trusted, too.
        SET(CURLOPT_CAPATH, NULL)
    }
    SET(CURLOPT_NETRC, (long)CURL_NETRC_IGNORED)
    SET(CURLOPT_ACCEPT_ENCODING, "gzip")
    SET(CURLOPT_HTTPHEADER, transfer->fields)
    SET(CURLOPT_USERAGENT, request->user_agent)
    SET(CURLOPT_TIMEOUT_MS, request->timeout)
    SET(CURLOPT_CONNECTTIMEOUT_MS, request->connect_timeout)
    SET(CURLOPT_ERRORBUFFER, transfer->reason)
    SET(CURLOPT_PRIVATE, transfer)
    SET(CURLOPT_HEADERFUNCTION, receive_line)
    SET(CURLOPT_HEADERDATA, transfer)
    SET(CURLOPT_WRITEFUNCTION, receive_body)
    SET(CURLOPT_WRITEDATA, transfer)
    SET(CURLOPT_VERBOSE, 1L)
    SET(CURLOPT_DEBUGFUNCTION, receive_coded)
    SET(CURLOPT_DEBUGDATA, transfer)
    SET(CURLOPT_NOPROGRESS, 0L)
    SET(CURLOPT_XFERINFOFUNCTION, receive_progress)
    SET(CURLOPT_XFERINFODATA, transfer)
#undef SET
    return true;
}

CCurlTransfer *ccurl_transfer_create(const struct CCurlRequest *request) {
    CCurlTransfer *transfer = calloc(1, sizeof *transfer);
    if (!transfer) return NULL;
    transfer->context = request->context;
    transfer->on_line = request->on_line;
    transfer->on_coded = request->on_coded;
    transfer->on_body = request->on_body;
    transfer->handle = curl.curl_easy_init();
    if (transfer->handle && append_field(transfer, "Accept: application/json") &&
        append_field(transfer, request->request_id) && configure(transfer, request))
        return transfer;
    ccurl_transfer_destroy(transfer);
    return NULL;
}

void ccurl_transfer_destroy(CCurlTransfer *transfer) {
    if (transfer->handle) curl.curl_easy_cleanup(transfer->handle);
    curl.curl_slist_free_all(transfer->fields);
    free(transfer);
}

long ccurl_transfer_status(CCurlTransfer *transfer) {
    long status = 0;
    curl.curl_easy_getinfo(transfer->handle, CURLINFO_RESPONSE_CODE, &status);
    return status;
}

const char *ccurl_transfer_redirect(CCurlTransfer *transfer) {
    char *url = NULL;
    curl.curl_easy_getinfo(transfer->handle, CURLINFO_REDIRECT_URL, &url);
    return url;
}

const char *ccurl_transfer_reason(CCurlTransfer *transfer) {
    return transfer->reason[0] ? transfer->reason : curl.curl_easy_strerror(transfer->code);
}

static enum CCurlOutcome outcome_of(CURLcode code) {
    switch (code) {
    case CURLE_OK: return CCURL_COMPLETE;
    case CURLE_OPERATION_TIMEDOUT: return CCURL_TIMEOUT;
    case CURLE_ABORTED_BY_CALLBACK:
    case CURLE_WRITE_ERROR: return CCURL_ENDED;
    case CURLE_BAD_CONTENT_ENCODING:
    case CURLE_PEER_FAILED_VERIFICATION:
    case CURLE_SSL_CACERT_BADFILE:
    case CURLE_SSL_ISSUER_ERROR:
    case CURLE_UNSUPPORTED_PROTOCOL:
    case CURLE_URL_MALFORMAT:
    case CURLE_WEIRD_SERVER_REPLY: return CCURL_REFUSED;
    default: return CCURL_FAILED;
    }
}

struct CCurlList {
    CURLM *handle;
};

CCurlList *ccurl_list_create(long max_connections) {
    CCurlList *list = calloc(1, sizeof *list);
    if (!list) return NULL;
    list->handle = curl.curl_multi_init();
    if (list->handle && curl.curl_multi_setopt(
                            list->handle, CURLMOPT_MAXCONNECTS, max_connections) == CURLM_OK)
        return list;
    ccurl_list_destroy(list);
    return NULL;
}

void ccurl_list_destroy(CCurlList *list) {
    if (list->handle) curl.curl_multi_cleanup(list->handle);
    free(list);
}

bool ccurl_list_add(CCurlList *list, CCurlTransfer *transfer) {
    return curl.curl_multi_add_handle(list->handle, transfer->handle) == CURLM_OK;
}

void ccurl_list_remove(CCurlList *list, CCurlTransfer *transfer) {
    curl.curl_multi_remove_handle(list->handle, transfer->handle);
}

void ccurl_list_perform(CCurlList *list) {
    int running;
    curl.curl_multi_perform(list->handle, &running);
}

void *ccurl_list_ended(CCurlList *list, enum CCurlOutcome *outcome) {
    int rest;
    for (CURLMsg *message; (message = curl.curl_multi_info_read(list->handle, &rest));) {
        CCurlTransfer *transfer = NULL;
        if (message->msg != CURLMSG_DONE) continue;
        CURLcode code = message->data.result;
        curl.curl_easy_getinfo(message->easy_handle, CURLINFO_PRIVATE, &transfer);
        transfer->code = code;
        *outcome = outcome_of(code);
        return transfer->context;
    }
    return NULL;
}

void ccurl_list_wait(CCurlList *list, int milliseconds) {
    curl.curl_multi_poll(list->handle, NULL, 0, milliseconds, NULL);
}

void ccurl_list_wake(CCurlList *list) { curl.curl_multi_wakeup(list->handle); }
