import Broadsheet
import BroadsheetHTTP
import BroadsheetIO
import BroadsheetStores

/// The revisions of a screen.
struct RevisionContent: StreamContent {
    let screen: ScreenName
    let source: ScreenSource

    func read() async throws(Problem) -> any StreamMoment {
        guard let head = try await source.screens.head(of: screen) else {
            throw .screenNotFound(screen)
        }
        return Moment(
            screen: screen, version: TreeVersion(revision: head.revision),
            memory: source.renderer.memory)
    }

    /// A revision of a screen.
    private struct Moment: StreamMoment {
        let screen: ScreenName
        let version: TreeVersion
        let memory: MemoryBudget

        func event(from state: StreamState) -> StreamAdvance {
            let event = StreamEvent(
                .revision, id: version.text,
                data: RevisionContent.data(of: screen, revision: version.revision))
            return StreamAdvance(
                output: .event(event.shortPart, type: .revision), version: version)
        }
    }

    /// Returns a screen and its revision as JSON; without a revision if the screen is removed.
    static func data(of screen: ScreenName, revision: UInt64?) -> [UInt8] {
        var output = StructuredJSONWriter(reservingCapacity: 64)
        output.object { output in
            output.member("screen", screen.text)
            if let revision { output.member("revision", revision) }
        }
        return output.writer.bytes
    }
}

/// The tree of a screen, and its changes.
struct TreeContent: StreamContent {
    let screen: ScreenName
    /// The pages of the tree.
    let extent: PageExtent
    let parameters: LayoutParameters
    let source: ScreenSource
    let catalogs: CatalogSlot
    /// The name of the catalog; `nil` for the one without a name.
    let catalog: CatalogName?
    /// The access to the worker threads, in the turns of the client of the first equal stream.
    let work: Work

    func read() async throws(Problem) -> any StreamMoment { try await moment() }

    /// Returns the tree as it is now.
    private func moment() async throws(Problem) -> Moment {
        let memory = MemoryReservation(in: source.renderer.memory, for: .work)
        let snapshot = try await source.screens.existing(
            screen, upTo: extent.end, by: try catalogs.current.catalog(named: catalog), work,
            memory)
        let layout = try StoredLayout(of: extent, in: snapshot, parameters)
        let tag = layout.tag(as: .tree, seal: source.renderer.seal).opaque
        return Moment(
            of: self, layout, version: TreeVersion(revision: layout.revision, tag: tag), memory)
    }

    /// A state of the tree.
    private struct Moment: StreamMoment {
        let content: TreeContent
        let layout: StoredLayout
        let version: TreeVersion
        let memory: MemoryReservation

        init(
            of content: TreeContent, _ layout: StoredLayout, version: TreeVersion,
            _ memory: MemoryReservation
        ) {
            self.content = content
            self.layout = layout
            self.version = version
            self.memory = memory
        }

        func event(from state: StreamState) async throws(Problem) -> StreamAdvance {
            StreamAdvance(output: try await output(from: state.known), version: version)
        }

        private func output(from known: TreeVersion?) async throws(Problem) -> StreamOutput {
            let source = content.source
            guard let known else { return try await tree() }
            let request = ChangesRequest(
                since: known, has: content.extent, wants: content.extent,
                parameters: content.parameters)
            let changes = try StoredChanges(
                request, of: layout.snapshot,
                from: await source.screens.known(
                    request, wanting: layout.snapshot, content.work),
                seal: source.renderer.seal)
            if changes.isNothingNew { return .nothing }
            guard changes.old != nil else { return try await tree() }
            return try await output(
                of: try await source.content(of: changes, content.work, memory), .changes)
        }

        private func tree() async throws(Problem) -> StreamOutput {
            let tree = try await content.source.renderer.content(
                of: layout, as: .tree, content.work, memory)
            return try await output(of: tree, .tree)
        }

        private func output(
            of document: LayoutContent, _ type: StreamEventType
        ) async throws(Problem) -> StreamOutput {
            try await StreamOutput(
                document, type, id: version.text, in: content.source.renderer.memory)
        }
    }
}

extension StreamOutput {
    /// Creates the event of a document.
    init(
        _ document: LayoutContent, _ type: StreamEventType, id: String, in memory: MemoryBudget
    ) async throws(Problem) {
        switch document {
        case .bytes(let bytes):
            let event = StreamEvent(type, id: id, data: bytes)
            self = .event(try await event.sharedPart(in: memory), type: type)
        case .source(let source):
            let head = StreamEvent.head(type, id: id)
            self = .large(LargeEvent(head: head, document: source), type: type)
        }
    }
}
