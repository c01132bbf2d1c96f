/// The limits that protect the daemon, each with its name (docs/cli.md, docs/threat-model.md).
enum LimitSettings {
    // Of a request.

    /// Bytes of one request body.
    static let body = Setting.integer(
        "max-body", "BYTES", 16_777_216, in: 1...1_073_741_824, unit: "bytes",
        "the largest body of a request")
    /// Bytes of one request's head.
    static let headerBytes = Setting.integer(
        "max-header-bytes", "BYTES", 16_384, in: 256...1_048_576, unit: "bytes",
        "the most bytes of a request's header fields, and of the trailers of a chunked one")
    /// Header fields of one request.
    static let headers = Setting.integer(
        "max-headers", "N", 100, in: 1...10_000, "the most header fields of a request")
    /// Bytes of one request target.
    static let target = Setting.integer(
        "max-target", "BYTES", 8_192, in: 16...1_048_576, unit: "bytes",
        "the longest request target (path and query)")
    /// Open connections.
    static let connections = Setting.integer(
        "max-connections", "N", 10_000, in: 1...1_000_000,
        "the most open connections; one more is answered 503")

    // Of pages and screens.

    /// Nested JSON containers.
    static let depth = Setting.integer(
        "max-depth", "N", 128, in: 1...1_024, "how deep JSON may nest; the document itself is 1")
    /// Sections of a screen.
    static let sections = Setting.integer(
        "max-sections", "N", 10_000, in: 1...1_000_000, "the most sections of a screen")
    /// Items of a screen.
    static let items = Setting.integer(
        "max-items", "N", 1_000_000, in: 1...100_000_000, "the most items of a screen")
    /// Pages of a screen.
    static let pages = Setting.integer(
        "max-pages", "N", 10_000, in: 1...1_000_000, "the most pages of a screen")

    /// The limits that hold for whoever reads a page, daemon or not.
    static let ofPages = [depth, sections, items, pages]

    // Of time.

    /// Between two requests of a connection.
    static let idleTimeout = timeout(
        "idle-timeout", 60, "how long a connection may stay open without a request")
    /// For a whole head.
    static let headerTimeout = timeout(
        "header-timeout", 10, "how long a request's head may take, however it drips")
    /// Between two pieces of a body.
    static let bodyTimeout = timeout(
        "body-timeout", 30, "how long a request's body may make no progress")
    /// Between two pieces of an answer.
    static let writeTimeout = timeout(
        "write-timeout", 30, "how long a client may take none of its answer")

    private static func timeout(_ name: String, _ fallback: Int, _ summary: String) -> Setting<Int>
    {
        .integer(name, "SECONDS", fallback, in: 1...86_400, unit: "seconds", summary)
    }
}
