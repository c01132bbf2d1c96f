#include "CPostgres.h"

#include <dlfcn.h>
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <postgresql/libpq-fe.h>

#define CPOSTGRES_FUNCTIONS(X) \
    X(PQclear) \
    X(PQconnectdbParams) \
    X(PQconninfoFree) \
    X(PQconninfoParse) \
    X(PQconsumeInput) \
    X(PQerrorMessage) \
    X(PQfinish) \
    X(PQflush) \
    X(PQfreemem) \
    X(PQgetResult) \
    X(PQgetisnull) \
    X(PQgetlength) \
    X(PQgetvalue) \
    X(PQhost) \
    X(PQisBusy) \
    X(PQnfields) \
    X(PQnotifies) \
    X(PQntuples) \
    X(PQport) \
    X(PQresultErrorField) \
    X(PQresultStatus) \
    X(PQsendQuery) \
    X(PQsendQueryParams) \
    X(PQserverVersion) \
    X(PQsetNoticeReceiver) \
    X(PQsetSingleRowMode) \
    X(PQsetnonblocking) \
    X(PQsocket) \
    X(PQsslInUse) \
    X(PQstatus) \
    X(PQuser)

static struct {
#define CPOSTGRES_MEMBER(name) __typeof__(name) *name;
    CPOSTGRES_FUNCTIONS(CPOSTGRES_MEMBER)
#undef CPOSTGRES_MEMBER
} pq;

static bool is_complete;

static void load(void) {
    void *library = dlopen("libpq.so.5", RTLD_NOW | RTLD_LOCAL);
    if (!library) return;
    // POSIX lets a pointer to a function be stored as a pointer to data.
#define CPOSTGRES_LOAD(name) \
    *(void **)&pq.name = dlsym(library, #name); \
    if (!pq.name) return;
    CPOSTGRES_FUNCTIONS(CPOSTGRES_LOAD)
#undef CPOSTGRES_LOAD
    is_complete = true;
}

bool cpostgres_load(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, load);
    return is_complete;
}

struct CPostgresSettings {
    PQconninfoOption *options;
};

CPostgresSettings *cpostgres_settings_create(const char *url, char *reason, size_t size) {
    char *message = NULL;
    if (size > 0) *reason = 0;
    PQconninfoOption *options = pq.PQconninfoParse(url, &message);
    if (message) {
        if (size > 0) {
            strncpy(reason, message, size - 1);
            reason[size - 1] = 0;
        }
        pq.PQfreemem(message);
    }
    if (!options) return NULL;
    CPostgresSettings *settings = malloc(sizeof *settings);
    if (!settings) {
        pq.PQconninfoFree(options);
        return NULL;
    }
    settings->options = options;
    return settings;
}

void cpostgres_settings_destroy(CPostgresSettings *settings) {
    pq.PQconninfoFree(settings->options);
    free(settings);
}

static PQconninfoOption *find(const CPostgresSettings *settings, const char *keyword) {
    for (PQconninfoOption *option = settings->options; option->keyword; option++) {
        if (!strcmp(option->keyword, keyword)) return option;
    }
    return NULL;
}

const char *cpostgres_settings_value(const CPostgresSettings *settings, const char *keyword) {
    PQconninfoOption *option = find(settings, keyword);
    if (!option) return NULL;
    return option->val ? option->val : option->envvar ? getenv(option->envvar) : NULL;
}

bool cpostgres_settings_default(
    CPostgresSettings *settings, const char *keyword, const char *value) {
    PQconninfoOption *option = find(settings, keyword);
    // An older library has no such setting, and connects without it.
    if (!option || cpostgres_settings_value(settings, keyword)) return true;
    // The library allocates values in the same way, and frees this one.
    option->val = strdup(value);
    return option->val;
}

struct CPostgresSession {
    PGconn *connection;
    /// The rows, or NULL.
    PGresult *rows;
    /// The error of the statement, or NULL.
    PGresult *failure;
    int warnings;
};

static void receive_notice(void *context, const PGresult *notice) {
    CPostgresSession *session = context;
    const char *severity = pq.PQresultErrorField(notice, PG_DIAG_SEVERITY_NONLOCALIZED);
    if (severity && !strcmp(severity, "WARNING")) session->warnings++;
}

CPostgresSession *cpostgres_connect(const CPostgresSettings *settings) {
    size_t count = 0;
    for (PQconninfoOption *option = settings->options; option->keyword; option++) count++;
    const char **keywords = calloc(count + 1, sizeof *keywords);
    const char **values = calloc(count + 1, sizeof *values);
    CPostgresSession *session = calloc(1, sizeof *session);
    if (keywords && values && session) {
        size_t used = 0;
        for (PQconninfoOption *option = settings->options; option->keyword; option++) {
            if (!option->val) continue;
            keywords[used] = option->keyword;
            values[used++] = option->val;
        }
        session->connection = pq.PQconnectdbParams(keywords, values, 0);
    }
    free(keywords);
    free(values);
    if (!session || !session->connection) {
        free(session);
        return NULL;
    }
    pq.PQsetNoticeReceiver(session->connection, receive_notice, session);
    pq.PQsetnonblocking(session->connection, 1);
    return session;
}

static void clear(PGresult **result) {
    if (*result) pq.PQclear(*result);
    *result = NULL;
}

void cpostgres_session_destroy(CPostgresSession *session) {
    clear(&session->rows);
    clear(&session->failure);
    pq.PQfinish(session->connection);
    free(session);
}

bool cpostgres_is_connected(const CPostgresSession *session) {
    return pq.PQstatus(session->connection) == CONNECTION_OK;
}

const char *cpostgres_message(const CPostgresSession *session) {
    return pq.PQerrorMessage(session->connection);
}

static const char *or_empty(const char *text) { return text ? text : ""; }

const char *cpostgres_host(const CPostgresSession *session) {
    return or_empty(pq.PQhost(session->connection));
}

const char *cpostgres_port(const CPostgresSession *session) {
    return or_empty(pq.PQport(session->connection));
}

const char *cpostgres_user(const CPostgresSession *session) {
    return or_empty(pq.PQuser(session->connection));
}

bool cpostgres_is_encrypted(CPostgresSession *session) {
    return pq.PQsslInUse(session->connection);
}

int cpostgres_server_version(const CPostgresSession *session) {
    return pq.PQserverVersion(session->connection);
}

static void begin(CPostgresSession *session) {
    clear(&session->rows);
    clear(&session->failure);
    session->warnings = 0;
}

bool cpostgres_send(
    CPostgresSession *session, const char *sql, const struct CPostgresParameter *parameters,
    int count, const void *bytes, bool by_row) {
    Oid types[CPOSTGRES_MAX_PARAMETERS];
    const char *values[CPOSTGRES_MAX_PARAMETERS];
    int lengths[CPOSTGRES_MAX_PARAMETERS], formats[CPOSTGRES_MAX_PARAMETERS];
    begin(session);
    if (count > CPOSTGRES_MAX_PARAMETERS) return false;
    for (int index = 0; index < count; index++) {
        bool is_null = parameters[index].count < 0;
        types[index] = parameters[index].type;
        values[index] = is_null ? NULL : (const char *)bytes + parameters[index].offset;
        lengths[index] = is_null ? 0 : parameters[index].count;
        formats[index] = 1;
    }
    if (!pq.PQsendQueryParams(
            session->connection, sql, count, types, values, lengths, formats, 1)) {
        return false;
    }
    if (by_row) pq.PQsetSingleRowMode(session->connection);
    return true;
}

bool cpostgres_send_script(CPostgresSession *session, const char *sql) {
    begin(session);
    return pq.PQsendQuery(session->connection, sql);
}

static long long milliseconds_now(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (long long)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/// Waits until the socket can be read, or also written; returns false after the time.
static bool wait_for(CPostgresSession *session, bool writes, long long deadline) {
    struct pollfd entry = {
        .fd = pq.PQsocket(session->connection), .events = POLLIN | (writes ? POLLOUT : 0)};
    while (true) {
        long long left = deadline - milliseconds_now();
        int ready = poll(&entry, 1, left > 0 ? (int)left : 0);
        if (ready > 0) return true;
        if (ready == 0) return false;
        // Any other error is found by what follows.
        if (errno != EINTR) return true;
    }
}

enum CPostgresState cpostgres_next(CPostgresSession *session, int milliseconds) {
    PGconn *connection = session->connection;
    long long deadline = milliseconds_now() + milliseconds;
    clear(&session->rows);
    while (true) {
        int unsent = pq.PQflush(connection);
        if (unsent < 0) {
            // The server may have sent the reason before it closed the connection.
            pq.PQconsumeInput(connection);
            unsent = 0;
        }
        if (pq.PQisBusy(connection)) {
            if (!wait_for(session, unsent > 0, deadline)) return CPOSTGRES_WAITING;
            if (!pq.PQconsumeInput(connection)) return CPOSTGRES_LOST;
            continue;
        }
        PGresult *result = pq.PQgetResult(connection);
        if (!result) {
            if (pq.PQstatus(connection) != CONNECTION_OK) return CPOSTGRES_LOST;
            return session->failure ? CPOSTGRES_FAILED : CPOSTGRES_DONE;
        }
        switch (pq.PQresultStatus(result)) {
        case PGRES_TUPLES_OK:
        case PGRES_SINGLE_TUPLE:
            session->rows = result;
            if (pq.PQntuples(result) > 0) return CPOSTGRES_ROWS;
            clear(&session->rows);
            break;
        case PGRES_COMMAND_OK:
        case PGRES_EMPTY_QUERY:
            pq.PQclear(result);
            break;
        default:
            // The first error is the reason of the others.
            if (session->failure) {
                pq.PQclear(result);
            } else {
                session->failure = result;
            }
        }
    }
}

const char *cpostgres_sqlstate(const CPostgresSession *session) {
    if (!session->failure) return NULL;
    return pq.PQresultErrorField(session->failure, PG_DIAG_SQLSTATE);
}

const char *cpostgres_server_message(const CPostgresSession *session) {
    if (!session->failure) return NULL;
    return pq.PQresultErrorField(session->failure, PG_DIAG_MESSAGE_PRIMARY);
}

int cpostgres_warning_count(const CPostgresSession *session) { return session->warnings; }

int cpostgres_row_count(const CPostgresSession *session) {
    return session->rows ? pq.PQntuples(session->rows) : 0;
}

const void *cpostgres_value(
    const CPostgresSession *session, int row, int column, int *count) {
    *count = 0;
    if (!session->rows || row < 0 || row >= pq.PQntuples(session->rows) || column < 0 ||
        column >= pq.PQnfields(session->rows) ||
        pq.PQgetisnull(session->rows, row, column)) {
        return NULL;
    }
    *count = pq.PQgetlength(session->rows, row, column);
    return pq.PQgetvalue(session->rows, row, column);
}

bool cpostgres_wait(CPostgresSession *session, int milliseconds) {
    wait_for(session, false, milliseconds_now() + milliseconds);
    return pq.PQconsumeInput(session->connection) &&
        pq.PQstatus(session->connection) == CONNECTION_OK;
}

char *cpostgres_notification(CPostgresSession *session) {
    PGnotify *notification = pq.PQnotifies(session->connection);
    if (!notification) return NULL;
    char *payload = strdup(notification->extra ? notification->extra : "");
    pq.PQfreemem(notification);
    return payload;
}
