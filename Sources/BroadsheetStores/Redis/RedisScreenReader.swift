/// Reads of screens from a server.
///
/// A script reads some fields at one revision. A read that takes two of them is repeated if the
/// revision has changed in between. A user who may not run scripts reads all pages each time.
struct RedisScreenReader {
    /// The maximum number of attempts at a read before the whole screen is read by one command.
    static let maxAttempts = 8

    /// The client of the server.
    let client: RedisClient

    /// A value with the revision of its screen and the time for which the screen exists.
    struct Timed<Value: Sendable>: Sendable {
        /// The value; `nil` if there is no such screen.
        var value: Value?
        /// The revision of the screen; 0 if there is no such screen.
        var revision: UInt64
        /// The time to live of the screen.
        var timeToLive: RedisTimeToLive
    }

    /// Returns a part of a screen, unless its revision is `revision`.
    ///
    /// - Complexity: O(bytes of the part), and O(pages) on the server unless the part has all pages
    ///   or none.
    func load(
        _ name: ScreenName, unlessAt revision: UInt64?, _ part: ScreenPart,
        within limits: ReadLimits
    ) async throws(StoreError) -> Timed<ScreenLoad> {
        for _ in 0..<Self.maxAttempts {
            let listing = part.end != .none && part != .all
            guard let found = try await head(of: name, listingPages: listing) else { break }
            guard let head = found.value else { return found.with(.absent) }
            if head.screen.revision == revision { return found.with(.unchanged) }
            if part.end == .none {
                let history = TreeHistory(floor: head.treeFloor)
                return found.with(
                    .screen(StoredScreen(head: head.screen, pages: [], history: history)))
            }
            if let excess = limits.excess(of: head.screen.size) {
                return found.with(.tooLarge(head.screen, excess))
            }
            let wanted = part.numbers(of: head.pages)
            if part == .all || wanted.count == head.screen.size.pageCount { break }
            let pages = try await pages(wanted, of: name, at: head.screen, within: limits)
            if let pages { return found.with(pages) }
        }
        return try await all(of: name, part, within: limits)
    }

    /// Returns a screen without its pages, and one of them
    /// (``ScreenStore/page(_:of:atMost:)``).
    func page(
        _ number: Int?, of name: ScreenName, atMost byteCount: Int?
    ) async throws(StoreError) -> Timed<PageLoad> {
        for _ in 0..<Self.maxAttempts {
            guard let found = try await head(of: name, listingPages: false) else { break }
            guard let head = found.value else { return found.with(nil) }
            guard let number = number ?? head.screen.highestPage else {
                return found.with(PageLoad(screen: head.screen))
            }
            let page = try await page(number, of: name, at: head.screen, atMost: byteCount)
            if let page { return found.with(page) }
        }
        let found = try await all(of: name, .all, within: .unlimited)
        guard case .screen(let stored)? = found.value else { return found.with(nil) }
        return found.with(stored.load(number, atMost: byteCount))
    }
}

extension RedisScreenReader.Timed {
    /// Returns another value of the same screen.
    fileprivate func with<Other>(_ value: Other?) -> RedisScreenReader.Timed<Other> {
        RedisScreenReader.Timed(value: value, revision: revision, timeToLive: timeToLive)
    }
}

extension RedisScreenReader {
    /// The head of a screen.
    struct Head {
        var screen: ScreenHead
        /// The lower bound of the revisions of its trees.
        var treeFloor: UInt64
        /// The numbers of its pages, ascending, if they were requested or necessary.
        var pages: [Int] = []
    }

    /// A part of the reply of ``RedisScript/fields``.
    enum Part {
        case value(String)
        case length(String)
        case names

        var argument: [UInt8] {
            switch self {
            case .value(let field): Array("=\(field)".utf8)
            case .length(let field): Array("#\(field)".utf8)
            case .names: Array("*".utf8)
            }
        }
    }

    /// Returns parts of a screen at one revision; `nil` for a user who may not run scripts.
    ///
    /// The value is `nil` if the screen is not at `revision`.
    func read(
        _ parts: [Part], of name: ScreenName, at revision: UInt64? = nil
    ) async throws(StoreError) -> Timed<[RESPValue]>? {
        let key = RedisKeys.screen(name)
        let reply = try await client.read { marker in
            marker.command(RedisScript.fields, keys: [key], parts.map(\.argument))
        }.last
        if case .error? = reply { return nil }
        guard let elements = reply?.elements, elements.count == 4,
            let values = elements[1].elements, values.count == parts.count
        else { throw .corrupt("the reply about screen \(name) is malformed") }
        let found = elements[0].text.flatMap { UInt64($0) }
        let isWanted = revision == nil || revision == found
        return Timed(
            value: isWanted ? values : nil, revision: found ?? 0,
            timeToLive: RedisTimeToLive(elements[2]))
    }

    /// Returns the head of a screen; `nil` for a user who may not run scripts.
    func head(
        of name: ScreenName, listingPages: Bool
    ) async throws(StoreError) -> Timed<Head>? {
        let fields = RedisHead.fields
        let parts = fields.map(Part.value) + (listingPages ? [.names] : [])
        guard let found = try await read(parts, of: name) else { return nil }
        guard let values = found.value, values.prefix(fields.count).contains(where: { $0 != .null })
        else { return found.with(nil) }
        var head = RedisHead()
        for (field, value) in zip(fields, values) where value != .null {
            _ = try head.add(field, value, RedisValues(name: name))
        }
        let floor = head.knownTreeFloor
        guard listingPages else {
            // A screen of an earlier version has no size.
            guard let screen = try head.head(name) else {
                return try await self.head(of: name, listingPages: true)
            }
            return found.with(Head(screen: screen, treeFloor: floor))
        }
        let pages = Self.numbers(values[fields.count])
        return found.with(
            Head(screen: try head.head(name, pages: pages), treeFloor: floor, pages: pages))
    }

    private static func numbers(_ names: RESPValue) -> [Int] {
        (names.elements ?? []).compactMap { name in
            name.text.flatMap { $0.hasPrefix("p:") ? Int($0.dropFirst(2)) : nil }
        }.sorted()
    }

    /// Returns pages of a screen, or `nil` if it is not at the revision of `head` any more.
    private func pages(
        _ numbers: [Int], of name: ScreenName, at head: ScreenHead, within limits: ReadLimits
    ) async throws(StoreError) -> ScreenLoad? {
        let lengths = try await read(
            numbers.map { .length("p:\($0)") }, of: name, at: head.revision)?.value
        guard let lengths else { return nil }
        for (number, reply) in zip(numbers, lengths) {
            // At most the number of posted bytes; that is compared once they are read.
            let byteCount = max(0, Int(clamping: reply.integer ?? 0) - Self.maxHeaderLength)
            if let excess = limits.excess(ofPage: number, byteCount: byteCount) {
                return .tooLarge(head, excess)
            }
        }
        let fields =
            ["revision", "latest", "trees"]
            + numbers.flatMap { ["p:\($0)", "c:\($0)"] }
        let values = try await read(fields.map(Part.value), of: name, at: head.revision)?.value
        guard let values else { return nil }
        var pairs: [RESPValue] = []
        for (field, value) in zip(fields, values) where value != .null {
            pairs += [.bulk(Array(field.utf8)), value]
        }
        let stored = try StoredScreen(redis: pairs, name, head: head)
        return stored?.load(.all, within: ReadLimits(pageBytes: limits.pageBytes))
    }

    /// The maximum number of bytes before those of a page in its value.
    private static let maxHeaderLength = 20 + 1 + ScreenName.maxLength + 1 + 10 + 1

    /// Reads all pages by one command and returns a part of them.
    private func all(
        of name: ScreenName, _ part: ScreenPart, within limits: ReadLimits
    ) async throws(StoreError) -> Timed<ScreenLoad> {
        let key = RedisKeys.screen(name)
        let replies = try await client.read([RESPCommand("HGETALL", key)]) { marker in
            marker.command(RedisScript.timeToLive, keys: [key])
        }
        guard let fields = replies[0].elements else {
            throw .corrupt("the key of screen \(name) is not a screen")
        }
        let stored = try StoredScreen(redis: fields, name)
        return Timed(
            value: stored?.load(part, within: limits) ?? .absent, revision: stored?.revision ?? 0,
            timeToLive: RedisTimeToLive(replies[1].elements?.first ?? .null))
    }

    /// Returns a page of a screen, or `nil` if it is not at the revision of `head` any more.
    private func page(
        _ number: Int, of name: ScreenName, at head: ScreenHead, atMost byteCount: Int?
    ) async throws(StoreError) -> PageLoad? {
        let field = "p:\(number)"
        let found = try await read(
            [.value("c:\(number)"), .length(field)], of: name, at: head.revision)
        guard let found = found?.value, let length = found[1].integer else { return nil }
        var result = PageLoad(screen: head)
        guard length > 0 else { return result }
        let decoder = RedisValues(name: name)
        let known = found[0] == .null ? nil : try decoder.revisions(of: number, found[0])
        if let size = known?.size, let revision = known?.revision {
            result.page = PageHead(
                number: number, revision: revision, byteCount: size.byteCount)
            guard let byteCount, size.byteCount <= byteCount else { return result }
        }
        // A page of an earlier version has its revision in its value alone.
        guard let values = try await read([.value(field)], of: name, at: head.revision)?.value
        else { return nil }
        let page = try decoder.page(number, values[0])
        result.page = page.head
        if let byteCount, page.bytes.count <= byteCount { result.bytes = page.bytes }
        return result
    }
}
