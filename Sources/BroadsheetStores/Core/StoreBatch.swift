/// A change of one screen, which a backend compares first, and applies as a whole or not at all.
public struct StoreBatch: Sendable {
    /// The state of the record without which a batch is a conflict.
    public enum Expectation: Hashable, Sendable {
        /// There is no record, and the revision of the batch is above the floor.
        case absent
        /// The record has the version, and has not expired.
        case current(RecordVersion)
        /// The record has the version, and has expired.
        case expired(RecordVersion)
        /// There is a record that has not expired.
        case alive
        /// Anything.
        case unchecked
    }

    /// The change of the record.
    public enum Change: Hashable, Sendable {
        /// None: the record is written as it is.
        case none
        /// A write. If the batch expects no record, or an expired one, all that is left of an
        /// earlier screen goes before, and the version of the feed begins with the revision.
        case write(RecordWrite)
        /// The removal of the record, of all objects, and of the feed record.
        case remove
    }

    /// A write of a record.
    public struct RecordWrite: Hashable, Sendable {
        /// The version.
        public var version: RecordVersion
        /// The bytes.
        public var bytes: [UInt8]
        /// The time in steps of 30 seconds at which the record is due; `nil` for never.
        public var due: Int64?
        /// The weight, which backends sum.
        public var weight: Int
        /// The size that lists have of the record.
        public var listedBytes: Int
        /// The lifetime, by the backend's clock.
        public var lifetime: ScreenLifetime

        /// Creates a write.
        public init(
            version: RecordVersion, bytes: [UInt8], due: Int64?, weight: Int, listedBytes: Int,
            lifetime: ScreenLifetime
        ) {
            self.version = version
            self.bytes = bytes
            self.due = due
            self.weight = weight
            self.listedBytes = listedBytes
            self.lifetime = lifetime
        }
    }

    /// A write of the feed record.
    public struct FeedWrite: Hashable, Sendable {
        /// The version that it must have.
        public var expected: UInt64
        /// The new version.
        public var version: UInt64
        /// The bytes.
        public var bytes: [UInt8]
        /// The number of bytes that it and its objects take.
        public var weight: Int

        /// Creates a write.
        public init(expected: UInt64, version: UInt64, bytes: [UInt8], weight: Int) {
            self.expected = expected
            self.version = version
            self.bytes = bytes
            self.weight = weight
        }
    }

    /// An object to store.
    public struct Put: Hashable, Sendable {
        /// The key, under which there is no object.
        public var key: ObjectKey
        /// The bytes.
        public var bytes: [UInt8]

        /// Creates an object to store.
        public init(key: ObjectKey, bytes: [UInt8]) {
            self.key = key
            self.bytes = bytes
        }
    }

    /// The screen.
    public var screen: ScreenName
    /// The line of the server without which the batch is a conflict.
    public var line: UInt64
    /// The state of the record without which the batch is a conflict.
    public var expectation: Expectation
    /// The change of the record.
    public var change = Change.none
    /// The write of the feed record; `nil` for none.
    public var feed: FeedWrite?
    /// The keys of objects to delete, each of which is there.
    public var deletes: [ObjectKey] = []
    /// The objects to store.
    public var puts: [Put] = []
    /// The floor to raise the present one to; `nil` to keep it.
    public var floor: RevisionFloor?
    /// The message for other daemons; `nil` for none.
    public var message: StoreInvalidation?
    /// A Boolean value that indicates whether the batch stores no page, so that reserved space may
    /// be used for it.
    public var frees = false

    /// Creates a batch that changes nothing.
    public init(screen: ScreenName, line: UInt64, expecting expectation: Expectation) {
        self.screen = screen
        self.line = line
        self.expectation = expectation
    }

    /// The number of bytes of all values.
    public var byteCount: Int {
        var count = feed?.bytes.count ?? 0
        if case .write(let record) = change { count += record.bytes.count }
        return puts.reduce(count) { $0 + $1.bytes.count }
    }

    /// Returns whether the batch expects what a query for its screen has found.
    ///
    /// - Parameter found: The reply to a query without a known version.
    public func matches(_ found: RecordReply) -> Bool {
        guard line == found.line else { return false }
        var record: StoredRecord?
        if case .present(let stored)? = found.records.first { record = stored }
        let hasExpired = record?.hasExpired ?? false
        let isExpected =
            switch expectation {
            case .absent: record == nil && isAbove(found.floor)
            case .current(let version): record?.version == version && !hasExpired
            case .expired(let version): record?.version == version && hasExpired
            case .alive: record != nil && !hasExpired
            case .unchecked: true
            }
        guard isExpected, let feed, let record, !clears else { return isExpected }
        return record.feedVersion == feed.expected
    }

    private func isAbove(_ floor: RevisionFloor) -> Bool {
        guard case .write(let record) = change else { return false }
        return record.version.revision > floor.revision
    }

    /// Returns the floor after the batch.
    ///
    /// - Parameter present: The floor before it.
    public func floor(over present: RevisionFloor) -> RevisionFloor {
        guard let floor else { return present }
        return RevisionFloor(
            revision: max(present.revision, floor.revision), line: floor.line)
    }

    /// A Boolean value that indicates whether what an earlier screen of the name has left goes
    /// before the batch is applied.
    public var clears: Bool {
        switch (change, expectation) {
        case (.remove, _), (.write, .expired): true
        case (.write, .absent), (.write, .current), (.write, .alive), (.write, .unchecked),
            (.none, _):
            false
        }
    }
}

/// The outcome of a batch.
public enum BatchOutcome: Hashable, Sendable {
    /// The batch was applied.
    case applied
    /// The batch was not applied, because something else than it expects is there: the reply to a
    /// query for its screen.
    case conflict(RecordReply)
}
