import Broadsheet
import BroadsheetHTTP
import BroadsheetIO
import BroadsheetStores

extension Operation {
    static let updateScreen = Operation(
        id: "updateScreen", method: .post, path: "/v1/screens/{screen}/updates", tag: .screens,
        summary: "Edits a screen by its sections and items, in one revision.",
        access: .screen(.write),
        parameters: .layout + .conditions + [.lifetime, .validateOnly, .strict],
        concernsWholeScreen: true,
        requestSchema: "ScreenUpdate",
        responses: [
            .json(
                "Changes",
                "The operations were applied. The changes of all pages by this very update.",
                headers: ["ETag", "Broadsheet-Diagnostics"]),
            OpenAPIResponse(
                .noContent,
                "The same with Prefer: return=minimal, or for changes that are too large.",
                headers: ["ETag", "Preference-Applied", "Broadsheet-Diagnostics"]),
        ],
        problems: .body + [.invalidParameter, .updateFailed, .screenTooLarge, .screenNotFound]
            + .condition + .reading + .store,
        handler: UpdatesEndpoint.update)
}

/// The handler of `/v1/screens/{screen}/updates`.
private enum UpdatesEndpoint {
    /// Applies all operations, or none, to the screen that other writers left.
    static func update(
        _ call: Call, _ service: BroadsheetService
    ) async throws(Problem) -> HTTPResponse {
        let options = try WriteOptions(call, service.configuration)
        let memory = call.work.memory
        let update = try await service.pages.update(of: call)
        let requestBytes = memory.count
        let written = try await service.screens.write(
            options.write(
                page: nil, needsPages: true, heldBytes: requestBytes + call.request.body.count),
            for: call
        ) { base throws(Problem) in
            try options.preconditions.checkWrite(of: base, targetExists: base.head != nil)
            guard base.head != nil else { throw .screenNotFound(options.screen) }
            let model = try base.model(of: options.screen)
            memory.shrink(to: requestBytes)
            try await memory.need(
                requestBytes + MemoryCost.updating(model, bodyOf: call.request.body.count),
                beside: model.reservedByteCount + call.request.body.count)
            let cost = WorkCost.update(
                of: model, operations: update.operations.count,
                bodyOf: call.request.body.count, by: call.catalog.registry)
            return try await call.work.perform(cost: cost) { () throws(Problem) in
                try plan(update, of: model, base, options, service)
            }
        }
        let response = await options.response(toUpdate: written, service)
        return options.reporting(response, of: written.pages, service)
    }

    /// Returns the write of the edited pages, or `nil` if every byte stays as it was.
    private static func plan(
        _ update: ScreenUpdate, of model: PaginatedViewModel, _ base: WriteBase,
        _ options: WriteOptions, _ service: BroadsheetService
    ) throws(Problem) -> PlannedWrite? {
        let planned = try base.update(
            of: model, options.parameters, options.memory, service.configuration
        ) {
            updater throws(EditError) in
            updater.judgesOperations = options.judgesEdits
            for operation in update.operations { try updater.apply(operation) }
        }
        if var planned {
            if options.isStrict {
                try service.pages.checkStrictly(planned.pages, by: base.registry)
            }
            planned.count(update.operations)
            return planned
        }
        guard options.lifetime != nil else { return nil }
        // A lifetime is set by a write, so the page that was written last is written as it is.
        guard model.hasPageData else { return .removingAllPages }
        return try PlannedWrite(
            of: [model.page], in: model, after: base, service.configuration)
    }
}

extension WriteBase {
    /// Returns the write of the pages that operations change, or `nil` if every byte stays as it
    /// was.
    ///
    /// - Parameters:
    ///   - parameters: The parameters of the layout whose tree is edited.
    ///   - apply: Applies the operations.
    /// - Throws: `UPDATE_FAILED` if one cannot be done; `INVALID_CONTRACT`, `SCREEN_TOO_LARGE` or
    ///   `OVERLOADED` for a limit.
    func update(
        of model: PaginatedViewModel, _ parameters: LayoutParameters,
        _ memory: MemoryReservation, _ configuration: ServiceConfiguration,
        _ apply: (inout ScreenUpdater) throws(EditError) -> Void
    ) throws(Problem) -> PlannedWrite? {
        let requestBytes = memory.count
        defer { memory.shrink(to: requestBytes) }
        var edited = model
        defer { edited.directory?.takeMemory(from: memory) }
        let numbers: [Int]
        let limits = configuration.editLimits
        var refusal: Problem?
        do throws(EditError) {
            numbers = try edited.update(
                parameters, registry: registry, limits: limits,
                reserving: { stage in
                    let maxItems = limits.page.maxItems
                    let needed =
                        memory.count
                        + MemoryCost.editing(stage, maxItems: maxItems, by: registry)
                    if memory.resize(to: needed) { return true }
                    refusal = memory.refusal(
                        of: needed, beside: model.reservedByteCount, for: .pages)
                    return false
                },
                apply)
        } catch {
            throw refusal ?? Problem(error, failure: .updateFailed)
        }
        guard !numbers.isEmpty else { return nil }
        for number in numbers { edited.storedPage(number)?.takeMemory(from: memory) }
        return try PlannedWrite(of: numbers, in: edited, after: self, configuration)
    }
}

extension PageReader {
    /// Reads the body of a request as an update.
    ///
    /// The reservation of the request is made as large as its index and what edits make of its
    /// values.
    ///
    /// - Throws: `UNSUPPORTED_MEDIA_TYPE`, `INVALID_JSON`, `INVALID_CONTRACT` or `OVERLOADED`.
    fileprivate func update(of call: Call) async throws(Problem) -> ScreenUpdate {
        let document = try await document(of: call)
        try await call.work.memory.need(
            document.indexByteCount + document.nodeCount * MemoryCost.requestNode)
        return try await call.work.perform(cost: WorkCost.reading(document)) {
            () throws(Problem) in
            try Problem.mapping { () throws(ContractError) in
                try ScreenUpdate(document, names: call.catalog.registry.names)
            }
        }
    }
}

extension PageReader {
    /// Throws `INVALID_CONTRACT` with the violations of the first page that has any.
    func checkStrictly(
        _ pages: [ResolvedPage], by registry: CellRegistry
    ) throws(Problem) {
        for page in pages {
            do {
                let document = try JSONDocument(page.bytes, maxDepth: limits.maxDepth)
                try ServerStatePage(document, names: registry.names, limits: limits)
                    .checkStrictly(by: registry)
            } catch let error as ContractError {
                throw Problem(error)
            } catch {
                throw Problem(.internal, "The edited page \(page.number) cannot be read again.")
            }
        }
    }
}

extension WorkCost {
    /// Returns the largest cost of an update of a screen: the request, all pages, and for each
    /// operation a pass over the sections and the items.
    static func update(
        of model: PaginatedViewModel, operations: Int, bodyOf count: Int, by registry: CellRegistry
    ) -> Int {
        let parts = model.pageCount + model.sectionCount
        return (count + model.byteCount) * registry.resolvingFactor + parts * entry
            + operations * (parts + model.itemCount)
    }
}
