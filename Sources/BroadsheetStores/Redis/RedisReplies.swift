extension StoredScreen {
    /// Decodes the reply to `HGETALL` for the key of a screen; `nil` if there is no screen.
    ///
    /// - Throws: ``StoreError/corrupt(_:)`` for anything that this program does not write, and for
    ///   values of another screen.
    /// - Complexity: O(bytes of the screen).
    init?(redis reply: RESPValue, _ name: ScreenName) throws(StoreError) {
        guard let fields = reply.elements, fields.count.isMultiple(of: 2) else {
            throw .corrupt("the key of screen \(name) is not a screen")
        }
        guard !fields.isEmpty else { return nil }
        var draft = RedisScreenDraft(name: name)
        for index in stride(from: 0, to: fields.count, by: 2) {
            guard let field = fields[index].text else {
                throw .corrupt("a field of screen \(name) has no name")
            }
            try draft.add(field, fields[index + 1])
        }
        self = try draft.screen()
    }
}

/// A screen whose fields are decoded one by one, in any order (``RedisScript``).
private struct RedisScreenDraft {
    let name: ScreenName
    private var revision: UInt64?
    private var latest: Int?
    private var treeFloor: UInt64?
    private var pages: [StoredPage] = []
    private var changes: [Int: (removalBelow: UInt64, nextChange: UInt64)] = [:]

    init(name: ScreenName) { self.name = name }

    /// Decodes a field.
    mutating func add(_ field: String, _ value: RESPValue) throws(StoreError) {
        switch field {
        case "revision": revision = value.text.flatMap { UInt64($0) }
        case "latest": latest = value.integer.flatMap { Int(exactly: $0) }
        case "bytes", "highest": break
        case "trees":
            let words = words(of: value, 2)
            guard words.count == 2, words[1] == name.text, let floor = UInt64(words[0]) else {
                throw invalid(field)
            }
            treeFloor = floor
        default:
            guard let number = Int(field.dropFirst(2)), number >= 0 else { throw invalid(field) }
            switch field.prefix(2) {
            case "p:": pages.append(try page(number, value, field))
            case "c:": try addChanges(of: number, value, field)
            default: throw invalid(field)
            }
        }
    }

    /// Returns the screen.
    func screen() throws(StoreError) -> StoredScreen {
        guard let revision, let latest else {
            throw .corrupt("screen \(name) has no revision or no latest page")
        }
        // Without a floor it was written by a version without histories, for which all trees had
        // the revision of the screen.
        var history = TreeHistory(floor: treeFloor ?? revision)
        let ascending = pages.sorted { $0.number < $1.number }
        for page in ascending {
            let known = changes[page.number]
            history.append(
                TreeHistory.Page(
                    number: page.number, stored: page.revision,
                    removalBelow: known?.removalBelow ?? 0, nextChange: known?.nextChange ?? 0))
        }
        return StoredScreen(
            revision: revision, latestPage: latest, pages: ascending, history: history)
    }

    /// Decodes a page: its revision, the name of the screen, the number, a colon, and the bytes.
    ///
    /// Versions without histories wrote no name and no number.
    private func page(
        _ number: Int, _ value: RESPValue, _ field: String
    ) throws(StoreError) -> StoredPage {
        guard let bytes = value.bytes, let colon = bytes.firstIndex(of: UInt8(ascii: ":")) else {
            throw invalid(field)
        }
        let words = String(decoding: bytes[..<colon], as: UTF8.self).split(separator: " ")
        let isOwn =
            words.count == 1 || words.dropFirst().elementsEqual([name.text[...], "\(number)"])
        guard isOwn, let first = words.first, let revision = UInt64(first) else {
            throw invalid(field)
        }
        return StoredPage(number: number, revision: revision, bytes: Array(bytes[(colon + 1)...]))
    }

    private mutating func addChanges(
        of number: Int, _ value: RESPValue, _ field: String
    ) throws(StoreError) {
        let words = words(of: value, 4)
        guard words.count == 4, words[2] == name.text, words[3] == "\(number)",
            let removal = UInt64(words[0]), let next = UInt64(words[1])
        else { throw invalid(field) }
        changes[number] = (removal, next)
    }

    private func words(of value: RESPValue, _ count: Int) -> [Substring] {
        (value.text ?? "").split(separator: " ", maxSplits: count, omittingEmptySubsequences: false)
    }

    private func invalid(_ field: String) -> StoreError {
        .corrupt("field \(field) of screen \(name) is not valid, or of another screen or page")
    }
}

/// The time to live of a key, as `PTTL` returns it.
struct RedisTimeToLive: Hashable, Sendable {
    /// The time to live: `nil` for a key that does not expire, zero if the key does not exist or
    /// the reply is malformed.
    let duration: Duration?

    /// Decodes a reply: milliseconds, -1 for a key that does not expire, -2 for no key.
    init(_ reply: RESPValue) {
        guard let milliseconds = reply.integer else {
            duration = .zero
            return
        }
        duration = milliseconds == -1 ? nil : .milliseconds(max(0, milliseconds))
    }
}
