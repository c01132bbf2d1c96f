/// What things are called on the server.
///
/// A screen is one key, so the screens of one store may be spread over a cluster. The others are
/// touched by commands of their own, never in one with a screen.
enum RedisKeys {
    /// A sorted set of all screens' names. May name one that is gone; never lacks one that is there.
    static let index = "broadsheet:screens"
    /// The store's name and sealing key.
    static let identity = "broadsheet:identity"
    /// The highest revision of any screen that was removed or may expire.
    static let floor = "broadsheet:floor"
    /// Where daemons tell each other what they wrote: `name revision`.
    static let changes = "broadsheet:changes"

    /// The hash that holds a screen.
    static func screen(_ name: ScreenName) -> String { "broadsheet:screen:{\(name.text)}" }
}
