import BroadsheetStores
import StoreTestSupport
import TestSupport
import Testing

@testable import BroadsheetService

@Suite("Revisions that a program follows", .timeLimit(.minutes(hangMinutes)))
struct ProgramRevisionsTests {
    private let page = #"{"sections":[]}"#

    @Test(
        "A store that fails interrupts them until it can be read, and ends nothing",
        arguments: [StoreError.unavailable("test"), .corrupt("test")])
    func storeFails(error: StoreError) async throws {
        let sleep = ManualSleep()
        let backend = InterceptingBackend()
        let service = try await TestService(store: backend.store, sleep: sleep.sleep)
        try await service.send("PUT", "/v1/screens/home/pages/0", page)
        let home = try #require(ScreenName("home"))
        let program = ProgramScreens(service.service)
        #expect(await program.nextRevision(of: home, after: nil) == 1)

        backend.fail(with: error)
        let next = Task { await program.nextRevision(of: home, after: nil) }
        while !sleep.durations.contains(ProgramScreens.retryInterval) { await Task.yield() }
        await #expect(throws: Problem.self) { try await program.revision(of: home, after: nil) }
        backend.fail(with: nil)
        sleep.end()
        #expect(await next.value == 1)
        #expect(service.service.screens.observers.count == 0)
    }

    @Test("The removal of the screen, a cancelled task and the drain of the server end them")
    func ends() async throws {
        let backend = InterceptingBackend()
        let service = try await TestService(store: backend.store, sleep: ManualSleep().sleep)
        let home = try #require(ScreenName("home"))
        let program = ProgramScreens(service.service)
        let observers = service.service.screens.observers
        try await service.send("PUT", "/v1/screens/home/pages/0", page)
        let cancelled = Task { await program.nextRevision(of: home, after: 1) }
        while observers.count == 0 { await Task.yield() }
        cancelled.cancel()
        #expect(await cancelled.value == nil)

        let ending = Task { await program.nextRevision(of: home, after: 1) }
        while observers.count == 0 { await Task.yield() }
        try await service.send("DELETE", "/v1/screens/home")
        #expect(await ending.value == nil)

        backend.fail(with: .unavailable("test"))
        let draining = Task { await program.nextRevision(of: home, after: nil) }
        while observers.count == 0 { await Task.yield() }
        observers.drain()
        #expect(await draining.value == nil)
    }
}
