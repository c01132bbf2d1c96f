/// One value of a document: a handle that is cheap to copy and keeps its document alive.
public struct JSONValue: Sendable {
    package let document: JSONDocument
    /// The value's place on its document's tape.
    package let node: UInt32

    /// Makes the handle of the value that `node` opens.
    @inline(__always)
    init(document: JSONDocument, node: UInt32) {
        self.document = document
        self.node = node
    }

    /// The six kinds of JSON values, the two truths being one.
    public enum Kind: Sendable, Hashable {
        /// Members by name.
        case object
        /// Elements in order.
        case array
        /// A text in quotes.
        case string
        /// A decimal number, kept as its bytes.
        case number
        /// `true` or `false`.
        case bool
        /// `null`.
        case null
    }

    /// What the value is.
    public var kind: Kind {
        switch firstByte {
        case UInt8(ascii: "{"): .object
        case UInt8(ascii: "["): .array
        case UInt8(ascii: "\""): .string
        case UInt8(ascii: "t"), UInt8(ascii: "f"): .bool
        case UInt8(ascii: "n"): .null
        default: .number
        }
    }

    /// Whether the value is `null`.
    public var isNull: Bool { firstByte == UInt8(ascii: "n") }

    /// The truth, or nil when the value is none.
    public var bool: Bool? {
        switch firstByte {
        case UInt8(ascii: "t"): true
        case UInt8(ascii: "f"): false
        default: nil
        }
    }

    /// The value's literal in `document.bytes`, quotes and brackets included.
    public var byteRange: Range<Int> { document.byteRange(of: node) }

    /// How many elements or members it has, duplicates included; 0 for anything but a container.
    public var count: Int {
        guard document.isContainer(node) else { return 0 }
        return Int(document.tape[document.tape[node].extent].extent)
    }

    /// What a string says, escapes decoded, or nil when the value is none; O(length).
    public var string: String? { kind == .string ? text?.string : nil }

    /// What a string or a number says, as text that identifies something; nil for other kinds.
    public var text: JSONText? {
        document.text(of: node).map { text in
            JSONText(bytes: document.bytes, range: text.range, hasEscapes: text.hasEscapes)
        }
    }

    @inline(__always)
    var firstByte: UInt8 { document.firstByte(of: node) }
}

extension JSONValue {
    /// A number as the nearest Double, ±infinity beyond the largest; nil when the value is none.
    public var double: Double? {
        guard kind == .number else { return nil }
        return document.bytes.withUnsafeBufferPointer { JSONNumber($0[byteRange]).double }
    }

    /// A number that is an integer and fits, however it is written (`10`, `1.0`, `1e1`, `-0`);
    /// nil otherwise.
    public var int: Int? {
        guard kind == .number else { return nil }
        return document.bytes.withUnsafeBufferPointer { JSONNumber($0[byteRange]).int }
    }
}
