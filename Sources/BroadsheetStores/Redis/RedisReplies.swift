extension StoredScreen {
    /// Decodes the fields of a screen and their values, all of them or those of some pages; `nil`
    /// if there is no screen.
    ///
    /// - Parameters:
    ///   - fields: The fields and their values in turn, as `HGETALL` returns them.
    ///   - name: The name of the screen.
    ///   - head: The screen without its pages; `nil` if the fields are those of all its pages.
    /// - Throws: ``StoreError/corrupt(_:)`` for anything that this program does not write, and for
    ///   values of another screen.
    /// - Complexity: O(bytes of the pages).
    init?(
        redis fields: [RESPValue], _ name: ScreenName, head: ScreenHead? = nil
    ) throws(StoreError) {
        guard !fields.isEmpty else { return nil }
        guard fields.count.isMultiple(of: 2) else {
            throw .corrupt("the key of screen \(name) is not a screen")
        }
        var draft = RedisScreenDraft(name: name)
        for index in stride(from: 0, to: fields.count, by: 2) {
            guard let field = fields[index].text else {
                throw .corrupt("a field of screen \(name) has no name")
            }
            try draft.add(field, fields[index + 1])
        }
        self = try draft.screen(head: head)
    }
}

/// A screen whose fields are decoded one by one, in any order (``RedisScript``).
private struct RedisScreenDraft {
    private var values: RedisValues
    private var head = RedisHead()
    private var pages: [StoredPage] = []
    private var revisions: [Int: RedisPageRevisions] = [:]

    init(name: ScreenName) { values = RedisValues(name: name) }

    /// Decodes a field.
    mutating func add(_ field: String, _ value: RESPValue) throws(StoreError) {
        if try head.add(field, value, values) { return }
        guard let number = Int(field.dropFirst(2)), number >= 0 else { throw values.invalid(field) }
        switch field.prefix(2) {
        case "p:": pages.append(try values.page(number, value))
        case "c:": revisions[number] = try values.revisions(of: number, value)
        default: throw values.invalid(field)
        }
    }

    /// Returns the screen.
    func screen(head known: ScreenHead?) throws(StoreError) -> StoredScreen {
        guard let revision = head.revision, let latest = head.latest else {
            throw .corrupt("screen \(values.name) has no revision or no latest page")
        }
        var history = TreeHistory(floor: head.knownTreeFloor)
        var ascending = pages.sorted { $0.number < $1.number }
        for index in ascending.indices {
            let number = ascending[index].number
            let known = revisions[number]
            ascending[index].counts = known?.size?.counts
            history.append(
                TreeHistory.Page(
                    number: number, stored: ascending[index].revision,
                    removalBelow: known?.removalBelow ?? 0, nextChange: known?.nextChange ?? 0))
        }
        let size =
            head.size
            ?? ScreenSize(
                pageCount: pages.count, byteCount: pages.reduce(0) { $0 + $1.bytes.count },
                counts: pages.isEmpty ? .zero : nil)
        return StoredScreen(
            head: known
                ?? ScreenHead(
                    revision: revision, latestPage: latest, highestPage: ascending.last?.number,
                    size: size),
            pages: ascending, history: history)
    }
}

/// The fields of a screen besides those of its pages.
struct RedisHead {
    /// The revision.
    private(set) var revision: UInt64?
    /// The page that was written last.
    private(set) var latest: Int?
    /// The number of bytes of the values of the pages.
    private(set) var valueBytes: Int?
    /// The highest page; `nil` for none, or in a screen of an earlier version.
    private(set) var highest: Int?
    /// The size; `nil` in a screen of an earlier version.
    private(set) var size: ScreenSize?
    /// The lower bound of the revisions of the trees; `nil` in a screen of a version without
    /// histories.
    private(set) var treeFloor: UInt64?

    /// The names of all fields besides those of pages.
    static let fields = ["revision", "latest", "bytes", "highest", "sizes", "trees"]

    /// The lower bound of the revisions of the trees.
    ///
    /// In a version without histories all trees had the revision of the screen.
    var knownTreeFloor: UInt64 { treeFloor ?? revision ?? 0 }

    /// Decodes a field; returns `false` if it is another one.
    mutating func add(
        _ field: String, _ value: RESPValue, _ values: RedisValues
    ) throws(StoreError) -> Bool {
        switch field {
        case "revision": revision = value.text.flatMap { UInt64($0) }
        case "latest": latest = value.integer.flatMap { Int(exactly: $0) }
        case "bytes": valueBytes = value.integer.flatMap { Int(exactly: $0) }
        case "highest": highest = value.integer.flatMap { Int(exactly: $0) }
        case "sizes": size = try values.size(value)
        case "trees": treeFloor = try values.treeFloor(value)
        default: return false
        }
        return true
    }

    /// Returns the head of a screen, or `nil` if that takes the numbers of its pages.
    func head(_ name: ScreenName) throws(StoreError) -> ScreenHead? {
        guard let revision, let latest else {
            throw .corrupt("screen \(name) has no revision or no latest page")
        }
        guard let size else { return nil }
        return ScreenHead(
            revision: revision, latestPage: latest, highestPage: highest, size: size)
    }

    /// Returns the head of a screen of an earlier version, whose pages have these numbers.
    func head(_ name: ScreenName, pages: [Int]) throws(StoreError) -> ScreenHead {
        if let head = try head(name) { return head }
        return ScreenHead(
            revision: revision ?? 0, latestPage: latest ?? 0, highestPage: pages.last,
            size: ScreenSize(
                pageCount: pages.count, byteCount: valueBytes ?? 0,
                counts: pages.isEmpty ? .zero : nil))
    }
}

/// The revisions of a page, and its size (``RedisScript``).
struct RedisPageRevisions {
    /// The revision of ``TreeHistory/Page/removalBelow``.
    var removalBelow: UInt64
    /// The revision of ``TreeHistory/Page/nextChange``.
    var nextChange: UInt64
    /// The size of the page; `nil` if an earlier version stored it.
    var size: PageSize?
    /// The revision of the page; `nil` if an earlier version stored it.
    var revision: UInt64?
}

/// A decoder of the values of one screen.
struct RedisValues {
    /// The name of the screen, which values must have.
    let name: ScreenName

    /// Decodes the lower bound of the revisions of the trees.
    func treeFloor(_ value: RESPValue) throws(StoreError) -> UInt64 {
        let words = words(of: value, 2)
        guard words.count == 2, words[1] == name.text, let floor = UInt64(words[0]) else {
            throw invalid("trees")
        }
        return floor
    }

    /// Decodes the size of the screen.
    func size(_ value: RESPValue) throws(StoreError) -> ScreenSize {
        let words = words(of: value, 5)
        guard words.count == 5, words[4] == name.text, let pages = Int(words[0]), pages >= 0,
            let bytes = Int(words[1]), bytes >= 0
        else { throw invalid("sizes") }
        return ScreenSize(
            pageCount: pages, byteCount: bytes, counts: try counts(words[2...3], "sizes"))
    }

    /// Decodes a page: its revision, the name of the screen, the number, a colon, and the bytes.
    ///
    /// Versions without histories wrote no name and no number.
    func page(_ number: Int, _ value: RESPValue) throws(StoreError) -> StoredPage {
        guard let bytes = value.bytes, let colon = bytes.firstIndex(of: UInt8(ascii: ":")) else {
            throw invalid("p:\(number)")
        }
        let words = String(decoding: bytes[..<colon], as: UTF8.self).split(separator: " ")
        let isOwn =
            words.count == 1 || words.dropFirst().elementsEqual([name.text[...], "\(number)"])
        guard isOwn, let first = words.first, let revision = UInt64(first) else {
            throw invalid("p:\(number)")
        }
        return StoredPage(number: number, revision: revision, bytes: Array(bytes[(colon + 1)...]))
    }

    /// Decodes the revisions of a page, and its size.
    func revisions(of number: Int, _ value: RESPValue) throws(StoreError) -> RedisPageRevisions {
        let words = words(of: value, 8)
        guard words.count == 4 || words.count == 8, words[2] == name.text,
            words[3] == "\(number)", let removal = UInt64(words[0]), let next = UInt64(words[1])
        else { throw invalid("c:\(number)") }
        var revisions = RedisPageRevisions(removalBelow: removal, nextChange: next)
        guard words.count == 8 else { return revisions }
        guard let bytes = Int(words[4]), bytes >= 0, let revision = UInt64(words[7]) else {
            throw invalid("c:\(number)")
        }
        revisions.size = PageSize(
            byteCount: bytes, counts: try counts(words[5...6], "c:\(number)"))
        revisions.revision = revision
        return revisions
    }

    /// The error of a value that this program does not write.
    func invalid(_ field: String) -> StoreError {
        .corrupt("field \(field) of screen \(name) is not valid, or of another screen or page")
    }

    private func counts(
        _ words: ArraySlice<Substring>, _ field: String
    ) throws(StoreError) -> ContentCounts? {
        if words.allSatisfy({ $0 == "-" }) { return nil }
        let numbers = words.compactMap { Int($0) }
        guard numbers.count == 2, numbers.allSatisfy({ $0 >= 0 }) else { throw invalid(field) }
        return ContentCounts(sections: numbers[0], items: numbers[1])
    }

    private func words(of value: RESPValue, _ count: Int) -> [Substring] {
        (value.text ?? "").split(separator: " ", maxSplits: count, omittingEmptySubsequences: false)
    }
}
