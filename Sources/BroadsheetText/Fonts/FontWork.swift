/// The work that the tables of a font can cause, estimated before anything is shaped with it.
///
/// HarfBuzz bounds the recursion of a call and the glyphs that it makes by multiples of the text's
/// length, but not the rules that it compares at each glyph: a table of a few kilobytes may refer
/// to the same rule millions of times. The sum of all rules that one glyph may be compared with is
/// therefore bounded here, and so is the number of subtables that look at all glyphs. The tests
/// open all fonts of the system's packages, which are within these bounds.
enum FontWork {
    /// The maximum number of rules and subtables that one glyph may be compared with, in all
    /// lookups.
    static let maxRules = 16_384
    /// The maximum number of rules of one lookup, which other lookups may apply again and again.
    static let maxRulesOfLookup = 3_072
    /// The maximum number of subtables of a table `morx`, `mort`, `kerx` or `kern`.
    static let maxSubtables = 16_384

    /// Checks the tables that substitute and position glyphs (OpenType specification, "GSUB",
    /// "GPOS", "kern"; TrueType Reference Manual, "morx", "mort", "kerx").
    static func check(_ tables: SFNTTables) throws(FontFileError) {
        for tag in ["GSUB", "GPOS"] where !tables[tag].isEmpty {
            var counter = RuleCounter(tables[tag], isSubstitution: tag == "GSUB")
            guard counter.isWithinLimits() else { throw .tooComplex(table: tag) }
        }
        for tag in ["morx", "mort", "kerx", "kern"] {
            let count = SubtableCounter(table: tables[tag]).count(in: tag)
            guard count <= maxSubtables else { throw .tooComplex(table: tag) }
        }
    }
}

/// Counts the subtables of a table, as its headers state them.
private struct SubtableCounter {
    let table: Slice<UnsafeRawBufferPointer>

    /// Returns the number of subtables; 0 for a table that HarfBuzz ignores.
    func count(in tag: String) -> Int {
        switch tag {
        case "morx": countInChains(at: 12) { table.number32(at: $0).map(Int.init) }
        case "mort": countInChains(at: 10) { table.number16(at: $0).map(Int.init) }
        case "kern" where table.number16(at: 0) == 0: Int(table.number16(at: 2) ?? 0)
        default: Int(table.number32(at: 4) ?? 0)
        }
    }

    /// Adds the numbers of subtables of all chains, which are at an offset in each.
    private func countInChains(at offset: Int, _ number: (Int) -> Int?) -> Int {
        var sum = 0
        var start = 8
        for _ in 0..<(table.number32(at: 4) ?? 0) {
            guard let length = table.number32(at: start + 4), let count = number(start + offset),
                length >= offset
            else { break }
            sum += count
            start += Int(length)
        }
        return sum
    }
}

/// Counts the rules of the lookups of a table.
private struct RuleCounter {
    private let table: Slice<UnsafeRawBufferPointer>
    private let extensionType: UInt16
    private let contextType: UInt16
    private let chainingType: UInt16
    private let ligatureType: UInt16?
    /// The counts of the subtables by their offsets; many lookups may share one.
    private var ruleCounts: [Int: Int] = [:]

    init(_ table: Slice<UnsafeRawBufferPointer>, isSubstitution: Bool) {
        self.table = table
        extensionType = isSubstitution ? 7 : 9
        contextType = isSubstitution ? 5 : 7
        chainingType = isSubstitution ? 6 : 8
        ligatureType = isSubstitution ? 4 : nil
    }

    /// Returns whether the lookups are within the limits.
    ///
    /// Lookups and rules outside of the table are not counted: HarfBuzz ignores them, or the whole
    /// table.
    mutating func isWithinLimits() -> Bool {
        guard let list = table.number16(at: 8).map(Int.init), let count = table.number16(at: list)
        else { return true }
        var sum = 0
        for number in 0..<Int(count) {
            guard let offset = table.number16(at: list + 2 + 2 * number) else { break }
            let rules = rules(ofLookup: list + Int(offset))
            sum += rules
            if rules > FontWork.maxRulesOfLookup || sum > FontWork.maxRules { return false }
        }
        return true
    }

    private mutating func rules(ofLookup offset: Int) -> Int {
        guard let type = table.number16(at: offset), let count = table.number16(at: offset + 4)
        else { return 0 }
        var sum = 0
        for number in 0..<Int(count) {
            guard let subtable = table.number16(at: offset + 6 + 2 * number) else { break }
            sum += 1 + rules(ofSubtable: offset + Int(subtable), type)
            if sum > FontWork.maxRulesOfLookup { break }
        }
        return sum
    }

    private mutating func rules(ofSubtable offset: Int, _ type: UInt16) -> Int {
        if let count = ruleCounts[offset] { return count }
        var (start, type) = (offset, type)
        if type == extensionType, let real = table.number16(at: offset + 2),
            let distance = table.number32(at: offset + 4)
        {
            start += Int(distance)
            type = real
        }
        let count = greatestSet(ofSubtable: start, type)
        ruleCounts[offset] = count
        return count
    }

    /// Returns the number of rules of the greatest set of a subtable: those for one first glyph.
    private func greatestSet(ofSubtable start: Int, _ type: UInt16) -> Int {
        let format = table.number16(at: start)
        let sets: Int
        switch (type, format) {
        case (ligatureType, 1), (contextType, 1), (chainingType, 1): sets = start + 4
        case (contextType, 2): sets = start + 6
        case (chainingType, 2): sets = start + 10
        default: return 1
        }
        guard let count = table.number16(at: sets) else { return 0 }
        var greatest = 0
        for number in 0..<Int(count) {
            guard let offset = table.number16(at: sets + 2 + 2 * number) else { break }
            guard offset != 0 else { continue }
            greatest = max(greatest, Int(table.number16(at: start + Int(offset)) ?? 0))
        }
        return greatest
    }
}
