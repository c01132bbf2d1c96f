/// A write to a screen as a command, and the decoding of its reply.
struct RedisCommit {
    /// The commit to apply.
    var commit: ScreenCommit
    /// The screen to write to.
    var screen: ScreenName
    /// The revision that the screen must have; `nil` if it must not exist.
    var expected: UInt64?
    /// The lifetime of the screen from now on.
    var lifetime: ScreenLifetime
    /// The channel on which the write is published to other daemons.
    var channel: String
    /// The maximum size of the screen, in bytes.
    var maxBytes: Int

    /// A Boolean value that indicates whether a server without the identity of the store is one
    /// that was emptied, which gets no new screen.
    var requiresIdentity = false
    /// A Boolean value that indicates whether the write concerns no screen and is undone.
    var isProbe = false

    /// Returns the command: one script performs the complete write, and its reply ends with the
    /// marker.
    ///
    /// The script is sent each time. It is small compared with a page, and a server that has lost
    /// its script cache, as after each restart, needs no second attempt.
    func command(_ marker: RedisMarker) -> RESPCommand {
        let keys =
            isProbe
            ? ["", ":index", ":floor"].map { RedisKeys.probe + $0 }
            : [RedisKeys.screen(screen), RedisKeys.index, RedisKeys.floor]
                + (requiresIdentity ? [RedisKeys.identity] : [])
        let (action, totals, pages) = arguments
        let head = [
            expected.map { String($0) } ?? "-", action, seconds, screen.text, channel,
            String(maxBytes), totals,
        ]
        return marker.command(
            isProbe ? RedisScript.probe : RedisScript.commit, keys: keys,
            head.map { Array($0.utf8) } + pages)
    }

    /// The arguments that depend on the commit: its name, the counts after it, and its pages.
    private var arguments: (action: String, totals: String, pages: [[UInt8]]) {
        switch commit {
        case .putPages(let pages, let totals):
            return ("put", Self.text(totals), pages.flatMap(Self.arguments))
        case .replacePages(let pages, let kept, let totals):
            let numbers = kept.map { String($0) }.joined(separator: " ")
            return (
                "replace", Self.text(totals),
                [Array(numbers.utf8)] + pages.flatMap(Self.arguments)
            )
        case .removePage(let number): return ("page", "-", [Array(String(number).utf8)])
        case .removeAllPages: return ("pages", "-", [])
        case .removeScreen: return ("screen", "-", [])
        }
    }

    private static func arguments(of page: PutPage) -> [[UInt8]] {
        let counts = [page.counts?.sections, page.counts?.items].map(text)
        return [Array(String(page.number).utf8), page.bytes] + counts.map { Array($0.utf8) }
    }

    private static func text(_ totals: ContentCounts?) -> String {
        totals.map { "\($0.sections) \($0.items)" } ?? "-"
    }

    private static func text(_ count: Int?) -> String { count.map { String($0) } ?? "-" }

    /// Returns a Boolean value that indicates whether the server has lost its keys, and nothing was
    /// written.
    func findsEmptiedServer(_ reply: RESPValue) -> Bool {
        reply.elements?.count == 3 && reply.elements?.first?.integer == 3
    }

    /// Decodes the reply of the script into the new revision and the time to live of the screen.
    func outcome(
        _ reply: RESPValue
    ) throws(StoreError) -> (revision: UInt64, timeToLive: RedisTimeToLive) {
        guard let parts = reply.elements, parts.count >= 3, let outcome = parts[0].integer else {
            throw .corrupt("the reply to the write of screen \(screen) is malformed")
        }
        let number = parts[1].text.flatMap { UInt64($0) }
        switch (outcome, number) {
        case (1, let revision?):
            return (revision, RedisTimeToLive(parts[2]))
        case (0, let current): throw .conflict(current: current)
        case (2, let bytes?):
            throw .full("screen \(screen) would have \(bytes) bytes, more than \(maxBytes)")
        default: throw .corrupt("screen \(screen) has a revision that is not a number")
        }
    }

    private var seconds: String {
        switch lifetime {
        case .unchanged: "="
        case .indefinite: "-"
        case .seconds: lifetime.wholeSeconds.map { String($0) } ?? "="
        }
    }
}
