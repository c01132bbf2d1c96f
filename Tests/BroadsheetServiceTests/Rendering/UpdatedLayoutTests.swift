import Broadsheet
import BroadsheetIO
import BroadsheetStores
import Testing

@testable import BroadsheetService

@Suite("Layouts of updates are made from those before them (docs/edits.md, Cost)")
struct UpdatedLayoutTests {
    private static let pages = 12
    private let path = "/v1/screens/home"

    /// Returns a service with a screen of pages with a section each.
    private func service(memory: MemoryBudget = .unlimited) async throws -> TestService {
        let service = try await TestService(memory: memory)
        for number in 0..<Self.pages {
            let items = (0..<20).map { #"{"id":"\#(number)-\#($0)"}"# }.joined(separator: ",")
            let unit = #"{"unitType":"LIST","unitData":[\#(items)]}"#
            let put = try await service.send(
                "PUT", "\(path)/pages/\(number)",
                #"{"sections":[{"sectionId":"\#(number)","units":[\#(unit)]}]}"#)
            #expect(put.status == 201)
        }
        return service
    }

    /// Patches an item, and expects the changes of one item.
    private func update(
        _ service: TestService, title: Int, query: String = ""
    ) async throws {
        let member = #""title":"\#(title)""#
        let updated = try await service.send(
            "POST", "\(path)/updates\(query)",
            #"{"operations":[{"op":"patchItem","section":"3","item":"3-1","patch":{\#(member)}}]}"#)
        #expect(updated.status == 200)
        #expect(updated.text.contains(member), "\(updated.text)")
    }

    private func snapshot(of service: TestService) throws -> ScreenSnapshot {
        let name = try #require(ScreenName("home"))
        return try #require(service.service.screens.cache.lookUp(ScreenKey(name)).known)
    }

    private func key(of snapshot: ScreenSnapshot) -> LayoutKey {
        StoredLayout(
            snapshot: snapshot, page: Self.pages - 1, parameters: LayoutParameters()
        ).key(for: .frames, lint: false)
    }

    /// Returns the sections of the layout of the screen that is in the layout cache.
    private func sections(of service: TestService) throws -> ChunkedList<MergedSection>? {
        service.service.renderer.cache.cachedLayout(
            for: key(of: try snapshot(of: service)), counted: false)?
            .merged.sections
    }

    @Test("Only the section that an update touches is merged and laid out, in each update but one")
    func work() async throws {
        let service = try await service()
        try await update(service, title: 0)
        var known = try #require(try sections(of: service))
        for title in 1...3 {
            try await update(service, title: title)
            let next = try #require(try sections(of: service))
            let made = zip(known, next).filter { $0 !== $1 }
            #expect(made.map { $1.id } == ["3"])
            known = next
        }
    }

    @Test("A validation has the changes of its update, and leaves no layout")
    func validation() async throws {
        let service = try await service()
        try await update(service, title: 0, query: "?validateOnly=true")
        #expect(try sections(of: service) == nil)
        try await update(service, title: 1)
        let known = try #require(try sections(of: service))
        try await update(service, title: 2, query: "?validateOnly=true")
        let kept = try #require(try sections(of: service))
        #expect(zip(known, kept).allSatisfy { $0 === $1 })
    }

    @Test("The history has one layout of a screen that is updated often, within the budget")
    func memory() async throws {
        let memory = MemoryBudget(limit: 1 << 30)
        let service = try await service(memory: memory)
        for title in 0..<10 { try await update(service, title: title) }
        try expectOneLayout(of: service)
        try await service.send("DELETE", path)
        let history = service.service.screens.history
        #expect(history.byteCount == 0 && memory.statistics.used(by: .history) == 0)
    }

    @Test("A layout in the history is replaced by a later one for the same clients, and no other")
    func clients() async throws {
        let service = try await TestService()
        let rows = (2...6).map {
            #"{"unitType":"LIST","unitData":[{"id":"a"}],"when":{"client":{"ios":">=\#($0)"}}}"#
        }
        for (title, versions) in [1...6, 3...3, 3...3].enumerated() {
            try await service.send(
                "PUT", "\(path)/pages/0",
                #"{"data":\#(title),"sections":[[\#(rows.joined(separator: ","))]]}"#)
            for version in versions {
                let target = "\(path)/layout?client=ios/\(version)"
                #expect(try await service.send("GET", target).status == 200)
            }
        }
        let history = service.service.screens.history
        let current = try snapshot(of: service)
        for (revision, versions) in [(1, [1, 2, 4, 5, 6]), (2, [3])] {
            let earlier = try #require(
                history.snapshot(of: current, from: UInt64(revision), upTo: .highest))
            #expect(earlier.revision == revision)
            let kept = (1...6).filter { version in
                var parameters = LayoutParameters()
                parameters.client = Client("ios/\(version)")
                let layout = StoredLayout(snapshot: earlier, page: 0, parameters: parameters)
                let key = layout.key(for: .frames, lint: false)
                return history.cachedLayout(for: key, of: earlier) != nil
            }
            #expect(kept == versions)
        }
    }

    /// Expects that of all revisions since the first update only the last one has its layout.
    private func expectOneLayout(of service: TestService) throws {
        let (history, current) = (
            service.service.screens.history, try snapshot(of: service)
        )
        let revisions = (UInt64(Self.pages)..<current.revision).compactMap {
            history.snapshot(of: current, from: $0, upTo: .highest)
        }
        #expect(revisions.count == 10)
        let kept = revisions.filter { history.cachedLayout(for: key(of: $0), of: $0) != nil }
        #expect(kept.map(\.revision) == [current.revision - 1])
    }
}
