public import Broadsheet
public import BroadsheetClient
import BroadsheetService
import BroadsheetStores

/// The screens of a server, by their names.
///
///     let revision = try await server.screens["board"].update { updater in
///         try updater.patchItem(section: "Lunch", item: "soup", with: ["price": 6])
///     }
public struct ServerScreens: Sendable {
    let server: RunningServer

    /// Returns the screen of a name, which need not exist; an invalid name fails at its use.
    public subscript(name: String) -> ServerScreen { ServerScreen(name: name, server: server) }

    /// The events of all screens that this process accepts from the access of the property on.
    ///
    /// Of those that are not read, the newest 1000 are kept. The stream ends with the server.
    public var events: AsyncStream<ReceivedEvent> { server.events() }
}

/// A screen of a server, as the program of the server uses it.
///
/// Each function is the operation of the HTTP API without HTTP: the limits, the strictness, the
/// lifetime of screens, streams and changes are the same, and keys do not apply. What leaves every
/// byte as it is writes nothing: the revision stays, and the lifetime does not begin again. Each
/// function waits until the server listens.
public struct ServerScreen: Sendable {
    /// The name.
    public let name: String
    let server: RunningServer

    /// The events of the screen that this process accepts from the access of the property on, as
    /// ``ServerScreens/events``.
    public var events: AsyncStream<ReceivedEvent> { server.events(of: name) }

    /// The revisions of the screen: the current one, and then the newest whenever it is read.
    ///
    /// The stream ends with the screen, and with the server; a failure of the store is waited for.
    public var revisions: AsyncStream<UInt64> {
        let follower = RevisionFollower(screen: self)
        return AsyncStream { await follower.next() }
    }
}

// MARK: - Pages

extension ServerScreen {
    /// Stores a page of models, or replaces it.
    ///
    /// - Parameters:
    ///   - number: The number of the page.
    ///   - hasNext: A Boolean value that indicates whether more pages exist after it.
    ///   - expected: The revision that the screen has to have; `nil` for any, or none.
    ///   - sections: The sections.
    /// - Returns: The revision of the screen after that; the same if every byte stays as it is.
    @discardableResult
    public func loadPage(
        _ number: Int, hasNext: Bool = false, expecting expected: UInt64? = nil,
        sections: [any ServerStateSectionRepresentable]
    ) async throws(ScreenError) -> UInt64 {
        let (program, screen) = try await access()
        let page: ServerStatePage
        do throws(ModelPageError) {
            // The page is checked by the limits of the server when it is stored.
            page = try ServerStatePage(
                hasNext: hasNext, sections: sections, names: program.registry.names,
                limits: ScreenLimits(maxDepth: .max, maxSections: .max, maxItems: .max))
        } catch { throw .invalidPage(error) }
        return try await mapping { () async throws(Problem) in
            try await program.store(number, page.postedBytes, in: screen, expecting: expected)
        }
    }

    /// Stores a page that a backend has made, or replaces it.
    ///
    /// - Returns: The revision of the screen after that; the same if every byte stays as it is.
    @discardableResult
    public func loadPage(
        _ number: Int, _ page: ServerStatePage, expecting expected: UInt64? = nil
    ) async throws(ScreenError) -> UInt64 {
        let (program, screen) = try await access()
        return try await mapping { () async throws(Problem) in
            try await program.store(number, page.postedBytes, in: screen, expecting: expected)
        }
    }

    /// Stores a page that is built in code, or replaces it.
    ///
    /// The registry of the server has to have its cell types declared, and a custom layout of a
    /// section set for the section's id (`CellRegistry.setLayout(_:forSection:)`); otherwise the
    /// error is ``ScreenError/invalidPage(_:)``.
    ///
    /// - Parameters:
    ///   - number: The number of the page.
    ///   - hasNext: A Boolean value that indicates whether more pages exist after it.
    ///   - expected: The revision that the screen has to have; `nil` for any, or none.
    ///   - content: Appends the sections, in the isolation of the caller.
    /// - Returns: The revision of the screen after that; the same if every byte stays as it is.
    /// - Throws: ``ScreenError``, or the error of `content`.
    @discardableResult
    public nonisolated(nonsending) func loadPage<E: Error>(
        _ number: Int, hasNext: Bool = false, expecting expected: UInt64? = nil,
        _ content: (inout PageBuilder) throws(E) -> Void
    ) async throws -> UInt64 {
        let built = try ResolvedPage.build(number: number, hasNext: hasNext, content)
        return try await store(built, expecting: expected)
    }

    private func store(
        _ built: ResolvedPage, expecting expected: UInt64?
    ) async throws(ScreenError) -> UInt64 {
        let (program, screen) = try await access()
        let bytes: [UInt8]
        do throws(ModelPageError) {
            bytes = try built.contractBytes(declaredIn: program.registry)
        } catch { throw .invalidPage(error) }
        return try await mapping { () async throws(Problem) in
            try await program.store(built.number, bytes, in: screen, expecting: expected)
        }
    }

    /// Removes a page.
    ///
    /// - Returns: `false` if there is no such page.
    @discardableResult
    public func removePage(_ number: Int) async throws(ScreenError) -> Bool {
        let (program, screen) = try await access()
        return try await mapping { () async throws(Problem) in
            try await program.removePage(number, of: screen)
        }
    }

    /// Removes all pages; the screen remains, if there is one.
    public func removeAllPages() async throws(ScreenError) {
        let (program, screen) = try await access()
        try await mapping { () async throws(Problem) in
            try await program.removeAllPages(of: screen)
        }
    }

    /// Removes the screen.
    ///
    /// - Returns: `false` if there is no such screen.
    @discardableResult
    public func remove() async throws(ScreenError) -> Bool {
        let (program, screen) = try await access()
        return try await mapping { () async throws(Problem) in
            try await program.remove(screen)
        }
    }
}

// MARK: - Edits, events and trees

extension ServerScreen {
    /// Edits all pages in one revision, by the tree that a layout without parameters has.
    ///
    /// The body runs without a lock, in the isolation of the caller. Without `expected` it runs
    /// again if another writer was first, 8 times in all, so it has no other effects.
    ///
    /// - Parameters:
    ///   - expected: The revision that the screen has to have; `nil` for any.
    ///   - body: Applies operations, each to what those before it left.
    /// - Returns: The revision of the screen after that; the same if every byte stays as it is.
    /// - Throws: ``ScreenError``, or the error that `body` throws; an `EditError` of it is
    ///   ``ScreenError/impossible(_:)``, or ``ScreenError/tooMuch(_:)`` if it is of a limit.
    @discardableResult
    public nonisolated(nonsending) func update(
        expecting expected: UInt64? = nil, _ body: (inout ScreenUpdater) throws -> Void
    ) async throws -> UInt64 {
        let (program, screen) = try await access()
        for _ in 0..<ProgramScreens.maxRuns {
            var update = try await mapping { () async throws(Problem) in
                try await program.update(of: screen, expecting: expected)
            }
            var failure: (any Error)?
            do throws(Problem) {
                try update.run { updater throws(EditError) in
                    do { try body(&updater) } catch let error as EditError {
                        throw error
                    } catch {
                        failure = error
                        throw .impossible(pointer: "", detail: String(describing: error))
                    }
                }
            } catch { throw failure ?? ScreenError(error).ofEdit }
            let edited = update
            let committed = try await mapping { () async throws(Problem) in
                try await program.commit(edited)
            }
            if let committed { return committed }
            if expected != nil { break }
        }
        throw ScreenError.conflict(current: try await revision())
    }

    private func revision() async throws(ScreenError) -> UInt64? {
        let (program, screen) = try await access()
        return try await mapping { () async throws(Problem) in
            try await program.revision(of: screen, after: nil)
        }
    }

    /// Takes events as a client reports them: their actions are applied, and their handlers called.
    ///
    /// - Returns: The revision of the screen after them.
    @discardableResult
    public func handle(_ events: [ClientEvent]) async throws(ScreenError) -> UInt64 {
        let (program, screen) = try await access()
        let report = TreeValue.object(["events": .array(events.map(\.value))])
        do throws(ScreenError) {
            return try await mapping { () async throws(Problem) in
                try await program.take(report.json, of: screen)
            }
        } catch { throw error.ofEdit }
    }

    /// Returns the screen laid out, with all its pages; `nil` if it does not exist.
    public func snapshot(
        _ parameters: LayoutParameters = LayoutParameters()
    ) async throws(ScreenError) -> LaidOutRevision? {
        let (program, screen) = try await access()
        return try await mapping { () async throws(Problem) in
            try await program.laidOut(screen, parameters)
                .map { LaidOutRevision(revision: $0.revision, laidOut: $0.laidOut) }
        }
    }
}

/// A screen laid out at a revision.
public struct LaidOutRevision: Sendable {
    /// The revision.
    public let revision: UInt64
    /// The sections and items with their frames.
    public let laidOut: LaidOutScreen
}

/// An event that a server has accepted.
public struct ReceivedEvent: Sendable {
    /// The name of the screen.
    public let screen: String
    /// The event.
    public let event: ClientEvent
    /// The number of events that were dropped just before it, because they were not read in time.
    public let missed: Int
}

extension ServerScreen {
    /// Returns the operations of the server and the name, once the server listens.
    fileprivate func access() async throws(ScreenError) -> (ProgramScreens, ScreenName) {
        guard let screen = ScreenName(name) else { throw .invalidName(name) }
        return (try await server.screens(), screen)
    }

    /// Maps the problem of an operation; after the end of the server each is
    /// ``ScreenError/stopped``.
    fileprivate func mapping<Value>(
        _ operation: () async throws(Problem) -> Value
    ) async throws(ScreenError) -> Value {
        do throws(Problem) { return try await operation() } catch {
            throw server.hasEnded ? .stopped : ScreenError(error)
        }
    }
}

/// The revisions of a screen for one stream, which one task reads.
private actor RevisionFollower {
    private let screen: ServerScreen
    private var last: UInt64?

    init(screen: ServerScreen) { self.screen = screen }

    /// Returns the next revision; `nil` at the end, and for an invalid name.
    func next() async -> UInt64? {
        guard let (program, name) = try? await screen.access() else { return nil }
        last = await program.nextRevision(of: name, after: last)
        return last
    }
}
