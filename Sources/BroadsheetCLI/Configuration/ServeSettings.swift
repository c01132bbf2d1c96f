internal import BroadsheetService

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
    static let store = Setting.text("store", "STORE", "memory", "where screens are kept: memory")
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
                store.option.configurable, loops.option.configurable, log.option.configurable,
                drain.option.configurable, configOption,
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
