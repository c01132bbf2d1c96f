/// A writer of JSON values into one growing buffer of bytes.
///
/// The caller writes the brackets, commas and colons, or uses a `StructuredJSONWriter`.
public struct JSONWriter: Sendable {
    /// The bytes written so far.
    public private(set) var bytes: [UInt8] = []

    /// Creates an empty writer with space for `capacity` bytes.
    public init(reservingCapacity capacity: Int = 0) {
        bytes.reserveCapacity(capacity)
    }

    /// Reserves space for `count` bytes, at least 1, and calls `body`, which writes at most as
    /// many.
    @inline(__always)
    package mutating func withCapacity(_ count: Int, _ body: (inout JSONCursor) -> Void) {
        precondition(count > 0, "the capacity must be positive")
        bytes.append(addingCapacity: count) { span in
            span.withUnsafeMutableBufferPointer { buffer, written in
                var cursor = JSONCursor(UnsafeMutableBufferPointer(rebasing: buffer[written...]))
                body(&cursor)
                written += cursor.count
            }
        }
    }

    /// Removes the bytes written so far and keeps the buffer's capacity.
    package mutating func removeAll() {
        bytes.removeAll(keepingCapacity: true)
    }

    /// Writes JSON that is known at compile time.
    @inline(__always)
    public mutating func raw(_ literal: StaticString) {
        bytes.append(
            contentsOf: UnsafeBufferPointer(
                start: literal.utf8Start, count: literal.utf8CodeUnitCount))
    }

    /// Writes one byte.
    @inline(__always)
    public mutating func raw(byte: UInt8) {
        bytes.append(byte)
    }

    /// Writes bytes that are JSON already.
    @inline(__always)
    public mutating func raw(_ json: [UInt8]) {
        bytes.append(contentsOf: json)
    }

    /// Writes the bytes of `source` at `range`, which are JSON already.
    @inline(__always)
    public mutating func raw(from source: [UInt8], _ range: Range<Int>) {
        source.withUnsafeBufferPointer { bytes.append(contentsOf: $0[range]) }
    }

    /// Writes a string in quotes with only the escapes that are required.
    public mutating func string(_ string: String) {
        var string = string
        string.withUTF8 { utf8 in
            withCapacity(2 + JSONEscape.maxByteCount * utf8.count) { cursor in
                cursor.byte(UInt8(ascii: "\""))
                for byte in utf8 { cursor.escaped(byte) }
                cursor.byte(UInt8(ascii: "\""))
            }
        }
    }

    /// Writes a text in quotes with only the escapes that are required, whatever escapes it has in
    /// its document; a text without escapes is copied.
    public mutating func text(_ text: JSONText) {
        text.withContent { content in
            withCapacity(2 + content.count) { cursor in
                cursor.byte(UInt8(ascii: "\""))
                if text.hasEscapes { cursor.reescaped(content) } else { cursor.copy(content) }
                cursor.byte(UInt8(ascii: "\""))
            }
        }
    }

    /// Writes `true` or `false`.
    public mutating func bool(_ value: Bool) {
        raw(value ? "true" : "false")
    }
}

extension JSONWriter {
    /// Writes a length in points or a time in seconds, rounded to thousandths, in the shortest
    /// form.
    ///
    /// The exact value of the Double is rounded half away from zero. NaN, the infinities and values
    /// that round to `-0` become `0`. From 2^63 on the number has an exponent and is the shortest
    /// decimal that reads back as the same Double.
    public mutating func number(_ value: Double) {
        withCapacity(JSONCursor.longestNumber) { $0.number(value) }
    }

    /// Writes an integer.
    public mutating func integer(_ value: Int) {
        withCapacity(JSONCursor.longestNumber) { cursor in
            if value < 0 { cursor.byte(UInt8(ascii: "-")) }
            cursor.digits(of: UInt64(value.magnitude))
        }
    }

    /// Writes an unsigned integer.
    public mutating func integer(_ value: UInt64) {
        withCapacity(JSONCursor.longestNumber) { $0.digits(of: value) }
    }
}
