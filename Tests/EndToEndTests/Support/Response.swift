import Foundation

/// An HTTP response.
struct Response {
    var version = "HTTP/1.1"
    let status: Int
    let headers: [(name: String, value: String)]
    var body: [UInt8] = []

    /// The body, decoded as UTF-8.
    var text: String { String(decoding: body, as: UTF8.self) }

    /// The value of a header field, whose name is not case-sensitive.
    subscript(name: String) -> String? {
        headers.first { $0.name.lowercased() == name.lowercased() }?.value
    }

    /// Returns the body, decoded from JSON.
    func decode<Value: Decodable>(_ type: Value.Type = Value.self) throws -> Value {
        do {
            return try JSONDecoder().decode(type, from: Data(body))
        } catch {
            throw HarnessError("not a \(type): \(error) in \(status) \(text.prefix(1_000))")
        }
    }

    /// Returns the first response in `bytes` and its length, or `nil` if it is incomplete.
    static func parse(_ bytes: [UInt8], responseTo method: String) throws -> (Response, Int)? {
        guard let end = bytes.firstRange(of: Array("\r\n\r\n".utf8)) else { return nil }
        let head = String(decoding: bytes[..<end.lowerBound], as: UTF8.self)
        var response = try Response(head: head)
        guard response.version == "HTTP/1.1" else { throw HarnessError("not HTTP/1.1: \(head)") }
        let status = response.status
        let hasBody = method != "HEAD" && status >= 200 && status != 204 && status != 304
        guard hasBody else { return (response, end.upperBound) }
        guard let length = response["Content-Length"].flatMap({ Int($0) }) else {
            throw HarnessError("a response without a length: \(head)")
        }
        guard bytes.count >= end.upperBound + length else { return nil }
        response.body = Array(bytes[end.upperBound..<end.upperBound + length])
        return (response, end.upperBound + length)
    }
}

extension Response {
    /// Parses the head of a response, without the empty line at its end.
    init(head: String) throws {
        let lines = head.components(separatedBy: "\r\n")
        let words = lines[0].split(separator: " ", maxSplits: 2)
        guard words.count >= 2, words[0].hasPrefix("HTTP/"), let status = Int(words[1]) else {
            throw HarnessError("not a status line: \(lines[0])")
        }
        let headers = try lines.dropFirst().map { line in
            guard let colon = line.firstIndex(of: ":") else {
                throw HarnessError("not a header field: \(line)")
            }
            let value = line[line.index(after: colon)...].trimmingCharacters(in: .whitespaces)
            return (name: String(line[..<colon]), value: value)
        }
        self.init(version: String(words[0]), status: status, headers: headers)
    }
}

/// The members of a tree that these tests use (docs/api.md, "The tree").
struct Tree: Decodable {
    struct Size: Decodable, Equatable {
        let width: Double
        let height: Double
    }

    struct Frame: Decodable, Equatable {
        let x: Double
        let y: Double
        let width: Double
        let height: Double
    }

    struct Item: Decodable {
        let id: String
        let type: String
        let frame: Frame
    }

    struct Section: Decodable {
        let id: String?
        let frame: Frame
        let items: [Item]
    }

    struct Diagnostic: Decodable {
        let code: String
        let page: Int
        let pointer: String
        let detail: String
    }

    let screen: String?
    let revision: Int?
    let page: Int
    let pageCount: Int
    let hasNext: Bool
    let nextPageToken: String?
    let contentSize: Size
    let sections: [Section]
    let diagnostics: [Diagnostic]

    /// Returns the ids of the items in the section with the given id.
    func items(of section: String) -> [String] {
        sections.first { $0.id == section }?.items.map(\.id) ?? []
    }
}

/// A problem document (RFC 9457).
struct Problem: Decodable {
    struct Violation: Decodable {
        let pointer: String
        let detail: String
    }

    let type: String
    let title: String
    let status: Int
    let detail: String
    let code: String
    let offset: Int?
    let errors: [Violation]?
}

extension Response {
    /// Returns the body, which must be a tree.
    func tree() throws -> Tree { try decode() }

    /// Returns the body, which must be a problem document.
    func problem() throws -> Problem {
        guard self["Content-Type"] == "application/problem+json" else {
            throw HarnessError(
                "not a problem document: \(status) \(self["Content-Type"] ?? "") \(text)")
        }
        return try decode()
    }
}
