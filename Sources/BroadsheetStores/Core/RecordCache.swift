import Synchronization

/// A screen as the last reply or batch had it.
struct KnownScreen: Sendable {
    var record: ScreenRecord
    var feed: FeedRecord?
    var feedVersion: UInt64
    var expires: Bool
    /// The number of times that another line of the server had been found when it was asked for.
    var restarts: UInt64
    var objects = KnownObjects()

    /// The estimated size in memory, in bytes.
    var byteCount: Int {
        let inline = record.state.nodes.reduce(0) { $0 + ($1.entries?.count ?? 0) }
        let entries = objects.nodes.reduce(inline) { $0 + $1.value.count }
        let garbage = objects.garbage.reduce(0) { $0 + 64 + $1.value.keys.count * 24 }
        return 1024 + entries * MemoryLayout<PageEntry>.stride + garbage
            + record.state.nodes.count * MemoryLayout<DirectoryNode>.stride
            + objects.eventLengths.count * 32
    }
}

/// The knowledge of a store about its backend: the state of the server, and records of screens.
final class RecordCache: Sendable {
    static let maxBytes = 16 << 20

    private struct Entry {
        var screen: KnownScreen
        var byteCount: Int
        var lastUse: UInt64
    }

    private struct State {
        var server: PlanContext.ServerState?
        var restarts: UInt64 = 0
        var entries: [ScreenName: Entry] = [:]
        var byteCount = 0
        var uses: UInt64 = 0

        mutating func remove(_ name: ScreenName) {
            if let entry = entries.removeValue(forKey: name) { byteCount -= entry.byteCount }
        }
    }

    private let state = Mutex(State())
    private let maxBytes: Int

    init(maxBytes: Int = RecordCache.maxBytes) { self.maxBytes = maxBytes }

    /// The state of the server in the last reply; `nil` before the first one.
    var server: PlanContext.ServerState? { state.withLock { $0.server } }

    /// The number of times that another line of the server was found.
    var restarts: UInt64 { state.withLock { $0.restarts } }

    /// Records the state of the server in a reply; returns the number of restarts.
    ///
    /// All that was known before another line is forgotten.
    ///
    /// - Parameters:
    ///   - reply: The reply.
    ///   - onRestart: A function that is called before any other reply of that line is recorded.
    func record(_ reply: RecordReply, _ onRestart: () -> Void) -> UInt64 {
        state.withLock { state in
            let isOther = state.server.map { $0.line != reply.line } ?? false
            if isOther {
                state.restarts += 1
                (state.entries, state.byteCount) = ([:], 0)
                onRestart()
            }
            state.server = PlanContext.ServerState(line: reply.line, floor: reply.floor)
            return state.restarts
        }
    }

    func screen(_ name: ScreenName) -> KnownScreen? {
        state.withLock { state in
            guard state.entries[name] != nil else { return nil }
            state.uses += 1
            state.entries[name]?.lastUse = state.uses
            return state.entries[name]?.screen
        }
    }

    /// Keeps what is known of a screen, unless a later version is known, or another line of the
    /// server was found since it was asked for.
    func keep(_ screen: KnownScreen, of name: ScreenName) {
        state.withLock { state in
            guard state.restarts == screen.restarts else { return }
            if let later = state.entries[name]?.screen,
                later.record.version > screen.record.version
            {
                return
            }
            state.remove(name)
            state.uses += 1
            let byteCount = screen.byteCount
            state.entries[name] = Entry(
                screen: screen, byteCount: byteCount, lastUse: state.uses)
            state.byteCount += byteCount
            if state.byteCount > maxBytes { shrink(&state) }
        }
    }

    func remove(_ name: ScreenName) { state.withLock { $0.remove(name) } }

    /// Forgets the screens that were not used for the longest time, until a half is left.
    private func shrink(_ state: inout State) {
        let oldest = state.entries.sorted { $0.value.lastUse < $1.value.lastUse }.map(\.key)
        for name in oldest {
            guard state.byteCount > maxBytes / 2 else { return }
            state.remove(name)
        }
    }
}
