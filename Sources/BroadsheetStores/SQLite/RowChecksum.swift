/// A checksum that detects damage of stored values.
///
/// It does not protect against intentional changes. Each step adds eight bytes and mixes them with
/// an odd factor and a shift, both of which are invertible, so two messages of one length that
/// differ in a single word never have the same checksum. Long values are distributed over four
/// sums, because each step depends on the previous step of the same sum; the four sums are then
/// combined. Does not allocate.
///
/// - Complexity: O(bytes).
struct RowChecksum {
    private var state: UInt64 = 0x9E37_79B9_7F4A_7C15

    private init() {}

    /// Returns the checksum of the values that `combine` adds, as SQLite's signed integer.
    static func value(of combine: (inout RowChecksum) -> Void) -> Int64 {
        var sum = RowChecksum()
        combine(&sum)
        return Int64(bitPattern: sum.state)
    }

    static func value(of number: Int64) -> Int64 { value { $0.combine(number) } }

    mutating func combine(_ number: Int64) { mix(UInt64(bitPattern: number)) }

    /// Adds a text and its length.
    mutating func combine(_ text: String) {
        var text = text
        text.withUTF8 { combine(UnsafeRawBufferPointer($0)) }
    }

    /// Adds bytes and their number.
    mutating func combine(_ bytes: [UInt8]) { bytes.withUnsafeBytes { combine($0) } }

    mutating func combine(_ bytes: UnsafeRawBufferPointer) {
        mix(UInt64(bytes.count))
        var offset = 0
        if bytes.count >= 32 {
            combineGroups(of: bytes)
            offset = bytes.count & ~31
        }
        while offset &+ 8 <= bytes.count {
            mix(Self.word(at: offset, of: bytes))
            offset &+= 8
        }
        var tail: UInt64 = 0
        while offset < bytes.count {
            tail = tail << 8 | UInt64(bytes[offset])
            offset &+= 1
        }
        mix(tail)
    }

    /// Adds the four sums of bytes, without those after the last complete group of four words.
    private mutating func combineGroups(of bytes: UnsafeRawBufferPointer) {
        let empty = RowChecksum()
        var (first, second, third, fourth) = (empty, empty, empty, empty)
        var offset = 0
        while offset &+ 32 <= bytes.count {
            first.mix(Self.word(at: offset, of: bytes))
            second.mix(Self.word(at: offset &+ 8, of: bytes))
            third.mix(Self.word(at: offset &+ 16, of: bytes))
            fourth.mix(Self.word(at: offset &+ 24, of: bytes))
            offset &+= 32
        }
        mix(first.state)
        mix(second.state)
        mix(third.state)
        mix(fourth.state)
    }

    private static func word(at offset: Int, of bytes: UnsafeRawBufferPointer) -> UInt64 {
        UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
    }

    private mutating func mix(_ word: UInt64) {
        state = (state ^ word) &* 0xFF51_AFD7_ED55_8CCD
        state ^= state >> 32
    }
}
