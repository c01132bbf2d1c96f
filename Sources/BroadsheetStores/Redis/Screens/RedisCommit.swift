/// One write as the commands that make it, in the order in which the server must see them.
struct RedisCommit {
    var change: ScreenChange
    var screen: ScreenName
    var expected: UInt64?
    /// The revision that a new screen starts above.
    var floor: UInt64

    /// The commands; the last one's answer tells what came of it.
    ///
    /// What comes before it errs on the safe side: an index that names a screen too many, a floor
    /// that is higher than it need be.
    var commands: [RESPCommand] {
        var commands: [RESPCommand] = []
        switch change {
        case .put: commands.append(RESPCommand("ZADD", RedisKeys.index, "0", screen.text))
        case .removeScreen:
            commands.append(
                RESPCommand(
                    "EVAL", RedisScript.raiseFloor, "1", RedisKeys.floor, String(expected ?? 0)))
        case .removePage, .removeAllPages: break
        }
        return commands + [script]
    }

    private var script: RESPCommand {
        let (action, page, bytes): (String, String, [UInt8]) =
            switch change {
            case .put(let number, let bytes): ("put", String(number), bytes)
            case .removePage(let number): ("page", String(number), [])
            case .removeAllPages: ("pages", "", [])
            case .removeScreen: ("screen", "", [])
            }
        let head = [
            "EVAL", RedisScript.commit, "1", RedisKeys.screen(screen),
            expected.map { String($0) } ?? "-", action, page,
        ]
        let tail = ["=", String(floor), RedisKeys.changes, screen.text]
        return RESPCommand(head.map { Array($0.utf8) } + [bytes] + tail.map { Array($0.utf8) })
    }
}
