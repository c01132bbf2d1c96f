import BroadsheetIO
import BroadsheetTesting
import TestSupport
import Testing

@testable import BroadsheetStores

@Suite("Backends of stores")
struct BackendTests {
    @Test(
        "The backend in memory conforms to every requirement of backends",
        arguments: BackendConformance.requirements)
    func memory(conformsTo requirement: BackendConformance.Requirement) async throws {
        let clock = ManualClock()
        let backend = MemoryBackend(
            identity: .random(), clock: clock.time, memory: .unlimited, historyLimit: .max,
            feedLimit: .max)
        try await requirement.check(
            TestedBackend(backend, letPass: { clock.advance(seconds: $0) }))
    }

    @Test(
        "The backend in a SQLite file conforms to every requirement of backends",
        arguments: BackendConformance.requirements + BackendConformance.copyRequirements)
    func sqlite(conformsTo requirement: BackendConformance.Requirement) async throws {
        let clock = ManualClock()
        let file = try DatabaseFile()
        let backend = try SQLiteBackend(
            path: file.path, options: SQLiteStoreOptions(clock: clock.time))
        let tested = TestedBackend(backend, letPass: { clock.advance(seconds: $0) })
        do {
            try await requirement.check(tested)
        } catch {
            await backend.close()
            throw error
        }
        await backend.close()
    }

    @Test(
        "A backend over a dictionary conforms to every requirement of backends",
        arguments: BackendConformance.requirements + BackendConformance.sharingRequirements
            + BackendConformance.lineRequirements + BackendConformance.copyRequirements,
        [true, false])
    func dictionary(
        conformsTo requirement: BackendConformance.Requirement, removesExpired: Bool
    ) async throws {
        let clock = ManualClock()
        let backend = DictionaryBackend(
            limits: BackendLimits(removesExpired: removesExpired),
            now: { clock.time.unixMilliseconds })
        var tested = TestedBackend(backend, letPass: { clock.advance(seconds: $0) })
        tested.other = backend
        tested.beginLine = { _ = backend.failOver(losing: 0) }
        try await requirement.check(tested)
    }
}
