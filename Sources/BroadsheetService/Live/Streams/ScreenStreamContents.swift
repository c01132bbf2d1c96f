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

/// The screen of a stream of a tree, and the parameters of its layouts.
struct StreamedScreen: Sendable {
    let screen: ScreenName
    let parameters: LayoutParameters
    let source: ScreenSource
    let catalogs: CatalogSlot
    /// The name of the catalog; `nil` for the one without a name.
    let catalog: CatalogName?
    /// The access to the worker threads, in the turns of the client of the first equal stream.
    let work: Work

    func tree(
        of extent: PageExtent, _ work: Work
    ) async throws(Problem) -> (layout: StoredLayout, version: TreeVersion) {
        let snapshot = try await source.screens.existing(
            screen, upTo: extent.end, by: try catalogs.current.catalog(named: catalog), work)
        let layout = try StoredLayout(of: extent, in: snapshot, parameters)
        let tag = layout.tag(as: .tree, seal: source.renderer.seal).opaque
        return (layout, TreeVersion(revision: layout.revision, tag: tag))
    }
}

/// The tree of a screen, and its changes.
struct TreeContent: StreamContent {
    let streamed: StreamedScreen
    let extent: PageExtent

    func read() async throws(Problem) -> any StreamMoment {
        let work = streamed.work.withOwnMemory()
        let (layout, version) = try await streamed.tree(of: extent, work)
        return Moment(content: self, layout: layout, version: version, work: work)
    }

    /// A state of the tree.
    private struct Moment: StreamMoment {
        let content: TreeContent
        let layout: StoredLayout
        let version: TreeVersion
        let work: Work

        func event(from state: StreamState) async throws(Problem) -> StreamAdvance {
            StreamAdvance(output: try await output(from: state.known), version: version)
        }

        private func output(from known: TreeVersion?) async throws(Problem) -> StreamOutput {
            let streamed = content.streamed
            let source = streamed.source
            guard let known else { return try await tree() }
            let request = ChangesRequest(
                since: known, has: content.extent, wants: content.extent,
                parameters: streamed.parameters)
            let changes = try StoredChanges(
                request, of: layout.snapshot,
                from: await source.screens.known(
                    request, wanting: layout.snapshot, work),
                seal: source.renderer.seal)
            if changes.isNothingNew { return .nothing }
            guard changes.old != nil else { return try await tree() }
            return try await output(
                of: try await source.content(of: changes, work), .changes)
        }

        private func tree() async throws(Problem) -> StreamOutput {
            let tree = try await content.streamed.source.renderer.content(
                of: layout, as: .tree, work)
            return try await output(of: tree, .tree)
        }

        private func output(
            of document: LayoutContent, _ type: StreamEventType
        ) async throws(Problem) -> StreamOutput {
            try await StreamOutput(
                document, type, id: version.text, in: content.streamed.source.renderer.memory)
        }
    }
}

extension StreamOutput {
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
