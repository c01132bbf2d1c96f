#ifndef BROADSHEETWEB_H
#define BROADSHEETWEB_H

#include <stddef.h>

// The files of the web client and of the inspector, the written part of the OpenAPI document, and
// what the commands `init` and `generate` write, as constants of the program, so that the daemon is
// one file. In C because Swift has no #embed, and SwiftPM's `.embedInCode` takes a minute of build
// time.

/// A file of the web client or of the inspector, or the OpenAPI document.
typedef struct {
    /// The name; that of a file of the inspector begins with its folder.
    const char *name;
    /// The content, which is never freed.
    const unsigned char *bytes;
    /// The length of the content, in bytes.
    size_t length;
} BroadsheetWebFile;

/// Returns the number of files.
size_t broadsheet_web_count(void);

/// Returns the file at an index below the number of files.
BroadsheetWebFile broadsheet_web_file(size_t index);

/// Returns the schemas and headers of the OpenAPI document that no declaration makes; it is not
/// among the files that are served.
BroadsheetWebFile broadsheet_web_openapi(void);

/// Returns the number of files that `broadsheet init` writes.
size_t broadsheet_starting_count(void);

/// Returns the file that `broadsheet init` writes at an index below their number.
BroadsheetWebFile broadsheet_starting_file(size_t index);

/// Return the templates of the files that `broadsheet generate` writes.
BroadsheetWebFile broadsheet_swift_template(void);
BroadsheetWebFile broadsheet_kotlin_template(void);
BroadsheetWebFile broadsheet_typescript_template(void);

#endif
