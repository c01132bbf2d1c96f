import Broadsheet
import BroadsheetHTTP
import BroadsheetIO
import BroadsheetStores

/// A page that was read and checked, and is not resolved yet.
struct ReadPage: Sendable {
    let page: ServerStatePage
    /// The cost of resolving the page (``WorkCost``).
    let cost: Int
    fileprivate let reader: PageReader
    /// The rest of the judgements of the request; `nil` without schemas.
    fileprivate let budget: JudgementBudget?

    /// Checks that the page has a number, or none.
    ///
    /// - Parameter source: The words before the number in the message.
    /// - Throws: `PAGE_MISMATCH` for a page of another number.
    func check(number: Int, _ source: String) throws(Problem) {
        guard let own = page.number, own != number else { return }
        throw Problem(
            .pageMismatch, "The page has the number \(own), \(source) the number \(number).")
    }

    /// Resolves the page, and plans the write of it.
    ///
    /// - Parameters:
    ///   - base: The state of the screen that the write begins with.
    ///   - work: The access with which the page was read, whose reservation has the memory for it.
    /// - Throws: The problem of a page or a screen that would exceed a limit; `OVERLOADED`.
    func planned(
        as number: Int, into base: WriteBase, of screen: ScreenName, in screens: Screens,
        _ work: Work
    ) async throws(Problem) -> PlannedWrite {
        // A write that begins again because of another writer has the same rest.
        let registry = base.catalog.registry.limited(to: budget?.copy())
        let pages = base.snapshot?.model.reservedByteCount ?? 0
        let document = page.document
        try await work.memory.need(
            document.bytes.count
                + MemoryCost.reading(document, maxItems: reader.limits.maxItems, by: registry),
            beside: pages)
        let resolved = try await work.perform(cost: cost) { () throws(Problem) in
            let resolved = try reader.resolve(page, as: number, by: registry)
            resolved.takeMemory(from: work.memory)
            work.memory.shrink(to: document.indexByteCount)
            return resolved
        }
        let complete = try await screens.completed(
            base, toPut: resolved, in: screen, holding: work.memory.count, work)
        return try PlannedWrite(putting: resolved, into: complete, screens.configuration)
    }
}

/// Reads and resolves the pages in the bodies of PUT and POST.
struct PageReader: Sendable {
    let limits: ScreenLimits
    let metrics: ServiceMetrics
    let clock: TimeSource

    /// Indexes the body of a request, whose reservation is made as large as the index.
    ///
    /// - Parameter depth: The depth of the pages in the body, which may be deeper than a page by
    ///   that.
    /// - Throws: `UNSUPPORTED_MEDIA_TYPE` unless it is sent as plain JSON; `INVALID_JSON` if it is
    ///   not valid JSON; `OVERLOADED` if there is no memory for the index.
    func document(
        of call: Call, deeperBy depth: Int = 0
    ) async throws(Problem) -> JSONDocument {
        try checkMediaType(of: call.request.headers)
        return try await document(of: call.request.body, deeperBy: depth, call.work.memory)
    }

    /// Indexes the body of a request; throws as ``document(of:deeperBy:)``, except for the type.
    func document(
        of bytes: [UInt8], deeperBy depth: Int = 0, _ memory: MemoryReservation
    ) async throws(Problem) -> JSONDocument {
        try await memory.need(
            MemoryCost.indexing(bytes: bytes.count), beside: bytes.count, for: .body)
        // A stored page keeps these bytes, and would keep spare capacity with them.
        let document = try index(bytes.trimmed(), deeperBy: depth)
        memory.shrink(to: document.indexByteCount)
        return document
    }

    /// Indexes a text.
    ///
    /// - Parameter depth: The number by which it may be deeper than a page.
    /// - Throws: `INVALID_JSON` if it is not valid JSON.
    func index(_ text: [UInt8], deeperBy depth: Int = 0) throws(Problem) -> JSONDocument {
        let (deepest, isUnlimited) = limits.maxDepth.addingReportingOverflow(depth)
        do {
            return try JSONDocument(text, maxDepth: isUnlimited ? .max : deepest)
        } catch {
            throw Problem(error)
        }
    }

    /// Reads the body of a request as a page.
    ///
    /// - Throws: As ``document(of:deeperBy:)``; `INVALID_CONTRACT` if it is not a page, or not by
    ///   a strict judgement.
    func page(
        of request: HTTPRequest, by registry: CellRegistry, isStrict: Bool, _ work: Work
    ) async throws(Problem) -> ReadPage {
        try checkMediaType(of: request.headers)
        return try await page(request.body, by: registry, isStrict: isStrict, work)
    }

    /// Throws as ``page(of:by:isStrict:_:)``, except for the type.
    func page(
        _ bytes: [UInt8], by registry: CellRegistry, isStrict: Bool, _ work: Work
    ) async throws(Problem) -> ReadPage {
        let start = clock.now
        let registry = registry.limitedToRequest()
        let document = try await document(of: bytes, work.memory)
        let indexing = clock.now.nanoseconds(since: start)
        let cost = WorkCost.reading(document, by: registry)
        try await work.memory.need(
            document.indexByteCount + document.nodeCount * MemoryCost.node)
        let page = try await work.perform(cost: cost) { () throws(Problem) in
            try Problem.mapping { () throws(ContractError) in
                try self.page(document, by: registry, isStrict: isStrict, indexedIn: indexing)
            }
        }
        return ReadPage(
            page: page, cost: cost, reader: self, budget: registry.judgementBudget)
    }

    /// Reads a document as a page, whose pointer in the body is `pointer`.
    ///
    /// - Parameters:
    ///   - nanoseconds: The time of indexing the document.
    /// - Throws: All violations, or those of a strict judgement.
    func page(
        _ document: JSONDocument, at pointer: String = "", by registry: CellRegistry,
        isStrict: Bool, indexedIn nanoseconds: UInt64 = 0
    ) throws(ContractError) -> ServerStatePage {
        let start = clock.now
        let page = try ServerStatePage(
            document.root, at: pointer, names: registry.names, limits: limits)
        let reading = clock.now.nanoseconds(since: start)
        metrics.parseDuration.observe(nanoseconds: nanoseconds &+ reading)
        if isStrict { try page.checkStrictly(by: registry) }
        return page
    }

    /// Throws `INVALID_CONTRACT` if the page has too many items.
    func resolve(
        _ page: ServerStatePage, as number: Int, by registry: CellRegistry
    ) throws(Problem) -> ResolvedPage {
        try Problem.mapping { () throws(ContractError) in
            try resolved(page, as: number, by: registry)
        }
    }

    /// Throws the violation if the page has too many items.
    func resolved(
        _ page: ServerStatePage, as number: Int, by registry: CellRegistry
    ) throws(ContractError) -> ResolvedPage {
        let start = clock.now
        let resolved = try ResolvedPage(
            page: page, number: number, registry: registry, limits: limits)
        metrics.resolveDuration.observe(nanoseconds: clock.now.nanoseconds(since: start))
        return resolved
    }

    /// Accepts JSON without a `Content-Type` too, but no content coding, which would need decoding.
    ///
    /// A web page can send a body without a type to any site without asking, so it has to be
    /// something else that sends one.
    private func checkMediaType(of headers: HTTPHeaders) throws(Problem) {
        guard !headers.contains(.contentEncoding) else {
            throw unsupported("Content-Encoding is not supported")
        }
        guard headers.contains(.contentType) else {
            if headers.areOfWebPage { throw unsupported("A web page's Content-Type is missing") }
            return
        }
        guard let type = try? MediaType(contentTypeOf: headers), type.isJSON else {
            throw unsupported("Content-Type is not JSON")
        }
        guard type.charset ?? "utf-8" == "utf-8" else {
            throw unsupported("The charset of the JSON is not UTF-8")
        }
    }

    private func unsupported(_ reason: String) -> Problem {
        Problem(
            .unsupportedMediaType,
            "\(reason); send plain JSON with \"Content-Type: application/json\" and without "
                + "Content-Encoding, as curl --json does.")
    }
}
