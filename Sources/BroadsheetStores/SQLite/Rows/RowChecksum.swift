/// A 64-bit checksum of the values of a row, which detects accidental damage: a flipped bit, a torn
/// page, or the contents of another row.
///
/// It does not protect against intentional changes. Each step adds eight bytes and mixes them with
/// an odd factor and a shift, both of which are invertible, so two messages of one length that
/// differ in a single word never have the same checksum. Long values are distributed over four
/// sums, because each step depends on the previous step of the same sum; the four sums are then
/// combined. Does not allocate.
///
/// - Complexity: O(bytes).
struct RowChecksum {
    /// The algorithm for long values.
    ///
    /// Files that were created with version 1 of the schema contain checksums of both forms: the
    /// form of a row changes when the row is next written.
    enum Form: CaseIterable {
        /// Four sums, since version 2.
        case fourLanes
        /// One sum, in version 1.
        case oneLane
    }

    private let form: Form
    private var state: UInt64 = 0x9E37_79B9_7F4A_7C15

    private init(_ form: Form) { self.form = form }

    /// Returns the checksum of the values that `combine` adds, as SQLite's signed integer.
    static func value(
        as form: Form = .fourLanes, of combine: (inout RowChecksum) -> Void
    ) -> Int64 {
        var sum = RowChecksum(form)
        combine(&sum)
        return Int64(bitPattern: sum.state)
    }

    /// Returns a Boolean value that indicates whether `stored` is the checksum, in any form, of the
    /// values that `combine` adds.
    static func matches(_ stored: Int64, _ combine: (inout RowChecksum) -> Void) -> Bool {
        Form.allCases.contains { value(as: $0, of: combine) == stored }
    }

    /// Returns the checksum of one number, which is the same in every form.
    static func value(of number: Int64) -> Int64 { value { $0.combine(number) } }

    /// Adds a number.
    mutating func combine(_ number: Int64) { mix(UInt64(bitPattern: number)) }

    /// Adds a text and its length.
    mutating func combine(_ text: String) {
        var text = text
        text.withUTF8 { combine(UnsafeRawBufferPointer($0)) }
    }

    /// Adds bytes and their number.
    mutating func combine(_ bytes: [UInt8]) { bytes.withUnsafeBytes { combine($0) } }

    private mutating func combine(_ bytes: UnsafeRawBufferPointer) {
        mix(UInt64(bytes.count))
        var offset = 0
        if form == .fourLanes, bytes.count >= 32 { offset = combineInLanes(bytes) }
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

    /// Adds all complete groups of four words and returns the offset of their end.
    private mutating func combineInLanes(_ bytes: UnsafeRawBufferPointer) -> Int {
        var (first, second, third, fourth) = (
            RowChecksum(form), RowChecksum(form), RowChecksum(form), RowChecksum(form)
        )
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
        return offset
    }

    private static func word(at offset: Int, of bytes: UnsafeRawBufferPointer) -> UInt64 {
        UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
    }

    private mutating func mix(_ word: UInt64) {
        state = (state ^ word) &* 0xFF51_AFD7_ED55_8CCD
        state ^= state >> 32
    }
}
