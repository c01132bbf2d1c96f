import Broadsheet
import BroadsheetHTTP
import TestSupport

@testable import BroadsheetService

/// Requests and writes of a seed: few distinct heads, so that most are repeated.
struct RandomRequests {
    private var random: SeededGenerator
    /// The entity tags of the last responses.
    private var tags = ["\"unknown\""]
    /// The last requests, which are often sent again.
    private var last: RandomAction?

    /// A Boolean value that indicates whether all requests accept gzip.
    private let acceptsGzip: Bool

    init(seed: UInt64) {
        random = SeededGenerator(seed: seed)
        acceptsGzip = seed % 2 == 0
    }

    /// Returns the next action.
    mutating func next() -> RandomAction {
        switch number(in: 0...19) {
        case 0: .write("PUT", "/pages/\(number(in: 0...2))", page(), lifetime: nil)
        case 1: .write("PUT", "/pages/0", page(), lifetime: "\(number(in: 1...3))")
        case 2: .write("DELETE", pick(["", "/pages", "/pages/1"]), "", lifetime: nil)
        case 3: .advance(milliseconds: Int64(number(in: 1...1500)))
        case 4: .reload(pick([Catalogs.shop, Catalogs.flatter]))
        default: request()
        }
    }

    /// Reads the entity tags of responses, for later requests.
    mutating func read(_ responses: [String]) {
        tags = Array((tags + responses.compactMap { $0.field("ETag") }).suffix(3))
    }

    private mutating func request() -> RandomAction {
        if let last, number(in: 0...2) == 0 { return last }
        let action = newRequest()
        last = action
        return action
    }

    private mutating func newRequest() -> RandomAction {
        let method = number(in: 0...3) == 0 ? "HEAD" : "GET"
        let head = "\(method) \(target()) HTTP/1.1\r\nHost: h\r\n\(fields())\r\n"
        switch number(in: 0...9) {
        case 0:
            let count = number(in: 1...head.utf8.count - 1)
            return .request([String(head.prefix(count)), String(head.dropFirst(count))], 1, method)
        case 1: return .request([head + head], 2, method)
        default: return .request([head], 1, method)
        }
    }

    private mutating func target() -> String {
        if number(in: 0...7) == 0 { return changes() }
        let query = pick([
            "", "", "", "?pages=all", "?width=500", "?rect=0,0,50,50", "?wrong=1",
            "?client=ios/4.1", "?client=ios/6", "?flags=a", "?pages=all&client=ios/4.1&flags=a",
            "?catalog=other", "?catalog=other&client=ios/6", "?catalog=none",
        ])
        return
            "/v1/screens/\(pick(["home", "home", "away"]))/layout\(pick(["", "", ".svg"]))\(query)"
    }

    /// Returns the target of a request for changes since one of the first revisions, with an entity
    /// tag or without one.
    private mutating func changes() -> String {
        let tag = pick(["", "", "", "", ".\(pick(tags).filter { $0 != "\"" })"])
        let rest = pick([
            "", "", "", "&pages=all", "&wrong=1", "&client=ios/4.1", "&client=ios/6&flags=a",
            "&catalog=other",
        ])
        return "/v1/screens/\(pick(["home", "home", "away"]))/changes?since="
            + "\(number(in: 0...3))\(tag)\(rest)"
    }

    private mutating func fields() -> String {
        (acceptsGzip ? "Accept-Encoding: gzip\r\n" : "") + condition()
    }

    private mutating func condition() -> String {
        switch number(in: 0...7) {
        case 0, 1: "If-None-Match: \(pick(tags))\r\n"
        case 2: "If-Match: \(pick(tags))\r\n"
        case 3: "Connection: keep-alive\r\n"
        case 4: "X-Request-Id: \(pick(["sent", "not valid"]))\r\n"
        case 5: "Content-Length: 0\r\n"
        default: ""
        }
    }

    private mutating func page() -> String {
        let hasConditions = number(in: 0...1) == 0
        return hasConditions ? conditionalPage() : plainPage()
    }

    /// Returns a page whose sections are those of certain clients.
    private mutating func conditionalPage() -> String {
        let sections = (0..<number(in: 0...2)).map { index in
            let condition = pick([
                #"{"client": {"ios": "<5"}}"#, #"{"client": {"ios": ">=5"}}"#,
                #"{"flags": ["a"]}"#, #"{"without": ["a"]}"#, #"{"width": ">=400"}"#,
            ])
            return #"{"units": [{"unitType": "LIST", "unitData": [{"id": "c\#(index)"}]}], "#
                + #""sectionId": "\#(pick(["List", "Other"]))", "when": \#(condition)}"#
        }
        return
            #"{"hasNext": \#(number(in: 0...1) == 0), "sections": [\#(sections.joined(separator: ","))]}"#
    }

    private mutating func plainPage() -> String {
        Pages.list((0..<number(in: 0...4)).map { "i\($0)" }, hasNext: number(in: 0...1) == 0)
    }

    private mutating func pick(_ choices: [String]) -> String {
        choices[number(in: 0...choices.count - 1)]
    }

    private mutating func number(in range: ClosedRange<Int>) -> Int {
        Int.random(in: range, using: &random)
    }
}

/// One action of a random test.
enum RandomAction: Sendable {
    /// Requests on the connection, in pieces, and the number of their responses.
    case request([String], Int, String)
    /// A write below a screen's path.
    case write(String, String, String, lifetime: String?)
    /// Advances the clocks.
    case advance(milliseconds: Int64)
    /// Replaces the catalog.
    case reload(String)

    /// Performs the action, and returns the responses without what differs between daemons.
    func perform(on server: LoopbackServer, _ clock: ManualClock) async throws -> [String] {
        switch self {
        case .request(let pieces, let count, let method):
            return try await server.send(pieces, responses: count, hasBody: method != "HEAD")
                .map(\.maskingID)
        case .write(let method, let path, let page, let lifetime):
            let headers: HTTPHeaders = lifetime.map { [.screenLifetime: $0] } ?? [:]
            let response = try await server.service.send(
                method, "/v1/screens/home\(path)", page, headers: headers)
            return ["\(response.status) \(response.etag ?? "")"]
        case .advance(let milliseconds):
            clock.advance(milliseconds: milliseconds)
            return []
        case .reload(let catalog):
            await server.service.service.reload(
                catalogs: try CatalogSet(catalog, named: Self.named)
            ).value
            return []
        }
    }

    /// The catalogs with names: one, whose rows are flatter than those of ``Catalogs/shop``.
    static let named = ["other": Catalogs.flatter]
}

extension String {
    /// The value of a field of a response.
    func field(_ name: String) -> String? {
        split(separator: "\r\n").first { $0.hasPrefix("\(name): ") }
            .map { String($0.dropFirst(name.utf8.count + 2)) }
    }

    /// The id of a response.
    var id: String { field("X-Request-Id") ?? "" }

    /// The response with `ID` in place of an id that a daemon made.
    var maskingID: String { id.count == 24 ? replacing(id, with: "ID") : self }

    /// The log line without its time and its duration, and with `ID` in place of an id that a
    /// daemon made.
    var maskingTimeAndID: String {
        replacing(/^{"time":"[^"]*",/, with: "")
            .replacing(/"microseconds":[0-9]+/, with: "")
            .replacing(/("path":"\/metrics",.*)"bytes":[0-9]+/, with: { "\($0.output.1)" })
            .replacing(/"requestId":"[0-9a-f]{24}"/, with: "\"requestId\":\"ID\"")
    }
}
