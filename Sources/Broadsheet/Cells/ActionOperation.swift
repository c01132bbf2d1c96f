/// An operation of an action in a catalog: an operation of an update in which `{"$input": pointer}`
/// stands for a value of the event's input, and which may leave out the event's own item.
struct ActionOperation: Sendable {
    /// A piece of the operation's JSON.
    enum Piece: Sendable {
        /// Bytes of the catalog.
        case bytes([UInt8])
        /// The value of the event's input at a pointer.
        case input(JSONPointer)
        /// The section of the event.
        case section
        /// The item of the event.
        case item
    }

    /// The JSON of the operation, without its closing brace.
    let pieces: [Piece]
    /// The JSON of the members that the event supplies, which follows.
    let defaults: [Piece]

    /// The name of the member that stands for a value of the input.
    static let inputName = "$input"
}

/// The section and the item of an event, which an operation is about by default.
struct ActionTarget: Sendable {
    /// The section.
    let section: UpdateTarget
    /// The item.
    let item: UpdateTarget
}

extension ActionOperation {
    /// Returns the largest number of bytes of the operation for an input.
    ///
    /// - Throws: The first pointer that finds nothing.
    func byteCount(
        for target: ActionTarget, input: JSONValue?
    ) throws(MissingInput) -> Int {
        var count = 64
        for piece in pieces {
            switch piece {
            case .bytes(let bytes): count += bytes.count
            case .input(let pointer):
                guard let value = input.flatMap(pointer.evaluate) else {
                    throw MissingInput(pointer: pointer.description)
                }
                count += value.byteRange.count
            case .section, .item: break  // Counted below, as often as they can be written.
            }
        }
        // A byte of a name has at most six as JSON; each name is written at most twice.
        return count + 12 * (target.section.byteCount + target.item.byteCount)
    }

    /// Writes the operation for an event whose input has all values (``byteCount(for:input:)``).
    func write(for target: ActionTarget, input: JSONValue?, to writer: inout JSONWriter) {
        write(for: target, to: &writer) { pointer, writer in
            guard let value = input.flatMap(pointer.evaluate) else { return writer.raw("null") }
            writer.raw(Array(value.document.bytes[value.byteRange]))
        }
    }

    /// Writes the operation with what `writeInput` writes for values of the input.
    func write(
        for target: ActionTarget, to writer: inout JSONWriter,
        _ writeInput: (JSONPointer, inout JSONWriter) -> Void
    ) {
        for piece in [pieces, defaults].joined() {
            switch piece {
            case .bytes(let bytes): writer.raw(bytes)
            case .input(let pointer): writeInput(pointer, &writer)
            case .section: writer.target(target.section)
            case .item: writer.target(target.item)
            }
        }
        writer.raw("}")
    }
}

/// The failure of an action whose input does not have a value.
struct MissingInput: Error {
    /// The pointer into the input.
    let pointer: String
}

extension UpdateTarget {
    /// The number of bytes of the name as text.
    fileprivate var byteCount: Int {
        switch self {
        case .id(let id): id.utf8.count + 2
        case .index: 20
        }
    }
}

extension JSONWriter {
    /// Writes an id or an index.
    fileprivate mutating func target(_ target: UpdateTarget) {
        switch target {
        case .id(let id): string(id)
        case .index(let index): integer(index)
        }
    }
}
