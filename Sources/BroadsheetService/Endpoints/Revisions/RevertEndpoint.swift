import Broadsheet
import BroadsheetHTTP
import BroadsheetIO
import BroadsheetStores

extension Operation {
    static let revertScreen = Operation(
        id: "revertScreen", method: .post, path: "/v1/screens/{screen}/revert", tag: .screens,
        summary: "Makes the pages of an earlier revision those of the screen, in one revision.",
        access: .screen(.write),
        parameters: .layout + .conditions + [.lifetime, .validateOnly, .strict],
        concernsWholeScreen: true,
        requestSchema: "RevertRequest",
        responses: [
            .json(
                "Changes", "The screen has the pages of that revision. The changes of all pages.",
                headers: ["ETag", "Broadsheet-Diagnostics"]),
            OpenAPIResponse(
                .noContent,
                "The same with Prefer: return=minimal, or for changes that are too large.",
                headers: ["ETag", "Preference-Applied", "Broadsheet-Diagnostics"]),
        ],
        problems: .body
            + [.invalidParameter, .screenTooLarge, .screenNotFound, .revisionNotFound]
            + .condition + .reading + .store,
        handler: RevertEndpoint.revert)
}

/// The handler of `/v1/screens/{screen}/revert`.
private enum RevertEndpoint {
    /// Stores the pages of an earlier revision that are others than the current ones, and removes
    /// those that it did not have.
    static func revert(
        _ call: Call, _ service: BroadsheetService
    ) async throws(Problem) -> HTTPResponse {
        let options = try WriteOptions(call, service.configuration)
        let revision = try await service.pages.revision(of: call)
        let written = try await service.screens.write(
            options.write(
                page: nil, needsPages: true,
                heldBytes: options.memory.count + call.request.body.count),
            for: call
        ) { base throws(Problem) in
            try options.preconditions.checkWrite(of: base, targetExists: base.head != nil)
            guard base.head != nil else { throw .screenNotFound(options.screen) }
            _ = try base.model(of: options.screen)
            return try await plan(revision, of: options, base, call.work, service)
        }
        let response = await options.response(toUpdate: written, service)
        return options.reporting(response, of: written.pages, service)
    }

    /// Returns the write of the pages of a revision, or `nil` if every byte stays as it is.
    private static func plan(
        _ revision: UInt64, of options: WriteOptions, _ base: WriteBase, _ work: Work,
        _ service: BroadsheetService
    ) async throws(Problem) -> PlannedWrite? {
        let held = MemoryReservation(in: service.memory, for: .work)
        let found = try await earlierPages(at: revision, of: options, service, in: held)
        guard let found else { throw .revisionNotFound(revision, options.screen) }
        var draft = RevertDraft(service.pages, base.registry, isStrict: options.isStrict)
        var pages: [ResolvedPage] = []
        for stored in found.pages {
            if let current = base.snapshot?.model.storedPage(stored.number),
                current.bytes == stored.bytes
            {
                pages.append(current)
            } else if let page = try await draft.page(of: stored, work.withOwnMemory()) {
                pages.append(page)
            }
        }
        try draft.checkViolations()
        guard !pages.isEmpty || base.head?.highestPage != nil || options.lifetime != nil else {
            return nil
        }
        var planned = PlannedWrite.removingAllPages
        if !pages.isEmpty {
            do throws(Problem) {
                planned = try PlannedWrite(
                    replacingAllBy: pages, in: base, service.configuration)
            } catch {
                throw error.about(pages, beyond: service.configuration.limits, base.head?.size)
            }
            if planned.isNeedless(after: base), options.lifetime == nil { return nil }
        }
        planned.revertedTo = revision
        return withExtendedLifetime(held) { planned }
    }

    /// Returns the pages of a revision; `nil` if that is not kept.
    ///
    /// Of the limits only those in bytes count here: the others are judged with the pages.
    ///
    /// - Throws: `SCREEN_TOO_LARGE`, or `INVALID_CONTRACT` with the number of the page.
    private static func earlierPages(
        at revision: UInt64, of options: WriteOptions, _ service: BroadsheetService,
        in memory: MemoryReservation
    ) async throws(Problem) -> StoredScreen? {
        var limits = service.configuration.readLimits
        let all = ReadLimits.unlimited.screen
        (limits.screen.pageCount, limits.screen.counts) = (all.pageCount, all.counts)
        do throws(Problem) {
            return try await service.screens.earlierPart(
                options.screen, at: revision, .all, in: memory, within: limits)
        } catch {
            guard let excess = error.excess else { throw error }
            throw .ofRevision(excess)
        }
    }
}

/// The pages of an earlier revision while they are judged as PUT would.
private struct RevertDraft {
    private let reader: PageReader
    private let registry: CellRegistry
    private let isStrict: Bool
    private var violations: [(page: Int, violation: ContractViolation)] = []
    private var total = 0

    init(_ reader: PageReader, _ registry: CellRegistry, isStrict: Bool) {
        self.reader = reader
        self.registry = registry
        self.isStrict = isStrict
    }

    /// Resolves a page; `nil` if it has violations.
    ///
    /// - Throws: `OVERLOADED` without memory for it; the error of a lost connection.
    mutating func page(
        of stored: StoredPage, _ work: Work
    ) async throws(Problem) -> ResolvedPage? {
        let (reader, registry, isStrict) = (reader, registry, isStrict)
        try await work.memory.need(MemoryCost.indexing(bytes: stored.bytes.count))
        let document: JSONDocument
        do throws(Problem) {
            document = try reader.index(stored.bytes)
        } catch {
            guard error.code == .invalidJSON else { throw error }
            violations.append((stored.number, Self.violation("cannot be read: \(error.detail)")))
            total += 1
            return nil
        }
        try await work.memory.need(
            stored.bytes.count
                + MemoryCost.reading(document, maxItems: reader.limits.maxItems, by: registry))
        let cost = WorkCost.reading(document, by: registry)
        let result = try await work.perform(cost: cost) { () throws(Problem) in
            Result { () throws(ContractError) in
                let page = try reader.page(document, by: registry, isStrict: isStrict)
                return try reader.resolved(page, as: stored.number, by: registry)
            }
        }
        switch result {
        case .success(let page):
            page.takeMemory(from: work.memory)
            return page
        case .failure(let error):
            violations += error.violations.map { (stored.number, $0) }
            total += error.total
            return nil
        }
    }

    private static func violation(_ detail: String) -> ContractViolation {
        ContractViolation(pointer: "", detail: detail)
    }

    func checkViolations() throws(Problem) {
        guard total > 0 else { return }
        var problem = Problem(
            .invalidContract, violations: violations.map(\.violation), total: total)
        problem.errorPages = violations.prefix(problem.errors.count).map(\.page)
        problem.detail = "The pages of that revision cannot be stored any more: " + problem.detail
        throw problem
    }
}

extension Problem {
    fileprivate static func ofRevision(_ excess: ReadExcess) -> Problem {
        let reason = excess.detail.replacing("the stored screen", with: "that revision")
        switch excess.quantity {
        case .pageBytes(let page), .depth(let page):
            var problem = violation(reason)
            (problem.errorPages, problem.detail) = ([page], "\(reason).")
            return problem
        case .screenBytes, .pages, .sections, .items, .memory:
            return Problem(.screenTooLarge, "\(reason).")
        }
    }

    /// Returns the problem with the number of the page that is too many, or has too much, if a
    /// limit of screens is the reason.
    ///
    /// - Parameters:
    ///   - pages: The pages of the screen, ascending.
    ///   - size: The size of the screen before the write, up to which it may exceed them.
    fileprivate func about(
        _ pages: [ResolvedPage], beyond limits: ScreenLimits, _ size: ScreenSize?
    ) -> Problem {
        guard code == .invalidContract, errors.count == 1, errors[0].pointer.isEmpty else {
            return self
        }
        var (sections, items) = (0, 0)
        let first = pages.enumerated().first { index, page in
            sections += page.sectionCount
            items += page.itemCount
            return index >= max(limits.maxPages, size?.pageCount ?? 0)
                || sections > max(limits.maxSections, size?.counts?.sections ?? 0)
                || items > max(limits.maxItems, size?.counts?.items ?? 0)
        }
        var problem = self
        problem.errorPages = first.map { [$0.element.number] } ?? []
        return problem
    }
}

extension PageReader {
    /// Reads the body of a request as that of a revert.
    ///
    /// The reservation of the request is made as large as its index.
    ///
    /// - Throws: `UNSUPPORTED_MEDIA_TYPE`, `INVALID_JSON`, `INVALID_CONTRACT` or `OVERLOADED`.
    fileprivate func revision(of call: Call) async throws(Problem) -> UInt64 {
        let document = try await document(of: call)
        let value = document.root["revision"]
        if let number = value?.int, number > 0 { return UInt64(number) }
        var violations = ComposeViolations()
        violations.add(
            "/revision", value == nil ? "is missing" : "must be a whole number above 0",
            at: value ?? document.root)
        throw violations.problem
    }
}
