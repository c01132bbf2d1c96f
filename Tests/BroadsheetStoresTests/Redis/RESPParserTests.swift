import Testing

@testable import BroadsheetStores

@Suite("The parser of the Redis protocol")
struct RESPParserTests {
    /// The examples of the specification of versions 2 and 3, and their values.
    static let values: [(String, RESPValue)] = [
        ("+OK\r\n", .simple("OK")),
        ("-ERR unknown command 'X'\r\n", .error("ERR unknown command 'X'")),
        (":1000\r\n", .integer(1000)), (":-1\r\n", .integer(-1)),
        ("$5\r\nhello\r\n", .bulk(Array("hello".utf8))), ("$0\r\n\r\n", .bulk([])),
        ("$4\r\n\r\n\r\n\r\n", .bulk(Array("\r\n\r\n".utf8))),
        ("$-1\r\n", .null), ("*-1\r\n", .null), ("_\r\n", .null),
        ("*0\r\n", .array([])), ("%0\r\n", .map([])),
        ("*2\r\n:1\r\n$1\r\na\r\n", .array([.integer(1), .bulk([97])])),
        ("*2\r\n*1\r\n+a\r\n*0\r\n", .array([.array([.simple("a")]), .array([])])),
        (
            "%2\r\n+a\r\n:1\r\n+b\r\n:2\r\n",
            .map([.simple("a"), .integer(1), .simple("b"), .integer(2)])
        ),
        ("~1\r\n#t\r\n", .array([.bool(true)])), (",1.5\r\n", .double(1.5)),
        ("!5\r\nERR x\r\n", .error("ERR x")), ("=7\r\ntxt:abc\r\n", .bulk(Array("txt:abc".utf8))),
        ("(123456789012345678901234567890\r\n", .simple("123456789012345678901234567890")),
        (">2\r\n+message\r\n+hi\r\n", .push([.simple("message"), .simple("hi")])),
    ]

    @Test("The parser reads each type of value", arguments: values)
    func reads(text: String, expected: RESPValue) throws {
        var parser = RESPParser()
        parser.feed(text)
        #expect(try parser.next() == expected)
        #expect(try parser.next() == nil)
    }

    @Test("The parser reads a stream in pieces of any size")
    func everyCut() throws {
        let stream = Self.values.map(\.0).joined()
        let bytes = Array(stream.utf8)
        for cut in 0...bytes.count {
            var parser = RESPParser()
            var found: [RESPValue] = []
            for piece in [bytes[..<cut], bytes[cut...]] {
                piece.withUnsafeBytes { parser.feed($0) }
                while let value = try parser.next() { found.append(value) }
            }
            #expect(found == Self.values.map(\.1), "cut at \(cut)")
        }
        var parser = RESPParser()
        var found: [RESPValue] = []
        for byte in bytes {
            [byte].withUnsafeBytes { parser.feed($0) }
            while let value = try parser.next() { found.append(value) }
        }
        #expect(found == Self.values.map(\.1))
    }

    /// Violations of the protocol and their errors.
    static let violations: [(String, RESPError)] = [
        ("HTTP/1.1 400 Bad Request\r\n", RESPError.unknownType(UInt8(ascii: "H"))),
        ("\r\n", .unknownType(13)), (":x\r\n", .malformedNumber), ("$-2\r\n", .malformedNumber),
        ("$99999999999999999999\r\n", .malformedNumber), ("*-7\r\n", .malformedNumber),
        ("$2\r\nabc\r\n", .missingLineEnd), ("$1073741825\r\n", .tooLarge),
        ("*4000001\r\n", .tooLarge),
        (String(repeating: "*1\r\n", count: 17), .tooLarge),
    ]

    @Test("The parser rejects a violation of the protocol", arguments: violations)
    func refuses(text: String, error: RESPError) {
        #expect(throws: error) {
            var parser = RESPParser()
            parser.feed(text)
            while try parser.next() != nil {}
        }
    }

    @Test("The parser rejects a line without an end")
    func endlessLine() {
        #expect(throws: RESPError.tooLarge) {
            var parser = RESPParser()
            for _ in 0..<70 where try parser.next() == nil {
                parser.feed("+" + String(repeating: "x", count: 1000))
            }
        }
    }

    @Test("The limit of a line does not depend on the pieces in which it arrives")
    func longLine() throws {
        for (length, isValid) in [(40, true), (41, false)] {
            let line = "+" + String(repeating: "x", count: length - 1) + "\r\n"
            for pieces in [[line], line.map { String($0) }] {
                var parser = RESPParser(limits: RESPLimits(line: 40, reply: 100, elements: 10))
                let read = { () throws(RESPError) in
                    var value: RESPValue?
                    for piece in pieces {
                        parser.feed(piece)
                        value = try parser.next() ?? value
                    }
                    return value != nil
                }
                if isValid {
                    #expect(try read())
                } else {
                    #expect(throws: RESPError.tooLarge) { try read() }
                }
            }
        }
    }

    /// Replies of more than 100 bytes or 10 elements.
    static let largeReplies: [String] = [
        "*3\r\n$60\r\n" + String(repeating: "x", count: 60) + "\r\n$60\r\n", "*11\r\n",
        "*2\r\n*9\r\n", "%6\r\n",
        "*4\r\n" + String(repeating: "+" + String(repeating: "x", count: 30) + "\r\n", count: 4),
    ]

    @Test(
        "The parser rejects a reply that is too large as a whole",
        arguments: largeReplies)
    func refusesLargeReplies(text: String) {
        #expect(throws: RESPError.tooLarge) {
            var parser = RESPParser(limits: RESPLimits(line: 40, reply: 100, elements: 10))
            parser.feed(text)
            while try parser.next() != nil {}
        }
    }

    @Test("The parser counts the size of each reply separately")
    func limitsOfEachReply() throws {
        var parser = RESPParser(limits: RESPLimits(line: 40, reply: 100, elements: 10))
        for _ in 0..<50 {
            parser.feed("*9\r\n$40\r\n\(String(repeating: "x", count: 40))\r\n")
            for number in 0..<8 { parser.feed(":\(number)\r\n") }
            #expect(try parser.next()?.elements?.count == 9)
        }
    }

    @Test("The parser reserves no memory for a bulk string before its bytes arrive")
    func announcement() throws {
        var parser = RESPParser()
        parser.feed("$500000000\r\nabc")
        #expect(try parser.next() == nil)
    }

    @Test("A command is an array of bulk strings of any bytes")
    func command() {
        #expect(
            RESPCommand([Array("SET".utf8), [0, 13, 10], []]).bytes
                == Array("*3\r\n$3\r\nSET\r\n$3\r\n\u{0}\r\n\r\n$0\r\n\r\n".utf8))
    }
}

extension RESPParser {
    fileprivate mutating func feed(_ text: String) {
        Array(text.utf8).withUnsafeBytes { feed($0) }
    }
}
