package import Broadsheet
import BroadsheetHTTP
import BroadsheetIO
package import BroadsheetStores

/// The operations of a program on the screens of its own server: those of the HTTP API, without
/// requests and keys.
package struct ProgramScreens: Sendable {
    private let service: BroadsheetService
    private var screens: Screens { service.screens }
    private var catalog: ActiveCatalog { service.catalogs.current.unnamed }

    /// The maximum number of runs of an update whose screen other writers change meanwhile.
    package static let maxRuns = 8
    /// The interval at which a screen without events is read, because it may have expired.
    private static let checkInterval = Duration.seconds(15)
    /// The time after which a screen that could not be read is read again.
    static let retryInterval = Duration.seconds(1)

    package init(_ service: BroadsheetService) { self.service = service }

    package var registry: CellRegistry { catalog.registry }

    /// The access of one call, which may reserve memory.
    private var work: Work { service.work(of: .name("program")) }

    /// Stores a page unless the screen has the same bytes; returns the revision after that.
    package func store(
        _ number: Int, _ bytes: [UInt8], in screen: ScreenName, expecting expected: UInt64?
    ) async throws(Problem) -> UInt64 {
        let (configuration, catalog, work) = (service.configuration, catalog, work)
        guard 0...ServerStatePage.maxNumber ~= number else {
            throw .invalidParameter(
                "page", "must be a whole number from 0 to \(ServerStatePage.maxNumber)")
        }
        guard bytes.count <= configuration.maxPageBytes else {
            throw Problem(
                .bodyTooLarge,
                "The page has \(bytes.count) bytes, the limit is \(configuration.maxPageBytes) "
                    + "(--max-body).")
        }
        let page = try await service.pages.page(
            bytes, by: catalog.registry, isStrict: configuration.isStrict, work)
        try page.check(number: number, "the call")
        let write = ScreenWrite(
            screen: screen, page: number, heldBytes: work.memory.count + bytes.count,
            lifetime: configuration.screenLifetime, note: RevisionNote(.putPage))
        let written = try await screens.write(write, by: catalog, work) { base throws(Problem) in
            try base.check(expected)
            if try await isStored(bytes, number, of: screen, base) { return nil }
            return try await page.planned(as: number, into: base, of: screen, in: screens, work)
        }
        note(written.pages, of: screen, catalog)
        return written.revision ?? 0
    }

    private func isStored(
        _ bytes: [UInt8], _ number: Int, of screen: ScreenName, _ base: WriteBase
    ) async throws(Problem) -> Bool {
        guard let page = base.page, page.byteCount == bytes.count else { return false }
        if let snapshot = base.snapshot {
            return snapshot.model.storedPage(number)?.bytes == bytes
        }
        return try await screens.page(number, of: screen, bytesIn: work.memory)?.bytes == bytes
    }

    /// Counts and logs the diagnostics of pages that were written.
    private func note(_ pages: [ResolvedPage], of screen: ScreenName, _ catalog: ActiveCatalog) {
        service.logUnknownUnitTypes(of: pages, of: screen, catalog, in: nil)
        service.metrics.count(DiagnosticCounts(of: pages))
    }

    package func removePage(
        _ number: Int, of screen: ScreenName
    ) async throws(Problem) -> Bool {
        let write = ScreenWrite(
            screen: screen, page: number, lifetime: service.configuration.screenLifetime,
            note: RevisionNote(.deletePage))
        let written = try await screens.write(write, by: catalog, work) { base throws(Problem) in
            base.page == nil ? nil : PlannedWrite(removing: number, from: base)
        }
        return written.before.page != nil
    }

    package func removeAllPages(of screen: ScreenName) async throws(Problem) {
        let write = ScreenWrite(
            screen: screen, lifetime: service.configuration.screenLifetime,
            note: RevisionNote(.deletePages))
        _ = try await screens.write(write, by: catalog, work) { base throws(Problem) in
            base.head?.highestPage == nil ? nil : .removingAllPages
        }
    }

    package func remove(_ screen: ScreenName) async throws(Problem) -> Bool {
        let write = ScreenWrite(screen: screen)
        let written = try await screens.write(write, by: catalog, work) { base throws(Problem) in
            base.head == nil ? nil : .removingScreen
        }
        return written.before.head != nil
    }

    package func laidOut(
        _ screen: ScreenName, _ parameters: LayoutParameters
    ) async throws(Problem) -> (revision: UInt64, laidOut: LaidOutScreen)? {
        let (catalog, work) = (catalog, work)
        guard let snapshot = try await screens.current(screen, by: catalog, work) else {
            return nil
        }
        let model = snapshot.model
        let highest = model.highestPage ?? 0
        try await work.memory.need(work.memory.count + MemoryCost.layout(of: model, upTo: highest))
        let cost = WorkCost.layout(of: model, upTo: highest)
        return try await work.perform(cost: cost) { () throws(Problem) in
            let merged = model.merged(for: parameters, registry: catalog.registry)
            return (snapshot.revision, LaidOutScreen(merged, parameters))
        }
    }
}

// MARK: - Updates

extension ProgramScreens {
    /// An update of a screen that has not been stored.
    package struct Update: Sendable {
        fileprivate let screen: ScreenName
        fileprivate let base: WriteBase
        fileprivate let model: PaginatedViewModel
        fileprivate let memory: MemoryReservation
        fileprivate let service: BroadsheetService
        fileprivate var planned: PlannedWrite?

        /// Runs the operations of a program on the pages, without a lock.
        package mutating func run(
            _ body: (inout ScreenUpdater) throws(EditError) -> Void
        ) throws(Problem) {
            let planned = try base.update(
                of: model, LayoutParameters(), memory, service.configuration, body)
            if service.configuration.isStrict, let planned {
                try service.pages.checkStrictly(planned.pages, by: base.registry)
            }
            self.planned = planned
        }
    }

    /// Throws `SCREEN_NOT_FOUND`, or `PRECONDITION_FAILED` for another revision.
    package func update(
        of screen: ScreenName, expecting expected: UInt64?
    ) async throws(Problem) -> Update {
        let (catalog, work) = (catalog, work)
        let snapshot = try await screens.current(screen, by: catalog, work.withOwnMemory())
        let base = WriteBase(snapshot, page: nil, catalog: catalog)
        try base.check(expected)
        let model = try base.model(of: screen)
        try await work.memory.need(
            MemoryCost.updating(model, bodyOf: 0), beside: model.reservedByteCount)
        return Update(
            screen: screen, base: base, model: model, memory: work.memory, service: service)
    }

    /// Stores an update, and returns the revision; `nil` if another writer has changed the screen
    /// since it began.
    package func commit(_ update: Update) async throws(Problem) -> UInt64? {
        let seen = update.base.head?.revision
        guard let planned = update.planned else {
            let head = try await screens.head(of: update.screen)
            return head?.revision == seen ? seen : nil
        }
        let write = ScreenWrite(
            screen: update.screen, lifetime: service.configuration.screenLifetime,
            note: RevisionNote(.updateScreen))
        var isCurrent = true
        let written = try await screens.write(write, by: update.base.catalog, work) {
            base throws(Problem) in
            isCurrent = base.head?.revision == seen
            return isCurrent ? planned : nil
        }
        guard isCurrent else { return nil }
        note(written.pages, of: update.screen, update.base.catalog)
        return written.revision
    }
}

// MARK: - Events and revisions

extension ProgramScreens {
    /// Takes events as the POST of them does; returns the revision of the screen after them.
    package func take(
        _ body: [UInt8], of screen: ScreenName
    ) async throws(Problem) -> UInt64 {
        guard let target = RequestTarget("/v1/screens/\(screen)/events"),
            let operation = Operation.all.firstIndex(where: { $0.id == Operation.postEvents.id })
        else { throw Problem(.internal, "The screen has no events.") }
        var path = PathParameters()
        path.append("screen", screen.text)
        let request = HTTPRequest(
            head: HTTPRequestHead(
                method: .post, target: target, headers: [.contentType: "application/json"]),
            body: body)
        let call = Call(
            request: request, requestID: service.requestIDs.next(), path: path,
            query: Query(nil), catalog: catalog, operation: operation,
            operationID: Operation.postEvents.id, caller: .anyone,
            access: service.access, arrival: service.clock.now, work: work)
        let response = try await Operation.all[operation].respond(to: call, by: service)
        let revision = (try? JSONDocument(response.body))?.root["revision"]?.int
        return revision.map { UInt64($0) } ?? 0
    }

    /// Waits until the revision of a screen is not the known one, and returns it; `nil` once the
    /// screen does not exist, or if the task is cancelled or the server drains.
    package func revision(
        of screen: ScreenName, after known: UInt64?
    ) async throws(Problem) -> UInt64? {
        while !Task.isCancelled {
            guard let observer = screens.observers.addUnlimited(to: screen) else { return nil }
            defer { screens.observers.remove(observer) }
            guard let head = try await screens.head(of: screen) else { return nil }
            if head.revision != known { return head.revision }
            _ = await screens.observers.wait(observer, atMost: Self.checkInterval)
            if screens.observers.isDraining { return nil }
        }
        return nil
    }

    /// Waits for another revision as ``revision(of:after:)``, also while the store fails or memory
    /// is short.
    package func nextRevision(of screen: ScreenName, after known: UInt64?) async -> UInt64? {
        while !Task.isCancelled {
            do throws(Problem) {
                return try await revision(of: screen, after: known)
            } catch {
                guard let observer = screens.observers.addUnlimited(to: screen) else { return nil }
                defer { screens.observers.remove(observer) }
                _ = await screens.observers.wait(observer, atMost: Self.retryInterval)
                if screens.observers.isDraining { return nil }
            }
        }
        return nil
    }
}

extension RevisionNote {
    fileprivate init(_ operation: Operation) { self.init(operation: operation.id) }
}

extension WriteBase {
    fileprivate func check(_ expected: UInt64?) throws(Problem) {
        guard let expected, head?.revision != expected else { return }
        var problem = Problem(.preconditionFailed, "The screen is at another revision.")
        problem.currentRevision = head?.revision
        throw problem
    }
}
