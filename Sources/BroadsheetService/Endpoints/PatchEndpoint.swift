import Broadsheet
import BroadsheetHTTP
import BroadsheetIO
import BroadsheetStores

extension Operation {
    static let patchPage = Operation(
        id: "patchPage", method: .patch, path: "/v1/screens/{screen}/pages/{page}", tag: .screens,
        summary: "Changes a page in place by a JSON Patch or a JSON Merge Patch.",
        access: .screen(.write),
        parameters: .layout + .conditions + [.lifetime, .validateOnly, .strict],
        requestPatches: PatchMedia.allCases,
        responses: [.stored(.ok, "The page was changed, or already was as requested.")],
        problems: .body + [.invalidParameter, .invalidPatch, .patchFailed, .screenTooLarge]
            + [.screenNotFound, .pageNotFound] + .condition + .reading + .store,
        handler: { (call, service) async throws(Problem) in
            try await PatchEndpoint(call: call, service: service).patch()
        })
}

/// The media types of patches of a page.
enum PatchMedia: String, Sendable, Hashable, CaseIterable {
    /// Operations by path (RFC 6902).
    case operations = "application/json-patch+json"
    /// A merge patch (RFC 7396).
    case merge = "application/merge-patch+json"

    /// The value of `Accept-Patch` (RFC 5789 §3.1).
    static let accepted = allCases.map(\.rawValue).joined(separator: ", ")

    var schema: String {
        switch self {
        case .operations: "JSONPatch"
        case .merge: "MergePatch"
        }
    }

    /// Throws `UNSUPPORTED_MEDIA_TYPE` for another type, or for encoded content.
    init(of headers: HTTPHeaders) throws(Problem) {
        let type = try Problem.mapping { () throws(HTTPError) in
            try MediaType(contentTypeOf: headers)
        }
        let media = type.flatMap { Self(rawValue: "\($0.type)/\($0.subtype)") }
        guard let media, type?.charset ?? "utf-8" == "utf-8",
            !headers.contains(.contentEncoding)
        else {
            var problem = Problem(
                .unsupportedMediaType, "A patch is sent as plain \(Self.accepted).")
            problem.acceptPatch = Self.accepted
            throw problem
        }
        self = media
    }
}

/// The judgement of a patched page.
private enum PatchJudgement {
    case nothing
    /// All units are judged, as in strict mode.
    case whole
    /// Units that are not as they were in these bytes have no violations that they did not have.
    case changes(since: [UInt8], LayoutParameters)

    /// The bytes of the page before that are read; none if they are not needed.
    var earlier: [UInt8] {
        if case .changes(let bytes, _) = self { bytes } else { [] }
    }
}

extension WriteOptions {
    fileprivate func judgement(since bytes: [UInt8]) -> PatchJudgement {
        if isStrict { return .whole }
        return judgesEdits ? .changes(since: bytes, parameters) : .nothing
    }
}

/// The handler of PATCH of `/v1/screens/{screen}/pages/{page}`.
private struct PatchEndpoint {
    let call: Call
    let service: BroadsheetService

    /// The reservation of the request.
    private var memory: MemoryReservation { call.work.memory }

    /// Changes the page; returns 200, also if every byte stays as it was.
    func patch() async throws(Problem) -> HTTPResponse {
        let number = try call.page()
        let options = try WriteOptions(call, service.configuration)
        let patch = try await service.pages.patch(of: call)
        let requestBytes = memory.count
        let pageMemory = MemoryReservation(in: service.memory, for: .work)
        defer { withExtendedLifetime(pageMemory) {} }
        var unchanged: ResolvedPage?
        let screens = service.screens
        let written = try await screens.write(
            options.write(
                page: number, needsPages: !options.prefersMinimal,
                heldBytes: requestBytes + call.request.body.count), for: call
        ) { base throws(Problem) in
            let tag = base.pageTag(of: options.screen, seal: service.renderer.seal)
            try options.preconditions.checkWrite(of: base, page: tag, targetExists: tag != nil)
            guard base.head != nil else { throw .screenNotFound(options.screen) }
            guard tag != nil else { throw .pageNotFound(number, options.screen) }
            let before = try await storedBytes(of: number, base, options.screen, pageMemory)
            memory.shrink(to: requestBytes)
            let pages = base.snapshot?.model.reservedByteCount ?? pageMemory.count
            let bytes = try await patched(before, by: patch, beside: pages)
            let isUnchanged = bytes == before && options.lifetime == nil
            unchanged = isUnchanged ? base.pages(number).first : nil
            guard unchanged == nil else { return nil }
            let changed = try await resolved(
                bytes, as: number, isUnchanged ? .nothing : options.judgement(since: before))
            guard !isUnchanged else {
                unchanged = changed
                return nil
            }
            let complete = try await screens.completed(
                base, toPut: changed, in: options.screen, holding: memory.count, call.work)
            return try PlannedWrite(putting: changed, into: complete, screens.configuration)
        }
        let pages = unchanged.map { [$0] } ?? written.pages
        let response = await options.response(
            to: written, .upTo(number), .ok, service)
        return options.reporting(response, of: pages, service)
    }

    /// Returns the bytes of the stored page; if the pages are not in memory, only it is read.
    ///
    /// The write is refused by the store, and begins again, if the screen has changed since.
    ///
    /// - Parameter memory: The reservation for the bytes that are read.
    private func storedBytes(
        of number: Int, _ base: WriteBase, _ screen: ScreenName, _ memory: MemoryReservation
    ) async throws(Problem) -> [UInt8] {
        memory.shrink(to: 0)
        let isRead = base.snapshot == nil && base.excess == nil
        let bytes =
            isRead
            ? try await service.screens.page(number, of: screen, bytesIn: memory)?.bytes
            : try base.model(of: screen).storedPage(number)?.bytes
        guard let bytes else { throw .pageNotFound(number, screen) }
        return bytes
    }

    /// Returns the bytes of a page after the patch, which the reservation then has besides the
    /// request.
    private func patched(
        _ page: [UInt8], by patch: PagePatch, beside others: Int
    ) async throws(Problem) -> [UInt8] {
        let limits = service.configuration.editLimits
        let (before, body) = (memory.count, call.request.body.count)
        try await memory.need(
            before + MemoryCost.patching(page, by: patch, bodyOf: body, limits),
            beside: others + body)
        let bytes = try await call.work.perform(cost: page.count + body) {
            () throws(Problem) in
            do throws(EditError) {
                return try patch.applied(to: page, limits: limits)
            } catch {
                throw Problem(error, failure: .patchFailed)
            }
        }
        memory.shrink(to: before + bytes.count)
        return bytes
    }

    /// Returns the page of edited bytes, which takes its memory from the reservation.
    private func resolved(
        _ bytes: [UInt8], as number: Int, _ judgement: PatchJudgement
    ) async throws(Problem) -> ResolvedPage {
        let (pages, registry) = (service.pages, call.catalog.registry.limitedToRequest())
        let before = memory.count - bytes.count
        let judged = judgement.earlier.count
        try await memory.need(
            memory.count + MemoryCost.indexing(bytes: bytes.count)
                + MemoryCost.indexing(bytes: judged) + judged)
        let cost = (bytes.count + judged) * registry.resolvingFactor
        return try await call.work.perform(cost: cost) { () throws(Problem) in
            defer { memory.shrink(to: before) }
            let document = try pages.document(ofEdited: bytes)
            memory.shrink(to: before + bytes.count + MemoryCost.indexing(bytes: judged) + judged)
            try memory.add(
                MemoryCost.reading(document, maxItems: pages.limits.maxItems, by: registry))
            let page = try pages.page(document, as: number, by: registry, judgement)
            page.takeMemory(from: memory)
            return page
        }
    }
}

extension PageReader {
    /// Reads the body of a request as a patch.
    ///
    /// The reservation of the request is made as large as the index and what edits make of its
    /// values.
    ///
    /// - Throws: `UNSUPPORTED_MEDIA_TYPE`, `INVALID_JSON`, `INVALID_PATCH` or `OVERLOADED`.
    fileprivate func patch(of call: Call) async throws(Problem) -> PagePatch {
        let media = try PatchMedia(of: call.request.headers)
        let document = try await document(of: call.request.body, call.work.memory)
        try await call.work.memory.need(
            document.indexByteCount + document.nodeCount * MemoryCost.requestNode)
        guard media == .operations else { return .merge(document) }
        do throws(ContractError) {
            return .operations(try JSONPatch(document))
        } catch {
            throw Problem(.invalidPatch, violations: error.violations, total: error.total)
        }
    }

    /// Throws `INVALID_CONTRACT` if the bytes are nested too deep.
    fileprivate func document(ofEdited bytes: [UInt8]) throws(Problem) -> JSONDocument {
        do throws(JSONError) {
            return try JSONDocument(bytes, maxDepth: limits.maxDepth)
        } catch {
            throw Problem(
                EditError.tooLarge(
                    pointer: "", detail: "The page would not be JSON within the limits."),
                failure: .patchFailed)
        }
    }

    /// Reads a page before it was edited, which may exceed limits; `nil` if it is not a page.
    private func earlierPage(_ bytes: [UInt8], by registry: CellRegistry) -> ServerStatePage? {
        guard let document = try? JSONDocument(bytes, maxDepth: .max) else { return nil }
        var limits = limits
        limits.maxSections = .max
        return try? ServerStatePage(document, names: registry.names, limits: limits)
    }

    /// Reads an edited page, and resolves it.
    ///
    /// - Throws: `INVALID_CONTRACT` if it is not a page of that number, or a judgement finds
    ///   violations.
    fileprivate func page(
        _ document: JSONDocument, as number: Int, by registry: CellRegistry,
        _ judgement: PatchJudgement
    ) throws(Problem) -> ResolvedPage {
        let page: ServerStatePage
        do throws(ContractError) {
            page = try ServerStatePage(document, names: registry.names, limits: limits)
            switch judgement {
            case .nothing: break
            case .whole: try page.checkStrictly(by: registry)
            case .changes(let earlier, let parameters):
                // A page that a later catalog cannot read has nothing that could be broken.
                if let earlier = earlierPage(earlier, by: registry) {
                    try page.checkChanges(since: earlier, parameters, by: registry)
                }
            }
        } catch {
            throw Problem(error)
        }
        guard page.number ?? number == number else {
            throw .violation(at: "/page", "must stay \(number), the number in the path")
        }
        return try resolve(page, as: number, by: registry)
    }
}

extension HTTPResponse {
    /// Creates the response to OPTIONS; with `Accept-Patch` for a resource that can be patched
    /// (RFC 5789 §3.1).
    static func options(allow: [HTTPMethod]) -> HTTPResponse {
        var headers: HTTPHeaders = [.allow: allow.map(\.token).joined(separator: ", ")]
        if allow.contains(.patch) { headers.append(.acceptPatch, PatchMedia.accepted) }
        return HTTPResponse(status: .noContent, headers: headers)
    }
}
