import BroadsheetHTTP
import Testing

@Suite("Entity tags and conditions (RFC 9110 §8.8.3, §13.1)")
struct EntityTagTests {
    private func condition(_ values: String...) throws(HTTPError) -> EntityTagCondition? {
        var headers = HTTPHeaders()
        for value in values { headers.append(.ifMatch, value) }
        return try EntityTagCondition(.ifMatch, in: headers)
    }

    @Test("A tag is sent in quotes, a weak one after W/ (RFC 9110 §8.8.3)")
    func description() {
        #expect(EntityTag("r3").description == "\"r3\"")
        #expect(EntityTag("r3", isWeak: true).description == "W/\"r3\"")
        #expect(EntityTag("a\"b\r\n c").description == "\"abc\"")
    }

    @Test(
        "Lists of tags are read (RFC 9110 §13.1.1, §5.6.1.2)",
        arguments: [
            ("\"r3\"", [EntityTag("r3")]),
            ("\"\"", [EntityTag("")]),
            ("W/\"r3\"", [EntityTag("r3", isWeak: true)]),
            (
                "\"a\", \"b\" ,\tW/\"c\"",
                [EntityTag("a"), EntityTag("b"), EntityTag("c", isWeak: true)]
            ),
            ("\"a\",\"b\"", [EntityTag("a"), EntityTag("b")]),
            (",, \"a\" ,,", [EntityTag("a")]),
            ("\"a,b\"", [EntityTag("a,b")]),
            ("\"*\"", [EntityTag("*")]),
            ("\"\u{d55c}\"", [EntityTag("\u{d55c}")]),
            ("\"!#[]\\~\"", [EntityTag("!#[]\\~")]),
        ])
    func lists(value: String, tags: [EntityTag]) throws {
        #expect(try condition(value) == .tags(tags))
    }

    @Test("Several lines form one list; a star must be alone (RFC 9110 §5.3, §13.1.1)")
    func lines() throws {
        #expect(try condition("\"a\"", "\"b\"") == .tags([EntityTag("a"), EntityTag("b")]))
        #expect(try condition("*") == .any)
        #expect(try condition() == nil)
    }

    @Test(
        "Anything else is an error that names the header (RFC 9110 §13.1.1)",
        arguments: [
            "", ",", "r3", "\"r3", "r3\"", "w/\"r3\"", "W/ \"r3\"", "W/", "W/r3", "\"a\" \"b\"",
            "\"a\"b", "\"a\";\"b\"", "*, \"a\"", "\"a\", *", "**", "'a'", "\"a b\"", "\"a\tb\"",
        ])
    func malformed(value: String) {
        #expect(throws: HTTPError.invalidHeader(.ifMatch, .notEntityTags)) {
            try condition(value)
        }
    }

    @Test("If-Match compares strongly (RFC 9110 §13.1.1, table of §8.8.3.2)")
    func strong() throws {
        let tags = try #require(try condition("\"1\", W/\"2\""))
        #expect(tags.holdsStrongly(for: EntityTag("1")))
        #expect(!tags.holdsStrongly(for: EntityTag("1", isWeak: true)))
        #expect(!tags.holdsStrongly(for: EntityTag("2")))
        #expect(!tags.holdsStrongly(for: EntityTag("2", isWeak: true)))
        #expect(!tags.holdsStrongly(for: nil))
        #expect(EntityTagCondition.any.holdsStrongly(for: EntityTag("1")))
        #expect(!EntityTagCondition.any.holdsStrongly(for: nil))
    }

    @Test("If-None-Match compares weakly (RFC 9110 §13.1.2, table of §8.8.3.2)")
    func weak() throws {
        let tags = try #require(try condition("\"1\", W/\"2\""))
        #expect(tags.matchesWeakly(EntityTag("1")))
        #expect(tags.matchesWeakly(EntityTag("1", isWeak: true)))
        #expect(tags.matchesWeakly(EntityTag("2")))
        #expect(!tags.matchesWeakly(EntityTag("3")))
        #expect(!tags.matchesWeakly(nil))
        #expect(EntityTagCondition.any.matchesWeakly(EntityTag("1")))
        #expect(!EntityTagCondition.any.matchesWeakly(nil))
    }
}
