import Broadsheet
import BroadsheetHTTP
import BroadsheetIO
import BroadsheetStores

/// A PUT of a screen, whose pages are read, checked and resolved (docs/api.md, "Whole screens").
struct PostedScreen: Sendable {
    let options: WriteOptions
    /// The pages, ascending by number.
    let pages: [ResolvedPage]

    /// Reads a request.
    ///
    /// - Throws: The first problem of its path, query, headers and body, in this order; of the
    ///   pages `INVALID_CONTRACT` with the violations of all of them.
    init(_ call: Call, _ service: BroadsheetService) async throws(Problem) {
        let options = try WriteOptions(call, service.configuration)
        let (ranges, cost) = try await Self.ranges(of: call, service, options.screen)
        func read(_ work: Work) async throws(Problem) -> [ResolvedPage] {
            var draft = ScreenDraft(
                service.pages, call.catalog.registry, isStrict: options.isStrict)
            for range in ranges where !draft.isFull {
                try await draft.add(range, of: call.request.body, work)
            }
            return try draft.complete()
        }
        pages =
            cost > Work.maxInlineCost
            ? try await call.work.performAll(read) : try await read(call.work)
        self.options = options
    }

    func heldBytes(_ call: Call) -> Int {
        pages.reduce(call.work.memory.count + call.request.body.count) { $0 + $1.reservedByteCount }
    }

    private static let depthOfPages = 2
    /// The cost of reading a page besides its bytes (``WorkCost``).
    private static let costOfPage = 1024

    /// Returns the ranges of the pages in the body, and the cost of reading them.
    ///
    /// The index of the whole body is not kept: each page has one of its own.
    private static func ranges(
        of call: Call, _ service: BroadsheetService, _ screen: ScreenName
    ) async throws(Problem) -> (ranges: [Range<Int>], cost: Int) {
        defer { call.work.memory.shrink(to: 0) }
        let document = try await service.pages.document(
            of: call, deeperBy: depthOfPages)
        let registry = call.catalog.registry
        let pages = try Self.pages(in: document.root, registry.names, screen)
        let limit = service.configuration.limits.maxPages
        if pages.count > limit {
            // A screen above the limit may stay as large as it is.
            let head = try await service.screens.head(of: screen)
            guard pages.count <= head?.size.pageCount ?? 0 else {
                throw Problem(ViewModelError.tooManyPages(limit: limit))
            }
        }
        let cost = WorkCost.reading(document, by: registry) + pages.count * costOfPage
        return (pages.elements.map(\.byteRange), cost)
    }

    private static func pages(
        in body: JSONValue, _ names: ContractNames, _ screen: ScreenName
    ) throws(Problem) -> JSONValue {
        var violations = ComposeViolations()
        let pages = body["pages"]
        if let pages, pages.kind == .array, pages.count > 0 { return pages }
        if let pages {
            violations.add(
                "/pages",
                "must be an array of at least one page; DELETE /v1/screens/\(screen)/pages "
                    + "removes all pages", at: pages)
        } else {
            let isObject = body.kind == .object
            violations.add(
                isObject ? "/pages" : "",
                (isObject ? "is missing" : "must be an object")
                    + ": PUT /v1/screens/\(screen) takes {\"pages\": [page, …]}, and "
                    + "PUT /v1/screens/\(screen)/pages/0 one page, {\"\(names.sections)\": […]}",
                at: body)
        }
        throw violations.problem
    }
}

/// The pages of a screen while they are read.
private struct ScreenDraft {
    private let reader: PageReader
    private let registry: CellRegistry
    private let isStrict: Bool
    private var pages: [ResolvedPage] = []
    /// The number of pages so far, those with violations included.
    private var count = 0
    /// The number of the last page: -1 before the first one, and `nil` after one that cannot be
    /// read.
    private var last: Int? = -1
    private var violations = ComposeViolations()

    init(_ reader: PageReader, _ registry: CellRegistry, isStrict: Bool) {
        self.reader = reader
        self.registry = registry.limitedToRequest()
        self.isStrict = isStrict
    }

    /// A Boolean value that indicates whether as many violations are known as are ever reported, or
    /// the request has no judgements left.
    var isFull: Bool {
        violations.isFull || registry.judgementBudget?.isExhausted == true
    }

    /// Throws `INVALID_CONTRACT` with the violations of all pages.
    func complete() throws(Problem) -> [ResolvedPage] {
        guard violations.isEmpty else { throw violations.problem }
        return pages
    }

    /// Reads the next page, and resolves it if there are no violations.
    ///
    /// - Throws: `OVERLOADED` without memory for it; the error of a lost connection.
    mutating func add(
        _ range: Range<Int>, of body: [UInt8], _ work: Work
    ) async throws(Problem) {
        let memory = work.memory
        defer {
            memory.shrink(to: 0)
            count += 1
        }
        try await memory.need(range.count + MemoryCost.indexing(bytes: range.count))
        let document = try reader.index(Array(body[range]))
        try await memory.need(
            range.count
                + MemoryCost.reading(document, maxItems: reader.limits.maxItems, by: registry))
        let cost = WorkCost.reading(document, by: registry)
        let pointer = JSONPointer.appending("/pages", count)
        let (reader, registry, isStrict) = (reader, registry, isStrict)
        let read = try await work.perform(cost: cost) { () throws(Problem) in
            Result { () throws(ContractError) in
                try reader.page(document, at: pointer, by: registry, isStrict: isStrict)
            }
        }
        guard let page = value(of: read, at: range),
            let number = number(of: page, at: pointer, range)
        else { return last = nil }
        last = number
        guard violations.isEmpty else { return }
        let outcome = try await work.perform(cost: cost) { () throws(Problem) in
            Result { () throws(ContractError) in
                try reader.resolved(page, as: number, by: registry)
            }
        }
        guard let resolved = value(of: outcome, at: range) else { return }
        resolved.takeMemory(from: memory)
        memory.markAsBegun()
        pages.append(resolved)
    }

    /// Returns the value, or reports the violations of the page in a range of the body.
    private mutating func value<Value>(
        of result: Result<Value, ContractError>, at range: Range<Int>
    ) -> Value? {
        switch result {
        case .success(let value): return value
        case .failure(let error):
            violations.add(error, at: range.lowerBound)
            return nil
        }
    }

    /// Returns the number of a page: its own, or the one after that of the page before it.
    private mutating func number(
        of page: ServerStatePage, at pointer: String, _ range: Range<Int>
    ) -> Int? {
        let next = last.map { $0 + 1 } ?? page.number ?? 0
        let number = page.number ?? next
        if number >= next, number <= ServerStatePage.maxNumber { return number }
        let detail =
            page.number == nil
            ? "is needed: no number above \(next - 1) is left"
            : "is \(number), but the page before it has the number \(next - 1); they must ascend"
        violations.add(JSONPointer.appending(pointer, "page"), detail, at: range.lowerBound)
        return nil
    }
}
