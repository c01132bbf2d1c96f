/// A way to read a screen.
enum ClusterRead: CaseIterable {
    /// The page state, whose entity tag says the revision.
    case state
    /// The same by a client that has it already, and may be told so.
    case changes
    /// The layout, whose tree says the revision.
    case layout
    /// The page that was acknowledged last.
    case page
}

/// A client of a cluster, at the proxy's port or at a daemon's own.
final class ClusterClient {
    /// What became of a write.
    enum Fate: Equatable {
        case acknowledged
        case refused
        case doubtful
    }

    private let port: UInt16
    private let ledger: ClusterLedger
    private var connection: Connection?
    /// The entity tags of the page states that it has.
    private var tags: [String: String] = [:]

    init(at port: UInt16, _ ledger: ClusterLedger) {
        self.port = port
        self.ledger = ledger
    }

    /// Posts a page with a note in it, and keeps in the ledger what is known of it from then on.
    func post(_ note: String, to screen: String) -> Fate {
        let path = "/v1/screens/\(screen)/pages"
        let body = Array(#"{"sections":[],"note":"\#(note)"}"#.utf8)
        guard let reply = ask("POST", path, [("Prefer", "return=minimal")], body) else {
            ledger.doubt(note, in: screen)
            return .doubtful
        }
        let place = reply["Location"].flatMap { $0.split(separator: "/").last }
        if reply.status == 201, let revision = reply.revision, let page = place.flatMap({ Int($0) })
        {
            ledger.acknowledge(note, in: screen, page: page, revision: revision)
            return .acknowledged
        }
        // Redis is there all the time: a 503 is a daemon's word that nothing was changed.
        if reply.status == 503 { return .refused }
        ledger.doubt(note, in: screen)
        return .doubtful
    }

    /// Reads a screen; false when no daemon answered as it should.
    func read(_ screen: String, as way: ClusterRead) -> Bool {
        let known = ledger.known(of: screen)
        let path = "/v1/screens/\(screen)"
        switch way {
        case .state, .changes:
            let tag = way == .changes ? tags[screen] : nil
            let headers = tag.map { [("If-None-Match", $0)] } ?? []
            guard let reply = ask("GET", "\(path)/pages", headers) else { return false }
            tags[screen] = reply["ETag"]
            return note(reply.revision, of: screen, way, reply, known)
        case .layout:
            guard let reply = ask("GET", "\(path)/layout") else { return false }
            return note((try? reply.tree())?.revision, of: screen, way, reply, known)
        case .page:
            guard let page = known.page else { return true }
            guard let reply = ask("GET", "\(path)/pages/\(page.number)") else { return false }
            let posted = try? reply.decode(PostedNote.self)
            ledger.read(screen, note: posted?.note, knowing: page)
            return reply.status == 200 || reply.status == 404
        }
    }

    private func note(
        _ revision: Int?, of screen: String, _ way: ClusterRead, _ reply: Reply,
        _ known: ClusterLedger.Knowledge
    ) -> Bool {
        guard let revision = reply.status == 404 ? 0 : revision else { return false }
        ledger.read(screen, as: way, revision: revision, knowing: known)
        return true
    }

    /// One request; nil when the connection ends, and the next goes over another.
    private func ask(
        _ method: String, _ path: String, _ headers: [(String, String)] = [],
        _ body: [UInt8]? = nil
    ) -> Reply? {
        do {
            let used = try connection ?? Connection(port: port)
            connection = used
            try used.send(Request.bytes(method, path, headers: headers, body: body))
            return try used.receive(answering: method)
        } catch {
            connection = nil
            return nil
        }
    }
}

/// A page of these tests.
struct PostedNote: Decodable {
    let note: String
}
