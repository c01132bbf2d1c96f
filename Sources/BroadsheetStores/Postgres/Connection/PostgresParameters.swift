import CPostgres

/// The parameters of a statement in the binary forms of their types.
struct PostgresParameters {
    /// The object IDs of types, which are those of every server (`pg_type.dat`).
    private enum TypeID {
        static let bool: UInt32 = 16
        static let bytea: UInt32 = 17
        static let int8: UInt32 = 20
        static let int4: UInt32 = 23
        static let text: UInt32 = 25
        static let byteaArray: UInt32 = 1001
        static let int4Array: UInt32 = 1007
        static let int8Array: UInt32 = 1016
        static let textArray: UInt32 = 1009
    }

    private(set) var bytes: [UInt8] = []
    /// The place and type of each of them.
    private(set) var list: [CPostgresParameter] = []

    init(capacity: Int = 0) { bytes.reserveCapacity(capacity) }

    mutating func add(_ text: String) {
        add(TypeID.text) { $0 += text.utf8 }
    }

    mutating func add(_ number: Int64?) {
        guard let number else { return addNull(TypeID.int8) }
        add(TypeID.int8) { Self.append(number, to: &$0) }
    }

    mutating func add(_ value: Bool) { add(TypeID.bool) { $0.append(value ? 1 : 0) } }

    mutating func add(_ value: [UInt8]?) {
        guard let value else { return addNull(TypeID.bytea) }
        add(TypeID.bytea) { $0 += value }
    }

    mutating func add(_ texts: [String]) {
        addArray(TypeID.textArray, of: TypeID.text, texts) { $1 += $0.utf8 }
    }

    mutating func add(_ numbers: [Int32]) {
        addArray(TypeID.int4Array, of: TypeID.int4, numbers) { Self.append($0, to: &$1) }
    }

    mutating func add(_ numbers: [Int64]) {
        addArray(TypeID.int8Array, of: TypeID.int8, numbers) { Self.append($0, to: &$1) }
    }

    mutating func add(_ values: [[UInt8]]) {
        addArray(TypeID.byteaArray, of: TypeID.bytea, values) { $1 += $0 }
    }

    private mutating func addNull(_ type: UInt32) {
        list.append(CPostgresParameter(type: type, offset: bytes.count, count: -1))
    }

    private mutating func add(_ type: UInt32, _ body: (inout [UInt8]) -> Void) {
        let start = bytes.count
        body(&bytes)
        list.append(
            CPostgresParameter(
                type: type, offset: start, count: Int32(clamping: bytes.count - start)))
    }

    /// Adds an array of one dimension, whose elements have their lengths before them.
    private mutating func addArray<Element>(
        _ type: UInt32, of elementType: UInt32, _ elements: [Element],
        _ append: (Element, inout [UInt8]) -> Void
    ) {
        add(type) { bytes in
            Self.append(Int32(elements.isEmpty ? 0 : 1), to: &bytes)
            // No element is null.
            Self.append(Int32(0), to: &bytes)
            Self.append(elementType, to: &bytes)
            guard !elements.isEmpty else { return }
            Self.append(Int32(clamping: elements.count), to: &bytes)
            Self.append(Int32(1), to: &bytes)
            for element in elements {
                let place = bytes.count
                Self.append(Int32(0), to: &bytes)
                append(element, &bytes)
                let length = Int32(clamping: bytes.count - place - 4).bigEndian
                withUnsafeBytes(of: length) { bytes.replaceSubrange(place..<place + 4, with: $0) }
            }
        }
    }

    private static func append(_ number: some FixedWidthInteger, to bytes: inout [UInt8]) {
        withUnsafeBytes(of: number.bigEndian) { bytes += $0 }
    }
}

/// A row of the result of a statement, valid while it is read.
struct PostgresRow {
    private let session: OpaquePointer
    private let index: Int32

    init(_ session: OpaquePointer, _ index: Int32) {
        self.session = session
        self.index = index
    }

    func integer(_ column: Int32) -> Int? {
        withBytes(column) { bytes in
            switch bytes.count {
            case 8: Int(exactly: Int64(bigEndian: bytes.loadUnaligned(as: Int64.self)))
            case 4: Int(Int32(bigEndian: bytes.loadUnaligned(as: Int32.self)))
            default: nil
            }
        }
    }

    /// Returns the 64 bits of a number, or `nil` for null.
    func number(_ column: Int32) -> UInt64? {
        integer(column).map { UInt64(bitPattern: Int64($0)) }
    }

    /// Returns a truth value; `false` for null.
    func isTrue(_ column: Int32) -> Bool { withBytes(column) { $0.first == 1 } ?? false }

    func text(_ column: Int32) -> String? {
        withBytes(column) { String(decoding: $0, as: UTF8.self) }
    }

    func bytes(_ column: Int32) -> [UInt8]? { withBytes(column) { Array($0) } }

    private func withBytes<Value>(
        _ column: Int32, _ body: (UnsafeRawBufferPointer) -> Value?
    ) -> Value? {
        var count: Int32 = 0
        guard let start = cpostgres_value(session, index, column, &count) else { return nil }
        return body(UnsafeRawBufferPointer(start: start, count: Int(count)))
    }
}
