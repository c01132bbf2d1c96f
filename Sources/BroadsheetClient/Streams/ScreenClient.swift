/// A client that has the tree of a screen, and follows its changes.
///
///     let client = ScreenClient("home", transport: transport)
///     for try await update in client.updates { show(update) }
public actor ScreenClient {
    /// The name of the screen.
    public nonisolated let screen: String
    /// The parameters of the tree.
    public nonisolated let query: ScreenQuery
    /// The tree that the client has; `nil` before the first one.
    public private(set) var tree: Tree?

    private let transport: any ClientTransport
    private let pause: Pause
    private let maxBodyBytes: Int
    /// The entity tag of the tree, without quotes.
    private var tag: String?
    /// The id of the event that the tree is from; `nil` for a tree of another response.
    private var lastEventID: String?
    private var isLoadingPage = false
    private weak var updating: TreeUpdates?
    /// The open stream, which is opened again when the page grows.
    private var connection: Task<ClientError?, Never>?
    /// The time that the daemon names before another connection.
    private var retry: Duration?
    /// The number of connections in a row with nothing but resets and problems.
    private var failures = 0

    /// A function that suspends a task for a duration, unless it is cancelled.
    typealias Pause = @Sendable (Duration) async -> Void

    static let maxBodyBytes = 256 << 20
    /// The number of attempts to load a page while the tree changes.
    private static let maxAttempts = 8
    /// The time before another connection if the daemon names none, and the longest one.
    private static let (usualRetry, maxRetry) = (Duration.seconds(3), Duration.seconds(60))

    /// Creates a client without a tree.
    public init(
        _ screen: String, query: ScreenQuery = ScreenQuery(), transport: any ClientTransport
    ) {
        self.init(screen, query: query, transport: transport) { try? await Task.sleep(for: $0) }
    }

    init(
        _ screen: String, query: ScreenQuery, transport: any ClientTransport,
        maxBodyBytes: Int = maxBodyBytes, pause: @escaping Pause
    ) {
        self.screen = screen
        self.query = query
        self.transport = transport
        self.maxBodyBytes = maxBodyBytes
        self.pause = pause
    }
}

// MARK: - Requests

extension ScreenClient {
    /// Requests the tree of the first page, or the window of the query, and replaces the tree.
    ///
    /// - Throws: The reason why there is no tree; the client keeps the one that it has.
    @discardableResult
    public func load() async throws(ClientError) -> Tree {
        let tree = try await load(upTo: nil)
        reopen()
        return tree
    }

    private func load(upTo page: Int?) async throws(ClientError) -> Tree {
        let bound =
            query.window?.parameters ?? page.map { [(name: "page", value: String($0))] } ?? []
        let response = try await complete(
            ClientRequest("GET", ofScreen: screen, "layout", query.parameters + bound))
        let tree = try read { () throws(TreeError) in try Tree(json: response.bytes) }
        guard isWanted(tree) else {
            throw .invalidResponse("the tree of the screen \"\(screen)\" is not a window")
        }
        replace(by: tree, tag: response.head.entityTag, changes: nil)
        return tree
    }

    /// Requests the changes up to the page after the tree, or to the window after this one, and
    /// applies them.
    ///
    /// - Returns: `false` without a next page, and while a page is requested.
    /// - Throws: The reason why the page cannot be loaded; the client keeps its tree.
    @discardableResult
    public func loadNextPage() async throws(ClientError) -> Bool {
        try await loadPage(\.nextPageToken)
    }

    /// Requests the changes to the window before this one, and applies them.
    ///
    /// - Returns: `false` without a previous page, and while a page is requested.
    /// - Throws: The reason why the page cannot be loaded; the client keeps its tree.
    @discardableResult
    public func loadPreviousPage() async throws(ClientError) -> Bool {
        try await loadPage(\.previousPageToken)
    }

    private func loadPage(
        _ tokenOf: (Tree) -> String?
    ) async throws(ClientError) -> Bool {
        guard !isLoadingPage else { return false }
        isLoadingPage = true
        defer { isLoadingPage = false }
        for _ in 0..<Self.maxAttempts {
            guard let before = tree, let token = tokenOf(before) else { return false }
            let response = try await complete(
                ClientRequest(
                    "GET", ofScreen: screen, "changes",
                    query.parameters + position(of: before) + [("pageToken", token)]))
            let changes = try read { () throws(TreeError) in try Changes(json: response.bytes) }
            // An event may have changed the tree meanwhile, so that these changes do not fit.
            guard tree == before else { continue }
            _ = try await apply(changes)
            reopen()
            return true
        }
        throw .invalidResponse("the screen changes faster than its page can be loaded")
    }

    /// Reports events, at most 1000 a request.
    ///
    /// - Returns: The revision of the screen after them; `nil` without events.
    /// - Throws: The reason why the events of a request were not taken; those of earlier requests
    ///   were.
    @discardableResult
    public func send(_ events: [ClientEvent]) async throws(ClientError) -> UInt64? {
        var revision: UInt64?
        for start in stride(from: 0, to: events.count, by: ClientEvent.maxEvents) {
            let part = events[start..<min(start + ClientEvent.maxEvents, events.count)]
            let body = TreeValue.object(["events": .array(part.map(\.value))])
            let response = try await complete(
                ClientRequest(
                    "POST", ofScreen: screen, "events", query.audience,
                    headers: ["Content-Type": "application/json"], body: body.json))
            let value = try read { () throws(TreeError) in try TreeValue(json: response.bytes) }
            revision = value["revision"]?.integer(UInt64.self) ?? revision
        }
        return revision
    }

    /// The parameters that say which tree the client has.
    ///
    /// A window has no page, and its entity tag names its anchor, which need not be the query's.
    private func position(of tree: Tree) -> [(name: String, value: String)] {
        var all: [(name: String, value: String)] = []
        if let revision = tree.revision {
            all.append(("since", "\(revision)" + (tag.map { ".\($0)" } ?? "")))
        }
        if tag == nil { all += query.window?.parameters ?? [] }
        if tree.window == nil, let page = tree.page { all.append(("page", String(page))) }
        return all
    }

    private func read<Value>(
        _ read: () throws(TreeError) -> Value
    ) throws(ClientError) -> Value {
        do throws(TreeError) { return try read() } catch {
            throw .invalidResponse("the response of the screen \"\(screen)\": \(error)")
        }
    }

    /// Returns whether a tree is a window if the query is for one.
    ///
    /// A daemon that cannot read the tag of a window may take it for that of another tree.
    private func isWanted(_ tree: Tree) -> Bool { query.window == nil || tree.window != nil }

    private func replace(by tree: Tree, tag: String?, changes: Changes?) {
        self.tree = tree
        self.tag = tag
        lastEventID = nil
        updating?.append(TreeUpdate(tree: tree, changes: changes))
    }

    /// Replaces the tree by one that is not a change of it, or loads the query's window if that one
    /// is not a window; returns whether later events lead from the tree then.
    private func replaceAll(by whole: Tree, tag: String?) async throws(ClientError) -> Bool {
        guard isWanted(whole) else {
            _ = try await load(upTo: nil)
            return false
        }
        replace(by: whole, tag: tag, changes: nil)
        return true
    }

    /// Applies changes, or loads the tree if they do not fit; returns whether they do.
    private func apply(_ changes: Changes) async throws(ClientError) -> Bool {
        if case .reset(let whole) = changes.content {
            return try await replaceAll(by: whole, tag: changes.to.tag)
        }
        guard var next = tree, changes.from.revision == next.revision,
            changes.from.page == next.page, (try? changes.apply(to: &next)) != nil
        else {
            _ = try await load(upTo: tree?.page)
            return false
        }
        replace(by: next, tag: changes.to.tag, changes: changes)
        failures = 0
        return true
    }
}

// MARK: - Responses

extension ScreenClient {
    private func response(of request: ClientRequest) async throws(ClientError) -> ClientResponse {
        do { return try await transport.send(request) } catch {
            throw error as? ClientError ?? .transport(error)
        }
    }

    /// Returns a response with its whole body.
    ///
    /// - Throws: The problem that the daemon returns.
    private func complete(
        _ request: ClientRequest
    ) async throws(ClientError) -> (head: ClientResponse, bytes: [UInt8]) {
        let response = try await response(of: request)
        let bytes = try await body(of: response)
        guard 200..<300 ~= response.status else { throw problem(response.status, bytes) }
        return (response, bytes)
    }

    private func body(of response: ClientResponse) async throws(ClientError) -> [UInt8] {
        var bytes: [UInt8] = []
        do {
            for try await part in response.body {
                guard part.count <= maxBodyBytes - bytes.count else {
                    throw ClientError.invalidResponse(
                        "the response has more than \(maxBodyBytes) bytes")
                }
                bytes += part
            }
        } catch { throw error as? ClientError ?? .transport(error) }
        return bytes
    }

    private func problem(_ status: Int, _ bytes: [UInt8]) -> ClientError {
        let error = ClientError(status: status, problem: bytes)
        guard case .problem(404, "SCREEN_NOT_FOUND", _) = error, tree != nil else { return error }
        return .removed
    }
}

// MARK: - Updates

extension ScreenClient {
    /// The tree that the client has, and then each later one of ``load()``, ``loadNextPage()``,
    /// ``loadPreviousPage()`` and the screen's stream, which is open as long as this is iterated.
    ///
    /// Without a tree the client loads it first. A stream that ends is opened again. The removal of
    /// the screen, and a problem that is the client's own, are errors that end the updates. A
    /// second iteration ends the first.
    public nonisolated var updates: AsyncThrowingStream<TreeUpdate, any Error> {
        let updates = TreeUpdates()
        let following = Task { [weak updates] in
            if let updates { await begin(updates) }
            while !Task.isCancelled, await follow() {}
        }
        updates.onEnd { following.cancel() }
        return AsyncThrowingStream { try await updates.next() }
    }

    /// Makes an iteration the current one, and gives it the tree.
    private func begin(_ updates: TreeUpdates) {
        updating?.finish()
        updating = updates
        failures = 0
        if let tree { updates.append(TreeUpdate(tree: tree, changes: nil)) }
    }

    /// Opens the stream again, because its tree is not the one that the client has.
    private func reopen() {
        connection?.cancel()
        connection = nil
    }

    /// Opens the stream and reads it to its end; returns the reason why it failed.
    ///
    /// The daemon may not know any more what the window of a deleted anchor was, and one with
    /// another store cannot read the tag of a window. Then the window of the query is loaded.
    private func connect() async -> ClientError? {
        do throws(ClientError) {
            if tree == nil { _ = try await load(upTo: nil) }
            do throws(ClientError) {
                try await readStream()
            } catch {
                guard query.window != nil, error.isOfWindow else { throw error }
                _ = try await load(upTo: nil)
            }
            return nil
        } catch { return error }
    }

    /// Follows one connection to its end; returns whether to open another one.
    private func follow() async -> Bool {
        let connection = Task { await connect() }
        self.connection = connection
        let error = await withTaskCancellationHandler {
            await connection.value
        } onCancel: {
            connection.cancel()
        }
        guard !Task.isCancelled else { return false }
        // A connection that was cancelled to be opened again is not a failure.
        guard self.connection == connection else { return true }
        self.connection = nil
        if let error, error.isFinal {
            updating?.finish(error)
            return false
        }
        await pause(delay())
        return !Task.isCancelled
    }

    /// Returns the time before another connection, and counts a failure.
    private func delay() -> Duration {
        var delay = min(retry ?? Self.usualRetry, Self.maxRetry)
        for _ in 0..<min(failures, 8) { delay = min(delay * 2, Self.maxRetry) }
        failures += 1
        return delay * Double.random(in: 0.5...1)
    }

    private func readStream() async throws(ClientError) {
        guard let tree, !Task.isCancelled else { return }
        var headers = ["Accept": "text/event-stream"]
        headers["Last-Event-ID"] = lastEventID
        let parameters = query.parameters + [("changes", "true")] + position(of: tree)
        let response = try await response(
            of: ClientRequest(
                "GET", ofScreen: screen, "stream", parameters, headers: headers))
        guard response.status == 200 else {
            throw problem(response.status, try await body(of: response))
        }
        var decoder = EventDecoder(maxEventBytes: maxBodyBytes)
        do {
            for try await part in response.body {
                let events = try decoder.decode(part)
                retry = decoder.retry ?? retry
                for event in events {
                    guard !Task.isCancelled, try await receive(event) else { return }
                }
            }
        } catch is StreamReopening {
            reopen()
        } catch { throw error as? ClientError ?? .transport(error) }
    }

    /// Applies an event of the stream; returns whether later events lead from the tree then.
    private func receive(_ event: ServerSentEvent) async throws(ClientError) -> Bool {
        switch event.name {
        case "tree":
            let tree = try read { () throws(TreeError) in try Tree(json: event.data) }
            guard try await replaceAll(by: tree, tag: event.tag) else { return false }
        case "changes":
            let changes = try read { () throws(TreeError) in try Changes(json: event.data) }
            guard try await apply(changes) else { return false }
        case "removed": throw .removed
        case "problem":
            let status = (try? TreeValue(json: event.data))?["status"]?.integer ?? 0
            throw problem(status, event.data)
        default:
            failures = 0
            return true
        }
        guard !Task.isCancelled else { return false }
        lastEventID = event.id.isEmpty ? nil : event.id
        return true
    }
}

extension ServerSentEvent {
    /// The entity tag in the id of a tree, `12.TAG`; `nil` without one.
    fileprivate var tag: String? {
        id.firstIndex(of: ".").map { String(id[id.index(after: $0)...]) }
    }
}

extension ClientResponse {
    /// The entity tag of the plain form of a tree, without quotes.
    fileprivate var entityTag: String? {
        guard let field = header("ETag"), field.count > 2, field.hasPrefix("\""),
            field.hasSuffix("\"")
        else { return nil }
        let tag = field.dropFirst().dropLast()
        return String(tag.hasSuffix("-gzip") ? tag.dropLast(5) : tag)
    }
}
