/// What things are called on the server.
///
/// All names carry one hash tag, so that a cluster keeps a whole store on one of its nodes: one script
/// may then touch a screen, the index and the floor in one step. A node has room for more screens and
/// writes than the daemons in front of it will ever lay out.
enum RedisKeys {
    /// A sorted set of all screens' names.
    ///
    /// May name one that has expired; never lacks one that is there.
    static let index = "{broadsheet}:screens"
    /// The store's name and sealing key.
    static let identity = "{broadsheet}:identity"
    /// The highest revision of any screen that was removed or may expire.
    static let floor = "{broadsheet}:floor"

    /// The hash that holds a screen.
    static func screen(_ name: ScreenName) -> String { "{broadsheet}:screen:\(name.text)" }

    /// Where daemons on one database tell each other what they wrote: channels, unlike keys, are all
    /// databases'.
    static func changes(_ endpoint: RedisEndpoint) -> String {
        "{broadsheet}:changes:\(endpoint.database)"
    }
}
