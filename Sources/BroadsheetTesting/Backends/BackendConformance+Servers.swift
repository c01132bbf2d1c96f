import BroadsheetStores
import Synchronization

extension TestedBackend {
    fileprivate func otherBackend() throws -> any StoreBackend {
        guard let other else {
            throw StoreConformance.Violation("the test has no other backend on the same data")
        }
        return other
    }
}

extension BackendConformance {
    static let sharing = [
        Requirement("a batch is there for other daemons when it was acknowledged") { tested in
            let (one, two) = (tested.backend, try tested.otherBackend())
            try await expect(two.identity(), equals: one.identity())
            let home = try name("home")
            for round in 0..<10 {
                let keys = [ObjectKey.sample(UInt64(round))]
                try await one.create(home, objects: keys)
                try await two.expectObjects(keys, of: home)
                try await two.append([1], to: home)
                let version = try await two.rewrite(home)
                let record = try require(try await one.record(home))
                try expect(record.version, equals: version)
                try expect(record.feed, equals: [1])
                try await expect(
                    one.names(after: nil, prefix: .none, limit: 2).map(\.name), equals: [home])
                try await two.remove(home)
                try await expect(one.reply(home).records, equals: [.absent])
                try await expect(one.reply(home).floor, equals: two.reply(home).floor)
            }
        },
        Requirement("a message reaches other daemons, and that of a conflict does not") {
            tested in
            let (one, two) = (tested.backend, try tested.otherBackend())
            let (home, other) = try (name("home"), name("other"))
            let received = Mutex<Set<StoreInvalidation>>([])
            two.observe { event in received.withLock { _ = $0.insert(event) } }
            let version = try await one.create(home)
            let refused = StoreInvalidation.written(other, lowest: 7)
            let wanted: Set<StoreInvalidation> = [
                .written(home, lowest: version.revision), .revisionsRemoved(home),
            ]
            let start = ContinuousClock.now
            while !wanted.isSubset(of: received.withLock { $0 }) {
                // A subscription may begin later than the first message.
                guard ContinuousClock.now - start < .seconds(60) else {
                    throw StoreConformance.Violation("no message came in 60 seconds")
                }
                var conflict = try await one.batch(other, expecting: .alive)
                conflict.message = refused
                try await one.expectConflict(conflict)
                for message in wanted {
                    var batch = try await one.batch(home, expecting: .alive)
                    batch.message = message
                    try await one.expectApplied(batch)
                }
            }
            try expect(!received.withLock { $0 }.contains(refused))
        },
    ]

    static let lines = [
        Requirement("a new line is greater, and a batch of the one before is a conflict") {
            tested in
            guard let beginLine = tested.beginLine else {
                throw StoreConformance.Violation("the test cannot begin a line")
            }
            let backend = tested.backend
            let (home, other) = try (name("home"), name("other"))
            let version = try await backend.create(home, objects: [.sample(0)])
            try await backend.create(other)
            try await backend.remove(other)
            let before = try await backend.reply(home)
            try await beginLine()
            let creation = StoreBatch(screen: other, line: before.line, expecting: .absent)
            let late = StoreBatch(screen: home, line: before.line, expecting: .current(version))
            try await backend.expectConflict(creation.withEverything(version.nextRevision, feed: 0))
            try await backend.expectConflict(
                late.withEverything(version.nextRevision, feed: version.revision))
            let after = try await backend.reply(home)
            try expect(after.line > before.line, "\(after.line) after \(before.line)")
            try expect(after.floor, equals: before.floor)
            try expect(after.records, equals: before.records)
            try await backend.expectObjects([.sample(0)], of: home)
            try await backend.rewrite(home)
            try await backend.create(other)
        }
    ]

    static let copies = [
        Requirement("a backend has a mark in place of its identity until it has been filled") {
            tested in
            guard let backend = tested.backend as? any CopyableBackend else {
                throw StoreConformance.Violation("the backend cannot be copied")
            }
            try await expect(backend.isIncomplete(), equals: false)
            let identity = StoreIdentity.random()
            try await backend.setIdentity(nil)
            try await expect(backend.isIncomplete(), equals: true)
            let home = try name("home")
            try await backend.create(home, objects: [.sample(0)], lifetime: .seconds(9_000))
            try await backend.setIdentity(identity)
            try await expect(backend.isIncomplete(), equals: false)
            try await backend.expectObjects([.sample(0)], of: home)
        }
    ]
}
