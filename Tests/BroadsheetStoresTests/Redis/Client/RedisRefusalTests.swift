import Testing

@testable import BroadsheetStores

@Suite("What a Redis server's refusals mean")
struct RedisErrorReplyTests {
    enum Meaning: Sendable { case full, corrupt, unavailable }

    static let meanings: [(String, Meaning, endsConnection: Bool)] = [
        ("OOM command not allowed when used memory > 'maxmemory'.", .full, false),
        ("ERR Error running script: @user_script:1: -OOM command not allowed", .full, false),
        ("WRONGTYPE Operation against a key", .corrupt, false),
        ("ERR Error running script: WRONGTYPE Operation against", .corrupt, false),
        ("READONLY You can't write against a read only replica.", .unavailable, true),
        ("ERR Error running script: @user_script: -READONLY You can't", .unavailable, true),
        ("MOVED 3999 127.0.0.1:6381", .unavailable, true),
        ("LOADING Redis is loading the dataset in memory", .unavailable, false),
        ("MASTERDOWN Link with MASTER is down", .unavailable, false),
        ("CLUSTERDOWN Hash slot not served", .unavailable, false),
        ("MISCONF Redis is configured to save RDB snapshots", .unavailable, false),
        ("NOREPLICAS Not enough good replicas to write.", .unavailable, false),
        ("NOPERM this user has no permissions", .unavailable, false),
        ("BUSY Redis is busy running a script", .unavailable, false),
        ("", .unavailable, false),
    ]

    @Test("each says whether the store is full, damaged or away", arguments: meanings)
    func meaning(words: String, meaning: Meaning, endsConnection: Bool) {
        let error = RedisErrorReply(words)
        switch (error.storeError, meaning) {
        case (.full(let told), .full), (.corrupt(let told), .corrupt),
            (.unavailable(let told), .unavailable):
            #expect(told == "Redis: \(words)")
        default: Issue.record("\(words) means \(error.storeError)")
        }
        #expect(error.endsConnection == endsConnection)
    }

    static let places: [(String, String?)] = [
        ("MOVED 3999 127.0.0.1:6381", "127.0.0.1:6381"), ("MOVED 1 node-7:1", "node-7:1"),
        ("MOVED 1 ::1:6381", "::1:6381"), ("MOVED 1 [::1]:6381", "::1:6381"),
        ("MOVED 3999", nil), ("MOVED 1 :6381", nil), ("MOVED 1 host", nil),
        ("MOVED 1 host:0", nil), ("MOVED 1 host:65536", nil), ("ASK 1 host:1", nil), ("", nil),
    ]

    @Test("MOVED says where to", arguments: places)
    func moved(words: String, node: String?) {
        #expect(RedisErrorReply(words).newNode.map { "\($0.host):\($0.port)" } == node)
    }

    @Test("what is repeated of a server's words has an end")
    func length() {
        #expect(RedisErrorReply(String(repeating: "x", count: 100_000)).message.count == 300)
    }
}
