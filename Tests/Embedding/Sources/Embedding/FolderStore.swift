public import BroadsheetStores
public import FoundationEssentials

/// A store of screens over a plain folder: a folder for each screen, a file for each page.
///
/// It is an example of a store of one's own (docs/swift.md). A commit writes its pages to new
/// files, and then replaces the screen's `screen.json`, which says which files count; so no screen
/// is read half written. It does not wait until the disk has the files, and one process may use the
/// folder.
public actor FolderStore: ScreenStore {
    /// The contents of `screen.json`: all of a screen but the bytes of its pages.
    private struct Record: Codable {
        var head: ScreenHead
        var history = TreeHistory()
        var counts: [Int: ContentCounts] = [:]
        /// The time of the screen's expiry in milliseconds since 1970; `nil` for never.
        var expiry: Int64?
    }

    /// The contents of `store.json`.
    private struct StoreRecord: Codable {
        var name: String
        var sealingKey: [UInt8]
        /// The highest revision of all screens that were removed.
        var floor: UInt64 = 0
    }

    private let folder: URL
    private let milliseconds: @Sendable () -> Int64

    /// Opens the store in a folder, and creates it if there is none.
    ///
    /// - Parameters:
    ///   - folder: The folder, which belongs to the store alone.
    ///   - milliseconds: The clock: the milliseconds since 1970.
    /// - Throws: The error of the file system.
    public init(
        _ folder: URL,
        milliseconds: @escaping @Sendable () -> Int64 = {
            Int64(Date().timeIntervalSince1970 * 1000)
        }
    ) throws {
        self.folder = folder
        self.milliseconds = milliseconds
        let file = folder.appending(path: "store.json")
        try FileManager.default.createDirectory(
            at: folder.appending(path: "screens"), withIntermediateDirectories: true,
            // The key in store.json is secret.
            attributes: [.posixPermissions: 0o700])
        if !FileManager.default.fileExists(atPath: file.path) {
            let identity = StoreIdentity.random()
            let record = StoreRecord(name: identity.name, sealingKey: identity.sealingKey)
            try JSONEncoder().encode(record).write(to: file, options: .atomic)
        }
    }

    /// Returns the identity that was created with the folder.
    public func identity() async throws(StoreError) -> StoreIdentity {
        let record = try files { try storeRecord() }
        guard let identity = StoreIdentity(name: record.name, sealingKey: record.sealingKey) else {
            throw .corrupt("the key in store.json is too short")
        }
        return identity
    }

    /// Returns a part of a screen, unless its revision is still `revision`.
    public func load(
        _ screen: ScreenName, unlessAt revision: UInt64?, _ part: ScreenPart,
        within limits: ReadLimits
    ) async throws(StoreError) -> ScreenLoad {
        guard let record = try record(of: screen) else { return .absent }
        if record.head.revision == revision { return .unchanged }
        if part.end != .none, let excess = limits.excess(of: record.head.size) {
            return .tooLarge(record.head, excess)
        }
        return try stored(record, of: screen).load(part, within: limits)
    }

    /// Applies a change if the screen is at the expected revision.
    public func commit(
        _ change: ScreenCommit, to screen: ScreenName, expecting expected: UInt64?,
        lifetime: ScreenLifetime
    ) async throws(StoreError) -> UInt64 {
        let record = try record(of: screen)
        let current = record?.head.revision
        guard current == expected else { throw .conflict(current: current) }
        switch (change, record) {
        case (.removeScreen, let record?):
            try remove(screen, at: record.head.revision)
            return record.head.revision
        case (_, nil) where !change.createsScreen: throw .conflict(current: nil)
        case (_, _): return try write(change, to: screen, record, lifetime)
        }
    }

    /// Returns the screens after a name, in the order of their names.
    public func screens(
        after name: ScreenName?, prefix: ScreenNamePrefix, limit: Int
    ) async throws(StoreError) -> [ScreenListing] {
        let found = try files {
            try FileManager.default.contentsOfDirectory(
                atPath: folder.appending(path: "screens").path)
        }
        let names = found.compactMap(ScreenName.init).filter { candidate in
            prefix.matches(candidate) && name.map { $0 < candidate } ?? true
        }
        var listings: [ScreenListing] = []
        for name in names.sorted() where listings.count < limit {
            guard let record = try record(of: name) else { continue }
            listings.append(ScreenListing(name: name, revision: record.head.revision))
        }
        return listings
    }

    /// Throws if the folder cannot be read.
    public func checkReadiness() async throws(StoreError) { _ = try files { try storeRecord() } }

    /// Does nothing: no file stays open.
    public func close() async {}
}

extension FolderStore {
    private func folder(of screen: ScreenName) -> URL {
        folder.appending(path: "screens").appending(path: screen.text)
    }

    /// Returns the file of a page that a revision stored.
    private func file(_ page: Int, _ revision: UInt64, of screen: ScreenName) -> URL {
        folder(of: screen).appending(path: "\(page)-\(revision)")
    }

    private func storeRecord() throws -> StoreRecord {
        try JSONDecoder().decode(
            StoreRecord.self, from: Data(contentsOf: folder.appending(path: "store.json")))
    }

    /// Returns the record of a screen; `nil` if there is none, or if it has expired.
    private func record(of screen: ScreenName) throws(StoreError) -> Record? {
        let file = folder(of: screen).appending(path: "screen.json")
        guard FileManager.default.fileExists(atPath: file.path) else { return nil }
        let record = try files {
            try JSONDecoder().decode(Record.self, from: Data(contentsOf: file))
        }
        guard let expiry = record.expiry, expiry <= milliseconds() else { return record }
        try remove(screen, at: record.head.revision)
        return nil
    }

    /// Returns a screen with all its pages.
    private func stored(_ record: Record, of screen: ScreenName) throws(StoreError) -> StoredScreen
    {
        let pages = try files {
            try record.history.pages.map { page in
                let bytes = try Data(contentsOf: file(page.number, page.stored, of: screen))
                return StoredPage(
                    number: page.number, revision: page.stored, bytes: Array(bytes),
                    counts: record.counts[page.number])
            }
        }
        return StoredScreen(head: record.head, pages: pages, history: record.history)
    }

    /// Writes the pages of a change, then the record, and then removes the files that no longer
    /// count.
    private func write(
        _ change: ScreenCommit, to screen: ScreenName, _ record: Record?,
        _ lifetime: ScreenLifetime
    ) throws(StoreError) -> UInt64 {
        let before = try record.map { record throws(StoreError) in try stored(record, of: screen) }
        let floor = before == nil ? try files { try storeRecord().floor } : 0
        var after = before ?? StoredScreen(revision: floor)
        after.apply(change, revision: after.revision + 1)
        let expiry = lifetime.expiry(at: milliseconds(), before: record?.expiry)
        try files { [after] in
            try FileManager.default.createDirectory(
                at: folder(of: screen), withIntermediateDirectories: true)
            for page in after.pages where page.revision == after.revision {
                try Data(page.bytes).write(to: file(page.number, page.revision, of: screen))
            }
            let counts = after.pages.map { ($0.number, $0.counts) }
            let record = Record(
                head: after.head, history: after.history,
                counts: Dictionary(uniqueKeysWithValues: counts).compactMapValues { $0 },
                expiry: expiry)
            try JSONEncoder().encode(record).write(
                to: folder(of: screen).appending(path: "screen.json"), options: .atomic)
            let kept = Set(after.pages.map(\.head))
            for page in before?.pages ?? [] where !kept.contains(page.head) {
                try FileManager.default.removeItem(at: file(page.number, page.revision, of: screen))
            }
        }
        return after.revision
    }

    /// Removes a screen, and remembers its revision, so that a later screen of the name starts
    /// above it.
    private func remove(_ screen: ScreenName, at revision: UInt64) throws(StoreError) {
        try files {
            var record = try storeRecord()
            record.floor = max(record.floor, revision)
            try JSONEncoder().encode(record).write(
                to: folder.appending(path: "store.json"), options: .atomic)
            try FileManager.default.removeItem(at: folder(of: screen))
        }
    }

    /// Calls `body`, and turns an error of the file system into one of the store.
    private func files<Value>(_ body: () throws -> Value) throws(StoreError) -> Value {
        do {
            return try body()
        } catch let error as DecodingError {
            throw .corrupt("\(folder.path): \(error)")
        } catch {
            throw .unavailable("\(folder.path): \(error)")
        }
    }
}
