import Glibc
import TestSupport

@testable import BroadsheetStores

extension FuzzTarget {
    /// The parser of the Redis protocol: cuts do not change its values, and commands read back.
    static let resp = FuzzTarget(
        "resp",
        [
            "*3\r\n$8\r\nrevision\r\n:7\r\n+OK\r\n", "%1\r\n+a\r\n,1.5\r\n", "-ERR no\r\n",
            "!5\r\nERR x\r\n", "$-1\r\n_\r\n#t\r\n(12345\r\n=5\r\ntxt:a\r\n",
            ">3\r\n+message\r\n$1\r\nc\r\n$1\r\nm\r\n*-1\r\n*0\r\n~2\r\n:1\r\n:2\r\n",
            "*1\r\n*1\r\n*1\r\n*1\r\n:1\r\n",
        ]
    ) { input, random in
        let whole = RESPTranscript(of: [input])
        let cut = RESPTranscript(of: input.pieces(&random))
        try require(whole == cut, "cuts change the values: \(whole) and \(cut)")
        // Fewer parts than the limit of elements.
        let parts = Array(input.pieces(&random).prefix(500))
        guard !parts.isEmpty else { return }
        let command = RESPTranscript(of: RESPCommand(parts).bytes.pieces(&random))
        try require(
            command.values == [.array(parts.map { .bulk($0) })], "a command reads differently")
    }

    /// The values of screens with a right checksum: they decode or are damaged, and what decodes is
    /// written as it is read again.
    static let records = FuzzTarget("records", bytes: recordSeeds()) {
        guard let screen = ScreenName("home") else { throw FuzzFailure("no name") }
        return { input, _ in
            let plain = BinaryWriter(input).sealed(at: BinaryPlace(screen: screen))
            if let record = try? ScreenRecord(plain, of: screen) {
                let again = try? ScreenRecord(record.bytes(of: screen), of: screen)
                try require(again == record, "a record reads differently")
            }
            let feed = BinaryWriter(input).sealed(at: BinaryPlace(screen: screen, isFeed: true))
            if let record = try? FeedRecord(feed, of: screen) {
                let again = try? FeedRecord(record.bytes(of: screen), of: screen)
                try require(again == record, "the record of a feed reads differently")
            }
            for kind in [ObjectKey.Kind.node, .earlier, .event] {
                let key = ObjectKey(kind: kind.rawValue, number: 0, revision: 9)
                let bytes = BinaryWriter(input).sealed(at: BinaryPlace(screen: screen, key: key))
                _ = try? DirectoryNode.read(bytes, of: screen, at: key)
                _ = try? ScreenState.readEarlier(bytes, of: screen, at: key)
                _ = try? FeedRecord.read(bytes, of: screen, at: key)
            }
        }
    }

    /// Returns the records and objects of a screen of two revisions, without their checksums.
    private static func recordSeeds() -> [[UInt8]] {
        guard let screen = ScreenName("home") else { return [] }
        let context = PlanContext(
            server: .init(line: 1, floor: RevisionFloor()), now: 1_763_800_031_250,
            bounds: StoreBounds(history: HistoryBounds(), nodeCapacity: 4))
        var seeds: [[UInt8]] = []
        var record: ScreenRecord?
        for page in 0..<3 {
            let plan = try? CommitPlanner.plan(
                .put(page: page, bytes: [0x7B, 0x7D]), as: RevisionNote(),
                number: WriteNumber(value: Int64(page) + 1), lifetime: .unchanged, of: screen,
                from: record, in: context)
            guard let plan else { return seeds }
            if case .write(let write) = plan.batch.change { seeds.append(write.bytes) }
            seeds += plan.batch.puts.map { $0.bytes }
            record = plan.record
        }
        return seeds.map { Array($0.dropLast(BinaryForm.checksumLength)) }
    }

    /// The values of a Redis store in replies of any form: they decode or cause an error.
    static let redisValues = FuzzTarget(
        "redis-values",
        [
            "*6\r\n$1\r\n3\r\n$1\r\n0\r\n:-1\r\n$2\r\n{}\r\n$1\r\n3\r\n_\r\n", ":-2\r\n",
            "$13\r\nhome 3 0 written - - 1\r\n", "*2\r\n:0\r\n_\r\n",
            "+1:name:0123456789abcdef\r\n",
            "-MOVED 3999 127.0.0.1:6381\r\n", "-MOVED 1 [::1]:7\r\n",
            "-OOM command not allowed\r\n",
            "*2\r\n$4\r\nhome\r\n$5\r\nother\r\n", "redis://u:p%40@[::1]:6379/3\r\n",
        ]
    ) { input, _ in
        for value in RESPTranscript(of: [input]).values {
            if case .present(let record)? = RedisBatch.record(value) {
                try require(record.timeLeft ?? 1 >= 0, "a negative time")
            }
            _ = RedisBatch.object(value)
            _ = value.bytes.map(RedisEmptiedServer.identity)
            if let text = value.text, let message = RedisMessage(text) {
                try require(text.hasPrefix(message.screen.text), "a message of another screen")
            }
            _ = RedisIndex.names(value)
            _ = RedisTimeToLive(value)
            if case .error(let message) = value {
                let error = RedisErrorReply(message, toSecret: true)
                _ = (error.newNode, error.storeError, error.endsConnection)
                try require(error.message.utf8.count <= 300, "a command is repeated")
            }
        }
        guard let endpoint = try? RedisEndpoint(url: input.text) else { return }
        try require(!endpoint.host.isEmpty && endpoint.port > 0, "an endpoint without host")
    }

    /// Rows of a SQLite store with a value of any type: the screen is read as it was written, or
    /// damage is reported.
    static let sqliteRows = FuzzTarget(
        "sqlite-rows",
        bytes: ["0", "-1", "9223372036854775807", "1.5", "home", "", "{\"sections\":[]}"].map {
            Array($0.utf8)
        }
    ) {
        let database = try DamagedDatabase()
        return { input, random in try database.check(input, &random) }
    }

    /// Write-ahead logs of any bytes: the check ends, and reports an offset within the file.
    static let writeAheadLog = FuzzTarget(
        "write-ahead-log", bytes: [log(frames: 3), log(frames: 0)]
    ) {
        let path = "/dev/shm/broadsheet-fuzz-\(getpid())-\(UInt32.random(in: 0 ... .max))"
        return { input, _ in
            let descriptor = open(path + "-wal", O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
            guard descriptor >= 0 else { throw FuzzFailure("cannot create \(path)") }
            defer {
                close(descriptor)
                unlink(path + "-wal")
            }
            try require(write(descriptor, input, input.count) == input.count, "cannot write")
            let byte = WriteAheadLogFile.open(ofDatabase: path)?.firstBrokenByte() ?? 0
            try require((0...input.count).contains(byte), "an offset outside of the file")
        }
    }

    /// Returns a log with valid frames of 512 bytes, one a transaction.
    private static func log(frames: Int) -> [UInt8] {
        func number(_ value: UInt32) -> [UInt8] {
            (0..<4).map { UInt8(truncatingIfNeeded: value >> (24 - 8 * $0)) }
        }
        var sums: (UInt32, UInt32) = (0, 0)
        func combine(_ bytes: ArraySlice<UInt8>) {
            let words = stride(from: bytes.startIndex, to: bytes.endIndex, by: 4).map { index in
                bytes[index..<index + 4].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
            }
            for pair in stride(from: 0, to: words.count, by: 2) {
                sums.0 = sums.0 &+ words[pair] &+ sums.1
                sums.1 = sums.1 &+ words[pair + 1] &+ sums.0
            }
        }
        let salts = number(11) + number(12)
        var log = number(0x377F_0683) + number(3_007_000) + number(512) + number(0) + salts
        combine(log[...])
        log += number(sums.0) + number(sums.1)
        for frame in 0..<frames {
            let page = [UInt8](repeating: UInt8(truncatingIfNeeded: frame), count: 512)
            let head = number(UInt32(frame + 1)) + number(UInt32(frame + 1))
            combine(head[...])
            combine(page[...])
            log += head + salts + number(sums.0) + number(sums.1) + page
        }
        return log
    }
}

/// The values of a stream of bytes, independent of its pieces.
private struct RESPTranscript: Equatable {
    var values: [RESPValue] = []
    var failure: RESPError?

    /// Limits that inputs of a few kilobytes exceed.
    private static let limits: RESPLimits = {
        var limits = RESPLimits()
        (limits.line, limits.reply, limits.elements, limits.depth) = (256, 16_384, 1_000, 4)
        return limits
    }()

    init(of pieces: [[UInt8]]) {
        var parser = RESPParser(limits: Self.limits)
        do throws(RESPError) {
            for piece in pieces {
                piece.withUnsafeBytes { parser.feed($0) }
                while let value = try parser.next() { values.append(value) }
            }
        } catch {
            failure = error
        }
    }

    /// Compares descriptions, because a double may be NaN.
    static func == (one: Self, other: Self) -> Bool {
        one.failure == other.failure && "\(one.values)" == "\(other.values)"
    }
}

/// A database in memory with two screens, whose rows are damaged one value at a time.
private final class DamagedDatabase: Sendable {
    // Unchecked: a check runs on one thread at a time.
    private nonisolated(unsafe) let connection: SQLiteConnection
    private nonisolated(unsafe) let records: RecordTable
    private nonisolated(unsafe) let objects: ObjectTable
    private nonisolated(unsafe) let store: StoreTable
    private let names: [ScreenName]
    private let original: [RecordState]
    private let server: PlanContext.ServerState
    /// The tables and columns to damage.
    private let columns: [(table: String, column: String)]

    init() throws {
        connection = try SQLiteConnection(path: ":memory:", mode: .readWrite)
        try SQLiteFormat.prepare(connection)
        let names = ["cafe", "home"].compactMap { ScreenName($0) }
        var batches = try SQLiteBatchWriter(on: connection)
        for name in names {
            var record: ScreenRecord?
            for page in 0..<3 {
                let plan = try Self.plan(page, of: name, from: record, batches.state.server)
                let outcome = try connection.transaction { () throws(SQLiteFailure) in
                    try batches.apply(plan.batch, at: 1)
                }
                guard case .applied = outcome else { throw FuzzFailure("a conflict") }
                record = plan.record
            }
        }
        let (records, store) = (
            try RecordTable(on: connection), try StoreTable(on: connection)
        )
        self.names = names
        self.records = records
        self.store = store
        objects = try ObjectTable(on: connection)
        original = try names.map { try records.record(of: $0, at: 1) }
        server = try store.server()
        var columns: [(String, String)] = []
        for table in ["names", "records", "objects", "contents", "store"] {
            let count = try connection.integer("SELECT count(*) FROM pragma_table_info('\(table)')")
            for index in 0..<(count ?? 0) {
                let sql = "SELECT name FROM pragma_table_info('\(table)') WHERE cid = \(index)"
                if let column = try connection.text(sql) { columns.append((table, column)) }
            }
        }
        self.columns = columns
    }

    /// Returns the plan that stores a page with an event, and keeps the revision before.
    private static func plan(
        _ page: Int, of name: ScreenName, from record: ScreenRecord?,
        _ server: PlanContext.ServerState
    ) throws -> CommitPlan {
        var context = PlanContext(
            server: server, now: 1, bounds: StoreBounds(history: HistoryBounds()))
        context.feedVersion = record?.version.revision ?? 0
        let put = PutPage(
            number: page % 2, bytes: Array("{\"page\":\(page)}".utf8),
            counts: ContentCounts(sections: 0, items: page))
        return try CommitPlanner.plan(
            .putPages([put], totals: nil), as: RevisionNote(), number: .random(),
            lifetime: .unchanged, of: name, from: record, in: context)
    }

    /// Replaces one value by `input`, reads all screens, and undoes the change.
    func check(_ input: [UInt8], _ random: inout SeededGenerator) throws {
        let (table, column) = columns[Int(random.next() % UInt64(columns.count))]
        let literal = Self.literal(input, &random)
        try connection.execute("BEGIN")
        defer { try? connection.execute("ROLLBACK") }
        // A violated constraint changes nothing.
        let changesAll = random.next() % 2 == 0
        let sql = "UPDATE \(table) SET \(column) = \(literal)"
        try? connection.execute(changesAll ? sql : sql + Self.condition(table))
        for (name, expected) in zip(names, original) {
            do throws(SQLiteFailure) {
                guard try store.server() == server else { throw .unsupported("another line") }
                // A start finds that names have changed.
                try SQLiteFormat.checkNames(connection)
                var check = ScreenCheck(of: name, records, objects)
                _ = try check.run()
                guard try records.record(of: name, at: 1) == expected else {
                    throw .unsupported("another record")
                }
            } catch {
                try require(
                    error.storeError.isDamage, "\(error.message) after \(sql.prefix(200))")
            }
        }
    }

    private static func condition(_ table: String) -> String {
        switch table {
        case "names", "records": " WHERE name = 'home'"
        case "objects": " WHERE creation = (SELECT min(creation) FROM objects)"
        case "contents": " WHERE id = (SELECT min(id) FROM contents)"
        default: " WHERE key = 'names'"
        }
    }

    private static func literal(_ input: [UInt8], _ random: inout SeededGenerator) -> String {
        let hex = input.prefix(200).map { byte in
            let digits = String(byte, radix: 16)
            return digits.count < 2 ? "0" + digits : digits
        }.joined()
        switch random.next() % 5 {
        case 0: return "NULL"
        case 1: return "X'\(hex)'"
        case 2: return "CAST(X'\(hex)' AS TEXT)"
        case 3: return "CAST(CAST(X'\(hex)' AS TEXT) AS REAL)"
        default: return String(Int64(bitPattern: random.next() >> (random.next() % 64)))
        }
    }
}

extension StoreError {
    /// A Boolean value that indicates whether stored data is damaged.
    fileprivate var isDamage: Bool { if case .corrupt = self { true } else { false } }
}
