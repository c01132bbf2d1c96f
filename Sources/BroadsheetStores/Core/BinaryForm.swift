/// The bytes of a value in a backend, while they are written.
///
/// Numbers have seven bits in each byte, the lowest first; the highest bit says that more follow. A
/// checksum of eight bytes is at the end.
struct BinaryWriter {
    private(set) var bytes: [UInt8]

    init(version: UInt8 = BinaryForm.version) { bytes = [version] }

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    mutating func add(_ number: UInt64) {
        var rest = number
        while rest > 0x7F {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(truncatingIfNeeded: rest))
    }

    /// Adds a number that is not negative.
    mutating func add(_ number: Int) { add(UInt64(clamping: number)) }

    mutating func add(optional number: UInt64?) { add(number.map { $0 &+ 1 } ?? 0) }

    mutating func add(optional number: Int?) { add(optional: number.map { UInt64(clamping: $0) }) }

    /// Adds a number that may be negative or large, in eight bytes.
    mutating func add(fixed number: UInt64) {
        withUnsafeBytes(of: number.littleEndian) { bytes.append(contentsOf: $0) }
    }

    mutating func add(_ text: String) { add(counted: Array(text.utf8)) }

    mutating func add(optional text: String?) {
        add(text == nil ? 0 : 1)
        if let text { add(text) }
    }

    mutating func add(counted other: [UInt8]) {
        add(other.count)
        bytes.append(contentsOf: other)
    }

    /// Returns the bytes with the checksum of them and of their place.
    consuming func sealed(at place: BinaryPlace) -> [UInt8] {
        add(fixed: BinaryForm.checksum(of: bytes[...], at: place))
        return bytes
    }
}

/// The screen and the key of a value, which its checksum covers.
struct BinaryPlace: Hashable {
    var screen: ScreenName
    /// The key of an object; `nil` for a record.
    var key: ObjectKey?
    var isFeed = false
}

enum BinaryForm {
    static let version: UInt8 = 1
    /// The bound of revisions, and of numbers of events, so that none overflows.
    static let maxRevision: UInt64 = 1 << 62
    /// The bound of numbers of pages, of counts and of bytes, so that no sum of them overflows.
    static let maxCount = 1 << 48
    static let checksumLength = 8

    static func checksum(of bytes: ArraySlice<UInt8>, at place: BinaryPlace) -> UInt64 {
        let sum = RowChecksum.value { sum in
            sum.combine(place.screen.text)
            if let key = place.key {
                sum.combine(Int64(key.kind) + 2)
                sum.combine(Int64(bitPattern: key.number))
                sum.combine(Int64(bitPattern: key.revision))
            } else {
                sum.combine(place.isFeed ? 1 : 0)
            }
            bytes.withUnsafeBytes { sum.combine($0) }
        }
        return UInt64(bitPattern: sum)
    }
}

/// An error for bytes that are not the value that their place should have.
struct BinaryDamage: Error, Hashable, CustomStringConvertible {
    var place: BinaryPlace

    var description: String {
        let what =
            switch place.key {
            case nil: place.isFeed ? "the feed record" : "the record"
            case let key?: key.description
            }
        return "\(what) of screen \(place.screen) is damaged"
    }
}

/// The bytes of a value in a backend, while they are read.
struct BinaryReader {
    private let bytes: [UInt8]
    private let end: Int
    private var index = 0
    let place: BinaryPlace

    /// Checks the checksum and the version, and begins after it.
    init(_ bytes: [UInt8], at place: BinaryPlace) throws(BinaryDamage) {
        try self.init(unversioned: bytes, at: place)
        guard try byte() == BinaryForm.version else { throw damage }
    }

    /// Checks the checksum, and begins with the first byte.
    init(unversioned bytes: [UInt8], at place: BinaryPlace) throws(BinaryDamage) {
        self.bytes = bytes
        self.place = place
        end = bytes.count - BinaryForm.checksumLength
        guard end >= 0 else { throw BinaryDamage(place: place) }
        var stored: UInt64 = 0
        for byte in bytes[end...].reversed() { stored = stored << 8 | UInt64(byte) }
        guard stored == BinaryForm.checksum(of: bytes[..<end], at: place) else { throw damage }
    }

    var damage: BinaryDamage { BinaryDamage(place: place) }

    var isAtEnd: Bool { index >= end }

    var rest: ArraySlice<UInt8> { bytes[index..<end] }

    private mutating func byte() throws(BinaryDamage) -> UInt8 {
        guard index < end else { throw damage }
        defer { index += 1 }
        return bytes[index]
    }

    mutating func number() throws(BinaryDamage) -> UInt64 {
        var number: UInt64 = 0
        var shift: UInt64 = 0
        while true {
            let byte = try byte()
            guard shift < 63 || (shift == 63 && byte <= 1) else { throw damage }
            number |= UInt64(byte & 0x7F) << shift
            guard byte > 0x7F else { return number }
            shift += 7
        }
    }

    /// Reads a number that fits into an `Int`.
    mutating func count() throws(BinaryDamage) -> Int {
        guard let count = Int(exactly: try number()), count < BinaryForm.maxCount else {
            throw damage
        }
        return count
    }

    /// Reads the number of elements that follow, each of which has a byte at least.
    mutating func elementCount() throws(BinaryDamage) -> Int {
        let count = try count()
        guard count <= end - index else { throw damage }
        return count
    }

    mutating func optionalNumber() throws(BinaryDamage) -> UInt64? {
        let number = try number()
        return number == 0 ? nil : number - 1
    }

    mutating func optionalCount() throws(BinaryDamage) -> Int? {
        guard let number = try optionalNumber() else { return nil }
        guard let count = Int(exactly: number), count < BinaryForm.maxCount else {
            throw damage
        }
        return count
    }

    /// Reads a number that was written as its difference to a larger one.
    mutating func difference(below base: UInt64) throws(BinaryDamage) -> UInt64 {
        let difference = try number()
        guard difference <= base else { throw damage }
        return base - difference
    }

    mutating func fixed() throws(BinaryDamage) -> UInt64 {
        var number: UInt64 = 0
        for shift in stride(from: UInt64(0), to: 64, by: 8) {
            number |= UInt64(try byte()) << shift
        }
        return number
    }

    mutating func counted() throws(BinaryDamage) -> [UInt8] {
        let count = try elementCount()
        defer { index += count }
        return Array(bytes[index..<index + count])
    }

    mutating func text() throws(BinaryDamage) -> String {
        guard let text = String(validating: try counted(), as: UTF8.self) else { throw damage }
        return text
    }

    mutating func optionalText() throws(BinaryDamage) -> String? {
        try number() == 0 ? nil : try text()
    }
}
