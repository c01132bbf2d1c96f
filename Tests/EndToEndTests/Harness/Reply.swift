import Foundation

/// An answer, taken apart just far enough to look at it.
struct Reply {
    let status: Int
    let headers: [(name: String, value: String)]
    let body: [UInt8]

    /// The body as text.
    var text: String { String(decoding: body, as: UTF8.self) }

    /// The value of a header field, whatever the case of its name.
    subscript(name: String) -> String? {
        headers.first { $0.name.lowercased() == name.lowercased() }?.value
    }

    /// The body, read as JSON of a given shape.
    func decode<Value: Decodable>(_ type: Value.Type = Value.self) throws -> Value {
        do {
            return try JSONDecoder().decode(type, from: Data(body))
        } catch {
            throw HarnessError("not a \(type): \(error) in \(status) \(text.prefix(1_000))")
        }
    }

    /// The first answer in `bytes` and its length; nil if it is not all there yet.
    static func parse(_ bytes: [UInt8], answering method: String) throws -> (Reply, Int)? {
        guard let end = bytes.firstRange(of: Array("\r\n\r\n".utf8)) else { return nil }
        let head = String(decoding: bytes[..<end.lowerBound], as: UTF8.self)
        let lines = head.components(separatedBy: "\r\n")
        let words = lines[0].split(separator: " ", maxSplits: 2)
        guard words.count >= 2, words[0] == "HTTP/1.1", let status = Int(words[1]) else {
            throw HarnessError("not a status line: \(lines[0])")
        }
        let headers = try lines.dropFirst().map { line in
            guard let colon = line.firstIndex(of: ":") else {
                throw HarnessError("not a header field: \(line)")
            }
            let value = line[line.index(after: colon)...].trimmingCharacters(in: .whitespaces)
            return (name: String(line[..<colon]), value: value)
        }
        let bare = Reply(status: status, headers: headers, body: [])
        let hasBody = method != "HEAD" && status >= 200 && status != 204 && status != 304
        guard hasBody else { return (bare, end.upperBound) }
        guard let length = bare["Content-Length"].flatMap({ Int($0) }) else {
            throw HarnessError("an answer without a length: \(head)")
        }
        guard bytes.count >= end.upperBound + length else { return nil }
        let body = Array(bytes[end.upperBound..<end.upperBound + length])
        return (Reply(status: status, headers: headers, body: body), end.upperBound + length)
    }
}
