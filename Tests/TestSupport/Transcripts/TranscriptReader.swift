package import Foundation

extension Transcript {
    /// The folder of the transcripts.
    package static let folder = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Transcripts")

    /// Returns the tests of all files of ``folder``; of some if `BROADSHEET_TRANSCRIPTS` has a part
    /// of the names of files.
    package static func all() throws -> [Transcript] {
        let part = ProcessInfo.processInfo.environment["BROADSHEET_TRANSCRIPTS"] ?? ""
        return try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
            .filter { $0.hasSuffix(".txt") && (part.isEmpty || $0.contains(part)) }
            .flatMap { name in
                let url = folder.appending(path: name)
                return try read(try String(contentsOf: url, encoding: .utf8), of: name)
            }
    }

    /// Reads the tests of a file.
    ///
    /// - Throws: The first ``TranscriptMistake``.
    package static func read(_ text: String, of file: String) throws -> [Transcript] {
        var reader = TranscriptReader(file: file)
        for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false)
            .enumerated()
        {
            try reader.read(TranscriptLine(number: index + 1, text: String(line)))
        }
        return try reader.transcripts()
    }
}

/// Reads a file of transcripts, line by line.
private struct TranscriptReader {
    private let file: String
    /// What stands before the first sentence, which is a part of every test.
    private var common: Transcript
    private var tests: [(line: TranscriptLine, Transcript)] = []
    private var current: Transcript
    private var paragraph = TranscriptParagraph()
    /// The table that is being read: its columns.
    private var table: [String]?
    private var tableRows: [TranscriptCases.Row] = []
    private var tables: [(columns: [String], rows: [TranscriptCases.Row])] = []
    private var lines: [TranscriptLine] = []

    init(file: String) {
        self.file = file
        common = Transcript(file: file, sentence: "")
        current = common
    }

    /// Reads the next line.
    mutating func read(_ line: TranscriptLine) throws {
        lines.append(line)
        if line.text.hasPrefix("    ") { return try readBody(line) }
        let text = line.text.trimmingCharacters(in: .whitespaces)
        if text.hasPrefix("// ") || (text.hasPrefix("# ") && line.number == 1) { return }
        if !text.hasPrefix("|") { try endTable(at: line) }
        if text.isEmpty { return try endParagraph(at: line) }
        if text.hasPrefix("## ") { return try begin(line, String(text.dropFirst(3))) }
        if text.hasPrefix("|") { return try readRow(text, line) }
        if text.hasPrefix("each ") { return try readEach(text, line) }
        if text == "and", !tables.isEmpty { return }
        if !tables.isEmpty { throw mistake(line, "a line after the tables of a paragraph") }
        if text.hasPrefix("> ") {
            return try change(line) { $0.headers += Self.parts(of: line, text, prefix: "> ") }
        }
        if isExpectation(text) {
            let parts = Self.parts(of: line, text, prefix: "< ")
            for part in parts { _ = try TranscriptExpectation(part.text, part, in: file) }
            return try change(line) { $0.expectations += parts }
        }
        if try readNeed(text, line) { return }
        guard let request = text.wholeMatch(of: #/(\S+ \S+)( .+)?( -> \S+( [A-Z_]+)?)/#) else {
            throw mistake(line, "not a line of a transcript: \(text)")
        }
        var exchange = TranscriptExchange(
            line: TranscriptLine(number: line.number, text: String(request.1 + request.3)))
        exchange.body =
            (request.2?.dropFirst()).map {
                [TranscriptLine(number: line.number, text: String($0))]
            } ?? []
        paragraph.exchanges.append(exchange)
    }

    /// Returns the parts of a line between semicolons; a header field can be without its sign.
    private static func parts(
        of line: TranscriptLine, _ text: String, prefix: String
    ) -> [TranscriptLine] {
        text.split(separator: " ; ").map { part in
            let field = #/!?[A-Za-z0-9-]+(: | (!=|contains|starts|lacks) ).*/#
            let isField =
                prefix == "> "
                ? !part.hasPrefix(prefix)
                : !part.hasPrefix("body ") && part.wholeMatch(of: field) != nil
            return TranscriptLine(
                number: line.number, text: isField ? prefix + String(part) : String(part))
        }
    }

    /// Returns the tests of the file.
    mutating func transcripts() throws -> [Transcript] {
        let end = TranscriptLine(number: lines.count, text: "")
        try endTable(at: end)
        try endParagraph(at: end)
        try endTest(at: end)
        guard !tests.isEmpty else { throw mistake(end, "a file without a test") }
        try checkNames()
        return tests.map(\.1)
    }

    private func mistake(_ line: TranscriptLine, _ message: String) -> TranscriptMistake {
        TranscriptMistake(file: file, line: line.number, message: message)
    }

    private func isExpectation(_ text: String) -> Bool {
        ["<", "/", "!/", "body ", "keep ", "applied "].contains { text.hasPrefix($0) }
    }

    /// Reads what a service needs, or a definition; returns `false` if the line is neither.
    private mutating func readNeed(_ text: String, _ line: TranscriptLine) throws -> Bool {
        let words = text.split(separator: " ", maxSplits: 1).map(String.init)
        guard words.count == 2, ["let", "catalog", "flags", "key"].contains(words[0]) else {
            return false
        }
        guard paragraph.exchanges.isEmpty else {
            throw mistake(line, "\(words[0]) stands before the requests of a paragraph")
        }
        switch words[0] {
        case "let":
            guard let match = words[1].wholeMatch(of: /(\w+) = (.+)/) else {
                throw mistake(line, "not a definition: let NAME = TEXT")
            }
            let definition = TranscriptDefinition(
                name: String(match.1),
                line: TranscriptLine(number: line.number, text: String(match.2)))
            current.definitions.append(definition)
        case "catalog":
            if let match = words[1].wholeMatch(of: #/([A-Za-z0-9._~-]+) = (.+)/#) {
                current.needs.named[String(match.1)] = try catalog(String(match.2), line)
            } else {
                current.needs.catalog = try catalog(words[1], line)
            }
        case "flags": current.needs.flags += words[1].split(separator: " ").map(String.init)
        default: current.needs.keys.append(words[1])
        }
        return true
    }

    /// Returns a catalog: the JSON itself, or that of a file of ``Transcript/folder``.
    private func catalog(_ text: String, _ line: TranscriptLine) throws -> String {
        guard text.hasSuffix(".json") else { return text }
        let file = Transcript.folder.appending(path: text)
        guard let content = try? String(contentsOf: file, encoding: .utf8) else {
            throw mistake(line, "no such file: \(text)")
        }
        return content
    }

    /// Changes the exchange that a line belongs to.
    private mutating func change(
        _ line: TranscriptLine, _ body: (inout TranscriptExchange) -> Void
    ) throws {
        guard !paragraph.exchanges.isEmpty else { throw mistake(line, "a line without a request") }
        body(&paragraph.exchanges[paragraph.exchanges.count - 1])
    }

    private mutating func readBody(_ line: TranscriptLine) throws {
        let text = String(line.text.dropFirst(4))
        let isLate =
            paragraph.exchanges.last?.expectations.isEmpty == false
            || paragraph.exchanges.last.map { $0.body.first?.number == $0.line.number } == true
        guard table == nil, !isLate else { throw mistake(line, "a body stands after its request") }
        try change(line) { $0.body.append(TranscriptLine(number: line.number, text: text)) }
    }

    private mutating func begin(_ line: TranscriptLine, _ sentence: String) throws {
        try endParagraph(at: line)
        try endTest(at: line)
        current = Transcript(
            file: file, sentence: sentence, needs: common.needs, definitions: common.definitions,
            paragraphs: common.paragraphs)
        tests.append((line, current))
    }

    private mutating func endTest(at line: TranscriptLine) throws {
        guard !tests.isEmpty else {
            guard current.cases.columns.isEmpty else {
                throw mistake(line, "a table before the first sentence")
            }
            return common = current
        }
        guard current.paragraphs.count > common.paragraphs.count else {
            throw mistake(tests[tests.count - 1].line, "a test without a request")
        }
        tests[tests.count - 1].1 = current
    }
}

// Paragraphs and tables.
extension TranscriptReader {
    /// Reads a row of a table; the first one has the names of its columns.
    private mutating func readRow(_ text: String, _ line: TranscriptLine) throws {
        let cells = try cells(of: text, line)
        guard let columns = table else {
            for name in cells {
                guard name.wholeMatch(of: /\w+/) != nil else {
                    throw mistake(line, "not the name of a column: \(name)")
                }
                paragraph.cases.columns.append((name, line.number))
            }
            table = cells
            return
        }
        guard cells.count == columns.count else {
            throw mistake(line, "\(cells.count) cells of \(columns.count) columns")
        }
        tableRows.append(Dictionary(zip(columns, cells)) { $1 })
    }

    /// Returns the cells of a row; one in backquotes is taken as it is.
    private func cells(of text: String, _ line: TranscriptLine) throws -> [String] {
        guard text.hasSuffix("|"), text.count > 1 else {
            throw mistake(line, "a row without its end")
        }
        var cells: [String] = []
        var cell = ""
        var isQuoted = false
        for character in text.dropFirst() {
            if character == "`" { isQuoted.toggle() }
            guard character == "|", !isQuoted else {
                cell.append(character)
                continue
            }
            cell = cell.trimmingCharacters(in: .whitespaces)
            let isWhole = cell.count > 1 && cell.hasPrefix("`") && cell.hasSuffix("`")
            cells.append(isWhole ? String(cell.dropFirst().dropLast()) : cell)
            cell = ""
        }
        guard !isQuoted else { throw mistake(line, "a backquote without its end") }
        return cells
    }

    /// Reads the rows of a table with one column: `each NAME: CELL | CELL`.
    private mutating func readEach(_ text: String, _ line: TranscriptLine) throws {
        guard let match = text.wholeMatch(of: #/each (\w+): (.*)/#) else {
            throw mistake(line, "not a column: each NAME: CELL | CELL")
        }
        let name = String(match.1)
        let rows = try cells(of: "|\(match.2)|", line).map { [name: $0] }
        if tables.last?.columns == [name] {
            tables[tables.count - 1].rows += rows
        } else {
            paragraph.cases.columns.append((name, line.number))
            tables.append(([name], rows))
        }
    }

    private mutating func endTable(at line: TranscriptLine) throws {
        guard let columns = table else { return }
        guard !tableRows.isEmpty else { throw mistake(line, "a table without rows") }
        tables.append((columns, tableRows))
        (table, tableRows) = (nil, [])
    }

    /// Ends a paragraph: of requests, or of tables for the whole test.
    private mutating func endParagraph(at line: TranscriptLine) throws {
        for (_, rows) in tables {
            paragraph.cases.rows = paragraph.cases.rows.flatMap { one in
                rows.map { one.merging($0) { $1 } }
            }
        }
        tables = []
        defer { paragraph = TranscriptParagraph() }
        guard paragraph.exchanges.isEmpty else { return current.paragraphs.append(paragraph) }
        guard !paragraph.cases.columns.isEmpty else { return }
        guard current.paragraphs.count == common.paragraphs.count || tests.isEmpty else {
            throw mistake(line, "tables of a whole test stand before its requests")
        }
        current.cases.columns += paragraph.cases.columns
        current.cases.rows = current.cases.rows.flatMap { one in
            paragraph.cases.rows.map { one.merging($0) { $1 } }
        }
    }
}

// Names.
extension TranscriptReader {
    /// Checks that each name of a definition, of a column or of a value that is kept is used.
    private func checkNames() throws {
        for line in lines {
            for part in line.text.split(separator: " ; ") {
                guard let match = part.prefixMatch(of: #/(let|keep) (\w+) = /#) else { continue }
                try check(String(match.2), line.number)
            }
        }
        for (_, test) in tests {
            for (name, line) in test.cases.columns + test.paragraphs.flatMap(\.cases.columns) {
                try check(name, line)
            }
        }
    }

    /// Checks that a name is in braces, in a cell of a table or in the names of changes and trees;
    /// or its beginning, if the end is a number that stands in braces.
    private func check(_ name: String, _ number: Int) throws {
        let stem = name.prefix { !$0.isNumber } + "{{"
        let isUsed = lines.contains { line in
            let text = line.text
            if text.contains("{{\(name)}}") || stem.count < name.count + 2 && text.contains(stem) {
                return true
            }
            let words = text.split(separator: " ")
            return line.number != number && words.contains(name[...])
                && (words.contains("applied") || words.first == "|" || words.first == "each")
        }
        guard isUsed else {
            throw TranscriptMistake(file: file, line: number, message: "\(name) is not used")
        }
    }
}
