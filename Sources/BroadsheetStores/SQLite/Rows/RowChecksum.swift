/// A 64-bit sum over a row's values, by which accidental damage shows: a flipped bit, a torn page, a
/// row in another's place.
///
/// It is no defence against somebody who edits the file on purpose. Eight bytes a step, each mixed by
/// a multiplication with an odd constant and a shift, both of which can be undone, so two messages of
/// one length that differ in a single word never have one sum. Long ones go through four sums in
/// turn, since a step waits for the one before it in the same sum; the four are then mixed into one.
/// O(bytes), without allocating.
struct RowChecksum {
    /// How long values are summed.
    ///
    /// Files that were begun by version 1 of the schema hold sums of both forms: a row's changes when
    /// the row is next written.
    enum Form: CaseIterable {
        /// In four sums, since version 2.
        case fourLanes
        /// In one, as in version 1.
        case oneLane
    }

    private let form: Form
    private var state: UInt64 = 0x9E37_79B9_7F4A_7C15

    private init(_ form: Form) { self.form = form }

    /// The sum of what `combine` takes, as SQLite's signed integer.
    static func value(
        as form: Form = .fourLanes, of combine: (inout RowChecksum) -> Void
    ) -> Int64 {
        var sum = RowChecksum(form)
        combine(&sum)
        return Int64(bitPattern: sum.state)
    }

    /// Whether `stored` is the sum of what `combine` takes, in whichever form.
    static func matches(_ stored: Int64, _ combine: (inout RowChecksum) -> Void) -> Bool {
        Form.allCases.contains { value(as: $0, of: combine) == stored }
    }

    /// The sum of one number, which is the same in every form.
    static func value(of number: Int64) -> Int64 { value { $0.combine(number) } }

    /// Takes a number.
    mutating func combine(_ number: Int64) { mix(UInt64(bitPattern: number)) }

    /// Takes a text, with its length.
    mutating func combine(_ text: String) {
        var text = text
        text.withUTF8 { combine(UnsafeRawBufferPointer($0)) }
    }

    /// Takes bytes, with their length.
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

    /// Takes all whole groups of four words, and answers where they end.
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
