#ifndef CCURL_H
#define CCURL_H

#include <stdbool.h>
#include <stddef.h>

// The parts of libcurl that BroadsheetOrigin uses: GET requests of a list that one thread drives.
//
// The library is looked up at the first use instead of linked: with the thirty libraries that it
// depends on, it would take 6 MiB of every process.

/// Loads libcurl; returns false if it, or one of its functions, is missing.
///
/// It remains loaded until the process ends. The other functions may be called after a call that
/// returned true.
bool ccurl_load(void);

/// Returns the version, such as "7.88.1".
const char *_Nonnull ccurl_version(void);

/// Returns whether two absolute URLs have the same scheme, host and port, and no user.
bool ccurl_is_same_origin(const char *_Nonnull one, const char *_Nonnull other);

/// A request, and the functions that receive its response.
struct CCurlRequest {
    const char *_Nonnull url;
    /// A header field with its name.
    const char *_Nonnull request_id;
    const char *_Nonnull user_agent;
    /// The file of the certificates to trust; NULL for those of the system.
    const char *_Nullable ca_file;
    /// The times for everything and for the connection, in milliseconds, above 0.
    long timeout, connect_timeout;
    /// The first argument of the functions.
    void *_Nonnull context;
    /// Receives a line of a response's head, also those of interim responses; a result of false
    /// ends the transfer.
    bool (*_Nonnull on_line)(void *_Nonnull context, const char *_Nonnull bytes, size_t count);
    /// Receives the number of bytes of a part of the body as it arrived, with its codings; a result
    /// of false ends the transfer.
    bool (*_Nonnull on_coded)(void *_Nonnull context, size_t count);
    /// Receives a part of the decoded body.
    bool (*_Nonnull on_body)(void *_Nonnull context, const char *_Nonnull bytes, size_t count);
};

/// The outcome of a transfer.
enum CCurlOutcome {
    /// There is a whole response.
    CCURL_COMPLETE,
    /// The time was over.
    CCURL_TIMEOUT,
    /// One of the functions ended it.
    CCURL_ENDED,
    /// It failed in a way in which a second try may succeed: a lost connection, for example.
    CCURL_FAILED,
    /// It failed, and would again: the certificate is not valid, for example.
    CCURL_REFUSED,
};

typedef struct CCurlTransfer CCurlTransfer;

/// Creates a transfer; returns NULL if it cannot be made as requested.
CCurlTransfer *_Nullable ccurl_transfer_create(const struct CCurlRequest *_Nonnull request);
/// Destroys a transfer that is in no list.
void ccurl_transfer_destroy(CCurlTransfer *_Nonnull transfer);
/// Returns the status of the response, or 0.
long ccurl_transfer_status(CCurlTransfer *_Nonnull transfer);
/// Returns the absolute URL of a redirect, or NULL; valid until the transfer is destroyed.
const char *_Nullable ccurl_transfer_redirect(CCurlTransfer *_Nonnull transfer);
/// Returns the reason of a failure in the library's words.
const char *_Nonnull ccurl_transfer_reason(CCurlTransfer *_Nonnull transfer);

/// The transfers in progress; all functions but the last are for one thread.
typedef struct CCurlList CCurlList;

/// Creates a list that keeps a number of connections at most.
CCurlList *_Nullable ccurl_list_create(long max_connections);
void ccurl_list_destroy(CCurlList *_Nonnull list);
bool ccurl_list_add(CCurlList *_Nonnull list, CCurlTransfer *_Nonnull transfer);
void ccurl_list_remove(CCurlList *_Nonnull list, CCurlTransfer *_Nonnull transfer);
/// Continues the transfers, without waiting.
void ccurl_list_perform(CCurlList *_Nonnull list);
/// Returns the context of a transfer that has ended since the last call, or NULL.
void *_Nullable ccurl_list_ended(
    CCurlList *_Nonnull list, enum CCurlOutcome *_Nonnull outcome);
/// Waits until a transfer can continue or ccurl_list_wake is called, or for some milliseconds.
void ccurl_list_wait(CCurlList *_Nonnull list, int milliseconds);
/// Ends the waiting, or that of the next call; may be called from any thread.
void ccurl_list_wake(CCurlList *_Nonnull list);

#endif
