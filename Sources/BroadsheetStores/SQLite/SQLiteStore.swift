internal import Foundation

/// A store in a SQLite file: nothing to set up, and a write that was answered survives a crash.
///
/// Write-ahead log with `synchronous=FULL`: a commit returns when its transaction is on the disk. One
/// thread writes and commits what waits in one transaction, another reads; callers never block. The
/// file belongs to one daemon at a time, which a lock beside it sees to; backups may be taken
/// meanwhile. Every row carries a checksum, so damage is reported and never served.
package final class SQLiteStore: ScreenStore {
    private let ownIdentity: StoreIdentity
    private let known = KnownRevisions()
    private let writes = Mailbox<SQLiteWriter.Job>(capacity: SQLiteWriter.maxWaiting)
    private let readings = Mailbox<SQLiteReader.Job>(capacity: SQLiteReader.maxWaiting)
    private let writer: StoreThread
    private let reader: StoreThread

    /// Opens the file at `path`, making it and its folder when they are missing, and brings its
    /// schema up to date.
    ///
    /// Blocks while it does, so it belongs in the start of a program. Its time does not grow with
    /// what is stored. When it throws, nothing has been changed.
    package init(path: String) throws(StoreOpenError) {
        try Self.makeFolder(of: path)
        let writing = Opening<StoreIdentity>()
        writer = StoreThread("broadsheet-write") { [writes, known] in
            Self.write(path, writes, known, writing)
        }
        ownIdentity = try writing.wait(path: path)
        let reading = Opening<Void>()
        reader = StoreThread("broadsheet-read") { [readings] in
            Self.read(path, readings, reading)
        }
        try reading.wait(path: path)
    }

    deinit {
        writes.close()
        readings.close()
    }

    private static func write(
        _ path: String, _ mailbox: Mailbox<SQLiteWriter.Job>, _ known: KnownRevisions,
        _ opening: Opening<StoreIdentity>
    ) {
        do throws(StoreOpenError) {
            // Held for as long as this thread may write.
            let lock = try FileLock(path: path + ".lock")
            let database = try SQLiteDatabase.openForWriting(path: path)
            let identity: StoreIdentity
            let writer: SQLiteWriter
            do throws(SQLiteFailure) {
                identity = try SQLiteIdentity.loadOrMake(on: database)
                writer = try SQLiteWriter(database, known: known)
            } catch {
                throw StoreOpenError(error, path: path)
            }
            opening.tell(.success(identity))
            writer.serve(mailbox)
            lock.release()
        } catch {
            opening.tell(.failure(error))
        }
    }

    private static func read(
        _ path: String, _ mailbox: Mailbox<SQLiteReader.Job>, _ opening: Opening<Void>
    ) {
        do throws(SQLiteFailure) {
            let connection = try SQLiteConnection(path: path, mode: .readOnly)
            let reader = try SQLiteReader(connection)
            opening.tell(.success(()))
            reader.serve(mailbox)
        } catch {
            opening.tell(.failure(StoreOpenError(error, path: path)))
        }
    }

    private static func makeFolder(of path: String) throws(StoreOpenError) {
        let folder = URL(fileURLWithPath: path).deletingLastPathComponent()
        do {
            try FileManager.default.createDirectory(
                at: folder, withIntermediateDirectories: true)
        } catch {
            throw .cannotOpen(path: path, detail: error.localizedDescription)
        }
    }
}

extension SQLiteStore {
    /// What the file was made with.
    package func identity() async throws(StoreError) -> StoreIdentity { ownIdentity }

    /// The screen, unless it is at `revision` still, which is mostly known without a look at the
    /// file.
    package func load(
        _ screen: ScreenName, unlessAt revision: UInt64?
    ) async throws(StoreError) -> ScreenLoad {
        if let revision, known.isAt(revision, screen) { return .unchanged }
        let commits = known.beginReading()
        let found: StoredScreen? = try await ask { .screen(screen, $0) }
        guard let found else { return .absent }
        known.learn(found.revision, of: screen, since: commits)
        return found.revision == revision ? .unchanged : .screen(found)
    }

    /// Applies the change; returns when it is on the disk.
    package func commit(
        _ change: ScreenChange, to screen: ScreenName, expecting expected: UInt64?
    ) async throws(StoreError) -> UInt64 {
        let result: Result<UInt64, StoreError> = await withCheckedContinuation { continuation in
            let job = SQLiteWriter.Job(change: change, screen: screen, expected: expected) {
                continuation.resume(returning: $0)
            }
            if let refusal = Self.refusal(writes.send(job)) {
                continuation.resume(returning: .failure(refusal))
            }
        }
        return try result.get()
    }

    /// Up to `limit` screens after `name`; O(log screens + limit).
    package func screens(
        after name: ScreenName?, limit: Int
    ) async throws(StoreError) -> [ScreenListing] {
        try await ask { .list(after: name, limit: limit, $0) }
    }

    /// Returns when the file can be read.
    package func checkReadiness() async throws(StoreError) {
        try await ask { .probe($0) } as Void
    }

    /// Commits what was accepted, folds the log into the file, and closes it.
    package func close() async {
        writes.close()
        readings.close()
        await writer.end()
        await reader.end()
    }

    /// Leaves a reading with the reading thread and waits for its answer.
    private func ask<Answer: Sendable>(
        _ job: (@escaping @Sendable (Result<Answer, StoreError>) -> Void) -> SQLiteReader.Job
    ) async throws(StoreError) -> Answer {
        let result: Result<Answer, StoreError> = await withCheckedContinuation { continuation in
            let reading = job { continuation.resume(returning: $0) }
            if let refusal = Self.refusal(readings.send(reading)) {
                continuation.resume(returning: .failure(refusal))
            }
        }
        return try result.get()
    }

    private static func refusal(_ reception: MailboxReception) -> StoreError? {
        switch reception {
        case .accepted: nil
        case .full: .unavailable("too many requests wait for the database")
        case .closed: .unavailable("the database is closed")
        }
    }
}
