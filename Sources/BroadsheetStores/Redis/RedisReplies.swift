extension StoredScreen {
    /// Decodes the reply to `HGETALL` for the key of a screen; `nil` if there is no screen.
    ///
    /// - Throws: ``StoreError/corrupt(_:)`` for anything that this program does not write.
    /// - Complexity: O(bytes of the screen).
    init?(redis reply: RESPValue, _ name: ScreenName) throws(StoreError) {
        guard let fields = reply.elements, fields.count.isMultiple(of: 2) else {
            throw .corrupt("the key of screen \(name) is not a screen")
        }
        guard !fields.isEmpty else { return nil }
        var revision: UInt64?
        var latest: Int?
        var pages: [StoredPage] = []
        for index in stride(from: 0, to: fields.count, by: 2) {
            let value = fields[index + 1]
            switch fields[index].text {
            case "revision": revision = value.text.flatMap { UInt64($0) }
            case "latest": latest = value.integer.flatMap { Int(exactly: $0) }
            case "bytes": break
            case let field?: pages.append(try StoredPage(redis: value, field: field, name))
            case nil: throw .corrupt("a field of screen \(name) has no name")
            }
        }
        guard let revision, let latest else {
            throw .corrupt("screen \(name) has no revision or no latest page")
        }
        pages.sort { $0.number < $1.number }
        self.init(revision: revision, latestPage: latest, pages: pages)
    }
}

extension StoredPage {
    /// Decodes the field of a page: `p:<number>` with the revision, a colon, and the bytes.
    fileprivate init(
        redis value: RESPValue, field: String, _ screen: ScreenName
    ) throws(StoreError) {
        guard field.hasPrefix("p:"), let number = Int(field.dropFirst(2)), number >= 0,
            let bytes = value.bytes, let colon = bytes.firstIndex(of: UInt8(ascii: ":")),
            let revision = UInt64(String(decoding: bytes[..<colon], as: UTF8.self))
        else { throw .corrupt("field \(field) of screen \(screen) is not a page") }
        self.init(number: number, revision: revision, bytes: Array(bytes[(colon + 1)...]))
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
