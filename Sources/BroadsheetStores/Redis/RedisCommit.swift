/// One write as a command, and what its reply means.
struct RedisCommit {
    /// What is written.
    var change: ScreenChange
    /// Where.
    var screen: ScreenName
    /// The revision that the screen must be at; nil: it must not be there.
    var expected: UInt64?
    /// How long the screen lives from now on.
    var lifetime: ScreenLifetime
    /// Where other daemons hear of it.
    var channel: String
    /// The most bytes that the screen may take up.
    var maxBytes: Int

    /// The command: the whole write is one script.
    ///
    /// The script itself goes along each time. It is small beside a page, and a server that has
    /// forgotten the scripts it knew, as each does when it starts, needs no second try.
    var command: RESPCommand {
        let (action, page, bytes): (String, String, [UInt8]) =
            switch change {
            case .put(let number, let bytes): ("put", String(number), bytes)
            case .removePage(let number): ("page", String(number), [])
            case .removeAllPages: ("pages", "", [])
            case .removeScreen: ("screen", "", [])
            }
        let head = [
            "EVAL", RedisScript.commit, "3", RedisKeys.screen(screen), RedisKeys.index,
            RedisKeys.floor, expected.map { String($0) } ?? "-", action, page,
        ]
        let tail = [seconds, screen.text, channel, String(maxBytes)]
        return RESPCommand(head.map { Array($0.utf8) } + [bytes] + tail.map { Array($0.utf8) })
    }

    /// The screen's revision after the write, and how long it lives, out of the script's reply.
    func outcome(
        _ reply: RESPValue
    ) throws(StoreError) -> (revision: UInt64, timeToLive: RedisTimeToLive) {
        guard let parts = reply.elements, parts.count >= 2, let outcome = parts[0].integer else {
            throw .corrupt("the write of screen \(screen) was replied strangely")
        }
        let number = parts[1].text.flatMap { UInt64($0) }
        switch (outcome, number) {
        case (1, let revision?):
            return (revision, RedisTimeToLive(parts.count > 2 ? parts[2] : .null))
        case (0, let current): throw .conflict(current: current)
        case (2, let bytes?):
            throw .full("screen \(screen) would take up \(bytes) bytes, more than \(maxBytes)")
        default: throw .corrupt("screen \(screen) has a revision that is no number")
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
