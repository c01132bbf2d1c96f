import BroadsheetStores

extension BackendConformance {
    static let listings = [
        Requirement(of: "names are listed in the order of their bytes, after a name, by a prefix") {
            backend in
            let texts = ["Z", "a", "a-b", "a.b", "a0", "aB", "a_", "ab", "ab~", "b", "~"]
            for text in texts.shuffled() { try await backend.create(name(text)) }
            func listed(_ after: String?, _ prefix: String, _ limit: Int) async throws -> [String] {
                let prefix = try require(ScreenNamePrefix(prefix))
                return try await backend.names(
                    after: after.map(name), prefix: prefix, limit: limit
                ).map(\.name.text)
            }
            try await expect(listed(nil, "", 99), equals: texts)
            for limit in [1, 3, texts.count] {
                try await expect(listed(nil, "", limit), equals: Array(texts.prefix(limit)))
            }
            for after in texts + ["Y", "aa", "zz", "~~"] {
                let rest = texts.filter {
                    after.utf8.lexicographicallyPrecedes($0.utf8)
                }
                try await expect(listed(after, "", 99), equals: rest, after)
                for prefix in ["a", "ab", "b", "c", "~"] {
                    let matching = rest.filter { $0.hasPrefix(prefix) }
                    try await expect(listed(after, prefix, 99), equals: matching, after + prefix)
                    try await expect(
                        listed(after, prefix, 2), equals: Array(matching.prefix(2)), after + prefix)
                }
            }
        },
        Requirement(of: "a listing has the revision and the bytes of the last write") { backend in
            let (home, other) = try (name("home"), name("other"))
            let version = try await backend.create(home)
            try await backend.create(other)
            try await backend.rewrite(home) {
                $0 = .at(version.nextRevision)
                $0.listedBytes = 3_000_000_000
            }
            try await backend.append([1], to: home)
            let listed = try await backend.names(after: nil, prefix: .none, limit: 1)
            try expect(
                listed,
                equals: [
                    ScreenListing(
                        name: home, revision: version.revision + 1, byteCount: 3_000_000_000)
                ])
            try await backend.remove(home)
            try await expect(
                backend.names(after: nil, prefix: .none, limit: 9).map(\.name), equals: [other])
        },
    ]

    static let schedules = [
        Requirement(of: "records are due before a time, the earliest of them first") { backend in
            let times: [(String, Int64?)] = [
                ("a", 60_000), ("b", nil), ("c", 30_000), ("d", 1_800_000_030_000), ("e", 90_000),
            ]
            for (text, due) in times { try await backend.create(name(text), due: due) }
            func due(_ time: Int64, _ limit: Int) async throws -> [String] {
                try await backend.due(before: time, limit: limit).map(\.text).sorted()
            }
            for (time, expected) in [
                (30_000, []), (30_001, ["c"]), (60_000, ["c"]), (90_001, ["a", "c", "e"]),
                (1_800_000_030_000, ["a", "c", "e"]), (.max, ["a", "c", "d", "e"]),
            ] as [(Int64, [String])] {
                try await expect(due(time, 99), equals: expected, "before \(time)")
            }
            try await expect(due(.max, 1), equals: ["c"])
            try await expect(due(.max, 2), equals: ["a", "c"])
        },
        Requirement(of: "the time at which a record is due is that of its last write") { backend in
            let screens = try ["moved", "freed", "removed", "kept"].map { try name($0) }
            for screen in screens { try await backend.create(screen, due: 30_000) }
            try await backend.rewrite(screens[0]) { $0.due = 60_000 }
            try await backend.rewrite(screens[1]) { $0.due = nil }
            try await backend.remove(screens[2])
            try await backend.append([1], to: screens[3])
            try await expect(backend.due(before: 30_001, limit: 9), equals: [screens[3]])
            try await expect(
                Set(backend.due(before: .max, limit: 9)), equals: [screens[0], screens[3]])
        },
        Requirement("the weight is the sum of those of all records") { tested in
            let backend = tested.backend
            func expectWeight(_ expected: Int) async throws {
                let found =
                    if let weight = tested.weight { try await weight() } else {
                        try await backend.weight()
                    }
                try expect(found, equals: expected)
            }
            try await expectWeight(0)
            let (home, other) = try (name("home"), name("other"))
            try await backend.create(home, weight: 100)
            try await backend.create(other, weight: 5_000_000_000)
            try await expectWeight(5_000_000_100)
            try await backend.rewrite(home) { $0.weight = 30 }
            try await backend.append([1, 2, 3], to: home)
            try await expectWeight(5_000_000_030)
            try await backend.remove(other)
            try await expectWeight(30)
        },
    ]

    static let service = [
        Requirement(of: "the identity and the line stay while batches are applied") { backend in
            let home = try name("home")
            let identity = try await backend.identity()
            let before = try await backend.reply(home)
            try await backend.create(home)
            try await backend.remove(home)
            try await expect(backend.identity(), equals: identity)
            try await expect(backend.reply(home).line, equals: before.line)
            let epoch = try await backend.epoch()
            try await expect(backend.epoch(), equals: epoch)
        },
        Requirement(of: "a revision is known only while it is that of the record") { backend in
            let home = try name("home")
            try expect(!backend.isKnown(home, toBeAt: 0))
            let version = try await backend.create(home)
            try backend.expectUnknown(besides: version.revision, of: home)
            try await backend.rewrite(home) { $0 = .at(version.nextRevision) }
            try backend.expectUnknown(besides: version.revision + 1, of: home)
            try await backend.remove(home)
            try backend.expectUnknown(besides: nil, of: home)
        },
        Requirement(of: "a backend that is ready takes batches, and reclaims what was deleted") {
            backend in
            let home = try name("home")
            try await backend.checkReadiness()
            try await backend.checkWrites(ofBytes: 4_096)
            let before = backend.transactionCount
            try await backend.create(home, objects: (0..<100).map { .sample($0) })
            let record = try await backend.record(home)
            var batch = try await backend.batch(home, expecting: .alive)
            batch.deletes = (1..<100).map { .sample($0) }
            batch.frees = true
            try await backend.expectApplied(batch)
            if let before { try expect(try require(backend.transactionCount) > before) }
            try await backend.reclaim()
            try await expect(backend.record(home), equals: record)
            try await backend.expectObjects([.sample(0)], of: home)
            try await backend.checkReadiness()
            try expect(backend.limits.batchBytes >= 1 << 20 && backend.limits.screenBytes > 0)
        },
    ]
}

extension StoreBackend {
    /// Expects no revision but one to be known without I/O.
    fileprivate func expectUnknown(besides revision: UInt64?, of screen: ScreenName) throws {
        for other in 0...4 as ClosedRange<UInt64> where other != revision {
            try expect(!isKnown(screen, toBeAt: other), "revision \(other)")
        }
    }
}
