import Testing

@testable import BroadsheetIO

@Suite("Loop groups")
struct EventLoopGroupTests {
    @Test("Loops are returned in rotation")
    func roundRobin() throws {
        let group = try EventLoopGroup(count: 3)
        defer { group.shutdown() }
        let taken = (0..<6).map { _ in group.next() }
        for (index, loop) in taken.enumerated() { #expect(loop === group.loops[index % 3]) }
    }

    @Test("A group has at least one loop", arguments: [-1, 0, 1])
    func atLeastOne(count: Int) throws {
        let group = try EventLoopGroup(count: count)
        #expect(group.loops.count == 1)
        group.shutdown()
    }

    @Test("Each loop has a separate thread")
    func threads() async throws {
        let group = try EventLoopGroup(count: 2)
        defer { group.shutdown() }
        let isOnSecond = try await group.loops[0].perform { group.loops[1].isCurrent }
        #expect(!isOnSecond)
        #expect(EventLoopGroup.coreCount >= 1)
    }
}
