/// The check of a screen and of all that it refers to: pages, earlier revisions, and events.
struct ScreenCheck {
    private let screen: ScreenName
    private let records: RecordTable
    private let objects: ObjectTable
    private var creation: Int64 = 0
    /// The objects that were checked; earlier revisions share most of theirs.
    private var checked: Set<ObjectKey> = []

    /// Creates a check, in a transaction of the caller.
    init(of screen: ScreenName, _ records: RecordTable, _ objects: ObjectTable) {
        self.screen = screen
        self.records = records
        self.objects = objects
    }

    /// Returns the number of pages; throws if something is damaged or missing.
    mutating func run() throws(SQLiteFailure) -> Int {
        let screen = screen
        guard let row = try records.row(of: screen),
            case .present(let stored) = try records.record(of: screen, at: 0)
        else { throw .invalid("the record of screen \(screen)") }
        creation = row.id
        let record = try Self.decode { () throws(BinaryDamage) in
            try ScreenRecord(stored.bytes, of: screen)
        }
        guard record.version == row.version else {
            throw .invalid("the record of screen \(screen)")
        }
        try check(record.state)
        for key in record.runs.joined().compactMap({ record.earlierKey($0) }) {
            let bytes = try bytes(key)
            try check(
                Self.decode { () throws(BinaryDamage) in
                    try ScreenState.readEarlier(bytes, of: screen, at: key).state
                })
        }
        if let feed = stored.feed { try checkFeed(feed) }
        return record.state.head.size.pageCount
    }

    private mutating func check(_ state: ScreenState) throws(SQLiteFailure) {
        let screen = screen
        for node in state.nodes {
            var entries = node.entries ?? []
            if let key = node.key {
                guard checked.insert(key).inserted else { continue }
                let bytes = try bytes(key)
                entries = try Self.decode { () throws(BinaryDamage) in
                    try DirectoryNode.read(bytes, of: screen, at: key)
                }
            }
            for entry in entries where checked.insert(entry.key).inserted {
                guard entry.matches(try bytes(entry.key), of: screen) else {
                    throw .damaged("page \(entry.number) of screen \(screen)")
                }
            }
        }
    }

    private func checkFeed(_ bytes: [UInt8]) throws(SQLiteFailure) {
        let screen = screen
        let feed = try Self.decode { () throws(BinaryDamage) in
            try FeedRecord(bytes, of: screen)
        }
        guard feed.first <= feed.last else { return }
        for number in feed.first...feed.last {
            let key = ObjectKey.event(number, base: feed.base)
            let bytes = try self.bytes(key)
            _ = try Self.decode { () throws(BinaryDamage) in
                try FeedRecord.read(bytes, of: screen, at: key)
            }
        }
    }

    private func bytes(_ key: ObjectKey) throws(SQLiteFailure) -> [UInt8] {
        guard case .bytes(let bytes)? = try objects.objects([key], of: creation, within: .max).first
        else { throw .invalid("\(key.description) of screen \(screen)") }
        return bytes
    }

    /// Returns a value, whose damage is a failure.
    static func decode<Value>(
        _ body: () throws(BinaryDamage) -> Value
    ) throws(SQLiteFailure) -> Value {
        do throws(BinaryDamage) {
            return try body()
        } catch {
            throw .found(error)
        }
    }
}
