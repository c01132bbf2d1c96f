/// The place where a store keeps its screens: records and objects, changed in batches.
///
/// A backend compares and stores bytes. It does not know what a page, a directory, a history or a
/// count is: the core of the stores (``ScreenStore``) makes the bytes and has the rules of screens.
///
/// - A **record** is one value for each screen, with a version that each write of it changes.
/// - An **object** is a value that never changes: it is stored once under a key, and deleted once.
/// - A **feed record** is a second value beside the record, with a version of its own.
public protocol StoreBackend: Sendable {
    /// The limits of the backend.
    var limits: BackendLimits { get }

    /// The stable identity of the store.
    func identity() async throws(StoreError) -> StoreIdentity

    /// The number of times that the server's data was replaced by earlier data on purpose
    /// (`broadsheet restore`, `broadsheet store advance`), so that a new line began.
    ///
    /// Read at the start, and after each change of the line.
    func epoch() async throws(StoreError) -> UInt64

    /// Returns the records of screens, with the state of the server at that moment.
    ///
    /// The reply reflects every batch that was acknowledged before the call.
    func records(_ wanted: [RecordQuery]) async throws(StoreError) -> RecordReply

    /// Returns objects of a screen in the order of their keys: their bytes while these fit into a
    /// number of bytes together, and then their lengths.
    func objects(
        _ keys: [ObjectKey], of screen: ScreenName, within byteCount: Int
    ) async throws(StoreError) -> [ObjectReply]

    /// Applies a batch completely, or not at all.
    ///
    /// - Throws: ``StoreError/unknown(_:)`` if it is not known whether the batch was applied;
    ///   another error if it was not.
    func apply(_ batch: StoreBatch) async throws(StoreError) -> BatchOutcome

    /// Returns up to `limit` screens that have not expired, in name order.
    func names(
        after name: ScreenName?, prefix: ScreenNamePrefix, limit: Int
    ) async throws(StoreError) -> [ScreenListing]

    /// Returns screens that have expired, and screens whose record is due before a time: up to
    /// `limit` of each, the earliest first.
    func due(before time: Int64, limit: Int) async throws(StoreError) -> [ScreenName]

    /// Returns whether a screen is at a revision, if that is known without I/O; otherwise `false`.
    func isKnown(_ name: ScreenName, toBeAt revision: UInt64) -> Bool

    /// Returns the sum of the weights of all records, as far as it is known.
    func weight() async throws(StoreError) -> Int

    /// The number of transactions in which batches were applied; `nil` without transactions.
    var transactionCount: UInt64? { get }

    /// Delivers the messages of other daemons to a handler, which replaces the one set before.
    func observe(_ handler: @escaping StoreInvalidation.Handler)

    /// Returns if the backend can serve requests, and throws otherwise.
    func checkReadiness() async throws(StoreError)

    /// Returns if a batch of `byteCount` bytes could be applied, and throws its error otherwise.
    func checkWrites(ofBytes byteCount: Int) async throws(StoreError)

    /// Makes the space of deleted values available to later batches.
    func reclaim() async throws(StoreError)

    /// Completes accepted batches, and closes files and connections.
    func close() async
}

extension StoreBackend {
    /// 0: nothing replaces the data of the backend.
    public func epoch() async throws(StoreError) -> UInt64 { 0 }

    /// `nil`: the backend has no transactions.
    public var transactionCount: UInt64? { nil }

    /// `false`: the backend has to be asked.
    public func isKnown(_ name: ScreenName, toBeAt revision: UInt64) -> Bool { false }

    /// Does nothing: no other daemon uses the backend.
    public func observe(_ handler: @escaping StoreInvalidation.Handler) {}

    /// Returns at once.
    public func checkReadiness() async throws(StoreError) {}

    /// Returns at once.
    public func checkWrites(ofBytes byteCount: Int) async throws(StoreError) {}

    /// Does nothing: deleted values take no space.
    public func reclaim() async throws(StoreError) {}

    /// Does nothing.
    public func close() async {}
}

/// A backend that can be copied, and that another one can be copied to.
///
/// A backend that is being filled has a mark in place of its identity, so that no daemon opens it.
/// Its floor and what is left of lifetimes are in the replies to queries, and a batch raises the
/// floor. The methods may block the calling thread: they are for the command line.
package protocol CopyableBackend: StoreBackend {
    /// Returns whether the backend has the mark.
    func isIncomplete() async throws(StoreError) -> Bool

    /// Replaces the identity, or with `nil` by the mark.
    func setIdentity(_ identity: StoreIdentity?) async throws(StoreError)
}

/// The limits of a backend.
public struct BackendLimits: Hashable, Sendable {
    /// The maximum number of bytes of the values of a batch.
    public var batchBytes: Int
    /// The maximum number of bytes of all pages of a screen.
    public var screenBytes: Int
    /// A Boolean value that indicates whether expired records go by themselves, so that the floor
    /// has to be raised before they do.
    public var removesExpired: Bool
    /// The number of bytes by which each kept revision adds to the weight of a record, besides
    /// those of its pages.
    public var weightPerRevision: Int
    /// A Boolean value that indicates whether other daemons may use the backend, so that each query
    /// is a round trip to a server: queries that wait at the same time are then sent together.
    public var isShared: Bool

    /// Creates limits.
    public init(
        batchBytes: Int = .max, screenBytes: Int = .max, removesExpired: Bool = false,
        weightPerRevision: Int = 0, isShared: Bool = false
    ) {
        self.batchBytes = batchBytes
        self.screenBytes = screenBytes
        self.removesExpired = removesExpired
        self.weightPerRevision = weightPerRevision
        self.isShared = isShared
    }
}

/// The version of a record.
public struct RecordVersion: Hashable, Sendable, Comparable {
    /// The revision of the screen.
    public var revision: UInt64
    /// The number of the writes of the record since then that made no revision.
    public var edit: UInt64

    /// Creates a version.
    public init(revision: UInt64, edit: UInt64) {
        self.revision = revision
        self.edit = edit
    }

    /// Orders versions by their revision, then by their edit.
    public static func < (one: RecordVersion, other: RecordVersion) -> Bool {
        (one.revision, one.edit) < (other.revision, other.edit)
    }
}

/// A query for the record of a screen.
public struct RecordQuery: Hashable, Sendable {
    /// The screen.
    public var screen: ScreenName
    /// The version that the caller has; bytes are returned only if the record has another one.
    public var known: RecordVersion?

    /// Creates a query.
    public init(screen: ScreenName, known: RecordVersion? = nil) {
        self.screen = screen
        self.known = known
    }
}

/// A revision above which new screens begin, and the line in which it was recorded.
public struct RevisionFloor: Hashable, Sendable {
    /// The highest revision of any screen that was removed or has expired.
    public var revision: UInt64
    /// The line of the server when it was recorded.
    public var line: UInt64

    /// Creates a floor.
    public init(revision: UInt64 = 0, line: UInt64 = 0) {
        self.revision = revision
        self.line = line
    }
}

/// The state of a server, and records of its screens.
public struct RecordReply: Hashable, Sendable {
    /// The line of the server: a number that grows when acknowledged batches may have been lost.
    public var line: UInt64
    /// The floor.
    public var floor: RevisionFloor
    /// The records, in the order of the queries.
    public var records: [RecordState]

    /// Creates a reply.
    public init(line: UInt64, floor: RevisionFloor, records: [RecordState]) {
        self.line = line
        self.floor = floor
        self.records = records
    }
}

/// The state of a record.
public enum RecordState: Hashable, Sendable {
    /// There is none.
    case absent
    /// It has the known version; and the milliseconds until it expires, `nil` for never.
    case unchanged(timeLeft: Int64?)
    /// It has another version.
    case present(StoredRecord)
}

/// A record as a backend has it.
public struct StoredRecord: Hashable, Sendable {
    /// The version.
    public var version: RecordVersion
    /// The bytes.
    public var bytes: [UInt8]
    /// The milliseconds until it expires: `nil` for never, 0 or fewer if it has expired.
    public var timeLeft: Int64?
    /// The version of the feed record.
    public var feedVersion: UInt64
    /// The feed record; `nil` before the first event.
    public var feed: [UInt8]?

    /// Creates a record.
    public init(
        version: RecordVersion, bytes: [UInt8], timeLeft: Int64?, feedVersion: UInt64,
        feed: [UInt8]?
    ) {
        self.version = version
        self.bytes = bytes
        self.timeLeft = timeLeft
        self.feedVersion = feedVersion
        self.feed = feed
    }

    /// A Boolean value that indicates whether the record has expired.
    public var hasExpired: Bool { timeLeft ?? 1 <= 0 }
}

/// The key of an object among those of its screen.
public struct ObjectKey: Hashable, Sendable {
    /// The kind, a number without a meaning for backends.
    public var kind: UInt8
    /// The number.
    public var number: UInt64
    /// The revision that stored it.
    public var revision: UInt64

    /// Creates a key.
    public init(kind: UInt8, number: UInt64, revision: UInt64) {
        self.kind = kind
        self.number = number
        self.revision = revision
    }
}

/// An object, or its length.
public enum ObjectReply: Hashable, Sendable {
    /// There is none.
    case absent
    /// The length of an object whose bytes did not fit.
    case length(Int)
    /// The bytes.
    case bytes([UInt8])
}
