import Broadsheet
package import BroadsheetHTTP
package import BroadsheetIO
import BroadsheetStores

extension BroadsheetService {
    /// Returns the response to a request; an error is a response too.
    package func respond(to request: HTTPRequest) async -> HTTPResponse {
        let start = clock.now
        let id = requestID(of: request.head)
        metrics.requestsInFlight.add(1)
        defer { metrics.requestsInFlight.add(-1) }
        var facts = RequestFacts(address: configuration.clientAddress(of: request))
        var response: HTTPResponse
        do throws(Problem) {
            response = try await route(request, id, &facts, at: start)
        } catch {
            facts.hasToken = facts.hasToken || error.isOfToken
            response =
                error.isConnectionLost ? connectionLost() : self.response(to: error, id, facts)
        }
        response = await coded(response, for: request, facts.client)
        finish(&response, to: request.head, id, facts)
        metrics.requestBodyBytes.add(bytes: request.body.count)
        let nanoseconds = clock.now.nanoseconds(since: start)
        metrics.requests.count(
            operation: facts.operation, response.status,
            nanoseconds: nanoseconds - min(nanoseconds, response.waitedNanoseconds))
        return response
    }

    package func refusal(of head: HTTPRequestHead, from peer: IPAddress) -> HTTPResponse? {
        var facts = RequestFacts(address: configuration.clientAddress(from: peer, head.headers))
        do throws(Problem) {
            _ = try match(head, &facts)
            return nil
        } catch {
            facts.hasToken = facts.hasToken || error.isOfToken
            let id = requestID(of: head)
            var response = response(to: error, id, facts)
            finish(&response, to: head, id, facts)
            metrics.requests.count(operation: facts.operation, response.status, nanoseconds: 0)
            return response
        }
    }

    /// Returns the response to an error of HTTP as a problem document.
    package func response(
        to error: HTTPError, in head: HTTPRequestHead?, from peer: IPAddress
    ) -> HTTPResponse {
        let id = head.map { requestID(of: $0) } ?? requestIDs.next()
        var facts = RequestFacts(address: configuration.clientAddress(from: peer, head?.headers))
        if let head { facts.caller = access.knownCaller(head.headers) }
        var response = response(to: Problem(error), id, facts)
        response.finish(id)
        if facts.caller.token != nil { response.bePrivate(isList: false) }
        response.client = facts.caller.client
        metrics.responseBodyBytes.add(bytes: response.contentLength)
        metrics.requests.count(operation: nil, response.status, nanoseconds: 0)
        return response
    }

    /// Logs a response after it was sent.
    package func completed(_ exchange: HTTPExchange) {
        let headers = exchange.request?.headers
        metrics.keys.count(exchange.client?.name)
        log.write(
            LogRecord(
                exchange, with: configuration.clientAddress(from: exchange.peer, headers)))
    }

    /// Adds the fields of every response to a request, and the client for the log.
    private func finish(
        _ response: inout HTTPResponse, to head: HTTPRequestHead, _ id: RequestID,
        _ facts: RequestFacts
    ) {
        response.finish(id)
        if facts.hasToken { response.bePrivate(isList: facts.isList) }
        access.browsers.addFields(to: &response, for: head)
        response.client = facts.caller.client
        response.revision = facts.made?.revision
        metrics.responseBodyBytes.add(bytes: response.contentLength)
    }

    /// `facts` has the operation and the client, also if an error is thrown.
    private func match(
        _ head: HTTPRequestHead, _ facts: inout RequestFacts
    ) throws(Problem) -> RouteMatch {
        if let origin = access.browsers.foreignOrigin(of: head) {
            access.note(head.method.token, head.target.path, of: origin, in: log)
        }
        try access.browsers.check(head)
        guard head.target.form != .asterisk else { return .options(allow: router.methods) }
        let match = match(head)
        guard case .found(let index, let path) = match else {
            facts.caller = access.knownCaller(head.headers)
            facts.hasToken = facts.caller.token != nil
            return match
        }
        facts.operation = index
        switch try access.identity(for: Operation.all[index].access, head.headers) {
        case .known(let caller):
            facts.caller = caller
            facts.hasToken = caller.token != nil
            try check(caller, at: index, screen: path["screen"])
        case .unverified(let token): facts.unverified = token
        }
        return match
    }

    /// Checks that a client may call the operation at a position in ``Operation/all``.
    private func check(_ caller: Caller, at index: Int, screen: String?) throws(Problem) {
        try caller.check(
            Operation.all[index].access, screen: screen,
            permitsReaders: Operation.all[index].permitsReaders)
    }

    /// Verifies the token of a request on a worker thread, and checks that its client may call the
    /// operation.
    private func verify(
        _ token: UnverifiedToken, _ facts: inout RequestFacts, at index: Int, screen: String?
    ) async throws(Problem) {
        facts.hasToken = true
        facts.caller = try await access.caller(
            with: token, work(of: ClientKey(facts.address)))
        try check(facts.caller, at: index, screen: screen)
    }

    /// Returns the route of a request; the inspector is not there for one that a proxy forwarded,
    /// unless it is for all.
    private func match(_ head: HTTPRequestHead) -> RouteMatch {
        let match = router.match(head.method, head.target.path)
        if case .found(let index, _) = match, !Self.isOfInspector[index] { return match }
        guard configuration.inspector == .direct, head.headers.areForwarded else { return match }
        return routerWithoutInspector.match(head.method, head.target.path)
    }

    /// A Boolean value for each operation that indicates whether it is one of the inspector, at its
    /// position in ``Operation/all``.
    private static let isOfInspector = Operation.all.map(\.isOfInspector)

    private func route(
        _ request: HTTPRequest, _ id: RequestID, _ facts: inout RequestFacts,
        at arrival: MonotonicInstant
    ) async throws(Problem) -> HTTPResponse {
        switch try match(request.head, &facts) {
        case .found(let index, let path):
            if let token = facts.unverified {
                try await verify(token, &facts, at: index, screen: path["screen"])
            }
            let query = Query(request.target.query)
            try Operation.checkNames(of: query, at: index)
            let call = Call(
                request: request, requestID: id, path: path, query: query,
                catalog: try Operation.catalog(
                    for: query, at: index, among: catalogs.current, facts.caller),
                operation: index, operationID: Operation.all[index].id, caller: facts.caller,
                access: access, arrival: arrival, work: work(of: facts.client))
            facts.made = call.made
            let response: HTTPResponse
            do throws(Problem) {
                response = try await ClientKey.$current.binding(facts.client) {
                    () async throws(Problem) in
                    try await Operation.all[index].respond(to: call, by: self)
                }
            } catch {
                throw error.code == .screenNotFound ? hinting(error, call) : error
            }
            // What was written after the end of its key does not reach the client. A write has
            // checked the key before it was passed to the store, and is reported.
            if !Operation.all[index].access.permitsWriting { try call.checkKey() }
            return response
        case .options(let allow): return .options(allow: allow)
        case .methodNotAllowed(let allow):
            throw .methodNotAllowed(request.method, request.target.path, allow: allow)
        case .notFound: throw .notFound(request.target.path)
        case .malformed(let error): throw Problem(error)
        }
    }

    /// Returns the problem of a screen that does not exist, with the nearest name among the screens
    /// in memory that the client may read; without, if there are many of them.
    private func hinting(_ problem: Problem, _ call: Call) -> Problem {
        guard let screen = call.path["screen"], call.caller.canRead,
            screens.cache.count <= NearestName.maxCandidates
        else { return problem }
        let names = screens.cache.first().map(\.name.text).sorted().filter {
            call.caller.listedScreens?.contains($0) != false
        }
        let question = NearestName.question(about: screen, among: names)
        guard !question.isEmpty else { return problem }
        var problem = problem
        problem.detail += " D" + question.dropFirst("; d".count)
        return problem
    }

    private func response(
        to problem: Problem, _ id: RequestID, _ facts: RequestFacts
    ) -> HTTPResponse {
        metrics.problems.add(problem.code.rawValue)
        log.write(
            LogRecord(problem, of: id, address: facts.address, client: facts.caller.client))
        return problem.response(to: id)
    }

    /// Counts a request that was ended because its connection is lost, and returns the response for
    /// the log.
    func connectionLost() -> HTTPResponse {
        metrics.workDropped.add()
        return HTTPResponse(status: .connectionLost)
    }

    private func requestID(of head: HTTPRequestHead) -> RequestID {
        head.headers[.requestID].flatMap(RequestID.init) ?? requestIDs.next()
    }
}

/// The facts about a request that its log line and the metrics have, as far as they are known.
private struct RequestFacts {
    let address: IPAddress
    /// The position of the operation in ``Operation/all``.
    var operation: Int?
    var caller = Caller.anyone
    /// The token of the client, until it is verified.
    var unverified: UnverifiedToken?
    /// A Boolean value that indicates whether the request has a token, which may be invalid.
    var hasToken = false
    var made: MadeRevision?

    /// A Boolean value that indicates whether the content of a response depends on the client.
    var isList: Bool { operation.map { Operation.all[$0].access == .list } ?? false }

    /// The client that turns and limits count.
    var client: ClientKey { caller.client(at: address) }
}

extension BroadsheetService {
    /// Returns a response without a tag of its own for each coding, in the coding that the client
    /// prefers: a problem, a composition, a list.
    ///
    /// The content of a response to GET with a tag was selected by its endpoint.
    func coded(
        _ response: HTTPResponse, for request: HTTPRequest, _ client: ClientKey
    ) async -> HTTPResponse {
        let isLarge = response.contentLength >= Compression.minBytes
        let isCompressed = response.headers.contains(.contentEncoding)
        guard isLarge || isCompressed || response.status == .notModified else { return response }
        var response = response
        response.headers.append(.vary, HTTPFieldName.acceptEncoding.spelling)
        let isSelected =
            isCompressed || (request.method.isForReading && response.headers.contains(.etag))
        let preference = CodingPreference(in: request.headers)
        guard !isSelected, isLarge, preference != .identity else { return response }
        do throws(Problem) {
            let compressed = try await Compression.compress(
                LayoutContent(of: response), for: preference, work(of: client))
            guard case .bytes(let bytes) = compressed else { return response }
            return response.with(SelectedContent(compressed: bytes))
        } catch {
            return connectionLost()
        }
    }
}

extension HTTPResponse {
    /// Makes the response one for the reader of a token alone (RFC 9111 §5.2.2.7).
    fileprivate mutating func bePrivate(isList: Bool) {
        let earlier = headers[.cacheControl]
        let directives =
            headers[.contentType] == Problem.mediaType
            ? "no-store" : earlier?.hasSuffix("immutable") == true ? earlier : "no-cache"
        headers.remove(.cacheControl)
        headers.append(.cacheControl, "private, \(directives ?? "")")
        if isList, headers[.contentType] != Problem.mediaType {
            headers.append(.vary, HTTPFieldName.authorization.spelling)
        }
    }
}

extension LayoutContent {
    fileprivate init(of response: HTTPResponse) {
        if let source = response.source as? PartsSource {
            self = .source(source)
        } else {
            self = .bytes(response.body)
        }
    }
}

extension HTTPMethod {
    fileprivate var isForReading: Bool { self == .get || self == .head }
}
