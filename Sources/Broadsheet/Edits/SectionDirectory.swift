import BroadsheetCollections

/// The posted sections of a screen under edit, by their indexes in the tree and by their
/// identifiers.
///
/// A posted section that is there, and whose identifier no earlier one has, is the first part of a
/// section of the tree. The directory follows each insertion and removal, so that an operation
/// costs what it moves, and not all pages and sections.
final class SectionDirectory {
    typealias Part = ScreenEditor.Part

    /// The facts about a posted section.
    struct Entry {
        let identifier: Identifier?
        var isHidden: Bool
        /// A Boolean value that indicates whether a section of the tree begins with it.
        fileprivate var isFirst = false

        init(_ identifier: Identifier?, isHidden: Bool) {
            self.identifier = identifier
            self.isHidden = isHidden
        }
    }

    /// The parts of one identifier, those that are hidden included.
    private struct Named {
        /// The parts in their order, as they were after so many shifts.
        var parts: [Part] = []
        var isHidden: [Bool] = []
        var hiddenCount = 0
        var shiftCount = 0
    }

    private var pages: [SectionList] = []
    /// A Fenwick tree of the numbers of first parts of the pages.
    private var firsts: [Int] = []
    private var named: [Identifier: Named] = [:]
    /// The changes of the places of parts behind a place in a page.
    private var shifts: [(first: Part, count: Int)] = []
    /// The number of sections of the tree.
    private(set) var count = 0
    private let record: EditRecord

    init(pageCount: Int, _ record: EditRecord, entries: (Int) -> [Entry]) {
        self.record = record
        firsts = Array(repeating: 0, count: pageCount)
        pages.reserveCapacity(pageCount)
        for page in 0..<pageCount {
            var entries = entries(page)
            record.passSections(entries.count)
            for index in entries.indices {
                entries[index].isFirst = !entries[index].isHidden
                guard let identifier = entries[index].identifier else { continue }
                let (part, isHidden) = (Part(page: page, section: index), entries[index].isHidden)
                add(part, isHidden, to: &named[identifier, default: Named()])
                if !isHidden {
                    let known = named[identifier].map { $0.parts.count - $0.hiddenCount } ?? 1
                    entries[index].isFirst = known == 1
                }
            }
            pages.append(SectionList(entries))
            addFirsts(entries.count(where: \.isFirst), ofPage: page)
        }
    }

    private func add(_ part: Part, _ isHidden: Bool, to named: inout Named) {
        named.parts.append(part)
        named.isHidden.append(isHidden)
        if isHidden { named.hiddenCount += 1 }
    }
}

// MARK: - Searches

extension SectionDirectory {
    func parts(ofSection index: Int) -> [Part]? {
        guard 0..<count ~= index else { return nil }
        // The page whose first parts, with those before it, are more than the index.
        var (page, left) = (0, index)
        var step = 1 << (Int.bitWidth - 1 - max(1, firsts.count).leadingZeroBitCount)
        while step > 0 {
            if page + step <= firsts.count, firsts[page + step - 1] <= left {
                page += step
                left -= firsts[page - 1]
            }
            step >>= 1
        }
        let (section, passed) = pages[page].indexOfFirst(left)
        record.passSections(passed)
        guard let identifier = pages[page][section].identifier else {
            return [Part(page: page, section: section)]
        }
        return parts(of: identifier)
    }

    func index(ofSection part: Part) -> Int? {
        guard pages[part.page][part.section].isFirst else { return nil }
        var (index, node) = (0, part.page)
        while node > 0 {
            index += firsts[node - 1]
            node -= node & -node
        }
        let (before, passed) = pages[part.page].firsts(before: part.section)
        record.passSections(passed)
        return index + before
    }

    /// Returns the parts of an identifier, in their order; with `all`, hidden ones too.
    func parts(of identifier: Identifier, all: Bool = false) -> [Part] {
        guard named[identifier] != nil else { return [] }
        follow(&named[identifier, default: Named()])
        guard let known = named[identifier] else { return [] }
        guard !all, known.hiddenCount > 0 else { return known.parts }
        record.passSections(known.parts.count)
        return zip(known.parts, known.isHidden).lazy.filter { !$0.1 }.map(\.0)
    }

    /// Brings the places of parts up to date.
    private func follow(_ known: inout Named) {
        for shift in shifts[known.shiftCount...] {
            let start = known.parts.partitioningIndex { $0 >= shift.first }
            var index = start
            while index < known.parts.count, known.parts[index].page == shift.first.page {
                let section = known.parts[index].section + shift.count
                known.parts[index] = Part(page: shift.first.page, section: section)
                index += 1
            }
            record.passSections(1 + index - start)
        }
        known.shiftCount = shifts.count
    }
}

// MARK: - Changes

extension SectionDirectory {
    func insert(_ entry: Entry, at part: Part) {
        var entry = entry
        entry.isFirst = false
        change(entry.identifier) { known in
            record.passSections(pages[part.page].insert(entry, at: part.section))
            shifts.append((part, 1))
            guard entry.identifier != nil else { return setFirst(part, !entry.isHidden) }
            follow(&known)
            let index = known.parts.partitioningIndex { $0 >= part }
            known.parts.insert(part, at: index)
            known.isHidden.insert(entry.isHidden, at: index)
            if entry.isHidden { known.hiddenCount += 1 }
        }
    }

    func remove(_ part: Part) {
        let entry = pages[part.page][part.section]
        change(entry.identifier) { known in
            setFirst(part, false)
            record.passSections(pages[part.page].remove(at: part.section))
            if entry.identifier != nil {
                let index = known.parts.partitioningIndex { $0 >= part }
                known.parts.remove(at: index)
                if known.isHidden.remove(at: index) { known.hiddenCount -= 1 }
            }
            shifts.append((Part(page: part.page, section: part.section + 1), -1))
            follow(&known)
        }
    }

    func setHidden(_ part: Part, _ isHidden: Bool) {
        let entry = pages[part.page][part.section]
        guard entry.isHidden != isHidden else { return }
        change(entry.identifier) { known in
            pages[part.page].edit(part.section) { $0.isHidden = isHidden }
            guard entry.identifier != nil else { return setFirst(part, !isHidden) }
            let index = known.parts.partitioningIndex { $0 >= part }
            known.isHidden[index] = isHidden
            known.hiddenCount += isHidden ? 1 : -1
        }
    }

    /// Changes the parts of an identifier, and notes which of them is the first then.
    private func change(_ identifier: Identifier?, _ body: (inout Named) -> Void) {
        guard let identifier else {
            var none = Named()
            none.shiftCount = shifts.count
            return body(&none)
        }
        var known = named.removeValue(forKey: identifier) ?? Named()
        follow(&known)
        if let first = first(of: known) { setFirst(first, false) }
        body(&known)
        if let first = first(of: known) { setFirst(first, true) }
        if !known.parts.isEmpty { named[identifier] = known }
    }

    private func first(of known: Named) -> Part? {
        guard known.hiddenCount > 0 else { return known.parts.first }
        record.passSections(known.parts.count)
        return known.isHidden.firstIndex(of: false).map { known.parts[$0] }
    }

    private func setFirst(_ part: Part, _ isFirst: Bool) {
        let (isChanged, passed) = pages[part.page].setFirst(part.section, isFirst)
        record.passSections(passed)
        if isChanged { addFirsts(isFirst ? 1 : -1, ofPage: part.page) }
    }

    private func addFirsts(_ change: Int, ofPage page: Int) {
        count += change
        var node = page + 1
        while node <= firsts.count {
            firsts[node - 1] += change
            node += node & -node
        }
    }
}

/// The entries of a page in chunks, so that one is found, inserted or removed without a pass over
/// all.
private struct SectionList {
    typealias Entry = SectionDirectory.Entry

    private struct Chunk {
        var entries: [Entry]
        /// The number of first parts among them.
        var firsts: Int

        init(_ entries: some Sequence<Entry>) {
            self.entries = Array(entries)
            firsts = self.entries.count(where: \.isFirst)
        }
    }

    private static let chunkCapacity = 128

    private var chunks: [Chunk]

    init(_ entries: [Entry]) {
        let size = Self.chunkCapacity / 2
        chunks = stride(from: 0, to: max(1, entries.count), by: size).map {
            Chunk(entries[$0..<min($0 + size, entries.count)])
        }
    }

    /// Returns the chunk of an entry, which may be behind the last one, and its index there.
    private func place(of index: Int) -> (chunk: Int, offset: Int) {
        var (chunk, left) = (0, index)
        while left > chunks[chunk].entries.count
            || left == chunks[chunk].entries.count && chunk + 1 < chunks.count
        {
            left -= chunks[chunk].entries.count
            chunk += 1
        }
        return (chunk, left)
    }

    subscript(index: Int) -> Entry {
        let (chunk, offset) = place(of: index)
        return chunks[chunk].entries[offset]
    }

    mutating func edit(_ index: Int, _ change: (inout Entry) -> Void) {
        let (chunk, offset) = place(of: index)
        change(&chunks[chunk].entries[offset])
    }

    /// Returns the index of the first part at a place among them, which exists, and the number of
    /// chunks and entries that were passed, as the functions below do.
    func indexOfFirst(_ number: Int) -> (index: Int, passed: Int) {
        var (chunk, start, left) = (0, 0, number)
        while left >= chunks[chunk].firsts, chunk + 1 < chunks.count {
            left -= chunks[chunk].firsts
            start += chunks[chunk].entries.count
            chunk += 1
        }
        var offset = 0
        for entry in chunks[chunk].entries {
            if entry.isFirst {
                if left == 0 { break }
                left -= 1
            }
            offset += 1
        }
        return (start + offset, chunk + offset + 1)
    }

    func firsts(before index: Int) -> (count: Int, passed: Int) {
        let (chunk, offset) = place(of: index)
        let before = chunks[..<chunk].reduce(0) { $0 + $1.firsts }
        let own = chunks[chunk].entries[..<offset].count(where: \.isFirst)
        return (before + own, chunk + offset)
    }

    mutating func setFirst(_ index: Int, _ isFirst: Bool) -> (isChanged: Bool, passed: Int) {
        let (chunk, offset) = place(of: index)
        guard chunks[chunk].entries[offset].isFirst != isFirst else { return (false, chunk) }
        chunks[chunk].entries[offset].isFirst = isFirst
        chunks[chunk].firsts += isFirst ? 1 : -1
        return (true, chunk)
    }

    /// Inserts an entry, which begins no section of the tree.
    mutating func insert(_ entry: Entry, at index: Int) -> Int {
        let (chunk, offset) = place(of: index)
        chunks[chunk].entries.insert(entry, at: offset)
        guard chunks[chunk].entries.count > Self.chunkCapacity else { return chunk }
        let half = Self.chunkCapacity / 2
        chunks.insert(Chunk(chunks[chunk].entries[half...]), at: chunk + 1)
        chunks[chunk] = Chunk(chunks[chunk].entries[..<half])
        return chunks.count + Self.chunkCapacity
    }

    /// Removes an entry, which begins no section of the tree.
    mutating func remove(at index: Int) -> Int {
        let (chunk, offset) = place(of: index)
        chunks[chunk].entries.remove(at: offset)
        if chunks[chunk].entries.isEmpty, chunks.count > 1 { chunks.remove(at: chunk) }
        return chunk
    }
}
