import Broadsheet
import BroadsheetHTTP
import BroadsheetIO
import BroadsheetStores

extension Operation {
    static let postEvents = Operation(
        id: "postEvents", method: .post, path: "/v1/screens/{screen}/events", tag: .screens,
        summary: "Takes the events that a client reports, and applies its actions.",
        access: .screen(.events),
        permitsReaders: true,
        parameters: [LayoutParameter.client.openAPI, LayoutParameter.flags.openAPI]
            + .catalog,
        requestSchema: "ClientReport",
        responses: [
            .json(
                "AcceptedEvents", "The events were taken, and the actions applied.",
                status: .accepted, headers: ["Preference-Applied", "Broadsheet-Diagnostics"])
        ],
        problems: .body + [.invalidParameter, .updateFailed, .screenTooLarge, .screenNotFound]
            + .reading + .store,
        handler: EventsEndpoint.post)

    static let getJourney = Operation(
        id: "getJourney", method: .get, path: "/v1/screens/{screen}/journey", tag: .screens,
        summary: "Returns the pages and items of a screen that clients have seen.",
        access: .screen(.read),
        responses: [
            .json("Journey", "The pages and items, in the order of their last reports.")
        ],
        problems: .screen + [.overloaded] + .store,
        handler: EventsEndpoint.journey)
}

/// The handlers of `/v1/screens/{screen}/events` and `/v1/screens/{screen}/journey`.
private enum EventsEndpoint {
    /// Takes the events; all or none.
    static func post(
        _ call: Call, _ service: BroadsheetService
    ) async throws(Problem) -> HTTPResponse {
        let screen = try call.screen()
        let parameters = try LayoutParameters.Partial(
            call.query, limits: service.configuration.parameters
        ).applied()
        try call.caller.check(flags: parameters.flags)
        var report = Reported(
            events: try await service.pages.report(of: call).events,
            parameters: parameters, registry: call.catalog.registry,
            sender: EventSender(call.caller, service.access))
        let reading = call.work.withOwnMemory()
        let snapshot = try await service.screens.existing(screen, by: call.catalog, reading)
        var (revision, outcome) = (snapshot.revision, try await outcome(report, snapshot, call))
        report.handled = try await HandledActions(
            report.events, of: outcome.items, reading.memory, call, service.log)
        var isStored = false
        if outcome.actions.hasOperations || !report.handled.actions.isEmpty {
            (revision, outcome, isStored) = try await call.work.performAll(
                if: snapshot.byteCount > Work.maxInlineCost
            ) { [report] (work) async throws(Problem) in
                var call = call
                call.work = work
                return try await apply(report, to: screen, call, service)
            }
        }
        let forwarded = Self.forwarded(report, outcome, of: screen)
        if let feeds = service.feeds, !forwarded.isEmpty {
            if isStored {
                feeds.noteStored(forwarded.count, of: screen)
            } else {
                let deadline = service.configuration.storeTimeout.map {
                    call.arrival.advanced(by: $0)
                }
                try await StoreDeadline.binding(deadline) { () async throws(Problem) in
                    try await feeds.append(forwarded, to: screen, service.screens)
                }
            }
        }
        service.clientEvents.add(report.events, of: outcome.items)
        service.metrics.count(outcome.diagnostics)
        let now = Double(service.renderer.clock.unixMilliseconds) / 1000
        service.reports.add(
            report.events, forwarding: service.feeds == nil ? outcome.forwarded : [], to: screen,
            by: report.sender, now: now)
        service.receivedEvents.send(report.events, of: screen)
        var response = response(report, revision: revision, outcome.diagnostics, call)
        let count = outcome.diagnostics.counts.total
        if count > 0 { response.headers.append(.diagnostics, String(count)) }
        return response
    }

    private static func response(
        _ report: Reported, revision: UInt64, _ diagnostics: EventDiagnostics, _ call: Call
    ) -> HTTPResponse {
        if Preferences(in: call.request.headers).return == .minimal {
            return HTTPResponse(
                status: .accepted, headers: [.preferenceApplied: "return=minimal"])
        }
        var output = StructuredJSONWriter(reservingCapacity: 64)
        output.object { output in
            output.member("accepted", report.events.count)
            output.member("revision", Int(clamping: revision))
            if !diagnostics.first.isEmpty {
                output.array("diagnostics") { output in
                    for diagnostic in diagnostics.first {
                        output.element()
                        output.object { output in
                            output.member("code", diagnostic.code.rawValue)
                            output.member("pointer", diagnostic.pointer)
                            output.member("detail", diagnostic.detail)
                        }
                    }
                }
            }
        }
        return .json(output.bytes, status: .accepted)
    }

    /// The events of a request, and the parameters of the tree that they are about.
    fileprivate struct Reported: Sendable {
        let events: [PostedEvent]
        /// The parameters of the layout whose tree the client has.
        let parameters: LayoutParameters
        let registry: CellRegistry
        let sender: EventSender
        /// The actions that handlers have made operations of.
        var handled = HandledActions()
    }

    /// The items that events name in a state of the screen, and the actions that are bound there.
    private struct Outcome: Sendable {
        let items: NamedItems
        let actions: BoundActions
        /// The actions whose items an earlier action of the request has removed.
        private var removed: Set<Int> = []
        /// The events that mean nothing.
        private(set) var diagnostics: EventDiagnostics

        /// Creates the outcome of events in a state of the screen.
        ///
        /// - Parameter registry: The registered types, with the budget of the request.
        /// - Throws: `INVALID_CONTRACT` for inputs that do not keep the schemas of their actions.
        init(
            _ report: Reported, in model: PaginatedViewModel, _ registry: CellRegistry
        ) throws(Problem) {
            items = NamedItems(report.events, in: model, report.parameters, report.registry)
            actions = BoundActions(report.events, of: items)
            try Problem.mapping { [actions] () throws(ContractError) in
                try actions.checkInputs(registry.judgementBudget)
            }
            diagnostics = EventDiagnostics(report.events, of: items, report.registry)
        }

        mutating func note(removed: Set<Int>, _ report: Reported) {
            guard !removed.isEmpty else { return }
            self.removed = removed
            diagnostics = EventDiagnostics(
                report.events, of: items, removed: removed, report.registry)
        }

        /// The indexes of the events that a backend receives.
        var forwarded: [Int] { actions.forwarded.filter { !removed.contains($0) } }
    }

    private static func forwarded(
        _ report: Reported, _ outcome: Outcome, of screen: ScreenName
    ) -> [[UInt8]] {
        outcome.forwarded.compactMap {
            ForwardedEvents.data(of: report.events[$0], in: screen, by: report.sender)
        }
    }

    private static func outcome(
        _ report: Reported, _ snapshot: ScreenSnapshot, _ call: Call
    ) async throws(Problem) -> Outcome {
        let cost = WorkCost.search(for: report, in: snapshot.model)
        return try await call.work.perform(cost: cost) { () throws(Problem) in
            try Outcome(report, in: snapshot.model, report.registry.limitedToRequest())
        }
    }

    /// Applies the actions to the screen that other writers left, as one update.
    private static func apply(
        _ report: Reported, to screen: ScreenName, _ call: Call,
        _ service: BroadsheetService
    ) async throws(Problem) -> (UInt64, Outcome, isStored: Bool) {
        let memory = call.work.memory
        let write = ScreenWrite(
            screen: screen, needsPages: true,
            heldBytes: memory.count + call.request.body.count,
            lifetime: service.configuration.screenLifetime)
        let requestBytes = memory.count
        var outcome: Outcome?
        var isStored = false
        let written = try await service.screens.write(write, for: call) {
            base throws(Problem) in
            guard base.head != nil else { throw .screenNotFound(screen) }
            let model = try base.model(of: screen)
            memory.shrink(to: requestBytes)
            let bodyBytes = call.request.body.count
            try await memory.need(
                requestBytes + MemoryCost.updating(model, bodyOf: bodyBytes),
                beside: model.reservedByteCount + bodyBytes)
            let cost =
                WorkCost.search(for: report, in: model)
                + WorkCost.update(
                    of: model, operations: report.events.count, bodyOf: bodyBytes,
                    by: call.catalog.registry)
            let planned = try await call.work.perform(cost: cost) { () throws(Problem) in
                try plan(report, of: model, base, memory, service.configuration)
            }
            outcome = planned.1
            isStored = planned.0 != nil
            var change = planned.0
            if service.feeds != nil {
                change?.forwarded = forwarded(report, planned.1, of: screen)
            }
            return change
        }
        guard let outcome, let revision = written.revision else { throw .screenNotFound(screen) }
        return (revision, outcome, isStored)
    }

    private static func plan(
        _ report: Reported, of model: PaginatedViewModel, _ base: WriteBase,
        _ memory: MemoryReservation, _ configuration: ServiceConfiguration
    ) throws(Problem) -> (PlannedWrite?, Outcome) {
        var outcome = try Outcome(report, in: model, base.registry)
        try checkIndexes(of: report, outcome, base)
        let prepared = PreparedAction.merged(
            try prepared(outcome.actions, memory, base.registry.names, configuration),
            report.handled.actions)
        var removed: Set<Int> = []
        var planned = try base.update(of: model, report.parameters, memory, configuration) {
            updater throws(EditError) in
            for action in prepared {
                if try !updater.apply(action) { removed.insert(action.event) }
            }
        }
        outcome.note(removed: removed, report)
        let applied = prepared.filter { !removed.contains($0.event) }
        planned?.count(applied.lazy.flatMap(\.operations))
        return (planned, outcome)
    }

    private static func prepared(
        _ actions: BoundActions, _ memory: MemoryReservation, _ names: ContractNames,
        _ configuration: ServiceConfiguration
    ) throws(Problem) -> [PreparedAction] {
        let limit = configuration.maxPageBytes
        let byteCount = try mapping { () throws(EditError) in
            try actions.byteCount(limit: limit)
        }
        try memory.add(MemoryCost.indexing(bytes: byteCount) + byteCount)
        let document = try mapping { () throws(EditError) in
            try actions.document(byteCount: byteCount)
        }
        try memory.add(document.nodeCount * MemoryCost.requestNode)
        return try mapping { () throws(EditError) in
            try actions.prepared(document, names: names)
        }
    }

    private static func mapping<Value>(
        _ body: () throws(EditError) -> Value
    ) throws(Problem) -> Value {
        do throws(EditError) { return try body() } catch {
            throw Problem(error, failure: .updateFailed)
        }
    }

    /// Checks that each index of an action means the item that the client saw.
    ///
    /// - Throws: `UPDATE_FAILED` if a page up to that of the item was written, or one before it was
    ///   removed, after the revision that the client had.
    private static func checkIndexes(
        of report: Reported, _ outcome: Outcome, _ base: WriteBase
    ) throws(Problem) {
        guard let history = base.snapshot?.history else { return }
        for index in outcome.actions.indexed + report.handled.indexed {
            guard let seen = report.events[index].revision,
                let page = outcome.items.page(ofEvent: index),
                history.treeRevision(upTo: page, declaresNext: true) > seen
            else { continue }
            throw Problem(
                .impossible(
                    pointer: "/events/\(index)",
                    detail: "A page up to that of the item was written after revision \(seen), so "
                        + "its index may mean another item."),
                failure: .updateFailed)
        }
    }

    static func journey(
        _ call: Call, _ service: BroadsheetService
    ) async throws(Problem) -> HTTPResponse {
        let screen = try await service.reportedScreen(of: call)
        let journey = service.reports.journey(of: screen)
        try await call.work.memory.need(journey.byteCount)
        let bytes = try await call.work.perform(cost: journey.byteCount) { journey.json() }
        guard bytes.count <= service.configuration.maxResponseBytes else {
            throw .responseTooLarge(limit: service.configuration.maxResponseBytes)
        }
        return .json(.bytes(bytes), call.work.memory)
    }
}

extension BroadsheetService {
    /// Returns the screen of a request for what clients have reported.
    ///
    /// - Throws: `SCREEN_NOT_FOUND` for a screen that does not exist, whose reports are dropped.
    func reportedScreen(of call: Call) async throws(Problem) -> ScreenName {
        let screen = try call.screen()
        guard try await screens.head(of: screen) != nil else {
            reports.drop(screen)
            throw .screenNotFound(screen)
        }
        return screen
    }
}

extension PageReader {
    /// Reads the body of a request as events.
    ///
    /// The reservation of the request is made as large as its index and its events.
    ///
    /// - Throws: `UNSUPPORTED_MEDIA_TYPE`, `INVALID_JSON`, `INVALID_CONTRACT` or `OVERLOADED`.
    fileprivate func report(of call: Call) async throws(Problem) -> ClientReport {
        let document = try await document(of: call)
        let count = min(document.root["events"]?.count ?? 0, ClientEvent.maxEvents)
        try await call.work.memory.need(
            document.indexByteCount + document.bytes.count + count * MemoryCost.clientEvent
                + MemoryCost.judgingInput(by: call.catalog.registry))
        return try await call.work.perform(cost: WorkCost.reading(document)) {
            () throws(Problem) in
            try Problem.mapping { () throws(ContractError) in try ClientReport(document) }
        }
    }
}

extension WorkCost {
    /// The cost of comparing an item with the names of events.
    private static let comparedItem = 8
    /// The cost of a page or a section that is passed in the search for one.
    private static let passedSection = 16

    /// The cost of an action: of the judgement of its input, and of a diagnostic of its name.
    private static let action = 4096

    /// Returns the cost of a search for the items that events name, in pages that may have to be
    /// resolved for the client, and of what is said about them.
    fileprivate static func search(
        for report: EventsEndpoint.Reported, in model: PaginatedViewModel
    ) -> Int {
        guard report.events.contains(where: { $0.section != nil }) else { return 0 }
        let actions = report.events.count(where: { $0.type == .action })
        let variants = model.hasConditions ? model.byteCount * report.registry.resolvingFactor : 0
        let items = report.events.contains(where: { $0.item != nil }) ? model.itemCount : 0
        return items * comparedItem
            + (model.pageCount + model.sectionCount) * passedSection + variants + actions * action
    }
}

extension MemoryCost {
    /// The bytes for an event of a request, with the names of its item and of its action, and its
    /// place in the search for items.
    fileprivate static let clientEvent = 768

    /// Returns the memory to judge the inputs of actions, one after another.
    fileprivate static func judgingInput(by registry: CellRegistry) -> Int {
        guard let shared = registry.maxSharedInputSubschemas else { return 0 }
        // A value of JSON has at least two bytes, with what separates it from the next.
        return judging(nodes: ClientEvent.maxInputBytes / 2 + 1, sharing: shared)
    }
}
