internal import Broadsheet

/// A file that was read, kept to say where in it a fault is, as compilers do:
/// `file:line:column pointer message`.
struct SourceText {
    /// The file's name as it was typed.
    let path: String
    /// Its bytes.
    let bytes: [UInt8]

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
