import Broadsheet

/// A file that was read, which reports errors in it as compilers do:
/// `file:line:column pointer message`.
struct SourceText {
    /// The file's name as it was typed.
    let path: String
    let bytes: [UInt8]

    /// Reads the files that a command's operands name, in their order.
    ///
    /// - Parameter expected: A description of the first operand, such as `a PAGE.json`.
    /// - Throws: `CommandError.usage` without operands, and for a second use of standard input;
    ///   `CommandError.input` for a file that cannot be read.
    static func all(
        at paths: [String], _ expected: String, in console: Console
    ) throws(CommandError) -> [SourceText] {
        guard !paths.isEmpty else { throw .usage("\(expected) is missing") }
        guard paths.count(where: { $0 == "-" }) <= 1 else {
            throw .usage("standard input ('-') can be read only once")
        }
        var sources = [SourceText]()
        for path in paths {
            sources.append(SourceText(path: path, bytes: try console.contents(of: path)))
        }
        return sources
    }

    /// Returns the line for an error at a byte offset.
    ///
    /// - Parameter pointer: The JSON pointer of the value, if the error is about one.
    /// - Complexity: O(offset).
    func line(at offset: Int, pointer: String? = nil, _ message: String) -> String {
        let position = JSONPosition(of: offset, in: bytes)
        return compose(row: position.line, column: position.column, pointer: pointer, message)
    }

    func line(for error: JSONError) -> String {
        compose(row: error.line, column: error.column, pointer: nil, error.detail)
    }

    /// Returns the lines for errors at byte offsets, in the order of these.
    ///
    /// - Complexity: O(bytes), and sorting the errors.
    func lines(for errors: [(offset: Int, pointer: String, message: String)]) -> [String] {
        var (row, start, position) = (1, 0, 0)
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { start = 3 }
        return errors.sorted { $0.offset < $1.offset }.map { error in
            while position < min(error.offset, bytes.count) {
                if bytes[position] == UInt8(ascii: "\n") { (row, start) = (row + 1, position + 1) }
                position += 1
            }
            return compose(
                row: row, column: error.offset - start + 1, pointer: error.pointer, error.message)
        }
    }

    func lines(for error: ComposeError) -> [String] {
        switch error {
        case .invalidJSON(let error, _): [line(for: error)]
        case .invalidContract(let error, _): lines(for: error.violations, total: error.total)
        case .repeatedNumber, .noNumberLeft, .tooMuch: ["\(path): \(error.detail)"]
        }
    }

    /// Returns a line for each violation, and one with the number of those that were left out.
    func lines(for violations: [ContractViolation], total: Int) -> [String] {
        let lines = violations.map { line(at: $0.offset, pointer: $0.pointer, $0.detail) }
        guard total > violations.count else { return lines }
        return lines + ["\(path): \(total - violations.count) more violations"]
    }

    func line(for diagnostic: Diagnostic, in root: JSONValue) -> String {
        line(
            at: diagnostic.pointer, in: root, "\(diagnostic.code.rawValue) \(diagnostic.detail)")
    }

    /// Returns the line for an error of the value that `pointer` names.
    ///
    /// The position of a missing value is that of the nearest enclosing value that exists.
    func line(at pointer: String, in root: JSONValue, _ message: String) -> String {
        var steps = pointer
        while true {
            if let found = (try? JSONPointer(steps))?.evaluate(on: root) {
                return line(at: found.byteRange.lowerBound, pointer: pointer, message)
            }
            guard let slash = steps.lastIndex(of: "/") else {
                return line(at: 0, pointer: pointer, message)
            }
            steps = String(steps[..<slash])
        }
    }

    private func compose(
        row: Int, column: Int, pointer: String?, _ message: String
    )
        -> String
    {
        let position = "\(path):\(row):\(column)"
        guard let pointer, !pointer.isEmpty else { return "\(position) \(message)" }
        return "\(position) \(pointer) \(message)"
    }
}
