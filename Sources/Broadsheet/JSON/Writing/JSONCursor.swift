/// Where the next byte goes, within room that a `JSONWriter` has made.
///
/// An array checks at every append whether it is alone and has room; a row of small pieces, whose
/// longest form is known, needs that only once.
package struct JSONCursor {
    private let start: UnsafeMutablePointer<UInt8>
    private let capacity: Int
    /// The bytes written so far.
    private(set) var count = 0

    /// The most bytes that one number takes: a sign, 17 digits, a point and an exponent, or 20 digits.
    package static let longestNumber = 26

    /// Starts at the beginning of `room`, which is not empty and outlives the cursor.
    init(_ room: UnsafeMutableBufferPointer<UInt8>) {
        start = room.baseAddress.unsafelyUnwrapped
        capacity = room.count
    }

    /// Writes one byte.
    @inline(__always)
    package mutating func byte(_ byte: UInt8) {
        precondition(count < capacity, "the room was promised too small")
        start[count] = byte
        count &+= 1
    }

    /// Writes a piece of JSON that is known at compile time.
    @inline(__always)
    package mutating func raw(_ literal: StaticString) {
        copy(UnsafeBufferPointer(start: literal.utf8Start, count: literal.utf8CodeUnitCount))
    }

    /// Writes bytes as they are.
    @inline(__always)
    package mutating func copy(_ source: [UInt8]) {
        source.withUnsafeBufferPointer { copy($0) }
    }

    /// Writes bytes as they are.
    @inline(__always)
    package mutating func copy(_ source: UnsafeBufferPointer<UInt8>) {
        precondition(source.count <= capacity &- count, "the room was promised too small")
        guard let base = source.baseAddress else { return }
        (start + count).update(from: base, count: source.count)
        count &+= source.count
    }
}
