import Broadsheet
import BroadsheetHTTP
import BroadsheetIO
import BroadsheetStores
import Glibc
import TestSupport
import Testing
import TextTestSupport

@testable import BroadsheetService

@Suite("Long computations within a part of a request", .timeLimit(.minutes(hangMinutes)))
struct LongWorkTests {
    private static let catalog = """
        {"fonts": {"f": {"files": ["f.ttf"], "size": 10, "lineHeight": 12}},
         "units": {"U": {"cells": {"type": "Item"}}},
         "cellTypes": {"Item": {"id": "/id", "size": {"height": {"text": "/t", "font": "f"}}}}}
        """

    /// A page with texts of some bytes together.
    private static func page(ofBytes count: Int) -> [UInt8] {
        let text = String(repeating: "word ", count: count / 5)
        return Array(
            """
            {"sections": [{"sectionId": "S", "units": [
              {"unitType": "U", "unitData": [{"id": 1, "t": "\(text)"}]}]}]}
            """.utf8)
    }

    /// The calls of a measurer.
    enum Step: Sendable, CaseIterable { case shape, measure }

    /// A measurer that calls a function within each of its steps, and returns wrong texts and lines
    /// if that returns `true`.
    private struct HookedMeasurer: TextMeasurer {
        let hook: @Sendable (Step) -> Bool

        func open(_ declaration: FontDeclaration) throws(FontFailure) -> any TextFont {
            HookedFont(try SimpleMeasurer().open(declaration), hook)
        }
    }

    private final class HookedFont: TextFont {
        private let font: any TextFont
        private let hook: @Sendable (Step) -> Bool

        init(_ font: any TextFont, _ hook: @escaping @Sendable (Step) -> Bool) {
            self.font = font
            self.hook = hook
        }

        var naturalLineHeight: Double { font.naturalLineHeight }
        var contentHash: UInt64 { font.contentHash }

        func shape(
            _ text: UnsafeRawBufferPointer, _ options: ShapingOptions
        ) -> any ShapedText {
            let part = hook(.shape) ? UnsafeRawBufferPointer(rebasing: text.prefix(1)) : text
            return HookedText(font.shape(part, options), hook)
        }
    }

    private final class HookedText: ShapedText {
        private let text: any ShapedText
        private let hook: @Sendable (Step) -> Bool

        init(_ text: any ShapedText, _ hook: @escaping @Sendable (Step) -> Bool) {
            self.text = text
            self.hook = hook
        }

        var byteCount: Int { text.byteCount }
        var missingCharacters: [Unicode.Scalar] { text.missingCharacters }

        func measure(_ request: TextRequest) -> TextMeasurement {
            hook(.measure) ? TextMeasurement() : text.measure(request)
        }

        func lineRanges(_ request: TextRequest) -> [Range<Int>] { text.lineRanges(request) }
    }

    /// Returns a service with a page in its store, which it has not read.
    private static func service(
        _ pool: WorkerPool, hook: @escaping @Sendable (Step) -> Bool
    ) async throws -> TestService {
        let store = ScreenStore.inMemory()
        _ = try await store.commit(
            .put(page: 0, bytes: page(ofBytes: 4_000)), to: try #require(ScreenName("home")),
            expecting: nil)
        return try await TestService(
            store: store, catalog: catalog, measurer: HookedMeasurer(hook: hook), workers: pool)
    }

    @Test(
        "What a request computes after its connection is lost is never used for another one",
        arguments: Step.allCases, ["layout", "layout.svg", "changes?since=0"])
    func lost(step: Step, target: String) async throws {
        let pool = try WorkerPool(threads: 1)
        let isFirst = Shared(true)
        let service = try await Self.service(pool) { current in
            if current == step,
                isFirst.withLock({ isFirst in
                    defer { isFirst = false }
                    return isFirst
                })
            {
                withUnsafeCurrentTask { $0?.cancel() }
            }
            return LongWork.isAbandoned()
        }
        let expected = try await Self.service(pool) { _ in false }
        let path = "/v1/screens/home/\(target)"
        #expect(try await Task { try await service.send("GET", path) }.value.status == 499)
        let (response, right) = (
            try await service.send("GET", path), try await expected.send("GET", path)
        )
        // The tags are sealed by the service.
        let tag = /"tag":"[^"]*"/
        #expect(
            response.status == 200
                && response.text.replacing(tag, with: "") == right.text.replacing(tag, with: ""))
        #expect(right.text.contains(target == "layout.svg" ? "word" : #""lines":"#))
        pool.shutdown()
    }

    @Test("A computation within a part gives way to another client, and continues after it")
    func givingWay() async throws {
        let pool = try WorkerPool(threads: 1)
        let order = Recorder<String>()
        let service = try await Self.service(pool) { step in
            guard step == .shape else { return false }
            Task.detached {
                guard let work = pool.begin(for: .name("other")) else { return }
                await withTaskExecutorPreference(work) { order.record("other") }
                work.end()
            }
            while pool.queueLength == 0 { sched_yield() }
            order.record("before")
            defer { order.record("after") }
            return LongWork.isAbandoned()
        }
        let response = try await service.send("GET", "/v1/screens/home/layout")
        #expect(response.status == 200)
        #expect(await order.first(3) == ["before", "other", "after"])
        pool.shutdown()
    }

    @Test("Only texts of up to 1 KiB are shaped or filled into lines by the event loop")
    func inline() async throws {
        #expect(Work.maxInlineCost / WorkCost.shapingFactor == 1024)
        let pool = try WorkerPool(threads: 1)
        let starts = Recorder<UInt64>()
        let service = try await TestService(catalog: Self.catalog, workers: pool)
        pool.observeStarts { starts.record($0) }
        let path = "/v1/screens/home/pages/0"
        func isPooled(_ method: String, _ target: String, _ bytes: [UInt8]) async throws -> Bool {
            let count = starts.count
            let response = try await service.send(method, target, bytes: bytes)
            #expect((200..<300).contains(response.status))
            return starts.count > count
        }
        let composed = { (page: [UInt8]) in Array(#"{"pages":["#.utf8) + page + Array("]}".utf8) }
        let small = Self.page(ofBytes: 400)
        #expect(small.count < 900)
        #expect(try await !isPooled("PUT", path, small))
        #expect(try await !isPooled("POST", "/v1/layout", composed(small)))
        let large = Self.page(ofBytes: 1_200)
        #expect(try await isPooled("PUT", path, large))
        #expect(try await isPooled("POST", "/v1/layout", composed(large)))
        #expect(try await isPooled("GET", "/v1/screens/home/layout?width=321", []))
        #expect(try await !isPooled("GET", "/v1/screens/home/layout?width=321", []))
        #expect(
            try await isPooled(
                "POST", "/v1/screens/home/updates",
                Array(#"{"operations":[{"op":"deleteItems","section":"S","items":["1"]}]}"#.utf8)))
        pool.shutdown()
    }
}
