/// The results of shared subschemas for the values that one value has: a table of words with open
/// addressing, because a result takes 8 bytes and there may be millions.
struct SchemaMemo {
    enum Result: UInt64 {
        case invalid = 1
        case valid = 2
        /// Not kept, and its violations have been reported.
        case reported = 3
    }

    /// A key in the upper bits, a result in the lower two; 0 is free.
    private var words: [UInt64] = []
    private var count = 0
    private let factor: UInt64

    init() {
        var hasher = Hasher()
        hasher.combine(0)
        // Odd, and not known to senders of pages.
        factor = UInt64(bitPattern: Int64(hasher.finalize())) | 1
    }

    /// Returns the key of a subschema and a node: neither needs more than 31 bits.
    static func key(_ subschema: Int, _ node: UInt32) -> UInt64 {
        UInt64(truncatingIfNeeded: subschema) << 33 | UInt64(node) << 2
    }

    subscript(key: UInt64) -> Result? {
        get {
            guard !words.isEmpty else { return nil }
            let word = words[slot(of: key)]
            return word == 0 ? nil : Result(rawValue: word & 3)
        }
        set {
            guard let newValue else { return }
            if 3 * (count + 1) > 2 * words.count { grow() }
            let slot = slot(of: key)
            // The key of the first subschema and node is not 0 with a result.
            if words[slot] == 0 { count += 1 }
            words[slot] = key | newValue.rawValue
        }
    }

    /// Returns the table, and leaves an empty one, so that there are no two owners of the words.
    mutating func take() -> SchemaMemo {
        defer { (words, count) = ([], 0) }
        return self
    }

    /// Removes all results; keeps a small table.
    ///
    /// - Complexity: O(results), so that a small value after a large one costs no more.
    mutating func removeAll() {
        guard count > 0 else { return }
        defer { count = 0 }
        if words.count > 1024 || words.count > 32 * count {
            words = []
        } else {
            for index in words.indices { words[index] = 0 }
        }
    }

    private func slot(of key: UInt64) -> Int {
        let mask = words.count - 1
        var slot = Int(truncatingIfNeeded: (key &* factor) >> 20) & mask
        while words[slot] != 0, words[slot] & ~3 != key { slot = (slot + 1) & mask }
        return slot
    }

    private mutating func grow() {
        let old = words
        words = Array(repeating: 0, count: max(32, 2 * old.count))
        for word in old where word != 0 { words[slot(of: word & ~3)] = word }
    }
}

/// The members or elements of one value that keywords have evaluated, for `unevaluatedProperties`
/// and `unevaluatedItems`.
final class EvaluatedParts {
    private var bits: [UInt64] = []
    private(set) var areAll = false

    var wordCount: Int { bits.count }

    func insert(_ index: Int) {
        while bits.count <= index >> 6 { bits.append(0) }
        bits[index >> 6] |= 1 << UInt64(index & 63)
    }

    func insertAll() { areAll = true }

    func formUnion(_ other: EvaluatedParts) {
        areAll = areAll || other.areAll
        while bits.count < other.bits.count { bits.append(0) }
        for (index, word) in other.bits.enumerated() { bits[index] |= word }
    }

    func contains(_ index: Int) -> Bool {
        areAll || index >> 6 < bits.count && bits[index >> 6] & 1 << UInt64(index & 63) != 0
    }
}
