/// A write to a screen as a command, and the decoding of its reply.
struct RedisCommit {
    /// The commit to apply.
    var commit: ScreenCommit
    /// The screen to write to.
    var screen: ScreenName
    /// The revision that the screen must have; `nil` if it must not exist.
    var expected: UInt64?
    /// The number, by which the server knows a commit that is sent again.
    let number = WriteNumber.random()
    /// The lifetime of the screen from now on.
    var lifetime: ScreenLifetime
    /// The channel on which the write is published to other daemons.
    var channel: String
    /// The maximum size of the screen, in bytes.
    var maxBytes: Int

    /// The facts about the new revision.
    var note = RevisionNote()
    /// The bounds of the history.
    var bounds = HistoryBounds.none
    /// The bounds of the feed.
    var feeds = FeedBounds.none
    /// The time, in milliseconds since 1970.
    var now: Int64 = 0
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
            ? ["", ":index", ":floor", ":state", ":history", ":histories", ":feed", ":line"]
                .map { RedisKeys.probe + $0 }
            : [RedisKeys.screen(screen), RedisKeys.index, RedisKeys.floor]
                + [RedisKeys.state(screen), RedisKeys.history(screen), RedisKeys.histories]
                + [RedisKeys.feed(screen), RedisKeys.line]
                + (requiresIdentity ? [RedisKeys.identity] : [])
        let (action, totals, pages) = arguments
        let head =
            [
                expected.map { String($0) } ?? "-", action, seconds, screen.text, channel,
                String(maxBytes), totals,
            ] + RedisHistory.arguments(note, bounds, at: now)
        return marker.command(
            isProbe ? RedisScript.probe : RedisScript.commit, keys: keys,
            head.map { Array($0.utf8) } + [RedisFeed.packed(note.forwarded, feeds)] + pages
                + [Array(String(number.value).utf8)])
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

    /// Decodes the reply of the script.
    ///
    /// - Parameter mayBeDone: A Boolean value that indicates whether an earlier attempt may have
    ///   been applied.
    func reply(_ value: RESPValue, mayBeDone: Bool) throws(StoreError) -> Reply {
        guard let parts = value.elements, parts.count == 6,
            let kind = parts[0].integer.flatMap({ Reply.Kind(rawValue: $0) })
        else { throw .corrupt("the reply to the write of screen \(screen) is malformed") }
        let revision = parts[1].text.flatMap { UInt64($0) }
        var reply = Reply(kind: kind, outcome: .conflict(current: revision))
        reply.line = parts[3].text.flatMap(RedisLine.number)
        reply.droppedEventCount = parts[4].integer.flatMap { UInt64(exactly: $0) } ?? 0
        switch (kind, revision) {
        case (.done, let revision?):
            reply.outcome = .done(revision)
            reply.timeToLive = RedisTimeToLive(parts[2])
        case (.doneBefore, let revision?): reply.outcome = .done(revision)
        case (.tooLarge, let bytes?):
            throw .tooLarge(byteCount: Int(clamping: bytes), limit: maxBytes)
        case (.done, nil), (.doneBefore, nil), (.tooLarge, nil):
            throw .corrupt("screen \(screen) has a revision that is not a number")
        case (.unclear, let current):
            let removed = commit == .removeScreen ? expected : nil
            reply.outcome = CommitOutcome(
                unclear: current, removing: removed, mayBeDone: mayBeDone)
        case (.conflict, _), (.emptied, _): break
        }
        return reply
    }

    /// The decoded reply to a commit.
    struct Reply {
        /// The first element of the reply.
        enum Kind: Int64 {
            /// The screen has another revision, and the commit never was applied.
            case conflict = 0
            /// The commit is applied.
            case done = 1
            /// The screen would be too large.
            case tooLarge = 2
            /// The server has lost its keys, and nothing was written.
            case emptied = 3
            /// The screen has another revision, or there is none.
            case unclear = 4
            /// The commit was applied when it was sent before.
            case doneBefore = 5
        }

        let kind: Kind
        var outcome: CommitOutcome
        /// The time to live of the screen at the revision of a commit that is applied.
        var timeToLive: RedisTimeToLive?
        /// The line of the server; `nil` if the server does not disclose it.
        var line: Int?
        /// The number of events of the feed that the commit has dropped.
        var droppedEventCount: UInt64 = 0
    }

    private var seconds: String {
        switch lifetime {
        case .unchanged: "="
        case .indefinite: "-"
        case .seconds: lifetime.wholeSeconds.map { String($0) } ?? "="
        }
    }
}
