internal import BroadsheetService
internal import BroadsheetStores

/// What `broadsheet serve` can be told: one place for every name, default, unit and range.
enum ServeSettings {
    /// An address of this machine, or a name that has one, to listen on.
    static let host = Setting.text(
        "host", "ADDRESS", "127.0.0.1", "the address to listen on, or a name that has one")
    /// The TCP port to listen on.
    static let port = Setting.integer(
        "port", "PORT", 8080, in: 0...65_535, "the port to listen on; 0 takes a free one")
    /// The registered cell types, read at start and on SIGHUP.
    static let catalog = Setting<String?>.file(
        "catalog", absent: "the built-in storefront catalog",
        "the catalog of cell types; read again on SIGHUP")
    /// Where screens are kept.
    static let store = Setting<String?>.text(
        "store", "STORE",
        absent: "sqlite:$XDG_STATE_HOME/broadsheet/screens.db",
        "where screens are kept: \(StoreAddress.forms)")
    /// How long screens live that no write says otherwise of.
    static let screenTTL = Setting<Int?>.integer(
        "screen-ttl", "SECONDS", absent: "screens stay until they are removed",
        in: ScreenLifetime.secondsRange,
        "how long a screen lives after its last write, unless the write says otherwise")
    /// How much memory resolved screens may take.
    static let screenCache = Setting.integer(
        "screen-cache-bytes", "BYTES", ServiceConfiguration.defaultScreenCacheBytes,
        in: 0...1_099_511_627_776, unit: "bytes",
        "how much memory screens may take that are held ready to be laid out")
    /// How much memory layouts and answers may take that are kept for the next to ask.
    static let layoutCache = Setting.integer(
        "cache-bytes", "BYTES", ServiceConfiguration().cacheBytes,
        in: 0...1_099_511_627_776, unit: "bytes",
        "how much memory layouts and answers may take that are kept for the next to ask")
    /// How many event loops, each a thread, share the connections.
    static let loops = Setting<Int?>.integer(
        "loops", "N", absent: "one a core", in: 1...256, "how many event loops to run")
    /// How log lines look.
    static let log = Setting<LogFormat>.choice(
        "log", "FORMAT", .json, "how log lines look on standard error: json or text")
    /// How long requests in flight may take to end once the daemon is told to stop.
    static let drain = Setting.integer(
        "drain", "SECONDS", 10, in: 0...3_600, unit: "seconds",
        "how long requests in flight may take to end after SIGTERM or SIGINT")
    /// The file that speaks for all the others.
    static let config = Setting<String?>.file(
        "config", absent: nil, "a JSON file with a member for each option; flags and variables win")

    /// The options, as help shows them.
    static let groups = [
        OptionGroup(
            title: "Where and how",
            options: [
                host.option.configurable, port.option.configurable, catalog.option.configurable,
                store.option.configurable, screenTTL.option.configurable,
                screenCache.option.configurable, layoutCache.option.configurable,
                loops.option.configurable, log.option.configurable, drain.option.configurable,
                configOption,
            ]),
        OptionGroup(
            title: "Limits of a request",
            options: [
                LimitSettings.body, LimitSettings.headerBytes, LimitSettings.headers,
                LimitSettings.target, LimitSettings.connections,
            ].map(\.option.configurable)),
        OptionGroup(
            title: "Limits of pages and screens",
            options: LimitSettings.ofPages.map(\.option.configurable)),
        OptionGroup(
            title: "Timeouts",
            options: [
                LimitSettings.idleTimeout, LimitSettings.headerTimeout, LimitSettings.bodyTimeout,
                LimitSettings.writeTimeout,
            ].map(\.option.configurable)),
    ]

    /// A file cannot name the file to read.
    private static var configOption: Option {
        var option = config.option
        option.hasVariable = true
        return option
    }
}
