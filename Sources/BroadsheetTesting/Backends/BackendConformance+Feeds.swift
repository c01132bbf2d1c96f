import BroadsheetStores

extension StoreBackend {
    /// Writes the feed of a screen at its present version, and returns the new version.
    @discardableResult
    func append(_ bytes: [UInt8], to screen: ScreenName) async throws -> UInt64 {
        let record = try require(try await record(screen))
        var batch = try await batch(screen, expecting: .alive)
        batch.feed = StoreBatch.FeedWrite(
            expected: record.feedVersion, version: record.feedVersion + 101, bytes: bytes,
            weight: bytes.count)
        try await expectApplied(batch)
        return record.feedVersion + 101
    }
}

extension BackendConformance {
    static let feeds = [
        Requirement(of: "a feed is written at its version, and keeps the version of the record") {
            backend in
            let home = try name("home")
            let version = try await backend.create(home)
            for bytes in [[1], [2, 2], Array("three".utf8)] as [[UInt8]] {
                let feedVersion = try await backend.append(bytes, to: home)
                let record = try require(try await backend.record(home))
                try expect(record.feedVersion, equals: feedVersion)
                try expect(record.feed, equals: bytes)
                try expect(record.version, equals: version)
                try expect(record.bytes, equals: Array("\(version)".utf8))
            }
        },
        Requirement(of: "a batch is a conflict if the feed that it writes has another version") {
            backend in
            let home = try name("home")
            let version = try await backend.create(home, objects: [.sample(0)])
            let first = try require(try await backend.record(home)).feedVersion
            let second = try await backend.append([1], to: home)
            for outdated in [first, second + 1, second - 1, 0] {
                for expectation in [.alive, .current(version)] as [StoreBatch.Expectation] {
                    var batch = try await backend.batch(home, expecting: expectation)
                    batch.feed = StoreBatch.FeedWrite(
                        expected: outdated, version: second + 5, bytes: [2], weight: 1)
                    batch.puts = [StoreBatch.Put(key: .sample(5), bytes: [5])]
                    try await backend.expectConflict(batch)
                    batch = batch.withEverything(version.nextRevision, feed: outdated)
                    try await backend.expectConflict(batch)
                }
            }
        },
        Requirement(of: "a record is written with its feed, and without it keeps the feed") {
            backend in
            let home = try name("home")
            let version = try await backend.create(home)
            var batch = try await backend.batch(home, expecting: .current(version))
            batch.change = .write(.at(version.nextRevision))
            batch.feed = StoreBatch.FeedWrite(
                expected: version.revision, version: 500, bytes: [5], weight: 1)
            try await backend.expectApplied(batch)
            let last = try await backend.rewrite(home)
            let record = try require(try await backend.record(home))
            try expect(record.version, equals: last)
            try expect(record.feed, equals: [5])
            try expect(record.feedVersion, equals: 500)
        },
        Requirement(of: "a screen is created with a feed, whose version is that of the write") {
            backend in
            let home = try name("home")
            let revision = try await backend.reply(home).floor.revision + 1
            var batch = try await backend.batch(home, expecting: .absent)
            batch.change = .write(.at(RecordVersion(revision: revision, edit: 0)))
            batch.feed = StoreBatch.FeedWrite(
                expected: revision, version: revision + 9, bytes: [3], weight: 1)
            batch.puts = [StoreBatch.Put(key: .sample(0), bytes: [0])]
            try await backend.expectApplied(batch)
            let record = try require(try await backend.record(home))
            try expect(record.feed, equals: [3])
            try expect(record.feedVersion, equals: revision + 9)
        },
    ]

    static let concurrency = [
        Requirement(of: "of batches that expect the same record, one is applied") { backend in
            let home = try name("home")
            var version = try await backend.create(home)
            for round in 0..<5 {
                let base = try await backend.batch(home, expecting: .current(version))
                let next = version.nextRevision
                let applied = try await withThrowingTaskGroup(of: UInt8?.self) { group in
                    for number in 0..<8 as Range<UInt8> {
                        group.addTask {
                            var batch = base
                            var write = StoreBatch.RecordWrite.at(next)
                            write.bytes = [number]
                            batch.change = .write(write)
                            batch.puts = [
                                StoreBatch.Put(
                                    key: .sample(UInt64(number), revision: UInt64(round)),
                                    bytes: [number])
                            ]
                            return try await backend.apply(batch) == .applied ? number : nil
                        }
                    }
                    return try await group.reduce(into: []) { $0 += [$1].compactMap(\.self) }
                }
                try expect(applied.count, equals: 1)
                try await expect(backend.record(home)?.bytes, equals: applied)
                let keys = (0..<8).map { ObjectKey.sample($0, revision: UInt64(round)) }
                let found = try await backend.objects(keys, of: home, within: .max)
                try expect(found.filter { $0 != .absent }, equals: [.bytes(applied)])
                version = next
            }
        },
        Requirement(of: "batches of different screens do not change each other") { backend in
            let names = try (0..<40).map { try name("screen-\($0)") }
            try await withThrowingTaskGroup(of: Void.self) { group in
                for (index, screen) in names.enumerated() {
                    group.addTask {
                        let keys = (0..<5).map { ObjectKey.sample(UInt64(index * 5 + $0)) }
                        try await backend.create(screen, objects: keys)
                        if index.isMultiple(of: 4) { try await backend.append([1], to: screen) }
                        try await backend.rewrite(screen)
                    }
                }
                try await group.waitForAll()
            }
            for (index, screen) in names.enumerated() {
                let record = try require(try await backend.record(screen))
                try expect(record.version.edit, equals: 1)
                try expect((record.feed != nil) == index.isMultiple(of: 4))
                try await backend.expectObjects(
                    (0..<5).map { ObjectKey.sample(UInt64(index * 5 + $0)) }, of: screen)
            }
        },
        Requirement(of: "a record is read with the feed of the same batch") { backend in
            let home = try name("home")
            try await backend.create(home)
            async let written: Void = writePairs(to: home, of: backend, count: 60)
            while true {
                let record = try require(try await backend.record(home))
                if let feed = record.feed { try expect(feed, equals: record.bytes) }
                if record.version.edit == 60 { break }
                await Task.yield()
            }
            try await written
        },
    ]

    /// Writes a record and its feed with the same bytes, a number of times.
    private static func writePairs(
        to screen: ScreenName, of backend: any StoreBackend, count: UInt64
    ) async throws {
        for number in 1...count {
            let record = try require(try await backend.record(screen))
            var batch = try await backend.batch(screen, expecting: .current(record.version))
            var write = StoreBatch.RecordWrite.at(record.version.next)
            write.bytes = Array("\(number)".utf8)
            batch.change = .write(write)
            batch.feed = StoreBatch.FeedWrite(
                expected: record.feedVersion, version: record.feedVersion + 1, bytes: write.bytes,
                weight: 1)
            try await backend.expectApplied(batch)
        }
    }
}
