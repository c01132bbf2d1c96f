import Synchronization

/// A way to read a screen.
enum ClusterRead: CaseIterable {
    /// The page state, with the revision in its entity tag.
    case state
    /// A conditional request for the page state.
    case changes
    /// The layout of all pages, with the revision in its tree: that of the screen, since each write
    /// adds the highest page.
    case layout
    /// The last page that was acknowledged.
    case page
}

/// A client of a cluster, at the port of the proxy or of a daemon.
final class ClusterClient {
    /// The outcome of a write.
    enum Outcome: Equatable {
        case acknowledged
        case refused
        case unknown
    }

    private let port: UInt16
    private let ledger: ClusterLedger
    private var connection: ClientConnection?
    /// The entity tag of the last page state of each screen.
    private var tags: [String: String] = [:]

    init(at port: UInt16, _ ledger: ClusterLedger) {
        self.port = port
        self.ledger = ledger
    }

    /// Posts a page that contains a note, and records the outcome.
    func post(_ note: String, to screen: String) -> Outcome {
        let path = "/v1/screens/\(screen)/pages"
        let body = Array(#"{"sections":[],"note":"\#(note)"}"#.utf8)
        guard let response = request("POST", path, [("Prefer", "return=minimal")], body) else {
            ledger.recordUnknown(note, in: screen)
            return .unknown
        }
        let location = response["Location"].flatMap { $0.split(separator: "/").last }
        if response.status == 201, let revision = response.revision,
            let page = location.flatMap({ Int($0) })
        {
            ledger.acknowledge(note, in: screen, page: page, revision: revision)
            return .acknowledged
        }
        // Redis is always available, so 503 means that nothing was changed.
        if response.status == 503 { return .refused }
        ledger.recordUnknown(note, in: screen)
        return .unknown
    }

    /// Reads a screen; returns `false` if there was no valid response.
    func read(_ screen: String, as way: ClusterRead) -> Bool {
        let known = ledger.known(of: screen)
        let path = "/v1/screens/\(screen)"
        switch way {
        case .state, .changes:
            let tag = way == .changes ? tags[screen] : nil
            let headers = tag.map { [("If-None-Match", $0)] } ?? []
            guard let response = request("GET", "\(path)/pages", headers) else { return false }
            tags[screen] = response["ETag"]
            return record(response.revision, of: screen, way, response, known)
        case .layout:
            guard let response = request("GET", "\(path)/layout?pages=all") else { return false }
            return record((try? response.tree())?.revision, of: screen, way, response, known)
        case .page:
            guard let page = known.page else { return true }
            guard let response = request("GET", "\(path)/pages/\(page.number)") else {
                return false
            }
            let posted = try? response.decode(PostedNote.self)
            ledger.read(screen, note: posted?.note, knowing: page)
            return response.status == 200 || response.status == 404
        }
    }

    private func record(
        _ revision: Int?, of screen: String, _ way: ClusterRead, _ response: Response,
        _ known: ClusterLedger.Knowledge
    ) -> Bool {
        guard let revision = response.status == 404 ? 0 : revision else { return false }
        ledger.read(screen, as: way, revision: revision, knowing: known)
        return true
    }

    /// Sends a request, and returns `nil` if the connection ends.
    ///
    /// The next request opens another connection.
    private func request(
        _ method: String, _ path: String, _ headers: [(String, String)] = [],
        _ body: [UInt8]? = nil
    ) -> Response? {
        do {
            let used = try connection ?? ClientConnection(port: port)
            connection = used
            try used.send(Request.bytes(method, path, headers: headers, body: body))
            return try used.receive(responseTo: method)
        } catch {
            connection = nil
            return nil
        }
    }
}

/// A page that contains a note.
struct PostedNote: Decodable {
    let note: String
}

/// A record of the writes and reads of all clients of a cluster.
final class ClusterLedger: Sendable {
    /// The latest state of a screen that a client has observed, which no later read may precede.
    struct Knowledge: Sendable {
        /// The highest revision in the response to a write or a read.
        var revision = 0
        /// A stored page and its note.
        var page: (number: Int, note: String)?
    }

    private struct State {
        var acknowledged: [String: Set<String>] = [:]
        var unknown: [String: Set<String>] = [:]
        var known: [String: Knowledge] = [:]
        var count = 0
        var reads = 0
        var stale: [String] = []
    }

    private let state = Mutex(State())

    /// The number of acknowledged writes.
    var count: Int { state.withLock { $0.count } }
    /// The number of reads with a response.
    var reads: Int { state.withLock { $0.reads } }
    /// The number of writes whose outcome is unknown.
    var unknownCount: Int { state.withLock { $0.unknown.values.reduce(0) { $0 + $1.count } } }
    /// Descriptions of reads that returned an older state than was known when they began.
    var stale: [String] { state.withLock { $0.stale } }

    /// Returns the notes that must be stored in a screen, and those that may be.
    func notes(of screen: String) -> (stored: Set<String>, unknown: Set<String>) {
        state.withLock { ($0.acknowledged[screen] ?? [], $0.unknown[screen] ?? []) }
    }

    /// Returns the latest known state of a screen.
    func known(of screen: String) -> Knowledge {
        state.withLock { $0.known[screen] ?? Knowledge() }
    }

    /// Records that a write was acknowledged.
    func acknowledge(_ note: String, in screen: String, page: Int, revision: Int) {
        state.withLock { state in
            state.acknowledged[screen, default: []].insert(note)
            state.known[screen, default: Knowledge()].raise(to: revision)
            state.known[screen]?.page = (page, note)
            state.count += 1
        }
    }

    /// Records that the outcome of a write is unknown.
    func recordUnknown(_ note: String, in screen: String) {
        state.withLock { _ = $0.unknown[screen, default: []].insert(note) }
    }

    /// Records a read that returned `revision`, 0 for no screen, and that began when `known` was
    /// known.
    func read(_ screen: String, as way: ClusterRead, revision: Int, knowing known: Knowledge) {
        state.withLock { state in
            state.reads += 1
            state.known[screen, default: Knowledge()].raise(to: revision)
            guard revision < known.revision else { return }
            state.stale.append("\(way) of \(screen) at \(revision), after \(known.revision)")
        }
    }

    /// Records a read of a known page that returned `note`, or `nil` for no page.
    func read(_ screen: String, note: String?, knowing known: (number: Int, note: String)) {
        state.withLock { state in
            state.reads += 1
            guard note != known.note else { return }
            state.stale.append("page \(known.number) of \(screen) is \(note ?? "missing")")
        }
    }
}

extension ClusterLedger.Knowledge {
    fileprivate mutating func raise(to revision: Int) {
        self.revision = max(self.revision, revision)
    }
}
