import Broadsheet
import BroadsheetHTTP
import BroadsheetIO
import Testing
import TestSupport

@testable import BroadsheetService

@Suite(
    "The limits of tokens (docs/operations.md, Issuers)", .timeLimit(.minutes(hangMinutes)))
struct TokenLimitTests {
    /// A service with both algorithms, and requests from addresses.
    private struct Limited {
        let service: TestService
        let clock = ManualClock()
        let edDSA = TestIssuer(algorithm: .edDSA, id: "e")

        init(memory: MemoryBudget = .unlimited) async throws {
            var access = AccessConfiguration(
                keys: try KeyRing(
                    issuers: [TestIssuer.hs256.line(), edDSA.line()],
                    keys: ["w read,write * never"]))
            access.isMetricsOpen = true
            service = try await TestService(access: access, clock: clock.time, memory: memory)
            try await service.send(
                "PUT", "/v1/screens/home/pages/0", Pages.list(["a"]), headers: .key("w"))
        }

        /// Returns a response to a request with a token or a key.
        func get(_ token: String, from address: String) async throws -> ReceivedResponse {
            let head = HTTPRequestHead(
                method: .get, target: try #require(RequestTarget("/v1/screens/home/layout")),
                headers: .token(token), host: "localhost")
            let peer = try #require(IPAddress(address))
            return ReceivedResponse(
                await service.service.respond(to: HTTPRequest(head: head, body: [], peer: peer)))
        }

        func token(_ sub: String) throws -> String {
            try edDSA.token(TestIssuer.payload("\"sub\":\"\(sub)\""))
        }

        /// Returns a token whose signature is wrong.
        func forged(_ sub: String) throws -> String {
            let parts = try token(sub).split(separator: ".")
            return "\(parts[0]).\(parts[1])." + Base64URL.encode([UInt8](repeating: 1, count: 64))
        }
    }

    @Test("Verified tokens are kept in a sixty-fourth of the memory; the least recently used go")
    func memory() async throws {
        let memory = MemoryBudget(limit: 64 << 20)
        let limited = try await Limited(memory: memory)
        let first = try TestIssuer.hs256.token(TestIssuer.payload(#""sub":"first""#))
        let cost = 512 + first.utf8.count
        for number in 0..<2 * (1 << 20) / cost {
            let sub = "n\(10_000 + number)"
            let token = try TestIssuer.hs256.token(TestIssuer.payload("\"sub\":\"\(sub)\""))
            #expect(try await limited.get(token, from: "192.0.2.1").status == 200)
            if number % 500 == 0 {
                #expect(try await limited.get(first, from: "192.0.2.1").status == 200)
            }
        }
        let cached = try await limited.service.metric("broadsheet_tokens_cached")
        #expect(cached * Double(cost) <= Double(1 << 20) && cached * Double(cost) > 900_000)
        #expect(memory.statistics.used(by: .tokens) <= 1 << 20)
        let sample = "broadsheet_token_verifications_total{issuer=\"shop\",result=\"valid\"}"
        let before = try await limited.service.metric(sample)
        #expect(try await limited.get(first, from: "192.0.2.1").status == 200)
        #expect(try await limited.service.metric(sample) == before)
    }

    @Test("Of many new tokens at once some wait for their turn, and are 503 after two seconds")
    func rate() async throws {
        let limited = try await Limited()
        for number in 0..<40 {
            #expect(
                try await limited.get(limited.token("a\(number)"), from: "192.0.2.1").status == 200)
        }
        async let waiting = limited.get(limited.token("b"), from: "192.0.2.1")
        async let second = limited.get(limited.token("c"), from: "192.0.2.2")
        // What needs no verification does not wait.
        #expect(try await limited.get(limited.token("a0"), from: "192.0.2.1").status == 200)
        #expect(try await limited.get(TestIssuer.hs256.token(), from: "192.0.2.1").status == 200)
        #expect(try await limited.get("secret-w", from: "192.0.2.1").status == 200)
        limited.clock.advance(milliseconds: 2)
        #expect(try await [waiting.status, second.status] == [200, 200])
    }

    /// A queue that has no credit left, whose requests wait until the test ends that.
    private struct Exhausted {
        let clock = ManualClock()
        let sleep = ManualSleep()
        let queue: VerificationQueue
        let address: ClientKey

        init() async throws {
            queue = VerificationQueue(clock: clock.time, sleep: sleep.sleep)
            address = ClientKey(try #require(IPAddress("192.0.2.1")))
            for _ in 0..<40 { try await queue.admit(address) }
        }

        /// Begins to wait; the value is the code of the problem.
        func admit(_ client: ClientKey) -> Task<ProblemCode?, Never> {
            Task {
                do throws(Problem) {
                    try await queue.admit(client)
                    return nil
                } catch {
                    return error.code
                }
            }
        }

        /// Waits until a number of requests wait.
        func untilWaiting(_ count: Int) async {
            await until { queue.waitingCount == count && !sleep.durations.isEmpty }
        }
    }

    @Test("After two seconds without a turn a new token is 503")
    func late() async throws {
        let exhausted = try await Exhausted()
        let refused = exhausted.admit(exhausted.address)
        await exhausted.untilWaiting(1)
        exhausted.clock.advance(by: .seconds(2))
        exhausted.sleep.end()
        #expect(await refused.value == .overloaded)
        #expect(exhausted.queue.waitingCount == 0)
    }

    @Test("Addresses take turns, so that one with many new tokens waits for itself")
    func turns() async throws {
        let exhausted = try await Exhausted()
        let loud = (0..<100).map { _ in exhausted.admit(exhausted.address) }
        await exhausted.untilWaiting(100)
        let quiet = exhausted.admit(ClientKey(try #require(IPAddress("192.0.2.2"))))
        await exhausted.untilWaiting(101)
        exhausted.clock.advance(milliseconds: 2)
        exhausted.sleep.end()
        #expect(await quiet.value == nil)
        await exhausted.untilWaiting(98)
        await until { exhausted.sleep.durations.count == 2 }
        exhausted.clock.advance(by: .seconds(2))
        exhausted.sleep.end()
        for task in loud { _ = await task.value }
    }

    @Test("After 100 failures new tokens of an address are 429, and 50 more a second are not")
    func failures() async throws {
        let limited = try await Limited()
        let known = try limited.token("known")
        let address = "192.0.2.1"
        #expect(try await limited.get(known, from: address).status == 200)
        var statuses: [Int: Int] = [:]
        for number in 0..<200 {
            limited.clock.advance(milliseconds: 1)
            let received = try await limited.get(limited.forged("f\(number)"), from: address)
            statuses[received.status, default: 0] += 1
            if received.status == 429 {
                #expect(received.code == "TOO_MANY_TOKENS")
                #expect(received.response.headers[.retryAfter] == "1")
                #expect(received.response.headers[.cacheControl] == "private, no-store")
            }
        }
        let refused = statuses[401] ?? 0
        #expect(100...112 ~= refused && statuses[429] == 200 - refused, "\(statuses)")
        let fresh = try limited.token("fresh")
        #expect(try await limited.get(fresh, from: address).status == 429)
        #expect(try await limited.get(fresh, from: "192.0.2.2").status == 200)
        for token in [known, "secret-w", try TestIssuer.hs256.token(), fresh] {
            #expect(try await limited.get(token, from: address).status == 200)
        }
        limited.clock.advance(by: .seconds(1))
        statuses = [:]
        for number in 0..<100 {
            let received = try await limited.get(limited.forged("g\(number)"), from: address)
            statuses[received.status, default: 0] += 1
            limited.clock.advance(milliseconds: 1)
        }
        #expect(50...56 ~= statuses[401] ?? 0, "\(statuses)")
        #expect(
            try await limited.service.metric(
                "broadsheet_token_verifications_total{issuer=\"shop\",result=\"limited\"}") > 100)
    }

    @Test("The addresses of an IPv6 network of 64 bits count as one")
    func networks() async throws {
        let limited = try await Limited()
        for number in 0..<130 {
            limited.clock.advance(milliseconds: 1)
            _ = try await limited.get(
                limited.forged("f\(number)"), from: "2001:db8::\(String(number + 1, radix: 16))")
        }
        let token = try limited.token("a")
        #expect(try await limited.get(token, from: "2001:db8::ffff").status == 429)
        #expect(try await limited.get(token, from: "2001:db8:0:1::1").status == 200)
    }
}
