import Broadsheet
import BroadsheetHTTP
import BroadsheetIO
import BroadsheetStores

/// The screen, the parameters and the headers of a write of pages.
struct WriteOptions: Sendable {
    private let call: Call
    /// The reservation of the request.
    var memory: MemoryReservation { call.work.memory }
    let screen: ScreenName
    let parameters: LayoutParameters
    let preconditions: Preconditions
    /// The lifetime of the screen from this write on; `nil` if the request does not set it.
    let lifetime: ScreenLifetime?
    /// A Boolean value that indicates whether the response has no content: on request (RFC 7240
    /// §4.2), or because the client may not read it.
    let prefersMinimal: Bool
    let validatesOnly: Bool
    let isStrict: Bool
    /// A Boolean value that indicates whether an edit is refused that breaks a unit which was not
    /// broken before: unless all is judged strictly, or the request says that nothing is.
    let judgesEdits: Bool
    /// The lifetime of the screen from this write on, that of the daemon's writes included.
    private let appliedLifetime: ScreenLifetime

    /// Throws the first problem of its path, query and headers, in this order.
    init(_ call: Call, _ configuration: ServiceConfiguration) throws(Problem) {
        self.call = call
        screen = try call.screen()
        parameters = try LayoutParameters.Partial(
            call.query, limits: configuration.parameters
        ).applied()
        validatesOnly = try ParameterReader(call.query).validateOnly()
        isStrict = try call.isStrict(by: configuration)
        let isUnsaid = try ParameterReader(call.query).strict() == nil
        judgesEdits = isUnsaid && !isStrict
        preconditions = try Preconditions(call.request.headers)
        lifetime = try ScreenLifetime(in: call.request.headers)
        prefersMinimal =
            !call.caller.canRead || Preferences(in: call.request.headers).return == .minimal
        appliedLifetime = lifetime ?? configuration.screenLifetime
    }

    /// `page` is `nil` for none, or for the next free number.
    func write(page: Int?, needsPages: Bool, heldBytes: Int) -> ScreenWrite {
        ScreenWrite(
            screen: screen, page: page, needsPages: needsPages, heldBytes: heldBytes,
            lifetime: appliedLifetime, validatesOnly: validatesOnly)
    }
}

/// The responses to writes of pages.
extension WriteOptions {
    /// The reservation of the request grows by the memory for the tree.
    func response(
        to written: CommittedWrite, _ extent: PageExtent, _ status: HTTPStatus,
        _ service: BroadsheetService
    ) async -> HTTPResponse {
        await response(to: written, (status, status)) { () async throws(Problem) in
            guard let snapshot = written.snapshot else { return nil }
            return try await tree(of: extent, in: snapshot, service.renderer)
        }
    }

    /// Returns the changes from all pages before an update to all pages after it.
    func response(
        toUpdate written: CommittedWrite, _ service: BroadsheetService
    ) async -> HTTPResponse {
        await response(to: written, (.ok, .noContent)) { () async throws(Problem) in
            guard let changes = StoredChanges(of: written, parameters) else { return nil }
            try await memory.need(memory.count + MemoryCost.comparing(changes))
            return try await call.work.perform(cost: changes.new.workCost, isRequired: true) {
                () throws(Problem) in
                try service.renderer.changes(
                    ofUpdate: changes, isStored: !validatesOnly, service.screens.history,
                    memory)
            }
        }
    }

    /// `content` returns `nil` if the content is not in memory.
    private func response(
        to written: CommittedWrite, _ status: (content: HTTPStatus, minimal: HTTPStatus),
        _ content: () async throws(Problem) -> LayoutContent?
    ) async -> HTTPResponse {
        let tag = written.revision.map(EntityTags.revision)
        // The write is done, so a content that is too large, or that no client would receive, is
        // omitted and not a problem.
        guard !prefersMinimal, let content = try? await content() else {
            var headers: HTTPHeaders = [.preferenceApplied: "return=minimal"]
            if let tag { headers.append(.etag, tag.description) }
            return HTTPResponse(status: status.minimal, headers: headers)
        }
        return .json(content, status: status.content, tag: tag, memory)
    }

    private func tree(
        of extent: PageExtent, in snapshot: ScreenSnapshot,
        _ renderer: LayoutRenderer
    ) async throws(Problem) -> LayoutContent {
        let layout = try StoredLayout(of: extent, in: snapshot, parameters)
        try await memory.need(
            memory.count + MemoryCost.layout(of: snapshot.model, upTo: layout.page))
        return try await call.work.perform(cost: layout.workCost, isRequired: true) {
            () throws(Problem) in
            try renderer.uncachedContent(of: layout, as: .tree, memory, checksSections: false)
        }
    }

    /// Returns a response with the number of diagnostics of the pages that were written, and logs
    /// the unknown unit types of the first ones that have any.
    func reporting(
        _ response: HTTPResponse, of pages: [ResolvedPage], _ service: BroadsheetService
    ) -> HTTPResponse {
        if !validatesOnly {
            service.logUnknownUnitTypes(of: pages, of: screen, call.catalog, in: call)
        }
        return response.reporting(DiagnosticCounts(of: pages), in: service.metrics)
    }
}

extension DiagnosticCounts {
    init(of pages: [ResolvedPage]) {
        self.init()
        for page in pages { add(page.diagnosticCounts) }
    }
}

extension WriteOptions {
    /// The maximum number of pages of a write whose unknown unit types are logged.
    static let maxLoggedPages = 10
}

extension BroadsheetService {
    /// `call` is the request that writes; `nil` for the program.
    func logUnknownUnitTypes(
        of pages: [ResolvedPage], of screen: ScreenName, _ catalog: ActiveCatalog, in call: Call?
    ) {
        let unknown = pages.lazy.filter { !$0.unknownUnitTypes.isEmpty }
        for page in unknown.prefix(WriteOptions.maxLoggedPages) {
            logUnknownUnitTypes(
                of: page, as: "page \(page.number) of screen \(screen)", catalog, in: call)
        }
    }

    func logUnknownUnitTypes(
        of page: ResolvedPage, as name: String, _ catalog: ActiveCatalog, in call: Call?
    ) {
        guard var record = LogRecord(unknownUnitTypesOf: page, in: name, catalog) else { return }
        if let call { record.add(call, from: configuration.clientAddress(of: call.request)) }
        log.write(record)
    }
}

extension Call {
    /// Reads whether pages are judged strictly: the parameter, or the daemon's setting without it.
    func isStrict(by configuration: ServiceConfiguration) throws(Problem) -> Bool {
        try ParameterReader(query).strict() ?? configuration.isStrict
    }
}
