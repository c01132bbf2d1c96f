internal import Broadsheet

/// A file that was read, kept to say where in it a fault is, as compilers do:
/// `file:line:column pointer message`.
struct SourceText {
    /// The file's name as it was typed.
    let path: String
    /// Its bytes.
    let bytes: [UInt8]

    /// The files that a command's operands name, read in their order.
    ///
    /// - Throws: `CommandError.usage` when there is none (`wanted` says what the first should be) or
    ///   standard input is named twice; `CommandError.input` for a file that cannot be read.
    static func all(
        _ arguments: Arguments, _ wanted: String, in console: Console
    ) throws(CommandError) -> [SourceText] {
        guard !arguments.operands.isEmpty else { throw .usage("\(wanted) is missing") }
        guard arguments.operands.count(where: { $0 == "-" }) <= 1 else {
            throw .usage("standard input ('-') can be read only once")
        }
        var sources = [SourceText]()
        for path in arguments.operands {
            sources.append(SourceText(path: path, bytes: try console.contents(of: path)))
        }
        return sources
    }

    /// The line for a fault at a byte; `pointer` names the value in the document, if there is one.
    ///
    /// - Complexity: O(offset).
    func line(at offset: Int, pointer: String? = nil, _ message: String) -> String {
        let position = JSONPosition(of: offset, in: bytes)
        return compose(position.line, position.column, pointer, message)
    }

    /// The line for text that is not JSON.
    func line(for error: JSONError) -> String {
        compose(error.line, error.column, nil, error.detail)
    }

    /// The lines for what keeps it from being a page, or from being one more page of a screen.
    func lines(for error: ComposeError) -> [String] {
        switch error {
        case .invalidJSON(let error, _): [line(for: error)]
        case .invalidContract(let error, _): lines(for: error.violations, total: error.total)
        case .repeatedNumber, .noNumberLeft, .tooMuch: ["\(path): \(error.detail)"]
        }
    }

    /// A line for each violation, and one that counts those that were left out.
    func lines(for violations: [ContractViolation], total: Int) -> [String] {
        let lines = violations.map { line(at: $0.offset, pointer: $0.pointer, $0.detail) }
        guard total > violations.count else { return lines }
        return lines + ["\(path): \(total - violations.count) more faults like these"]
    }

    /// The line for a fault of the value that `pointer` names.
    ///
    /// What is missing is reported where it
    /// is missing from: at the nearest enclosing value that is there.
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
        _ row: Int, _ column: Int, _ pointer: String?, _ message: String
    )
        -> String
    {
        let place = "\(path):\(row):\(column)"
        guard let pointer, !pointer.isEmpty else { return "\(place) \(message)" }
        return "\(place) \(pointer) \(message)"
    }
}
