import BroadsheetStores

extension BackendConformance {
    static let objects = [
        Requirement(of: "a batch puts and deletes objects, and keeps the others") { backend in
            let home = try name("home")
            let version = try await backend.create(home, objects: (0..<4).map { .sample($0) })
            var batch = try await backend.batch(home, expecting: .current(version))
            batch.change = .write(.at(version.nextRevision))
            batch.deletes = [.sample(1), .sample(3)]
            batch.puts = [
                StoreBatch.Put(key: .sample(1, revision: 2), bytes: [1]),
                StoreBatch.Put(key: .sample(9), bytes: [9]),
            ]
            try await backend.expectApplied(batch)
            let keys = (0..<4).map { ObjectKey.sample($0) } + batch.puts.map(\.key)
            try await expect(
                backend.objects(keys, of: home, within: .max),
                equals: [
                    .bytes(ObjectKey.sample(0).sampleBytes), .absent,
                    .bytes(ObjectKey.sample(2).sampleBytes), .absent, .bytes([1]), .bytes([9]),
                ])
        },
        Requirement(of: "objects differ by screen, kind, number and revision") { backend in
            let screens = try ["a", "a1", "A", "1", "a.1"].map { try name($0) }
            let numbers: [UInt64] = [0, 1, 2, 11, 12, 256]
            let keys = ([0, 1, 2, 12, 255] as [UInt8]).flatMap { kind in
                numbers.flatMap { number in
                    numbers.map { ObjectKey(kind: kind, number: number, revision: $0) }
                }
            }
            for (index, screen) in screens.enumerated() {
                let own = keys.indices.filter { $0 % screens.count == index }.map { keys[$0] }
                try await backend.create(screen, objects: own)
            }
            for (index, screen) in screens.enumerated() {
                let expected = keys.indices.map { position in
                    position % screens.count == index
                        ? ObjectReply.bytes(keys[position].sampleBytes) : .absent
                }
                try await expect(
                    backend.objects(keys, of: screen, within: .max), equals: expected)
            }
        },
        Requirement(of: "objects have their bytes while these fit, and then their lengths") {
            backend in
            let home = try name("home")
            let lengths = [10, 20, 5, 0, 1]
            let version = try await backend.create(home)
            var batch = try await backend.batch(home, expecting: .current(version))
            batch.change = .write(.at(version.next))
            batch.puts = lengths.enumerated().map { number, length in
                StoreBatch.Put(
                    key: .sample(UInt64(number)), bytes: [UInt8](repeating: 7, count: length))
            }
            try await backend.expectApplied(batch)
            let keys = [0, 77, 1, 2, 3, 4].map { ObjectKey.sample($0) }
            for (limit, count) in [
                (0, 0), (9, 0), (10, 1), (29, 1), (30, 2), (34, 2), (35, 4), (36, 5), (Int.max, 5),
            ] {
                var expected = lengths.enumerated().map { number, length in
                    number < count
                        ? ObjectReply.bytes([UInt8](repeating: 7, count: length))
                        : .length(length)
                }
                expected.insert(.absent, at: 1)
                try await expect(
                    backend.objects(keys, of: home, within: limit), equals: expected,
                    "within \(limit) bytes")
            }
        },
        Requirement(of: "objects are returned in the order of their keys, each as often as asked") {
            backend in
            let home = try name("home")
            let keys = (0..<300).map { ObjectKey.sample($0) }
            try await backend.create(home, objects: keys)
            for wanted in [keys.reversed(), [keys[7], keys[3], keys[7]], [keys[299]], []] {
                try await backend.expectObjects(wanted, of: home)
            }
            try await backend.expectObjects([keys[0]], of: name("other"), areThere: false)
        },
        Requirement(of: "a batch of thousands of objects is applied as one") { backend in
            let home = try name("home")
            let keys = (0..<4_000).map { ObjectKey.sample($0, kind: 1) }
            let version = try await backend.create(home, objects: keys)
            try await backend.expectObjects(keys, of: home)
            var batch = try await backend.batch(home, expecting: .current(version))
            batch.change = .write(.at(version.nextRevision))
            batch.deletes = keys
            batch.puts = keys.map {
                let key = ObjectKey(kind: $0.kind, number: $0.number, revision: 2)
                return StoreBatch.Put(key: key, bytes: key.sampleBytes)
            }
            batch.frees = true
            try await backend.expectApplied(batch)
            try await backend.expectObjects(keys, of: home, areThere: false)
            try await backend.expectObjects(batch.puts.map(\.key), of: home)
        },
        Requirement(of: "objects change without the record") { backend in
            let home = try name("home")
            try await backend.create(home, objects: [.sample(0)])
            let record = try await backend.record(home)
            var batch = try await backend.batch(home, expecting: .alive)
            batch.deletes = [.sample(0)]
            batch.puts = [StoreBatch.Put(key: .sample(1), bytes: ObjectKey.sample(1).sampleBytes)]
            try await backend.expectApplied(batch)
            try await backend.expectObjects([.sample(0)], of: home, areThere: false)
            try await backend.expectObjects([.sample(1)], of: home)
            try await expect(backend.record(home), equals: record)
        },
    ]

    static let removals = [
        Requirement(of: "a removal takes the record, its objects and its feed, and no others") {
            backend in
            let (home, other) = try (name("home"), name("home-2"))
            let keys = (0..<300).map { ObjectKey.sample($0) }
            let version = try await backend.create(home, objects: keys)
            try await backend.create(other, objects: keys)
            try await backend.append([1], to: home)
            try await backend.remove(home)
            try await expect(backend.reply(home).records, equals: [.absent])
            try await backend.expectObjects(keys, of: home, areThere: false)
            try await backend.expectObjects(keys, of: other)
            let next = try await backend.create(home, objects: [.sample(1_000)])
            try expect(next.revision > version.revision)
            let record = try require(try await backend.record(home))
            try expect(record.feed, equals: nil)
            try expect(record.feedVersion, equals: next.revision)
            try await backend.expectObjects(keys, of: home, areThere: false)
            try await backend.expectObjects([.sample(1_000)], of: home)
        },
        Requirement(of: "a screen is removed and created again at once, many times") { backend in
            let home = try name("home")
            for round in 0..<20 {
                let keys = (0..<20).map { ObjectKey.sample($0, revision: UInt64(round % 3)) }
                try await backend.create(home, objects: keys)
                try await backend.expectObjects(keys, of: home)
                try await backend.remove(home)
                try await backend.expectObjects(keys, of: home, areThere: false)
            }
            try await expect(
                backend.names(after: nil, prefix: .none, limit: 9).map(\.name), equals: [])
        },
    ]

    static let floors = [
        Requirement(of: "a floor is raised without a screen, and never lowered") { backend in
            let home = try name("home")
            let start = try await backend.reply(home).floor.revision
            for (revision, expected) in [(50, 50), (20, 50), (50, 50), (51, 51)]
                as [(UInt64, UInt64)]
            {
                var batch = try await backend.batch(home, expecting: .unchecked)
                batch.floor = RevisionFloor(revision: start + revision, line: batch.line)
                try await backend.expectApplied(batch)
                let reply = try await backend.reply(home)
                try expect(
                    reply.floor, equals: RevisionFloor(revision: start + expected, line: batch.line)
                )
                try expect(reply.records, equals: [.absent])
            }
            try await expect(
                backend.names(after: nil, prefix: .none, limit: 9).map(\.name), equals: [])
        },
        Requirement(of: "a screen is created only above the floor, which is that of all screens") {
            backend in
            let (home, other) = try (name("home"), name("other"))
            let removed = try await backend.create(home)
            try await backend.remove(home)
            try await expect(backend.reply(other).floor.revision, equals: removed.revision)
            for screen in [home, other] {
                var batch = try await backend.batch(screen, expecting: .absent)
                batch.change = .write(.at(removed))
                try await backend.expectConflict(batch)
                batch.change = .write(
                    .at(RecordVersion(revision: removed.revision - 1, edit: 99)))
                try await backend.expectConflict(batch)
                batch.change = .write(.at(removed.nextRevision))
                try await backend.expectApplied(batch)
            }
        },
        Requirement(of: "a screen above the floor is written below it") { backend in
            let home = try name("home")
            let version = try await backend.create(home)
            var batch = try await backend.batch(name("other"), expecting: .unchecked)
            batch.floor = RevisionFloor(revision: version.revision + 1_000, line: batch.line)
            try await backend.expectApplied(batch)
            try await backend.rewrite(home) { $0 = .at(version.nextRevision) }
            try await expect(backend.record(home)?.version, equals: version.nextRevision)
        },
    ]
}
