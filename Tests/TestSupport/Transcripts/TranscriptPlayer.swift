import Foundation
import BroadsheetClient

extension Transcript {
    /// A function that sends a request to a service.
    package typealias Service = (TranscriptRequest) async throws -> TranscriptResponse

    /// Plays the test, each case on a new service.
    ///
    /// - Parameter start: Starts a service.
    /// - Throws: What `start` or its service throws, or the first ``TranscriptMistake``.
    package func play(on start: (TranscriptNeeds) async throws -> Service) async throws {
        for row in cases.rows {
            var player = try TranscriptPlayer(self, row, try await start(needs))
            try await player.play(paragraphs)
        }
    }
}

/// Sends the requests of a case.
private struct TranscriptPlayer {
    private let file: String
    private let service: Transcript.Service
    private let definitions: [String: String]
    /// The values of columns, and those that were kept.
    private var values: [String: String]

    init(
        _ test: Transcript, _ row: TranscriptCases.Row, _ service: @escaping Transcript.Service
    ) throws {
        file = test.file
        self.service = service
        values = [:]
        definitions = Dictionary(test.definitions.map { ($0.name, $0.line.text) }) { $1 }
        try take(row, of: test.cases)
    }

    /// Gives the columns of a row their values.
    private mutating func take(_ row: TranscriptCases.Row, of cases: TranscriptCases) throws {
        for (name, line) in cases.columns {
            values[name] = try row[name].map {
                try replaced(TranscriptLine(number: line, text: $0))
            }
        }
    }

    mutating func play(_ paragraphs: [TranscriptParagraph]) async throws {
        for paragraph in paragraphs {
            for row in paragraph.cases.rows {
                try take(row, of: paragraph.cases)
                for exchange in paragraph.exchanges { try await play(exchange, row) }
            }
        }
    }

    private mutating func play(
        _ exchange: TranscriptExchange, _ row: TranscriptCases.Row
    ) async throws {
        let words = try replaced(exchange.line).split(separator: " ").map(String.init)
        guard words.count == 4 || words.count == 5, words[2] == "->" else {
            throw mistake(exchange.line, "not a request: \(words.joined(separator: " "))")
        }
        var request = TranscriptRequest(method: words[0], target: words[1])
        for line in exchange.headers {
            let text = try replaced(line).dropFirst(2)
            // A row of a table can leave a field out.
            guard !text.isEmpty else { continue }
            let field = text.split(
                separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            guard field.count == 2 else { throw mistake(line, "not a header field") }
            request.headers.append(
                (String(field[0]), field[1].trimmingCharacters(in: .whitespaces)))
        }
        request.body = try exchange.body.map { try replaced($0) }.joined(separator: "\n")
        let response = try await service(request)
        let place = row.isEmpty ? "" : " (\(row.sorted { $0.key < $1.key }.map { "\($0): \($1)" }))"
        let received = "\(response.status) \(response.text.prefix(600))\(place)"
        guard String(response.status) == words[3] else {
            throw mistake(exchange.line, "not \(words[3]): \(received)")
        }
        if words.count == 5 {
            let code = try? response.part(.pointer("/code"))
            guard code?.text == words[4],
                response.header("Content-Type") == "application/problem+json"
            else { throw mistake(exchange.line, "not \(words[4]): \(received)") }
        }
        for line in exchange.expectations { try check(line, response, place) }
    }

    private mutating func check(
        _ line: TranscriptLine, _ response: TranscriptResponse, _ place: String
    ) throws {
        let text = line.text.trimmingCharacters(in: .whitespaces)
        let expectation = try TranscriptExpectation(text, line, in: file)
        let part: TranscriptPart?
        do {
            part = try response.part(try replaced(expectation.subject, line))
        } catch let mistake as TranscriptMistake {
            throw mistake
        } catch {
            throw mistake(line, "the body is not JSON: \(response.text.prefix(500))\(place)")
        }
        let received = "\(response.headers) \(response.text.prefix(600))\(place)"
        if case .isAbsent = expectation.check {
            guard part == nil else { throw mistake(line, "it is there: \(received)") }
            return
        }
        guard let part else { throw mistake(line, "it leads nowhere: \(received)") }
        switch expectation.check {
        case .isPresent, .isAbsent: break
        case .keeps(let name): values[name] = part.text
        case .compares(let comparison, let expected):
            let text = try replaced(TranscriptLine(number: line.number, text: expected))
            if let failure = part.failure(of: comparison, text) {
                throw mistake(line, failure + place)
            }
        case .applied(let changes, let old):
            let (changes, old) = (try value(ofKept: changes, line), try value(ofKept: old, line))
            do {
                var tree = try Tree(json: old.utf8)
                try Changes(json: changes.utf8).apply(to: &tree)
                guard try tree != Tree(json: part.text.utf8) else { return }
                throw mistake(line, "another tree than by \(changes.prefix(500)): \(received)")
            } catch let error where !(error is TranscriptMistake) {
                throw mistake(line, "no changes of a tree: \(error): \(changes.prefix(500))")
            }
        }
    }

    private func mistake(_ line: TranscriptLine, _ message: String) -> TranscriptMistake {
        TranscriptMistake(file: file, line: line.number, message: message)
    }

    /// Returns the value of a name in which there can be other names.
    private func value(ofKept name: String, _ line: TranscriptLine) throws -> String {
        try value(of: try replaced(TranscriptLine(number: line.number, text: name)), line)
    }

    private func value(of name: String, _ line: TranscriptLine) throws -> String {
        if let value = values[name] { return value }
        guard let text = definitions[name] else { throw mistake(line, "\(name) was never kept") }
        return try replaced(TranscriptLine(number: line.number, text: text))
    }

    private func replaced(
        _ subject: TranscriptExpectation.Subject, _ line: TranscriptLine
    ) throws -> TranscriptExpectation.Subject {
        guard case .pointer(let text) = subject else { return subject }
        return .pointer(try replaced(TranscriptLine(number: line.number, text: text)))
    }

    /// Returns a line with the values of its names and functions.
    private func replaced(_ line: TranscriptLine) throws -> String {
        var rest = line.text[...]
        return try replaced(&rest, isInner: false, line)
    }

    /// Returns a text up to its end, or up to the end of the braces that it is in.
    private func replaced(
        _ rest: inout Substring, isInner: Bool, _ line: TranscriptLine
    ) throws -> String {
        var result = ""
        while !rest.isEmpty {
            if isInner, rest.hasPrefix("}}") {
                rest = rest.dropFirst(2)
                return result
            }
            guard rest.hasPrefix("{{") else {
                result.append(rest.removeFirst())
                continue
            }
            rest = rest.dropFirst(2)
            let words = try replaced(&rest, isInner: true, line).split(separator: " ")
                .map(String.init)
            if let text = TranscriptFunction.text(of: words) {
                result += text
            } else if words.count == 1 {
                result += try value(of: words[0], line)
            } else {
                throw mistake(line, "not a function: \(words.joined(separator: " "))")
            }
        }
        guard !isInner else { throw mistake(line, "{{ without }}") }
        return result
    }
}

/// The functions of transcripts: `{{list a b}}`.
private enum TranscriptFunction {
    /// Returns the text that a function makes of its arguments; `nil` if there is no such function.
    static func text(of words: [String]) -> String? {
        let options = Dictionary(
            words.compactMap { $0.wholeMatch(of: /(\w+)=(.*)/) }
                .map { (String($0.1), String($0.2)) }
        ) { $1 }
        let arguments = words.dropFirst().filter { $0.wholeMatch(of: /\w+=.*/) == nil }
        switch (words.first, arguments.count) {
        case ("list", _):
            return TranscriptPages.list(
                arguments,
                section: options["section"].map { $0 == "null" ? nil : $0 } ?? "List",
                page: options["page"].flatMap { Int($0) },
                hasNext: options["next"].map { $0 == "true" })
        case ("rows", _):
            return TranscriptPages.rows(
                arguments.compactMap { Int($0) }, text: options["text"] ?? "a",
                hasNext: options["next"] == "true")
        case ("catalog", 0): return TranscriptPages.shop
        case ("repeat", 2):
            return Int(words[1]).map { String(repeating: words[2], count: $0) }
        case ("char", 1):
            return UInt32(words[1], radix: 16).flatMap { Unicode.Scalar($0) }.map { String($0) }
        default: return nil
        }
    }
}
