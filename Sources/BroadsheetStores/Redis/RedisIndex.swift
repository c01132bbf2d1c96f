import Synchronization

/// Sees to it that the index does not grow for ever: the server takes away a screen whose time is
/// over, but not its name.
///
/// Each write that makes a screen looks at the next few names, round and round; more than one, so that
/// what expires goes faster than what is made comes.
final class RedisIndexSweep: Sendable {
    private struct State {
        var after: ScreenName?
        /// What the last write saw, for the next one to look at.
        var names: [ScreenName] = []
    }

    /// How many names one write looks at.
    static let namesPerWrite = 4

    private let state = Mutex(State())

    /// The commands that go with a write: take away what the last one saw that is gone, and see
    /// what comes next.
    func commands() -> [RESPCommand] {
        let (names, after) = state.withLock { state in
            defer { state.names = [] }
            return (state.names, state.after)
        }
        return [Self.prune(names), RedisIndex.names(after: after, limit: Self.namesPerWrite)]
    }

    /// Takes the reply to the last of the commands.
    func record(_ reply: RESPValue) {
        let names = RedisIndex.names(reply)
        state.withLock { state in
            state.names = names
            // At the end it begins anew, or names that are made in order would keep it there.
            state.after = names.count < Self.namesPerWrite ? nil : names.last
        }
    }

    /// Takes those of `names` off the index whose screens are gone.
    static func prune(_ names: [ScreenName]) -> RESPCommand {
        let keys = [RedisKeys.index] + names.map(RedisKeys.screen)
        let parts =
            ["EVAL", RedisScript.prune, String(keys.count)] + keys + names.map(\.text)
        return RESPCommand(parts.map { Array($0.utf8) })
    }
}

/// Reading the index of names.
enum RedisIndex {
    /// Asks for up to `limit` names, beginning with the first one after `name`.
    static func names(after name: ScreenName?, limit: Int) -> RESPCommand {
        let start = name.map { "(\($0.text)" } ?? "-"
        return RESPCommand("ZRANGEBYLEX", RedisKeys.index, start, "+", "LIMIT", "0", String(limit))
    }

    /// The names out of the reply.
    static func names(_ reply: RESPValue) -> [ScreenName] {
        (reply.elements ?? []).compactMap { $0.text.flatMap { ScreenName($0) } }
    }
}
