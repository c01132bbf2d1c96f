/// One test of a file of `Tests/Transcripts`: requests, and what their responses must have.
///
/// CONTRIBUTING.md, "Transcripts", has the format.
package struct Transcript: Sendable, CustomStringConvertible {
    /// The name of the file.
    package let file: String
    /// The name of the test, a sentence.
    package let sentence: String
    /// The service that the test needs.
    package var needs = TranscriptNeeds()
    /// The texts that have a name.
    var definitions: [TranscriptDefinition] = []
    /// The rows of the tables before the first request: each is played on a service of its own.
    var cases = TranscriptCases()
    var paragraphs: [TranscriptParagraph] = []

    package var description: String { "\(file): \(sentence)" }
}

/// What a service needs so that a transcript can be played on it.
package struct TranscriptNeeds: Hashable, Sendable {
    /// The catalog, as JSON; by default `Tests/Transcripts/shop.json`.
    package var catalog: String?
    /// The catalogs that have names.
    package var named: [String: String] = [:]
    /// The options of `broadsheet serve`, without those of the catalog and of the keys.
    package var flags: [String] = []
    /// The lines of the file of keys without their digests; the secret of a key is `secret-` and
    /// its name.
    package var keys: [String] = []
}

/// A request of a transcript.
package struct TranscriptRequest: Sendable {
    package let method: String
    package let target: String
    package var headers: [(name: String, value: String)] = []
    package var body = ""
}

/// The response to a request of a transcript.
package struct TranscriptResponse: Sendable {
    package let status: Int
    package let headers: [(name: String, value: String)]
    package let body: [UInt8]

    package init(status: Int, headers: [(name: String, value: String)], body: [UInt8]) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    /// The values of a header field, joined; `nil` without one.
    func header(_ name: String) -> String? {
        let values = headers.filter { $0.name.lowercased() == name.lowercased() }.map(\.value)
        return values.isEmpty ? nil : values.joined(separator: ", ")
    }

    var text: String { String(decoding: body, as: UTF8.self) }
}

/// A mistake in a transcript, or a response that is not the expected one.
package struct TranscriptMistake: Error, CustomStringConvertible, Equatable {
    package let file: String
    package let line: Int
    package let message: String

    package var description: String { "\(file):\(line): \(message)" }
}

/// A line of a transcript, with its number.
struct TranscriptLine: Sendable {
    let number: Int
    let text: String
}

/// A text that has a name: `let NAME = TEXT`.
struct TranscriptDefinition: Sendable {
    let name: String
    let line: TranscriptLine
}

/// The rows of tables, each combined with each of the other tables.
struct TranscriptCases: Sendable {
    /// The columns that a row gives values to.
    typealias Row = [String: String]

    var columns: [(name: String, line: Int)] = []
    var rows: [Row] = [[:]]
}

/// Exchanges that are repeated for each row of the tables at their end.
struct TranscriptParagraph: Sendable {
    var exchanges: [TranscriptExchange] = []
    var cases = TranscriptCases()
}

/// A request with its expected response.
struct TranscriptExchange: Sendable {
    /// The method, the target, the status and the code.
    let line: TranscriptLine
    var headers: [TranscriptLine] = []
    var body: [TranscriptLine] = []
    var expectations: [TranscriptLine] = []
}
