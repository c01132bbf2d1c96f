import Broadsheet
import BroadsheetHTTP
import BroadsheetIO
import BroadsheetStores

/// The window that the query of a stream opens.
struct WindowOpening: Sendable, Hashable {
    /// The anchor; `nil` if the query has none, and the client has a window.
    let target: WindowRequest.Target?
    /// The length before the anchor, in points; `nil` if the query has none.
    let before: Double?
    /// The length after the anchor, in points; `nil` if the query has none.
    let after: Double?

    var request: WindowRequest? {
        target.map { WindowRequest(target: $0, before: before, after: after) }
    }
}

/// A window of a screen, and its changes.
///
/// Streams of windows that were opened alike are one group, though their clients may have windows
/// around other items meanwhile: the tag of a window names its anchor.
struct WindowStreamContent: StreamContent {
    let streamed: StreamedScreen
    let opening: WindowOpening

    func read() async throws(Problem) -> any StreamMoment {
        let work = streamed.work.withOwnMemory()
        let (layout, version) = try await streamed.tree(of: .all, work)
        let reader = WindowReader(source: streamed.source, work: work)
        return Moment(content: self, snapshot: layout.snapshot, version: version, reader: reader)
    }

    /// A state of the tree of all pages.
    private struct Moment: StreamMoment {
        let content: WindowStreamContent
        let snapshot: ScreenSnapshot
        /// That of the tree of all pages.
        let version: TreeVersion
        let reader: WindowReader

        /// A window may lose its anchor, or be too large, when others do not.
        var hasOwnProblems: Bool { true }

        func event(from state: StreamState) async throws(Problem) -> StreamAdvance {
            guard let known = state.known, let request = changes(from: known, state) else {
                guard let opening = content.opening.request else {
                    throw .itemNotFound("The stream has no anchor, and the client no window.")
                }
                return try await tree(
                    try await reader.window(opening, in: snapshot, content.streamed.parameters))
            }
            let changes = try await reader.changes(request, in: snapshot)
            if changes.isNothingNew {
                let same = changes.version(since: known.revision)
                return StreamAdvance(output: .nothing, version: same, base: changes.base)
            }
            if changes.isReset { return try await tree(changes.new) }
            return StreamAdvance(
                output: try await output(of: changes.content, .changes, changes.version),
                version: changes.version)
        }

        /// Returns the changes to ask for from what a client has; `nil` if that is not readable.
        private func changes(
            from known: TreeVersion, _ state: StreamState
        ) -> WindowChangesRequest? {
            let (opening, parameters) = (content.opening, content.streamed.parameters)
            if let tag = known.windowTag(reader.source.renderer.seal, of: content.streamed.screen) {
                if let base = state.base {
                    return WindowChangesRequest(since: known, sameAt: base, tag, parameters)
                }
                let moves = state.moves
                return WindowChangesRequest(
                    since: known, tag, target: moves ? opening.target : nil,
                    before: moves ? opening.before : nil, after: moves ? opening.after : nil,
                    parameters)
            }
            guard known.tag == nil, let wants = opening.request else { return nil }
            return WindowChangesRequest(since: known, wants, isKnown: true, parameters)
        }

        private func tree(_ window: StoredWindow) async throws(Problem) -> StreamAdvance {
            let version = window.version(reader.source.renderer.seal)
            return StreamAdvance(
                output: try await output(of: try await reader.content(of: window), .tree, version),
                version: version)
        }

        private func output(
            of document: LayoutContent, _ type: StreamEventType, _ version: TreeVersion
        ) async throws(Problem) -> StreamOutput {
            try await StreamOutput(
                document, type, id: version.text, in: reader.source.renderer.memory)
        }
    }
}
