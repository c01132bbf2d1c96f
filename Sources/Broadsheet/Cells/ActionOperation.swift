import BroadsheetClient

/// An operation of an action in a catalog: an operation of an update in which `{"$input": pointer}`
/// stands for a value of the event's input, and which may leave out the event's own item.
struct ActionOperation: Sendable {
    /// A piece of the operation's JSON.
    enum Piece: Sendable, Hashable {
        /// Bytes of the catalog.
        case bytes([UInt8])
        case input(JSONPointer)
        case section
        case item
    }

    /// The JSON of the operation, without its closing brace.
    let pieces: [Piece]
    /// The JSON of the members that the event supplies, which follows.
    let defaults: [Piece]

    /// The name of the member that stands for a value of the input.
    static let inputName = "$input"
}

/// The section of an event with the item, or the header or footer, which an operation is about by
/// default.
struct ActionTarget: Sendable {
    /// The part of the section.
    enum Part: Sendable {
        case item(UpdateTarget)
        case view(SectionView)
    }

    let section: UpdateTarget
    let part: Part

    var item: UpdateTarget? {
        if case .item(let item) = part { item } else { nil }
    }
}

extension ActionOperation {
    /// Returns the largest number of bytes of the operation for an input.
    ///
    /// - Throws: The first pointer that finds nothing, or the lack of an item that is needed.
    func byteCount(
        for target: ActionTarget, input: JSONValue?
    ) throws(MissingPart) -> Int {
        var count = 64
        if target.item == nil, defaults.contains(.item) {
            throw MissingPart(detail: "A header or a footer has no item for its operations.")
        }
        for piece in pieces {
            switch piece {
            case .bytes(let bytes): count += bytes.count
            case .input(let pointer):
                guard let value = input.flatMap(pointer.evaluate) else {
                    throw MissingPart(detail: "The input has no value at \"\(pointer)\".")
                }
                count += value.byteRange.count
            case .section, .item: break  // Counted below, as often as they can be written.
            }
        }
        // A byte of a name has at most six as JSON; each name is written at most twice.
        return count + 12 * (target.section.byteCount + (target.item?.byteCount ?? 0))
    }

    /// Writes the operation for an event whose input has all values (``byteCount(for:input:)``).
    func write(for target: ActionTarget, input: JSONValue?, to writer: inout JSONWriter) {
        write(for: target, to: &writer) { pointer, writer in
            guard let value = input.flatMap(pointer.evaluate) else { return writer.raw("null") }
            writer.raw(Array(value.document.bytes[value.byteRange]))
        }
    }

    func write(
        for target: ActionTarget, to writer: inout JSONWriter,
        _ writeInput: (JSONPointer, inout JSONWriter) -> Void
    ) {
        for piece in [pieces, defaults].joined() {
            switch piece {
            case .bytes(let bytes): writer.raw(bytes)
            case .input(let pointer): writeInput(pointer, &writer)
            case .section: writer.target(target.section)
            case .item: writer.target(target.item ?? "")
            }
        }
        writer.raw("}")
    }
}

/// The failure of an action whose event does not have what its operations need.
struct MissingPart: Error {
    let detail: String
}

extension UpdateTarget {
    fileprivate var byteCount: Int {
        switch self {
        case .id(let id): id.utf8.count + 2
        case .index: 20
        }
    }
}

extension JSONWriter {
    fileprivate mutating func target(_ target: UpdateTarget) {
        switch target {
        case .id(let id): string(id)
        case .index(let index): integer(index)
        }
    }
}
