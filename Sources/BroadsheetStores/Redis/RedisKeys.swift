/// The names of keys and channels on the server.
///
/// All names have the same hash tag, so a cluster keeps a store on one node and a script can access
/// a screen, the index and the floor atomically. One node has more capacity for screens and writes
/// than the daemons that use it.
enum RedisKeys {
    /// A sorted set of the names of all screens.
    ///
    /// It may contain names of expired screens; it never lacks an existing one.
    static let index = "{broadsheet}:screens"
    /// A sorted set of the names of screens by the times at which they are due.
    ///
    /// It may contain names of expired screens.
    static let dues = "{broadsheet}:due"
    /// The name and the sealing key of the store.
    static let identity = "{broadsheet}:identity"
    /// The highest revision of any screen that was removed or may expire.
    static let floor = "{broadsheet}:floor"

    /// The line of the last write, and its number (``RedisLine``).
    static let line = "{broadsheet}:line"

    /// The keys that stand for a screen, the index and the floor in a write that is undone, and its
    /// channel, to which no daemon subscribes.
    static let probe = "{broadsheet}:probe"

    /// The message on the channel of changes that the store has begun on an empty server, so that
    /// revisions of before say nothing any more.
    static let startMessage = "*"

    /// Returns the key of the hash that holds a screen.
    static func screen(_ name: ScreenName) -> String { "{broadsheet}:screen:\(name.text)" }

    /// A hash with the bytes of the earlier pages of each screen that has any, and the time at
    /// which they expire.
    static let histories = "{broadsheet}:histories"

    /// Returns the key of the hash with the state of a screen: its last writes and their line
    /// (``RedisLine``), and that of its history: its creation, its oldest revision, and the record
    /// of the current one.
    static func state(_ name: ScreenName) -> String { "{broadsheet}:state:\(name.text)" }

    /// Returns the key of the hash with the records and the pages of a screen's earlier revisions.
    static func history(_ name: ScreenName) -> String { "{broadsheet}:history:\(name.text)" }

    /// Returns the key of the hash that holds the feed of a screen.
    static func feed(_ name: ScreenName) -> String { "{broadsheet}:feed:\(name.text)" }

    /// Returns the channel on which the daemons of one database publish their writes.
    ///
    /// The name contains the database because channels, unlike keys, are shared by all databases.
    static func changes(_ endpoint: RedisEndpoint) -> String {
        "{broadsheet}:changes:\(endpoint.database)"
    }
}
