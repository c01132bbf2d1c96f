import Broadsheet

/// Edits of items in a screen of a thousand pages, and of one page by a patch.
enum EditsBenchmark {
    private static let (pages, itemsPerPage) = (1_000, 100)
    /// The page in the middle of the screen.
    private static let middle = pages / 2
    /// The maximum duration of one edit, in microseconds.
    private static let limit = 150.0
    /// The maximum duration of a thousand edits in one request, in durations of one.
    private static let batchLimit = 25.0

    static func rows(_ context: BenchmarkContext) throws -> [ResultRow] {
        let screen = try EditedScreen()
        return [
            screen.oneItem(), try screen.batch(ofPages: 1), try screen.batch(ofPages: 10),
            try screen.batch(ofPages: 100), try patchOperations(), try requests(context),
        ]
    }

    /// A screen of pages, which edits change one after the other.
    private final class EditedScreen {
        private var model = PaginatedViewModel(
            limits: ScreenLimits(maxSections: pages, maxItems: pages * itemsPerPage))
        private var count = 0
        private let one: [ScreenUpdate]

        init() throws {
            for number in 0..<pages {
                try model.load(ResolvedPage(page(number), number, .products))
            }
            one = try (0..<10).map { try update([middle * itemsPerPage + $0 * 7], value: $0) }
        }

        /// Applies an update whose request was read before: from the request to the new pages.
        private func apply(_ update: ScreenUpdate) {
            let changed = try? model.updatePages(registry: .products) { updater throws(EditError) in
                for operation in update.operations { try updater.apply(operation) }
            }
            keep(changed)
        }

        private func applyOne() {
            count += 1
            apply(one[count % one.count])
        }

        /// Measures an edit of one item, compared with one pass over the bytes of its page.
        func oneItem() -> ResultRow {
            let bytes = page(middle)
            let result = DurationComparison.measure(
                baseline: { keep(fnv1a(bytes)) }, subject: applyOne)
            let figure = result.subject * 1e6
            return ResultRow(
                name: "edit of 1 item among \(pages) pages of \(itemsPerPage)",
                figure: "\(figure.formatted(1)) µs",
                baseline: "FNV-1a hash of its page \((result.baseline * 1e6).formatted(1)) µs",
                ratio: result.ratio.formatted(),
                target: Target(figure: figure, .below(limit), unit: "µs"))
        }

        /// Measures a thousand edits of the items of some pages in one update, compared with one
        /// edit of one item in each of these pages, since each page is written again.
        func batch(ofPages count: Int) throws -> ResultRow {
            let edits = 1_000
            let updates = try (0..<2).map { version in
                let items = (0..<edits).map { index in
                    (middle + index % count) * itemsPerPage + index / count % itemsPerPage
                }
                return try update(items, value: version * edits)
            }
            let single = try (0..<2).map { version in
                try (0..<count).map { page in
                    try update([(middle + page) * itemsPerPage], value: version)
                }
            }
            // Counted apart, so that each repeats no version, however often they take turns.
            var calls = (baseline: 0, subject: 0)
            let result = DurationComparison.measure(
                baseline: {
                    calls.baseline += 1
                    for update in single[calls.baseline % single.count] { apply(update) }
                },
                subject: {
                    calls.subject += 1
                    apply(updates[calls.subject % updates.count])
                })
            return ResultRow(
                name:
                    "  \(edits) edits in one update, of \(count == 1 ? "1 page" : "\(count) pages")",
                figure: "\((result.subject * 1e6).formatted(0)) µs",
                baseline: "1 edit a page \((result.baseline * 1e6).formatted(1)) µs",
                ratio: result.ratio.formatted(),
                target: Target(ratio: result.ratio, .atMost(batchLimit)))
        }
    }

    /// Measures a JSON Patch of a thousand operations on a page of 1,000 items, compared with one
    /// of one operation.
    private static func patchOperations() throws -> ResultRow {
        let count = 1_000
        let bytes = page(0, count: count)
        let patches = try [1, count].map { count in
            let operations = (0..<count).map { index in
                let path = "/sections/0/units/0/unitData/\(index)/price"
                return #"{"op":"replace","path":"\#(path)","value":\#(index)}"#
            }
            let text = "[\(operations.joined(separator: ","))]"
            return PagePatch.operations(try JSONPatch(JSONDocument(Array(text.utf8))))
        }
        let result = DurationComparison.measure(
            baseline: { keep(try? patches[0].applied(to: bytes)) },
            subject: { keep(try? patches[1].applied(to: bytes)) })
        return ResultRow(
            name: "JSON Patch of \(count) operations on \(count) items",
            figure: "\((result.subject * 1e6).formatted(0)) µs",
            baseline: "1 operation \((result.baseline * 1e6).formatted(0)) µs",
            ratio: result.ratio.formatted(),
            target: Target(ratio: result.ratio, .atMost(batchLimit)))
    }
}

// MARK: - Requests

extension EditsBenchmark {
    /// Measures `POST …/updates` of one item, compared with `PUT` of its page.
    private static func requests(_ context: BenchmarkContext) throws -> ResultRow {
        let folder = try ScratchFolder(context)
        let daemon = try DaemonProcess(context, store: "memory")
        let (count, number) = (20, 10)
        for page in 0..<count {
            try daemon.store(
                context.page(products: itemsPerPage, number: page), as: page, of: "edited")
        }
        let file = try folder.add(
            "page.json", context.page(products: itemsPerPage, number: number))
        var load = Wrk(connections: 1, seconds: 1, script: context.script("edit_item.lua"))
        load.environment = [
            "BROADSHEET_BENCH_SCREEN": "edited", "BROADSHEET_BENCH_NUMBER": "\(number)",
            "BROADSHEET_BENCH_PRODUCTS": "\(itemsPerPage)",
        ]
        var put = load
        put.environment["BROADSHEET_BENCH_PAGE"] = file
        let rates = try RateComparison.measure(
            rounds: 7, subject: { try load.run(against: daemon.port).rate },
            baseline: { try put.run(against: daemon.port).rate })
        return ResultRow(
            name: "POST …/updates of 1 item, wrk -t1 -c1",
            figure: "\(rates.subject.formatted(0)) per second",
            baseline: "PUT of its page \(rates.baseline.formatted(0)) per second",
            ratio: rates.ratio.formatted())
    }
}

// MARK: - Pages

extension EditsBenchmark {
    /// Returns a page of products of about 130 bytes each, in one section of all pages.
    private static func page(_ number: Int, count: Int = itemsPerPage) -> [UInt8] {
        let items = (number * count..<(number + 1) * count).map { index in
            #"{"id":"P\#(1_000_000 + index)","h":\#(30 + index % 5 * 8),"title":"#
                + #""A product of the storefront","image":"https://img.example.com/p/\#(index).webp""#
                + #","price":100}"#
        }
        let list = items.joined(separator: ",")
        return Array(
            #"{"sections": [{"sectionId": "S", "units": [{"unitType": "U", "unitData": [\#(list)]}]}]}"#
                .utf8)
    }

    /// Reads a request that sets the prices of items; every value differs from the next one.
    private static func update(_ items: [Int], value: Int) throws -> ScreenUpdate {
        let operations = items.enumerated().map { index, item in
            #"{"op": "patchItem", "section": "S", "item": "P\#(1_000_000 + item)", "#
                + #""patch": {"price": \#(value + index)}}"#
        }
        let text = #"{"operations": [\#(operations.joined(separator: ","))]}"#
        return try ScreenUpdate(JSONDocument(Array(text.utf8)))
    }
}
