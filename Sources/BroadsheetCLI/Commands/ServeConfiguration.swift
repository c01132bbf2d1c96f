import Broadsheet
import BroadsheetHTTP
import BroadsheetIO
import BroadsheetOrigin
import BroadsheetServer
import BroadsheetService
import BroadsheetStores

struct ServeConfiguration: Configurable, Equatable {
    static let defaults = ServeConfiguration()

    var server: ServerConfiguration = {
        var server = ServerConfiguration()
        server.handlesSignals = true
        server.usesInheritedSockets = true
        return server
    }()
    /// The file of the catalog, or the folder of several; `nil` for the built-in one.
    var catalog: String?
    /// The folder of the catalog's fonts, or `nil` for that of the catalog.
    var fonts: String?
    /// The value of `--store`, or `nil` for the default store.
    var store: String?
    /// The file of keys, or `nil` for a daemon that any client may use.
    var keys: String?
    var configurationFile: String?

    var service: ServiceConfiguration {
        get { server.service }
        set { server.service = newValue }
    }

    var catalogFile: CatalogFile {
        CatalogFile(
            path: catalog, fonts: fonts,
            textCacheBytes: server.textCacheLimit)
    }

    /// All settings; a configuration file cannot name the configuration file.
    static let settings: [SettingGroup<ServeConfiguration>] = [
        SettingGroup(
            daemon.title,
            daemon.readable(from: [.environment, .file]).settings
                + [configurationFileSetting.readable(from: .environment)]),
        access.readable(from: [.environment, .file]),
        requestLimits.readable(from: [.environment, .file]),
        screenLimits.readable(from: [.environment, .file]),
        timeouts.readable(from: [.environment, .file]),
        pagesOnDemand.readable(from: [.environment, .file]),
    ]

    private static let daemon = SettingGroup<ServeConfiguration>(
        "Daemon",
        [
            Setting(
                "host", .text("ADDRESS"), \.server.host,
                "the address to listen on, or a name that resolves to one"),
            Setting("port", .port, \.server.port, "the port to listen on; 0 selects a free one"),
            Setting(
                "catalog", .fileOrFolder, \.catalog, default: "the built-in storefront catalog",
                "the catalog of cell types, or a folder of several; read again on SIGHUP"),
            Setting(
                "fonts", .folder, \.fonts, default: "the folder of the catalog",
                "the folder of the files of the catalog's fonts; read again on SIGHUP"),
            Setting(
                "strict", .toggle, \.service.isStrict,
                "refuse pages with unknown unit types, or data that their types cannot use"),
            Setting(
                "serve-fonts", .toggle, \.service.servesFonts,
                "let clients load the files of the fonts of contents; check their licences first"),
            .store(\.store),
            Setting(
                "store-connections", .count(PostgresStoreOptions.connectionRange),
                \.server.storeConnections,
                "the number of connections to a PostgreSQL store, besides that of --store-listen"),
            Setting(
                "store-timeout", .seconds(1...60), \.server.storeTimeout,
                "the maximum time of a write from its arrival, or of a read, with PostgreSQL or Redis"
            ),
            Setting(
                "store-listen", SettingValues<String>.text("URL").optional, \.server.storeListen,
                default: "the URL of --store",
                "the URL for notifications of a PostgreSQL store past a pooler, or off"),
            Setting(
                "screen-ttl", .lifetime, \.service.screenLifetime,
                default: "screens stay until they are removed",
                "the lifetime of a screen after its last write, unless the write specifies one"),
            Setting(
                "memory", SettingValues<Int>.memory.optional, \.server.memory,
                default: "half of the machine's memory, or of its control group's",
                "the memory for requests, responses and caches together"),
            Setting(
                "screen-cache-bytes", SettingValues<Int>.cache.optional, \.service.screenCacheBytes,
                default: "a quarter of --memory", "the memory for resolved screens"),
            Setting(
                "cache-bytes", SettingValues<Int>.cache.optional, \.service.layoutCacheBytes,
                default: "an eighth of --memory", "the memory for cached layouts and responses"),
            Setting(
                "history-bytes", SettingValues<Int>.cache.optional, \.service.historyBytes,
                default: "an eighth of --memory",
                "the memory for earlier revisions of screens, from which changes are computed"),
            Setting(
                "keep-revisions", .count(0...1_000_000), \.service.history.maxRevisions,
                "the number of earlier revisions of a screen that the store keeps; 0 for none"),
            Setting(
                "keep-age", .count(1...315_360_000, "SECONDS", unit: "seconds"),
                \.service.history.maxAge,
                "the time for which a revision is kept after it was replaced"),
            Setting(
                "keep-bytes", .bytes(1...1_099_511_627_776), \.service.history.maxBytes,
                "the maximum size of the earlier pages of a screen that the store keeps"),
            Setting(
                "feed-events", .count(1...1_000_000), \.service.feeds.maxEvents,
                "the maximum number of events for a backend that the store keeps of each screen"),
            Setting(
                "text-cache-bytes", SettingValues<Int>.cache.optional, \.server.textCacheBytes,
                default: "a thirty-second of --memory",
                "the memory for shaped texts that may be used again"),
            Setting(
                "journey-items", .count(1...1_000_000), \.service.journeyItems,
                "the maximum number of items, and of pages, in the journey of a screen"),
            Setting(
                "loops", SettingValues<Int>.count(1...256).optional, \.server.loops,
                default: "one a core", "the number of event loops"),
            Setting(
                "workers", SettingValues<Int>.count(1...256).optional, \.server.workers,
                default: "one a core, at least 2", "the number of threads for expensive requests"),
            Setting(
                "trusted-proxies", .addressRanges, \.service.trustedProxies,
                default: "no proxy is trusted",
                "the addresses of proxies whose X-Forwarded-For names the client"),
            Setting(
                "log", .choice("FORMAT"), \.server.logFormat,
                "the format of log lines on standard error: json or text"),
            Setting(
                "drain-delay", .seconds(0...300), \.server.drainDelay,
                "the time before the drain in which each response ends its connection"),
            Setting(
                "drain", .seconds(0...3_600), \.server.drain,
                "the maximum time for requests in flight to end after SIGTERM or SIGINT"),
        ])

    private static let configurationFileSetting = Setting<ServeConfiguration>(
        "config", .file, \.configurationFile,
        "a JSON file with a member for each option; flags and variables take precedence")

    private static let access = SettingGroup<ServeConfiguration>(
        "Access",
        [
            Setting(
                "keys", .file, \.keys, default: "any client may do everything",
                "the keys of clients and their rights; read again on SIGHUP"),
            Setting(
                "open", .toggle, \.server.isOpen,
                "listen on any address without keys, as something else authenticates clients"),
            Setting(
                "metrics-open", .toggle, \.service.access.isMetricsOpen,
                "return /metrics without a key"),
            Setting(
                "allowed-hosts", SettingValues<[HostName]>.hostNames.optional,
                \.service.access.allowedHosts,
                default: "localhost, the machine's name, that of --host",
                "the names of hosts that requests may be for, besides addresses"),
            Setting(
                "inspector", SettingValues<Bool>.truth.optional, \.server.servesInspector,
                default: "true on loopback addresses without proxies",
                "serve the inspector at /inspector"),
            Setting(
                "cors-origin", .origins, \.service.access.corsOrigins,
                default: "those of the daemon's own host",
                "the origins of web pages that may read and write"),
        ])

    private static let requestLimits = SettingGroup<ServeConfiguration>(
        "Limits of a request",
        [
            Setting(
                "max-body", .bytes(1...1_073_741_824), \.server.limits.maxBody,
                "the maximum size of a request's body"),
            Setting(
                "max-answer", .bytes(1...1_099_511_627_776), \.service.maxResponseBytes,
                "the maximum size of a tree or a picture in a response"),
            Setting(
                "max-header-bytes", .bytes(256...1_048_576), \.server.limits.maxHeaderBytes,
                "the maximum size of a request's header fields, and of a chunked body's trailers"),
            Setting(
                "max-headers", .count(1...10_000), \.server.limits.maxHeaders,
                "the maximum number of header fields"),
            Setting(
                "max-target", .bytes(16...1_048_576), \.server.limits.maxTarget,
                "the maximum size of a request target (path and query)"),
            Setting(
                "max-connections", .count(1...1_000_000), \.server.maxConnections,
                "the maximum number of open connections; one more receives 503"),
            Setting(
                "max-waiters", .count(1...1_000_000), \.service.maxWaiters,
                "the maximum number of requests that wait for changes; one more receives 503"),
            Setting(
                "max-streams", .count(1...1_000_000), \.service.maxStreams,
                "the maximum number of open streams; one more receives 503"),
        ])

    private static let screenLimits = SettingGroup(
        SettingGroup<ScreenLimits>.screens.title,
        SettingGroup<ScreenLimits>.screens.settings.map {
            $0.within(\ServeConfiguration.service.limits)
        } + [
            Setting(
                "max-screen-bytes", .bytes(1...1_099_511_627_776), \.service.maxScreenBytes,
                "the maximum size of the pages of a screen together"),
            Setting(
                "max-item-bytes", .bytes(1...1_073_741_824), \.service.maxItemBytes,
                "the maximum size to which an action of a client can make the data of an item grow"),
        ])

    private static let timeouts = SettingGroup<ServeConfiguration>(
        "Timeouts",
        [
            Setting(
                "idle-timeout", .seconds(1...86_400), \.server.idleTimeout,
                "the maximum time that a connection stays open without a request"),
            Setting(
                "header-timeout", .seconds(1...86_400), \.server.headerTimeout,
                "the maximum time from the first to the last byte of a request's head"),
            Setting(
                "body-timeout", .seconds(1...86_400), \.server.bodyTimeout,
                "the maximum time without progress of a request's body"),
            Setting(
                "write-timeout", .seconds(1...86_400), \.server.writeTimeout,
                "the maximum time in which a client reads nothing of its response"),
            Setting(
                "min-rate", .bytes(0...1_073_741_824), \.server.minRate,
                "the minimum of bytes a second in which a body arrives or a response is read"),
        ])
}

extension SettingValues<Int> {
    /// The memory of the whole daemon, in bytes.
    fileprivate static var memory: SettingValues {
        .bytes(MemoryBudget.minLimit...1_099_511_627_776)
    }

    fileprivate static var cache: SettingValues { .bytes(0...1_099_511_627_776) }
}

extension Setting {
    /// Returns the setting of the store, which `serve`, `backup` and `restore` share.
    static func store(_ property: Property<Configuration, String?>) -> Setting {
        Setting(
            "store", SettingValues<String>.text("STORE").optional, property,
            default: "sqlite:$XDG_STATE_HOME/broadsheet/screens.db",
            "the store: \(StoreAddress.forms)")
    }
}

extension SettingValues<String> {
    /// Returns values separated by commas, each of which `element` accepts.
    fileprivate func list<Element>(
        of element: @escaping @Sendable (Substring) -> Element?
    ) -> SettingValues<[Element]> {
        map { text in
            let parts = text.split(separator: ",", omittingEmptySubsequences: false)
            let elements = parts.compactMap(element)
            return elements.count == parts.count ? elements : nil
        }
    }
}

extension SettingValues<[AddressRange]> {
    fileprivate static var addressRanges: SettingValues {
        SettingValues<String>.text(
            "CIDR[,CIDR]",
            "a comma-separated list of addresses and of ranges such as 10.0.0.0/8"
        ).list { AddressRange($0) }
    }
}

extension SettingValues<[HostName]> {
    fileprivate static var hostNames: SettingValues {
        SettingValues<String>.text(
            "HOST[,HOST]", "a comma-separated list of names such as layouts.example.com"
        ).list { HostName($0) }
    }
}

extension SettingValues<[WebOrigin]> {
    fileprivate static var origins: SettingValues {
        SettingValues<String>.text(
            "ORIGIN[,ORIGIN]", "a comma-separated list of origins such as https://shop.example"
        ).list { WebOrigin($0) }.withRemedy { text in
            let parts = text.split(separator: ",", omittingEmptySubsequences: false)
            return parts.first { WebOrigin($0) == nil }.map { WebOrigin.remedy(for: $0) }
        }
    }
}

extension SettingValues<ScreenLifetime> {
    fileprivate static var lifetime: SettingValues {
        SettingValues<Int>.count(ScreenLifetime.secondsRange, "SECONDS", unit: "seconds")
            .map { .seconds($0) }
    }
}

extension ServeConfiguration {
    static let pagesOnDemand = SettingGroup<ServeConfiguration>(
        "Pages on demand",
        [
            Setting(
                "origin", SettingValues<OriginURL>.origin.optional, \.server.origin,
                default: "pages that are not stored do not exist",
                "the URL from which pages that are needed and not stored are fetched"),
            Setting(
                "origin-timeout", .seconds(1...3_600), \.service.origin.timeout,
                "the maximum time to fetch a page, a second try included"),
            Setting(
                "origin-rest", .seconds(1...3_600), \.service.origin.rest,
                "the time in which an origin that is ill, or a page, is not requested after five "
                    + "failures"),
            Setting(
                "origin-fetches", .count(1...1_000), \.service.origin.maxFetches,
                "the maximum number of pages that are fetched at one time"),
            Setting(
                "origin-ca", .file, \.server.originCertificates, default: "those of the system",
                "the certificates of the authorities that the origin's certificate is checked with"
            ),
            Setting(
                "prefetch", .toggle, \.service.origin.prefetches,
                "fetch the next page as soon as one is requested"),
        ])
}

extension SettingValues<OriginURL> {
    fileprivate static var origin: SettingValues {
        SettingValues<String>.text("URL", OriginURL.form).map { OriginURL($0) }
    }
}
