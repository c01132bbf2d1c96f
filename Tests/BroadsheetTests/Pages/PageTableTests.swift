import TestSupport
import Testing

@testable import Broadsheet

@Suite("Page table") struct PageTableTests {
    private func page(_ number: Int) throws -> ResolvedPage {
        let document = try JSONDocument(Array("0".utf8))
        return ResolvedPage.build(number: number, from: document) { _ in }
    }

    @Test("The table equals an ordered dictionary after random changes", arguments: 1...20)
    func againstDictionary(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        var table = PageTable()
        var reference: [Int: ResolvedPage] = [:]
        for step in 0..<1_500 {
            let number = Int.random(in: 0..<400, using: &generator)
            if Int.random(in: 0..<3, using: &generator) == 0 {
                let removed = table.remove(number)
                let expected = reference.removeValue(forKey: number)
                #expect(removed === expected, "seed \(seed), step \(step)")
            } else {
                let page = try page(number)
                let replaced = table.store(page)
                let expected = reference.updateValue(page, forKey: number)
                #expect(replaced === expected, "seed \(seed), step \(step)")
            }
            let probe = Int.random(in: -1...400, using: &generator)
            #expect(table[probe] === reference[probe], "seed \(seed), step \(step)")
            #expect(
                table.page(after: probe)?.number == reference.keys.filter { $0 > probe }.min(),
                "seed \(seed), step \(step)")
        }
        #expect(table.ascending.map(\.number) == reference.keys.sorted(), "seed \(seed)")
        #expect(table.count == reference.count)
        #expect(table.first?.number == reference.keys.min())
        #expect(table.last?.number == reference.keys.max())
    }

    @Test(
        "10,000 pages fill their chunks in ascending order, and at least half of them in descending order"
    )
    func chunks() throws {
        var ascending = PageTable()
        var descending = PageTable()
        for number in 0..<10_000 {
            _ = ascending.store(try page(number))
            _ = descending.store(try page(9_999 - number))
        }
        #expect(ascending.chunkCounts.dropLast().allSatisfy { $0 == PageTable.chunkCapacity })
        #expect(descending.chunkCounts.allSatisfy { $0 >= PageTable.chunkCapacity / 2 })
        #expect(descending.ascending.map(\.number) == Array(0..<10_000))
    }

    @Test("A change to a copy copies one chunk and shares all others")
    func sharing() throws {
        var table = PageTable()
        for number in 0..<10_000 { _ = table.store(try page(number * 2)) }
        let snapshot = table
        for number in [20_000, 777, 4_000] {
            var changed = snapshot
            _ = changed.store(try page(number))
            let shared = Set(changed.chunkAddresses).intersection(snapshot.chunkAddresses)
            #expect(shared.count >= snapshot.chunkCounts.count - 1, "page \(number)")
        }
        table = snapshot
        _ = table.remove(0)
        #expect(
            Set(table.chunkAddresses).intersection(snapshot.chunkAddresses).count
                == snapshot.chunkCounts.count - 1)
    }
}

extension PageTable {
    /// The number of pages in each chunk.
    fileprivate var chunkCounts: [Int] { chunks.map(\.count) }

    /// The address of each chunk's elements, which copies of the chunk share.
    fileprivate var chunkAddresses: [UInt] {
        chunks.map { chunk in chunk.withUnsafeBufferPointer { UInt(bitPattern: $0.baseAddress) } }
    }
}
