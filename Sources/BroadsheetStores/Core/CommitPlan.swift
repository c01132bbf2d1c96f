/// The bounds that a store keeps.
struct StoreBounds: Hashable, Sendable {
    var history = HistoryBounds.none
    var feeds = FeedBounds.none
    /// The maximum number of pages of a node of a directory.
    var nodeCapacity = PageDirectory.defaultCapacity

    /// The maximum number of runs of consecutive kept revisions; the oldest ones beyond it go.
    static let maxRuns = 16
}

/// The facts that a plan follows from, beside the record and the commit.
struct PlanContext: Sendable {
    /// The state of the server in the last reply.
    var server: ServerState
    /// The present, in milliseconds since 1970.
    var now: Int64
    var bounds: StoreBounds
    var limits = BackendLimits()
    /// A record of the screen that has expired, and is still there.
    var leftover: ScreenRecord?
    /// The feed of the screen; `nil` without events.
    var feed: FeedRecord?
    var feedVersion: UInt64 = 0
    /// A Boolean value that indicates whether the screen has a lifetime.
    var expires = false
    /// The objects of the screen that were read.
    var known = KnownObjects()

    /// The state of a server.
    struct ServerState: Hashable, Sendable {
        var line: UInt64
        var floor: RevisionFloor

        /// The number of revisions that one line is ahead of the line before it: more than one
        /// line could have lost.
        static let lineGap: UInt64 = 1_000_000

        /// Returns the revision above which those of the present line begin, if one was the last
        /// of another line.
        func above(_ revision: UInt64, of other: UInt64) -> UInt64 {
            guard other != line else { return revision }
            let lines = line > other ? line - other : 1
            return revision &+ Self.lineGap &* lines
        }

        var creationFloor: UInt64 { above(floor.revision, of: floor.line) }
    }
}

/// The objects of a screen that were read, or written, and are still there.
struct KnownObjects: Sendable {
    /// The pages of nodes.
    var nodes: [ObjectKey: [PageEntry]] = [:]
    /// The objects that end with earlier revisions.
    var garbage: [UInt64: EarlierGarbage] = [:]
    var eventLengths: [UInt64: Int] = [:]
}

/// A commit as a batch, and the state after it.
struct CommitPlan: Sendable {
    var batch: StoreBatch
    var revision: UInt64
    /// The record; `nil` if the screen is removed.
    var record: ScreenRecord?
    var feed: FeedRecord?
    var known: KnownObjects
    var droppedEvents: UInt64 = 0
}
