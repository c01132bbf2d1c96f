#ifndef CPOSTGRES_H
#define CPOSTGRES_H

#include <stdbool.h>
#include <stddef.h>

// The parts of libpq that the PostgreSQL store uses: one statement at a time, with binary values.
//
// The library is looked up at the first use instead of linked: most daemons use another store.

/// Loads libpq; returns false if it, or one of its functions, is missing.
///
/// It remains loaded until the process ends. The other functions may be called after a call that
/// returned true.
bool cpostgres_load(void);

/// The settings of a connection: those of a URL, and the defaults of a program.
typedef struct CPostgresSettings CPostgresSettings;

/// Reads a URL; returns NULL if the library rejects it.
///
/// The reason, which may contain parts of the URL, is written to `reason`.
CPostgresSettings *_Nullable cpostgres_settings_create(
    const char *_Nonnull url, char *_Nonnull reason, size_t size);
void cpostgres_settings_destroy(CPostgresSettings *_Nonnull settings);
/// Returns the value of a setting in the URL or in the environment, or NULL; valid until the
/// setting is set.
const char *_Nullable cpostgres_settings_value(
    const CPostgresSettings *_Nonnull settings, const char *_Nonnull keyword);
/// Gives a setting a value, unless the URL or the environment gives it one; returns false without
/// memory.
bool cpostgres_settings_default(
    CPostgresSettings *_Nonnull settings, const char *_Nonnull keyword,
    const char *_Nonnull value);

/// A connection, for one thread at a time.
typedef struct CPostgresSession CPostgresSession;

/// Connects, and waits until that has succeeded or failed; returns NULL without memory.
CPostgresSession *_Nullable cpostgres_connect(const CPostgresSettings *_Nonnull settings);
void cpostgres_session_destroy(CPostgresSession *_Nonnull session);
bool cpostgres_is_connected(const CPostgresSession *_Nonnull session);
/// Returns the library's last message, of one line or more.
const char *_Nonnull cpostgres_message(const CPostgresSession *_Nonnull session);
/// Returns the host, or the folder of a socket, that the connection is made to, and its port.
const char *_Nonnull cpostgres_host(const CPostgresSession *_Nonnull session);
const char *_Nonnull cpostgres_port(const CPostgresSession *_Nonnull session);
/// Returns the user, which the URL, the environment, a file or the system names.
const char *_Nonnull cpostgres_user(const CPostgresSession *_Nonnull session);
/// Returns whether the connection is encrypted.
bool cpostgres_is_encrypted(CPostgresSession *_Nonnull session);
/// Returns the version of the server, 150004 for 15.4 for example.
int cpostgres_server_version(const CPostgresSession *_Nonnull session);

/// A parameter of a statement: bytes in the binary form of its type.
struct CPostgresParameter {
    /// The object ID of the type.
    unsigned int type;
    /// The place of the bytes.
    size_t offset;
    /// The number of bytes; negative for null.
    int count;
};

/// The maximum number of parameters of a statement.
enum { CPOSTGRES_MAX_PARAMETERS = 32 };

/// Begins to send a statement, without waiting; returns false if that is not possible.
///
/// With by_row each row is a result of its own.
bool cpostgres_send(
    CPostgresSession *_Nonnull session, const char *_Nonnull sql,
    const struct CPostgresParameter *_Nullable parameters, int count,
    const void *_Nullable bytes, bool by_row);
/// Begins to send several statements without parameters, whose rows are ignored.
bool cpostgres_send_script(CPostgresSession *_Nonnull session, const char *_Nonnull sql);

/// The state of a statement.
enum CPostgresState {
    /// There are rows, valid until the next call.
    CPOSTGRES_ROWS,
    /// It has succeeded.
    CPOSTGRES_DONE,
    /// The server has returned an error.
    CPOSTGRES_FAILED,
    /// The time was over; it is still in progress.
    CPOSTGRES_WAITING,
    /// The connection is lost.
    CPOSTGRES_LOST,
};

/// Waits for the next rows, or for the end, of the statement for some milliseconds.
enum CPostgresState cpostgres_next(CPostgresSession *_Nonnull session, int milliseconds);
/// Returns the SQLSTATE of the error, or NULL; valid until the next statement.
const char *_Nullable cpostgres_sqlstate(const CPostgresSession *_Nonnull session);
/// Returns the server's message of the error, or NULL; valid until the next statement.
const char *_Nullable cpostgres_server_message(const CPostgresSession *_Nonnull session);
/// Returns the number of warnings that the server has sent with the statement.
int cpostgres_warning_count(const CPostgresSession *_Nonnull session);

int cpostgres_row_count(const CPostgresSession *_Nonnull session);
/// Returns the bytes of a value, or NULL for null and for a column that does not exist.
const void *_Nullable cpostgres_value(
    const CPostgresSession *_Nonnull session, int row, int column, int *_Nonnull count);

/// Waits for input between statements for some milliseconds; returns false if the connection is
/// lost.
bool cpostgres_wait(CPostgresSession *_Nonnull session, int milliseconds);
/// Returns the payload of the next notification that has arrived, or NULL; the caller frees it.
char *_Nullable cpostgres_notification(CPostgresSession *_Nonnull session);

#endif
