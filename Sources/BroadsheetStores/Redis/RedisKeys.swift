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
    /// The version of the format, the name and the sealing key of the store.
    static let identity = "{broadsheet}:identity"
    /// The highest revision of any screen that was removed or may expire, a blank, and the line in
    /// which it was recorded.
    static let floor = "{broadsheet}:floor"

    /// The state of the server as of the last write (``LuaScript``).
    static let line = "{broadsheet}:line"

    /// The keys that stand for a screen and the index in a write that is undone; the first one is
    /// also its channel, to which no daemon subscribes.
    static let probe = "{broadsheet}:probe", probedNames = "{broadsheet}:probe:names"

    static func screen(_ name: ScreenName) -> String { "{broadsheet}:screen:\(name.text)" }

    /// Returns the channel on which the daemons of one database publish their writes.
    ///
    /// The name contains the database because channels, unlike keys, are shared by all databases.
    static func changes(_ endpoint: RedisEndpoint) -> String {
        "{broadsheet}:changes:\(endpoint.database)"
    }
}
