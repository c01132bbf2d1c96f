import BroadsheetStores

extension StoreBackend {
    func reply(
        _ screen: ScreenName, knowing known: RecordVersion? = nil
    ) async throws -> RecordReply {
        let reply = try await records([RecordQuery(screen: screen, known: known)])
        try expect(reply.records.count, equals: 1)
        return reply
    }

    func record(_ screen: ScreenName) async throws -> StoredRecord? {
        switch try await reply(screen).records.first {
        case .present(let record): return record
        case .absent: return nil
        case .unchanged, nil: throw StoreConformance.Violation("no record was known")
        }
    }

    /// Returns a batch of the present line that changes nothing.
    func batch(
        _ screen: ScreenName, expecting expectation: StoreBatch.Expectation
    ) async throws -> StoreBatch {
        StoreBatch(screen: screen, line: try await reply(screen).line, expecting: expectation)
    }

    /// Creates a screen just above the floor, with objects whose bytes are their keys.
    @discardableResult
    func create(
        _ screen: ScreenName, objects keys: [ObjectKey] = [],
        lifetime: ScreenLifetime = .unchanged, weight: Int = 0, due: Int64? = nil
    ) async throws -> RecordVersion {
        let reply = try await reply(screen)
        let version = RecordVersion(revision: reply.floor.revision + 1, edit: 0)
        var batch = StoreBatch(screen: screen, line: reply.line, expecting: .absent)
        batch.change = .write(
            .at(version, lifetime: lifetime, weight: weight, due: due))
        batch.puts = keys.map { StoreBatch.Put(key: $0, bytes: $0.sampleBytes) }
        try await expectApplied(batch)
        return version
    }

    @discardableResult
    func rewrite(
        _ screen: ScreenName, _ change: (inout StoreBatch.RecordWrite) -> Void = { _ in }
    ) async throws -> RecordVersion {
        let found = try require(try await record(screen))
        var write = StoreBatch.RecordWrite.at(found.version.next)
        change(&write)
        var batch = try await batch(screen, expecting: .current(found.version))
        batch.change = .write(write)
        try await expectApplied(batch)
        return write.version
    }

    /// Removes a screen, and raises the floor by its revision.
    func remove(_ screen: ScreenName) async throws {
        let found = try require(try await record(screen))
        var batch = try await batch(screen, expecting: .current(found.version))
        batch.change = .remove
        batch.floor = RevisionFloor(revision: found.version.revision, line: batch.line)
        batch.frees = true
        try await expectApplied(batch)
    }

    func expectApplied(
        _ batch: StoreBatch, _ comment: String = "", _ file: StaticString = #fileID,
        _ line: UInt = #line
    ) async throws {
        try await expect(apply(batch), equals: .applied, comment, file, line)
    }

    /// Applies a batch, which must be a conflict with what a query finds, and change nothing.
    func expectConflict(
        _ batch: StoreBatch, _ comment: String = "", _ file: StaticString = #fileID,
        _ line: UInt = #line
    ) async throws {
        let keys = batch.deletes + batch.puts.map(\.key)
        let before = try await reply(batch.screen).withoutTimes
        let objects = try await objects(keys, of: batch.screen, within: .max)
        guard case .conflict(let found) = try await apply(batch) else {
            throw StoreConformance.Violation("the batch was applied \(comment)", file, line)
        }
        try expect(found.withoutTimes, equals: before, comment, file, line)
        try await expect(
            reply(batch.screen).withoutTimes, equals: before, comment, file, line)
        try await expect(
            self.objects(keys, of: batch.screen, within: .max), equals: objects, comment, file,
            line)
    }

    /// Expects the objects of a screen that have their keys as bytes to be there, or none of them.
    func expectObjects(
        _ keys: [ObjectKey], of screen: ScreenName, areThere: Bool = true,
        _ file: StaticString = #fileID, _ line: UInt = #line
    ) async throws {
        let found = try await objects(keys, of: screen, within: .max)
        let expected = keys.map { areThere ? ObjectReply.bytes($0.sampleBytes) : .absent }
        try expect(found, equals: expected, file, line)
    }
}

private func expect<Value: Equatable>(
    _ found: Value, equals expected: Value, _ file: StaticString, _ line: UInt
) throws(StoreConformance.Violation) {
    try expect(found, equals: expected, "", file, line)
}

extension StoreBatch {
    /// Returns the batch with everything that a batch can have, and with an event.
    func withEverything(_ version: RecordVersion, feed feedVersion: UInt64) -> StoreBatch {
        var batch = self
        batch.change = .write(
            .at(version, lifetime: .seconds(50_000), weight: 5_000, due: 30_000))
        batch.feed = FeedWrite(
            expected: feedVersion, version: feedVersion + 77, bytes: [7, 7], weight: 2)
        batch.deletes = [.sample(0)]
        batch.puts = [Put(key: .sample(900), bytes: [9])]
        batch.floor = RevisionFloor(revision: 1 << 40, line: line)
        return batch
    }
}

extension StoreBatch.RecordWrite {
    /// Returns the write of a record whose bytes are its version.
    static func at(
        _ version: RecordVersion, lifetime: ScreenLifetime = .unchanged, weight: Int = 0,
        due: Int64? = nil
    ) -> StoreBatch.RecordWrite {
        StoreBatch.RecordWrite(
            version: version, bytes: Array("\(version)".utf8), due: due, weight: weight,
            listedBytes: Int(version.edit) + 10, lifetime: lifetime)
    }
}

extension RecordVersion {
    /// The version after another write that makes no revision.
    var next: RecordVersion { RecordVersion(revision: revision, edit: edit + 1) }
    var nextRevision: RecordVersion { RecordVersion(revision: revision + 1, edit: 0) }
}

extension ObjectKey {
    static func sample(_ number: UInt64, kind: UInt8 = 0, revision: UInt64 = 1) -> ObjectKey {
        ObjectKey(kind: kind, number: number, revision: revision)
    }

    /// The bytes of the object that checks store under the key.
    var sampleBytes: [UInt8] { Array("object \(kind) \(number) \(revision)".utf8) }
}

extension RecordReply {
    /// The reply with 1 in place of the times that are left.
    var withoutTimes: RecordReply {
        var reply = self
        reply.records = records.map { state in
            switch state {
            case .absent: return state
            case .unchanged(let timeLeft): return .unchanged(timeLeft: timeLeft.map { _ in 1 })
            case .present(var record):
                record.timeLeft = record.timeLeft.map { _ in 1 }
                return .present(record)
            }
        }
        return reply
    }
}
