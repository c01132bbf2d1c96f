import BroadsheetStores

extension BackendConformance {
    static let lifetimes = [
        Requirement("a lifetime begins with the write, and another write keeps or replaces it") {
            tested in
            let backend = tested.backend
            let (kept, renewed, freed) = try (name("kept"), name("renewed"), name("freed"))
            for screen in [kept, renewed, freed] {
                try await backend.create(screen, lifetime: .seconds(10_000))
                try await backend.expectSeconds(9_900...10_000, of: screen)
            }
            try await tested.letPass(4_000)
            try await backend.rewrite(kept)
            try await backend.append([1], to: kept)
            try await backend.expectApplied(backend.batch(kept, expecting: .alive))
            try await backend.rewrite(renewed) { $0.lifetime = .seconds(20_000) }
            try await backend.rewrite(freed) { $0.lifetime = .indefinite }
            try await backend.expectSeconds(5_900...6_000, of: kept)
            try await backend.expectSeconds(19_900...20_000, of: renewed)
            try await backend.expectSeconds(nil, of: freed)
            try await backend.rewrite(freed)
            try await backend.expectSeconds(nil, of: freed)
        },
        Requirement("a record that has expired is a conflict for what does not expect that") {
            tested in
            let backend = tested.backend
            let home = try name("home")
            let version = try await backend.create(
                home, objects: [.sample(0)], lifetime: .seconds(1_000))
            try await tested.letPass(999 - 60)
            try await backend.expectApplied(backend.batch(home, expecting: .current(version)))
            try await tested.letPass(62)
            let record = try await backend.record(home)
            try expect(
                record?.timeLeft ?? 0 <= 0 && (record == nil) == backend.limits.removesExpired)
            for expectation in [.current(version), .alive, .expired(version.next)]
                as [StoreBatch.Expectation]
            {
                let batch = try await backend.batch(home, expecting: expectation)
                try await backend.expectConflict(
                    batch.withEverything(version.nextRevision, feed: version.revision),
                    "\(expectation)")
            }
            guard !backend.limits.removesExpired else { return }
            let batch = try await backend.batch(home, expecting: .absent)
            try await backend.expectConflict(
                batch.withEverything(version.nextRevision, feed: version.revision))
        },
        Requirement("a screen is created over the remains of one that has expired") { tested in
            let backend = tested.backend
            let home = try name("home")
            let keys = (0..<50).map { ObjectKey.sample($0) }
            let version = try await backend.create(
                home, objects: keys, lifetime: .seconds(1_000), weight: 7, due: 30_000)
            try await backend.append([1], to: home)
            try await tested.letPass(1_001)
            let hasGone = backend.limits.removesExpired
            var batch = try await backend.batch(
                home, expecting: hasGone ? .absent : .expired(version))
            let next = version.nextRevision
            batch.change = .write(.at(next))
            batch.floor = RevisionFloor(revision: version.revision, line: batch.line)
            // The key that is there goes before the same one is stored.
            batch.puts = [StoreBatch.Put(key: .sample(3), bytes: [3])]
            try await backend.expectApplied(batch)
            let record = StoredRecord(
                version: next, bytes: Array("\(next)".utf8), timeLeft: nil,
                feedVersion: next.revision, feed: nil)
            try await expect(backend.record(home), equals: record)
            let old = keys.filter { $0.number != 3 }
            try await backend.expectObjects(old, of: home, areThere: false)
            try await expect(
                backend.objects([.sample(3)], of: home, within: 9), equals: [.bytes([3])])
            try await expect(backend.due(before: .max, limit: 9), equals: [])
        },
        Requirement("what has expired is not listed, is due, and goes with a removal") { tested in
            let backend = tested.backend
            for (text, seconds) in [("a", 2_000), ("b", 90_000), ("c", 1_000), ("d", 90_000)] {
                try await backend.create(
                    name(text), objects: [.sample(0)], lifetime: .seconds(seconds))
            }
            try await expect(backend.due(before: .max, limit: 9), equals: [])
            try await tested.letPass(2_001)
            try await expect(
                backend.names(after: nil, prefix: .none, limit: 9).map(\.name.text),
                equals: ["b", "d"])
            try await expect(
                backend.names(after: name("b"), prefix: .none, limit: 1).map(\.name.text),
                equals: ["d"])
            guard !backend.limits.removesExpired else { return }
            try await expect(backend.due(before: 0, limit: 1).map(\.text), equals: ["c"])
            try await expect(
                backend.due(before: 0, limit: 9).map(\.text).sorted(), equals: ["a", "c"])
            let record = try require(try await backend.record(name("c")))
            var batch = try await backend.batch(name("c"), expecting: .expired(record.version))
            batch.change = .remove
            batch.frees = true
            try await backend.expectApplied(batch)
            try await expect(backend.reply(name("c")).records, equals: [.absent])
            try await backend.expectObjects([.sample(0)], of: name("c"), areThere: false)
            try await expect(backend.due(before: 0, limit: 9).map(\.text), equals: ["a"])
        },
        Requirement("expired and due records are returned up to the limit of each") { tested in
            let backend = tested.backend
            for number in 0..<4 {
                try await backend.create(name("due-\(number)"), due: Int64(number + 1) * 30_000)
                try await backend.create(
                    name("old-\(number)"), lifetime: .seconds(1_000 + number * 100))
            }
            try await tested.letPass(1_000 + 4 * 100)
            let found = try await backend.due(before: .max, limit: 2).map(\.text).sorted()
            try expect(found.filter { $0.hasPrefix("due") }, equals: ["due-0", "due-1"])
            guard !backend.limits.removesExpired else { return }
            try expect(found, equals: ["due-0", "due-1", "old-0", "old-1"])
        },
        Requirement("a revision is not known after the record has expired") { tested in
            let home = try name("home")
            let version = try await tested.backend.create(home, lifetime: .seconds(1_000))
            try await tested.letPass(1_001)
            try expect(!tested.backend.isKnown(home, toBeAt: version.revision))
        },
    ]
}

extension StoreBackend {
    /// Expects a record to have a number of seconds left, also in a reply without its bytes.
    fileprivate func expectSeconds(
        _ range: ClosedRange<Int64>?, of screen: ScreenName, _ file: StaticString = #fileID,
        _ line: UInt = #line
    ) async throws {
        let record = try require(try await record(screen))
        guard
            case .unchanged(let timeLeft) = try await reply(screen, knowing: record.version)
                .records[0]
        else { throw StoreConformance.Violation("the record has changed", file, line) }
        for time in [record.timeLeft, timeLeft] {
            guard let range else {
                try expect(time, equals: nil, "", file, line)
                continue
            }
            let time = try require(time)
            try expect(
                time <= range.upperBound * 1_000 && time > range.lowerBound * 1_000,
                "\(time) ms are left of \(screen.text)", file, line)
        }
    }
}
