import Broadsheet
import Testing

@Suite("Contract violations") struct ContractViolationsTests {
    /// A member of a page, with `@` in place of its value, and the kinds of values that it allows.
    struct Member: Sendable, CustomTestStringConvertible {
        let pointer: String
        let json: String
        let kinds: Set<SampleValue>

        var testDescription: String { pointer }
    }

    private static let section = #""units": []"#
    private static let members = [
        Member(pointer: "", json: "@", kinds: []),
        Member(pointer: "/page", json: #"{"page": @, "sections": []}"#, kinds: [.null]),
        Member(
            pointer: "/hasNext", json: #"{"hasNext": @, "sections": []}"#, kinds: [.bool, .null]),
        Member(pointer: "/sections", json: #"{"sections": @}"#, kinds: [.array]),
        Member(pointer: "/sections/1", json: #"{"sections": [[], @]}"#, kinds: [.array]),
        Member(
            pointer: "/sections/0/sectionId",
            json: #"{"sections": [{"sectionId": @, \#(section)}]}"#,
            kinds: [.string, .number, .null]),
        Member(
            pointer: "/sections/0/collapsed",
            json: #"{"sections": [{"collapsed": @, \#(section)}]}"#,
            kinds: [.bool, .null]),
        Member(
            pointer: "/sections/0/layout", json: #"{"sections": [{"layout": @, \#(section)}]}"#,
            kinds: [.object, .null]),
        Member(
            pointer: "/sections/0/header", json: #"{"sections": [{"header": @, \#(section)}]}"#,
            kinds: [.null]),
        Member(
            pointer: "/sections/0/header/unitType",
            json: #"{"sections": [{"header": {"unitType": @}, \#(section)}]}"#, kinds: [.string]),
        Member(
            pointer: "/sections/0/footer", json: #"{"sections": [{"footer": @, \#(section)}]}"#,
            kinds: [.null]),
        Member(
            pointer: "/sections/0/footer/unitType",
            json: #"{"sections": [{"footer": {"unitType": @}, \#(section)}]}"#, kinds: [.string]),
        Member(
            pointer: "/sections/0/units", json: #"{"sections": [{"units": @}]}"#, kinds: [.array]),
        Member(pointer: "/sections/0/units/0", json: #"{"sections": [{"units": [@]}]}"#, kinds: []),
        Member(pointer: "/sections/0/0", json: #"{"sections": [[@]]}"#, kinds: []),
        Member(
            pointer: "/sections/0/units/0/unitType",
            json: #"{"sections": [{"units": [{"unitType": @}]}]}"#, kinds: [.string]),
        Member(
            pointer: "/sections/0/2/unitType",
            json: #"{"sections": [[{"unitType": "A"}, {"unitType": "B"}, {"unitType": @}]]}"#,
            kinds: [.string]),
    ]

    @Test("A member of the wrong type is a violation at its pointer", arguments: members)
    func wrongTypes(member: Member) throws {
        for value in SampleValue.allCases {
            let json = member.json.replacing("@", with: value.rawValue)
            let error = try contractError(json)
            guard !member.kinds.contains(value) else {
                #expect(error == nil, "\(value)")
                continue
            }
            // An empty object in place of one with required members violates those instead.
            let violation = try #require(error?.violations.first, "\(value)")
            #expect(violation.pointer.hasPrefix(member.pointer), "\(value)")
            if value != .object { #expect(violation.pointer == member.pointer, "\(value)") }
            #expect(error?.total == 1)
        }
    }

    @Test(
        "A missing required member is a violation",
        arguments: [
            ("{}", "/sections"), (#"{"sections": [{}]}"#, "/sections/0/units"),
            (#"{"sections": [{"units": [{}]}]}"#, "/sections/0/units/0/unitType"),
            (#"{"sections": [[{"unitData": 1}]]}"#, "/sections/0/0/unitType"),
            (#"{"sections": [{"units": [], "header": {}}]}"#, "/sections/0/header/unitType"),
        ])
    func missingMembers(json: String, pointer: String) throws {
        let error = try #require(try contractError(json))
        #expect(error.violations.map(\.pointer) == [pointer])
        #expect(error.violations.map(\.detail) == ["is missing"])
    }

    @Test(
        "An invalid page number is a violation",
        arguments: ["-1", "1.5", "2147483648", "1e308", "1e999", "\"1\"", "12345678901234567890"])
    func pageNumbers(number: String) throws {
        #expect(try violations(#"{"page": \#(number), "sections": []}"#) == ["/page"])
    }

    @Test("A detail contains the expected and the actual value")
    func details() throws {
        let error = try #require(
            try contractError(
                #"{"page": [], "hasNext": "yes", "sections": [1, {"units": {}}, [null]]}"#))
        #expect(
            error.violations.map { "\($0.pointer) \($0.detail)" } == [
                "/page must be a whole number from 0 to 2147483647, not an array",
                "/hasNext must be true or false",
                "/sections/0 must be an object or an array of units",
                "/sections/1/units must be an array of units, not an object",
                "/sections/2/0 must be an object, not null",
            ])
    }

    @Test("Violations have offsets and are in document order, whatever is read first")
    func offsets() throws {
        let json = #"{"sections": [{"footer": 1, "units": 2, "sectionId": []}], "page": true}"#
        let error = try #require(try contractError(json))
        let bytes = Array(json.utf8)
        #expect(
            error.violations.map { Character(UnicodeScalar(bytes[$0.offset])) } == [
                "1", "2", "[", "t",
            ])
        #expect(
            error.violations.map(\.pointer) == [
                "/sections/0/footer", "/sections/0/units", "/sections/0/sectionId", "/page",
            ])
    }

    @Test(
        "The first 100 violations are reported and all are counted",
        arguments: [99, 100, 101, 5_000])
    func manyViolations(count: Int) throws {
        let units = Array(repeating: "0", count: count - 1).joined(separator: ",")
        let json = #"{"hasNext": 0, "sections": [[\#(units)]]}"#
        let error = try #require(try contractError(json))
        #expect(error.total == count)
        let expected =
            ["/hasNext"] + (0..<min(count - 1, 99)).map { "/sections/0/\($0)" }
        #expect(error.violations.map(\.pointer) == expected)
    }

    @Test("The first violations in document order are reported even if the last is read first")
    func manyViolationsBackwards() throws {
        let bad = (0..<300).map { #"{"units": \#($0), "sectionId": true}"# }
        let error = try #require(
            try contractError(#"{"sections": [\#(bad.joined(separator: ","))]}"#))
        #expect(error.total == 600)
        let expected = (0..<50).flatMap { ["/sections/\($0)/units", "/sections/\($0)/sectionId"] }
        #expect(error.violations.map(\.pointer) == expected)
    }

    @Test("Pointers escape the contract's names (RFC 6901)")
    func escapedNames() throws {
        let names = ContractNames(sections: "a/b", units: "~")
        #expect(try violations(#"{"a/b": [{"~": 1}]}"#, names: names) == ["/a~1b/0/~0"])
    }

    @Test("The violation of too many sections contains the limit and its flag")
    func tooManySections() throws {
        let limits = ScreenLimits(maxSections: 3)
        #expect(try violations(#"{"sections": [[],[],[]]}"#, limits: limits) == [])
        let error = try #require(try contractError(#"{"sections": [[],[],[],[]]}"#, limits: limits))
        #expect(error.violations.map(\.pointer) == ["/sections"])
        #expect(error.violations.first?.detail.contains("3 (--max-sections)") == true)
    }
}
