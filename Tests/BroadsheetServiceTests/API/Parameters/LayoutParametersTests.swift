import Broadsheet
import BroadsheetHTTP
import BroadsheetStores
import Testing

@testable import BroadsheetService

@Suite("Layout parameters (docs/api.md, Parameters of every layout)")
struct LayoutParametersTests {
    /// Valid values of each parameter.
    private static let accepted: [(name: String, values: [String])] = [
        ("width", ["1", "0.001", "100000", "1e5", "390.5", "1E2", "39e1", "1e-300"]),
        ("height", ["100000", "844"]),
        ("scale", ["0.5", "1", "1.25", "1.5", "2.625", "2.75", "3.5", "8", "2.0", "15e-1"]),
        ("direction", ["ltr", "rtl"]),
        ("textScale", ["0.5", "1", "1.3528", "4", "2e0"]),
        ("safeArea", ["0,0,0,0", "59,0,34,0", "0.5,1e1,0,100000"]),
        ("coordinates", ["section", "content"]),
        ("collapsed", ["", "a", "a,b", "%2C", ",,", "a%20b", "+"]),
        ("expanded", ["", "a", "a,b", "%2C", ",,", "a%20b", "+"]),
        ("fields", ["all", "frames"]),
        ("rounding", ["pixel", "none"]),
        ("pretty", ["true", "false"]),
    ]

    private func query(_ text: String) throws -> LayoutParameters.Partial {
        try LayoutParameters.Partial(Query(text), limits: ParameterLimits())
    }

    @Test("Every parameter accepts its valid values", arguments: accepted.map(\.name))
    func accepts(name: String) throws {
        for value in Self.accepted.first(where: { $0.name == name })?.values ?? [] {
            #expect(throws: Never.self, "\(name)=\(value)") { try query("\(name)=\(value)") }
        }
    }

    @Test(
        "A repeated parameter that is not a list is refused",
        arguments: LayoutParameter.all.map(\.name).filter {
            !["collapsed", "expanded"].contains($0)
        }
    )
    func repeated(name: String) throws {
        let value = Self.accepted.first { $0.name == name }?.values.last ?? ""
        let problem = #expect(throws: Problem.self) {
            try query("\(name)=\(value)&\(name)=\(value)")
        }
        #expect(problem?.code == .invalidParameter)
        #expect(problem?.detail.contains(name) == true)
    }

    @Test("The defaults are 390 by 844 at scale 3, left to right, section coordinates, all, pixel")
    func defaults() throws {
        let parameters = try query("").applied()
        #expect(parameters.viewport == Viewport(width: 390, height: 844, scale: 3, direction: .ltr))
        #expect(parameters.options.coordinates == .section)
        #expect(parameters.options.fields == .all)
        #expect(parameters.rounding == .pixel)
        #expect(parameters.collapsed.texts.isEmpty)
        #expect(!parameters.options.pretty)
    }

    @Test(
        "Section ids are separated by commas in any spelling, unless the parameter is repeated",
        arguments: [
            ("x=b%2Cc,a+x,,a%2By,b", ["a x", "a+y", "b", "c"]), ("x=b,c&x=a&x=", ["a", "b,c"]),
            ("x=a%2Cb&x=a%2Cb", ["a,b"]), ("x=", []), ("x=&x=", []),
        ])
    func sections(raw: String, ids: [String]) throws {
        #expect(try query(raw.replacing("x=", with: "collapsed=")).values.collapsed.texts == ids)
        #expect(try query(raw.replacing("x=", with: "expanded=")).values.expanded.texts == ids)
    }

    @Test("An id in both `collapsed` and `expanded` is refused, and the problem names it")
    func bothLists() throws {
        let problem = #expect(throws: Problem.self) { try query("collapsed=a,b&expanded=c,b") }
        #expect(problem?.code == .invalidParameter)
        #expect(problem?.detail == "expanded cannot name 'b', which collapsed names too")
        #expect(throws: Never.self) { try query("collapsed=caf%C3%A9&expanded=cafe%CC%81") }
    }

    @Test("`collapsed` and `expanded` together have a maximum size in bytes, including commas")
    func collapsedLimit() throws {
        let ids = Array(repeating: "0123456789abcdef", count: 256).enumerated()
            .map { "\($0.offset % 10)\(String($0.element.dropFirst()))\($0.offset)" }
        let list = IdentifierList(ids)
        var limits = ParameterLimits()
        limits.maxSectionIdBytes = list.byteCount
        let text = Query("collapsed=\(ids.joined(separator: ","))")
        #expect(throws: Never.self) { try LayoutParameters.Partial(text, limits: limits) }
        let both = Query("collapsed=\(ids.joined(separator: ","))&expanded=x")
        let tooMany = #expect(throws: Problem.self) {
            try LayoutParameters.Partial(both, limits: limits)
        }
        #expect(tooMany?.detail.contains("expanded must name ids of at most") == true)
        limits.maxSectionIdBytes -= 1
        let problem = #expect(throws: Problem.self) {
            try LayoutParameters.Partial(text, limits: limits)
        }
        #expect(problem?.detail.contains("collapsed must name ids of at most") == true)
    }

    @Test(
        "A token with the maximum size of collapsed fits into a request target",
        arguments: [1, 2, 3, 4, 60, 127, 128, 4096])
    func longestToken(length: Int) throws {
        let limit = ParameterLimits().maxSectionIdBytes
        // Numbers with that many digits in base 36, as many as exist or as the limit allows.
        let numbers = length > 3 ? Int.max : [36, 1296, 46656][length - 1]
        let count = min((limit + 1) / (length + 1), numbers)
        let list = IdentifierList(
            (0..<count).map { number in
                let digits = String(number, radix: 36)
                return String(repeating: "0", count: length - digits.count) + digits
            })
        #expect(list.texts.count == count)
        #expect(list.byteCount <= limit)
        var parameters = LayoutParameters()
        parameters.collapsed = list
        let token = PageToken(after: 2_147_483_647, parameters)
            .sealed(by: TokenSeal(.random()), for: "x")
        let name = String(repeating: "n", count: 128)
        let target = "/v1/screens/\(name)/layout?pageToken=\(token)"
        #expect(target.utf8.count < HTTPLimits().maxTarget)
    }

    @Test(
        "Numbers have the syntax of JSON",
        arguments: ["1", "-1", "0", "0.5", "1e3", "1E+3", "1.5e-3", "-0"])
    func numbers(text: String) throws {
        #expect(DecimalNumber(text)?.value == Double(text))
    }

    @Test("Whole numbers have one spelling", arguments: ["", "00", "+1", "-1", "1.0", "1e3", "x"])
    func wholeNumbers(text: String) {
        #expect(WholeNumber(text) == nil)
        #expect(WholeNumber("0")?.value == 0)
        #expect(WholeNumber("9223372036854775807")?.value == Int.max)
        #expect(WholeNumber("9223372036854775808") == nil)
    }
}

@Suite("Lists of identifiers")
struct IdentifierListTests {
    @Test("A list has each identifier once, and is equal in any order")
    func order() {
        #expect(IdentifierList(["b", "a", "b"]) == IdentifierList(["a", "b"]))
        #expect(IdentifierList(["a"]) != IdentifierList(["b"]))
    }

    @Test("Identifiers are compared by their code points")
    func codePoints() {
        let list = IdentifierList(["caf\u{E9}", "cafe\u{301}"])
        #expect(list.texts.count == 2)
        #expect(IdentifierList(["caf\u{E9}"]) != IdentifierList(["cafe\u{301}"]))
    }
}
