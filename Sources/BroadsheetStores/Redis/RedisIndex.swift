import Synchronization

/// A sweep that removes the names of expired screens from the index.
///
/// The server deletes an expired screen but not its name. Each write that creates a screen checks
/// the next few names in a cycle; more than one, so that names are removed faster than they are
/// added.
final class RedisIndexSweep: Sendable {
    private struct State {
        var after: ScreenName?
        /// The names that the last write read, to be checked by the next one.
        var names: [ScreenName] = []
    }

    static let namesPerWrite = 4

    private let state = Mutex(State())

    /// Returns the commands to send with a write: one that reads the next names, and one that
    /// removes expired names among those read last.
    func commands() -> [RESPCommand] {
        let (names, after) = state.withLock { state in
            defer { state.names = [] }
            return (state.names, state.after)
        }
        return [RedisIndex.names(after: after, limit: Self.namesPerWrite), Self.prune(names)]
    }

    /// Records the reply to the first of the commands.
    func record(_ reply: RESPValue) {
        let names = RedisIndex.names(reply)
        state.withLock { state in
            state.names = names
            // At the end the sweep starts again; otherwise names added in ascending order would
            // keep it there.
            state.after = names.count < Self.namesPerWrite ? nil : names.last
        }
    }

    /// Returns a command that removes those of `names` whose screens do not exist.
    static func prune(_ names: [ScreenName]) -> RESPCommand {
        let keys = [RedisKeys.index, RedisKeys.dues] + names.map(RedisKeys.screen)
        let parts =
            ["EVAL", LuaScript.prune, String(keys.count)] + keys + names.map(\.text)
        return RESPCommand(parts.map { Array($0.utf8) })
    }
}

/// Commands that read the index of names.
enum RedisIndex {
    /// Returns a command that reads up to `limit` names, beginning with the first one after `name`,
    /// of those that begin with `prefix`.
    static func names(
        after name: ScreenName?, prefix: ScreenNamePrefix = .none, limit: Int
    ) -> RESPCommand {
        let bound = prefix.lowerBound(after: name)
        let start = bound.isEmpty ? "-" : "[\(bound)"
        let end = prefix.isEmpty ? "+" : "(\(prefix.upperBound)"
        return RESPCommand("ZRANGEBYLEX", RedisKeys.index, start, end, "LIMIT", "0", String(limit))
    }

    static func names(_ reply: RESPValue) -> [ScreenName] {
        (reply.elements ?? []).compactMap { $0.text.flatMap { ScreenName($0) } }
    }
}
