import Testing

@testable import BroadsheetStores

@Suite("The Redis handshake")
struct RedisHandshakeTests {
    private let hello = RESPValue.map([.bulk(Array("role".utf8)), .bulk(Array("master".utf8))])
    private let probe = RedisGreetingStep.send(RESPCommand("EXISTS", RedisKeys.identity))

    private let run = RedisGreetingStep.send(RESPCommand("INFO"))
    private let role = RedisGreetingStep.send(RESPCommand("ROLE"))
    private let master = RESPValue.array([.bulk(Array("master".utf8)), .integer(0), .array([])])

    private func handshake(
        _ url: String, subscribingTo channel: String? = nil
    ) throws -> RedisHandshake {
        RedisHandshake(try RedisEndpoint(url: url), subscribingTo: channel)
    }

    @Test(
        "The handshake begins with HELLO 3, with the user if there is a password",
        arguments: [
            ("redis://h", ["HELLO", "3", "SETNAME", "broadsheet"]),
            ("redis://:pw@h", ["HELLO", "3", "AUTH", "default", "pw", "SETNAME", "broadsheet"]),
            ("redis://me:pw@h", ["HELLO", "3", "AUTH", "me", "pw", "SETNAME", "broadsheet"]),
        ])
    func opening(url: String, words: [String]) throws {
        #expect(try handshake(url).firstCommand == RESPCommand(words.map { Array($0.utf8) }))
    }

    @Test(
        "The handshake selects a database other than 0, then reads a key, the run ID and the line")
    func modern() throws {
        var plain = try handshake("redis://h")
        #expect(plain.receive(hello) == probe)
        #expect(plain.receive(.integer(0)) == run)
        let words = """
            # Server\r\nredis_version:7.0.15\r\nrun_id:5f2c\r\ntcp_port:6379\r\n\r
            # Replication\r\nrole:master\r\nmaster_replid:00000a0b456789abcdef0123456789abcdef0123\r
            master_replid2:0000000000000000000000000000000000000000\r\n
            """
        #expect(plain.receive(.bulk(Array(words.utf8))) == .done)
        #expect(plain.session == RedisSession(version: .three, runID: "5f2c", hasLine: true))
        var other = try handshake("redis://h/7")
        #expect(other.receive(hello) == .send(RESPCommand("SELECT", "7")))
        #expect(other.receive(.simple("OK")) == probe)
        #expect(other.receive(.integer(1)) == run)
        #expect(other.receive(.error("NOPERM")) == .done)
        #expect(other.session.runID == nil && !other.session.hasLine)
    }

    @Test(
        "The handshake uses RESP2 for a server without HELLO, or one that does not permit it",
        arguments: [
            "ERR unknown command `HELLO`, with args", "NOPROTO sorry this protocol",
            "NOPERM this user has no permissions to run the 'hello' command",
        ])
    func old(words: String) throws {
        var plain = try handshake("redis://h")
        #expect(plain.session.version == .three)
        #expect(plain.receive(.error(words)) == role)
        #expect(plain.session.version == .two)
        #expect(plain.receive(master) == probe)
        var secret = try handshake("redis://:pw@h/2")
        #expect(secret.receive(.error(words)) == .send(RESPCommand("AUTH", "pw")))
        #expect(secret.receive(.simple("OK")) == role)
        #expect(secret.receive(.error("NOPERM")) == .send(RESPCommand("SELECT", "2")))
        #expect(secret.receive(.simple("OK")) == probe)
        var user = try handshake("redis://me:pw@h")
        #expect(user.receive(.error(words)) == .send(RESPCommand("AUTH", "me", "pw")))
    }

    @Test("The handshake subscribes to a channel last, and waits for the reply")
    func subscription() throws {
        var subscriber = try handshake("redis://h", subscribingTo: "changes")
        #expect(subscriber.receive(hello) == probe)
        let subscribe = RESPCommand("SUBSCRIBE", "changes")
        #expect(subscriber.receive(.integer(1)) == run)
        #expect(subscriber.receive(.simple("run_id:1")) == .send(subscribe))
        #expect(subscriber.receive(.push([.simple("subscribe")])) == .done)
        var refused = try handshake("redis://h", subscribingTo: "changes")
        _ = refused.receive(hello)
        _ = refused.receive(.integer(1))
        _ = refused.receive(.simple("run_id:1"))
        let words = "NOPERM this user has no permissions to access one of the channels"
        #expect(refused.receive(.error(words)) == .rejected(RedisErrorReply(words)))
    }

    @Test(
        "The handshake ends with any error reply, at each step",
        arguments: ["WRONGPASS invalid", "NOAUTH", "LOADING Redis is loading", "ERR max clients"])
    func refusals(words: String) throws {
        var first = try handshake("redis://h/2")
        #expect(first.receive(.error(words)) == .rejected(RedisErrorReply(words)))
        var second = try handshake("redis://h/2")
        _ = second.receive(hello)
        #expect(second.receive(.error(words)) == .rejected(RedisErrorReply(words)))
        var third = try handshake("redis://h")
        _ = third.receive(hello)
        #expect(third.receive(.error(words)) == .rejected(RedisErrorReply(words)))
    }

    @Test("An unknown command after the reply to HELLO does not mean that the server is old")
    func unknownLater() throws {
        var handshake = try handshake("redis://h/2")
        _ = handshake.receive(hello)
        let words = "ERR unknown command `SELECT`"
        #expect(handshake.receive(.error(words)) == .rejected(RedisErrorReply(words)))
    }

    @Test("The handshake rejects a replica", arguments: ["replica", "slave"])
    func replica(role: String) throws {
        var handshake = try handshake("redis://h")
        let reply = RESPValue.map([.simple("proto"), .integer(3), .simple("role"), .simple(role)])
        guard case .rejected(let error) = handshake.receive(reply) else {
            return #expect(Bool(false), "it was not refused")
        }
        #expect(error.message.contains("replica"))
        var old = try self.handshake("redis://h")
        _ = old.receive(.error("ERR unknown command"))
        let oldReply = RESPValue.array([.simple(role)])
        #expect(old.receive(oldReply) == .rejected(error))
    }

    @Test(
        "Of an error reply to a command with the password, only the code or a known message is kept",
        arguments: [
            ("ERR wrong arguments: `AUTH` `default` `d`", "ERR …"),
            ("WRONGPASS AUTH default d", "WRONGPASS …"), ("d", "…"),
            ("WRONGPASS invalid username-password pair or user is disabled.", nil),
        ])
    func secrecy(reply: String, message: String?) throws {
        var handshake = try handshake("redis://:d@h")
        guard case .rejected(let error) = handshake.receive(.error(reply)) else {
            return #expect(Bool(false), "it was not refused")
        }
        #expect(error.message == message ?? reply)
    }

    @Test("Other error replies of a server are not changed by the letters of a password")
    func letters() throws {
        var handshake = try handshake("redis://:d@h/2")
        let hello = RESPValue.map([.simple("role"), .simple("master")])
        #expect(handshake.receive(hello) == .send(RESPCommand("SELECT", "2")))
        let reply = "NOPERM User default has no permissions to run the 'select' command"
        guard case .rejected(let error) = handshake.receive(.error(reply)) else {
            return #expect(Bool(false), "it was not refused")
        }
        #expect(error.message == reply)
    }
}

@Suite("The error replies of a Redis server")
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

    @Test("Error replies mean that the store is full, damaged or unavailable", arguments: meanings)
    func meaning(words: String, meaning: Meaning, endsConnection: Bool) {
        let error = RedisErrorReply(words)
        switch (error.storeError, meaning) {
        case (.full(let reason), .full), (.corrupt(let reason), .corrupt),
            (.unavailable(let reason), .unavailable):
            #expect(reason == "Redis: \(words)")
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

    @Test("The error reply MOVED contains the new node", arguments: places)
    func moved(words: String, node: String?) {
        #expect(RedisErrorReply(words).newNode.map { "\($0.host):\($0.port)" } == node)
    }

    @Test("Error replies are shortened to a maximum length")
    func length() {
        #expect(RedisErrorReply(String(repeating: "x", count: 100_000)).message.count == 300)
    }
}
