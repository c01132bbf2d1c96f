import Testing
import TestSupport

@testable import BroadsheetIO

@Suite("Clients of shared keys (docs/operations.md, Expensive requests)")
struct ClientKeyTests {
    private static func member(_ number: Int, of key: String = "web") -> ClientKey {
        ClientKey(IPAddress("192.0.2.\(number)") ?? .unspecified, sharing: key)
    }

    @Test("Each address that uses a shared key is a client of it, and an IPv6 /64 is one address")
    func members() throws {
        let one = Self.member(1)
        #expect(one.isMember && one != Self.member(2) && one != Self.member(1, of: "app"))
        #expect(one.owner == .name("web") && Self.member(2).owner == one.owner)
        let addresses = try ["2001:db8::1", "2001:db8::2", "2001:db8:0:1::1"].map {
            ClientKey(try #require(IPAddress($0)), sharing: "web")
        }
        #expect(addresses[0] == addresses[1] && addresses[0] != addresses[2])
        for single in [ClientKey(.unspecified), .name("web")] {
            #expect(!single.isMember && single.owner == single)
        }
    }

    @Test("Keys have turns in rotation, and the clients of a key within its turns")
    func turns() {
        var turns = ClientTurns()
        let (a, b, c) = (Self.member(1), Self.member(2), Self.member(3))
        let backend = ClientKey.name("backend")
        for client in [a, b, c, backend] { turns.append(client) }
        #expect(turns.count == 4 && turns.first == a)
        var order: [ClientKey] = []
        for _ in 0..<6 {
            guard let client = turns.popFirst() else { break }
            order.append(client)
            turns.append(client)
        }
        #expect(order == [a, backend, b, backend, c, backend])
        while turns.popFirst() != nil {}
        #expect(turns.count == 0 && turns.first == nil)
    }

    @Test("A client of a shared key has a quarter of a limit, its key three quarters, others all")
    func shares() {
        var shares = ClientShares(of: 8)
        func take(_ client: ClientKey, _ count: Int) -> Int {
            (0..<count).count { _ in shares.take(for: client) }
        }
        #expect(take(.name("backend"), 9) == 9 && take(ClientKey(.unspecified), 9) == 9)
        #expect((1...4).map { take(Self.member($0), 3) } == [2, 2, 2, 0])
        #expect(take(Self.member(1, of: "app"), 3) == 2)
        shares.giveBack(of: Self.member(1))
        #expect(take(Self.member(4), 3) == 1)
        for limit in [1, 2, 3] {
            #expect(ClientShares.perClient(of: limit) == 1 && ClientShares.perKey(of: limit) >= 1)
        }
    }

    @Test("The works of one client of a shared key, and of all of them, are limited")
    func works() throws {
        var limits = WorkerPool.Limits()
        #expect(limits.perClient == 256 && limits.perKey == 768 && limits.total == 1024)
        limits.perClient = 2
        limits.perKey = 3
        let pool = try WorkerPool(threads: 1, limits: limits)
        let works = [1, 1, 1, 2, 2].map { pool.begin(for: Self.member($0)) }
        #expect(works.map { $0 != nil } == [true, true, false, true, false])
        let others = [pool.begin(for: .name("web")), pool.begin(for: Self.member(1, of: "app"))]
        #expect(others.allSatisfy { $0 != nil })
        works[0]?.end()
        let next = pool.begin(for: Self.member(2))
        #expect(next != nil && pool.begin(for: Self.member(3)) == nil)
        for work in works[1...] + others + [next] { work?.end() }
        #expect(pool.workCount == 0)
        pool.shutdown()
    }

    @Test(
        "Memory that is waited for is granted in turns by client",
        .timeLimit(.minutes(hangMinutes)))
    func memory() async throws {
        let budget = MemoryBudget(limit: 64 << 20) { _ in
            // The timeouts of requests that wait, which never pass.
            await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
        }
        let holder = try #require(budget.reservation(of: 64 << 20, for: .work))
        let served = Recorder<Int>()
        var tasks: [Task<Void, Never>] = []
        for (index, client) in [1, 1, 1, 2].enumerated() {
            tasks.append(
                Task {
                    await ClientKey.$current.binding(Self.member(client)) {
                        let memory = await budget.waitForReservation(of: 40 << 20, for: .work)
                        served.record(index)
                        withExtendedLifetime(memory) {}
                    }
                })
            while budget.statistics.waiting < index + 1 { await Task.yield() }
        }
        holder.shrink(to: 0)
        #expect(await served.first(4) == [0, 3, 1, 2])
        for task in tasks { await task.value }
        #expect(budget.statistics.total == 0)
    }
}
