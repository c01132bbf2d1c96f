public import Broadsheet
package import BroadsheetHTTP
import BroadsheetIO
import BroadsheetOrigin
import BroadsheetService
import BroadsheetStores

/// The address and the limits of connections and requests.
extension ServerConfiguration {
    /// The address to listen on, or a name that resolves to one (`--host`).
    public var host: String {
        get { http.host }
        set { http.host = newValue }
    }
    /// The port to listen on; 0 selects a free one (`--port`).
    public var port: UInt16 {
        get { http.port }
        set { http.port = newValue }
    }
    package var limits: HTTPLimits {
        get { http.limits }
        set { http.limits = newValue }
    }
    /// The maximum size of a request's body, in bytes (`--max-body`).
    public var maxBody: Int {
        get { http.limits.maxBody }
        set { http.limits.maxBody = newValue }
    }
    /// The maximum size of a request's header fields, in bytes (`--max-header-bytes`).
    public var maxHeaderBytes: Int {
        get { http.limits.maxHeaderBytes }
        set { http.limits.maxHeaderBytes = newValue }
    }
    /// The maximum number of header fields (`--max-headers`).
    public var maxHeaders: Int {
        get { http.limits.maxHeaders }
        set { http.limits.maxHeaders = newValue }
    }
    /// The maximum size of a request target, in bytes (`--max-target`).
    public var maxTarget: Int {
        get { http.limits.maxTarget }
        set { http.limits.maxTarget = newValue }
    }
    /// The maximum number of open connections (`--max-connections`).
    public var maxConnections: Int {
        get { http.maxConnections }
        set { http.maxConnections = newValue }
    }
    /// The maximum time that a connection stays open without a request (`--idle-timeout`).
    public var idleTimeout: Duration {
        get { http.idleTimeout }
        set { http.idleTimeout = newValue }
    }
    /// The maximum time from the first to the last byte of a request's head (`--header-timeout`).
    public var headerTimeout: Duration {
        get { http.headerTimeout }
        set { http.headerTimeout = newValue }
    }
    /// The maximum time without progress of a request's body (`--body-timeout`).
    public var bodyTimeout: Duration {
        get { http.bodyTimeout }
        set { http.bodyTimeout = newValue }
    }
    /// The maximum time in which a client reads nothing of its response (`--write-timeout`).
    public var writeTimeout: Duration {
        get { http.writeTimeout }
        set { http.writeTimeout = newValue }
    }
    /// The minimum of bytes a second in which a body arrives or a response is read (`--min-rate`).
    public var minRate: Int {
        get { http.minRate }
        set { http.minRate = newValue }
    }
}

/// The limits of screens, and the caches.
extension ServerConfiguration {
    /// The limits of a page and a screen.
    public var screenLimits: ScreenLimits {
        get { service.limits }
        set { service.limits = newValue }
    }
    /// A Boolean value that indicates whether pages with unknown unit types, or data that their
    /// types cannot use, are refused (`--strict`).
    public var isStrict: Bool {
        get { service.isStrict }
        set { service.isStrict = newValue }
    }
    /// The maximum size of the pages of a screen together, in bytes (`--max-screen-bytes`).
    public var maxScreenBytes: Int {
        get { service.maxScreenBytes }
        set { service.maxScreenBytes = newValue }
    }
    /// The maximum size to which an action of a client can make the data of an item grow, in bytes
    /// (`--max-item-bytes`).
    public var maxItemBytes: Int {
        get { service.maxItemBytes }
        set { service.maxItemBytes = newValue }
    }
    /// The maximum size of a tree or a picture in a response, in bytes (`--max-answer`).
    public var maxResponseBytes: Int {
        get { service.maxResponseBytes }
        set { service.maxResponseBytes = newValue }
    }
    /// The lifetime of a screen after its last write in seconds, unless the write specifies one;
    /// `nil` for screens that stay until they are removed (`--screen-ttl`).
    public var screenLifetimeSeconds: Int? {
        get { service.screenLifetime.wholeSeconds }
        set { service.screenLifetime = newValue.map { .seconds($0) } ?? .unchanged }
    }
    /// The memory for resolved screens in bytes; `nil` for a quarter of ``memory``
    /// (`--screen-cache-bytes`).
    public var screenCacheBytes: Int? {
        get { service.screenCacheBytes }
        set { service.screenCacheBytes = newValue }
    }
    /// The memory for cached layouts and responses in bytes; `nil` for an eighth of ``memory``
    /// (`--cache-bytes`).
    public var layoutCacheBytes: Int? {
        get { service.layoutCacheBytes }
        set { service.layoutCacheBytes = newValue }
    }
    /// The memory for earlier revisions of screens in bytes; `nil` for an eighth of ``memory``
    /// (`--history-bytes`).
    public var historyBytes: Int? {
        get { service.historyBytes }
        set { service.historyBytes = newValue }
    }
    /// The number of earlier revisions that are kept of each screen; 0 for none
    /// (`--keep-revisions`).
    public var keptRevisions: Int {
        get { service.history.maxRevisions }
        set { service.history.maxRevisions = newValue }
    }
    /// The number of seconds for which a revision is kept after it was replaced (`--keep-age`).
    public var keptAge: Int {
        get { service.history.maxAge }
        set { service.history.maxAge = newValue }
    }
    /// The maximum number of bytes of earlier pages that are kept of each screen (`--keep-bytes`).
    public var keptBytes: Int {
        get { service.history.maxBytes }
        set { service.history.maxBytes = newValue }
    }
    /// The maximum number of events for a backend that are stored of each screen
    /// (`--feed-events`).
    public var feedEvents: Int {
        get { service.feeds.maxEvents }
        set { service.feeds.maxEvents = newValue }
    }
    /// The maximum number of items, and of pages, in the journey of a screen (`--journey-items`).
    public var journeyItems: Int {
        get { service.journeyItems }
        set { service.journeyItems = newValue }
    }
    /// The maximum number of requests that wait for changes (`--max-waiters`).
    public var maxWaiters: Int {
        get { service.maxWaiters }
        set { service.maxWaiters = newValue }
    }
    /// The maximum number of open streams (`--max-streams`).
    public var maxStreams: Int {
        get { service.maxStreams }
        set { service.maxStreams = newValue }
    }
}

/// The access of clients, and the origin of pages.
extension ServerConfiguration {
    /// A Boolean value that indicates whether `/metrics` needs no key (`--metrics-open`).
    public var isMetricsOpen: Bool {
        get { service.access.isMetricsOpen }
        set { service.access.isMetricsOpen = newValue }
    }

    /// Sets the names of hosts that requests may be for, besides addresses (`--allowed-hosts`).
    ///
    /// - Throws: ``ServerError/configuration(_:)`` for a text that is not a name.
    public mutating func setAllowedHosts(_ names: [String]) throws(ServerError) {
        service.access.allowedHosts = try Self.read(names, "--allowed-hosts") { HostName($0) }
    }

    /// Sets the origins of web pages that may read and write (`--cors-origin`).
    ///
    /// - Throws: ``ServerError/configuration(_:)`` for a text that is not an origin.
    public mutating func setCORSOrigins(_ origins: [String]) throws(ServerError) {
        service.access.corsOrigins = try Self.read(
            origins, "--cors-origin", remedy: { WebOrigin.remedy(for: $0) }
        ) { WebOrigin($0) }
    }

    /// Sets the addresses of proxies, and ranges of them, whose X-Forwarded-For names the client
    /// (`--trusted-proxies`).
    ///
    /// - Throws: ``ServerError/configuration(_:)`` for a text that is not an address or a range.
    public mutating func setTrustedProxies(_ ranges: [String]) throws(ServerError) {
        service.trustedProxies = try Self.read(ranges, "--trusted-proxies") { AddressRange($0) }
    }

    /// Fetches pages that are needed and not stored (`--origin`, `--origin-ca`, `--prefetch`).
    ///
    /// - Parameters:
    ///   - url: The URL of the service that has them.
    ///   - certificates: A file of the certificates that the origin's is checked with; `nil` for
    ///     those of the system.
    ///   - prefetches: A Boolean value that indicates whether the next page is fetched as soon as
    ///     one is requested.
    /// - Throws: ``ServerError/configuration(_:)`` for another text than such a URL.
    public mutating func setOrigin(
        _ url: String, certificates: String? = nil, prefetches: Bool = false
    ) throws(ServerError) {
        origin = try Self.read([url], "--origin") { OriginURL($0) }.first
        originCertificates = certificates
        service.origin.prefetches = prefetches
    }

    private static func read<Value>(
        _ texts: [String], _ option: String, remedy: (String) -> String? = { _ in nil },
        _ value: (String) -> Value?
    ) throws(ServerError) -> [Value] {
        var values: [Value] = []
        for text in texts {
            guard let value = value(text) else {
                let remedy = remedy(text).map { "; \($0)" } ?? ""
                throw .configuration("\(option): '\(text)' is not valid\(remedy)")
            }
            values.append(value)
        }
        return values
    }
}
