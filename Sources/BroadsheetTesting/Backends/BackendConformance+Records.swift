import BroadsheetStores

extension BackendConformance {
    static let expectations = [
        Requirement(of: "a batch is a conflict if the record is not the one that it expects") {
            backend in
            let home = try name("home")
            try await backend.create(home, objects: [.sample(0)])
            let version = try await backend.rewrite(home)
            let later = version.nextRevision
            let outdated: [StoreBatch.Expectation] = [
                .absent, .expired(version), .current(version.next), .current(later),
                .current(RecordVersion(revision: version.revision, edit: 0)),
                .current(RecordVersion(revision: version.revision - 1, edit: version.edit)),
            ]
            let feed = try require(try await backend.record(home)).feedVersion
            for expectation in outdated {
                let batch = try await backend.batch(home, expecting: expectation)
                try await backend.expectConflict(
                    batch.withEverything(later, feed: feed), "\(expectation)")
                var removal = batch
                removal.change = .remove
                if expectation != .absent {
                    try await backend.expectConflict(removal, "removal, \(expectation)")
                }
            }
            try await backend.expectApplied(
                backend.batch(home, expecting: .current(version)).withEverything(later, feed: feed))
        },
        Requirement(of: "a batch that expects a record is a conflict if there is none") {
            backend in
            let home = try name("home")
            let version = RecordVersion(revision: 1_000_000, edit: 0)
            for expectation in [.current(version), .expired(version), .alive]
                as [StoreBatch.Expectation]
            {
                let batch = try await backend.batch(home, expecting: expectation)
                try await backend.expectConflict(batch, "\(expectation)")
                try await backend.expectConflict(
                    batch.withEverything(version, feed: 1), "\(expectation)")
            }
        },
        Requirement(of: "a batch of another line is a conflict, whatever it expects") { backend in
            let (home, other) = try (name("home"), name("other"))
            let version = try await backend.create(home, objects: [.sample(0)])
            let feed = try require(try await backend.record(home)).feedVersion
            let line = try await backend.reply(home).line
            for outdated in [line + 1, line &- 1, line + 1_000] {
                for expectation in [.current(version), .alive, .unchecked]
                    as [StoreBatch.Expectation]
                {
                    let batch = StoreBatch(screen: home, line: outdated, expecting: expectation)
                    try await backend.expectConflict(batch, "\(expectation)")
                    try await backend.expectConflict(
                        batch.withEverything(version.nextRevision, feed: feed), "\(expectation)")
                }
                let creation = StoreBatch(screen: other, line: outdated, expecting: .absent)
                try await backend.expectConflict(
                    creation.withEverything(version.nextRevision, feed: 0))
            }
        },
        Requirement(of: "a batch without changes is applied if it expects what is there") {
            backend in
            let (home, other) = try (name("home"), name("other"))
            let version = try await backend.create(home, objects: [.sample(0)])
            let before = try await backend.reply(home)
            for expectation in [.current(version), .alive, .unchecked]
                as [StoreBatch.Expectation]
            {
                try await backend.expectApplied(backend.batch(home, expecting: expectation))
            }
            try await backend.expectApplied(backend.batch(other, expecting: .unchecked))
            try await expect(backend.reply(home), equals: before)
            try await backend.expectObjects([.sample(0)], of: home)
            try await expect(backend.record(other), equals: nil)
        },
    ]

    static let records = [
        Requirement(of: "a new record has its version and bytes, and a feed of its revision") {
            backend in
            let home = try name("home")
            try await expect(backend.reply(home).records, equals: [.absent])
            let version = try await backend.create(home)
            let record = StoredRecord(
                version: version, bytes: Array("\(version)".utf8), timeLeft: nil,
                feedVersion: version.revision, feed: nil)
            try await expect(backend.record(home), equals: record)
        },
        Requirement(of: "a record is replaced by one of another revision, or of another edit") {
            backend in
            let home = try name("home")
            var version = try await backend.create(home)
            for step in 0..<6 {
                let next = step.isMultiple(of: 2) ? version.next : version.nextRevision
                version = try await backend.rewrite(home) { $0 = .at(next) }
                let record = try require(try await backend.record(home))
                try expect(record.version, equals: next)
                try expect(record.bytes, equals: Array("\(next)".utf8))
            }
        },
        Requirement(of: "a record of a known version is returned without its bytes") { backend in
            let home = try name("home")
            let version = try await backend.create(home)
            let record = RecordState.present(try require(try await backend.record(home)))
            try await expect(
                backend.reply(home, knowing: version).records, equals: [.unchanged(timeLeft: nil)])
            for known in [version.next, version.nextRevision] {
                try await expect(backend.reply(home, knowing: known).records, equals: [record])
            }
            try await backend.remove(home)
            try await expect(backend.reply(home, knowing: version).records, equals: [.absent])
        },
        Requirement(of: "records are returned in the order of the queries") { backend in
            let names = try (0..<200).map { try name("screen-\($0)") }
            for screen in names where screen.text.hasSuffix("7") {
                try await backend.create(screen)
            }
            for queried in [names, names.reversed(), [names[7], names[7], names[8]], [names[8]]] {
                let reply = try await backend.records(queried.map { RecordQuery(screen: $0) })
                let found = reply.records.map { if case .present = $0 { true } else { false } }
                try expect(found, equals: queried.map { $0.text.hasSuffix("7") })
            }
        },
        Requirement(of: "records and objects have the bytes that were written") { backend in
            let home = try name("home")
            try await backend.create(home)
            let every = (0..<70_000).map { UInt8(truncatingIfNeeded: $0 &* 31 / 7) }
            let large = [UInt8](repeating: 0xa5, count: 1 << 20)
            let values: [[UInt8]] = [
                [0], [], Array(0...255), Array("\r\n'\\\"".utf8), every, large,
            ]
            for (number, bytes) in values.enumerated() {
                let found = try require(try await backend.record(home))
                var batch = try await backend.batch(home, expecting: .current(found.version))
                var write = StoreBatch.RecordWrite.at(found.version.next)
                write.bytes = bytes + [1]
                batch.change = .write(write)
                batch.puts = [StoreBatch.Put(key: .sample(UInt64(number)), bytes: bytes)]
                try await backend.expectApplied(batch)
                let stored = try require(try await backend.record(home))
                try expect(stored.bytes == write.bytes, "record \(number)")
            }
            let keys = values.indices.map { ObjectKey.sample(UInt64($0)) }
            let found = try await backend.objects(keys, of: home, within: .max)
            try expect(found == values.map { .bytes($0) }, "objects")
        },
        Requirement(of: "revisions, edits and numbers up to 2^53 are compared exactly") { backend in
            let home = try name("home")
            let last: UInt64 = 1 << 53 - 3
            var batch = try await backend.batch(home, expecting: .absent)
            var version = RecordVersion(revision: last, edit: last)
            let key = ObjectKey.sample(last, kind: 255, revision: last)
            batch.change = .write(.at(version))
            batch.puts = [StoreBatch.Put(key: key, bytes: key.sampleBytes)]
            try await backend.expectApplied(batch)
            for other in [
                RecordVersion(revision: last - 1, edit: last),
                RecordVersion(revision: last, edit: last - 1), version.next,
            ] {
                try await backend.expectConflict(
                    backend.batch(home, expecting: .current(other)), "\(other)")
            }
            version = try await backend.rewrite(home)
            try await expect(backend.record(home)?.version, equals: version)
            try await backend.expectObjects([key], of: home)
            for near in [
                ObjectKey.sample(last - 1, kind: 255, revision: last),
                .sample(last, kind: 255, revision: last - 1), .sample(last, kind: 254),
            ] {
                try await backend.expectObjects([near], of: home, areThere: false)
            }
        },
    ]
}
