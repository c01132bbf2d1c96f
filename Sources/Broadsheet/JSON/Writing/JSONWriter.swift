/// Puts JSON into one growing buffer of bytes.
///
/// It writes what it is told: brackets, commas and colons are the caller's.
public struct JSONWriter: Sendable {
    /// What has been written.
    public private(set) var bytes: [UInt8] = []

    /// Makes an empty writer with room for `capacity` bytes.
    public init(reservingCapacity capacity: Int = 0) {
        bytes.reserveCapacity(capacity)
    }

    /// Makes room for `count` bytes, at least 1, and has `body` write there, so many at most.
    @inline(__always)
    package mutating func room(for count: Int, _ body: (inout JSONCursor) -> Void) {
        precondition(count > 0, "room for nothing")
        bytes.append(addingCapacity: count) { span in
            span.withUnsafeMutableBufferPointer { buffer, written in
                var cursor = JSONCursor(UnsafeMutableBufferPointer(rebasing: buffer[written...]))
                body(&cursor)
                written += cursor.count
            }
        }
    }

    /// Forgets what has been written, and keeps the buffer for what comes.
    package mutating func removeAll() {
        bytes.removeAll(keepingCapacity: true)
    }

    /// Writes a piece of JSON that is known at compile time.
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

    /// Writes the part of `source` at `range`, which is JSON already.
    @inline(__always)
    public mutating func raw(from source: [UInt8], _ range: Range<Int>) {
        source.withUnsafeBufferPointer { bytes.append(contentsOf: $0[range]) }
    }

    /// Writes a string in quotes, escaping only what must be.
    public mutating func string(_ string: String) {
        var string = string
        string.withUTF8 { utf8 in
            room(for: 2 + JSONEscape.maxByteCount * utf8.count) { cursor in
                cursor.byte(UInt8(ascii: "\""))
                for byte in utf8 { cursor.escaped(byte) }
                cursor.byte(UInt8(ascii: "\""))
            }
        }
    }

    /// Writes a text in quotes, escaping only what must be, however it was escaped before; a text
    /// without escapes is copied as it stands.
    public mutating func text(_ text: JSONText) {
        text.withContent { content in
            room(for: 2 + content.count) { cursor in
                cursor.byte(UInt8(ascii: "\""))
                if text.hasEscapes { cursor.escapedAnew(content) } else { cursor.copy(content) }
                cursor.byte(UInt8(ascii: "\""))
            }
        }
    }

    /// Writes `true` or `false`.
    public mutating func bool(_ value: Bool) {
        raw(value ? "true" : "false")
    }
}
