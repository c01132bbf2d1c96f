import Broadsheet
import Testing

@Suite("The nearest name")
struct NearestNameTests {
    private static let flags = ["--host", "--port", "--catalog", "--max-body", "--max-headers"]

    @Test(
        "A typing error has the intended name as its nearest name",
        arguments: [
            ("--prot", "--port"), ("--hots", "--host"), ("--catalogue", "--catalog"),
            ("--max-bodies", "--max-body"), ("--maxbody", "--max-body"),
            ("--max-header", "--max-headers"), ("--MAX-BODY", "--max-body"),
        ])
    func typingErrors(typed: String, intended: String) {
        #expect(NearestName.of(typed, among: Self.flags) == intended)
    }

    @Test(
        "Of names with as many edits, the nearest begins and ends with more of the same letters",
        arguments: [
            ("cels", ["cell", "cells"], "cells"), ("cels", ["cells", "cell"], "cells"),
            ("cel", ["cells", "cell"], "cell"), ("abxd", ["abcd", "abxx"], "abcd"),
            ("ab", ["ax", "ay"], "ax"),
        ])
    func ties(typed: String, names: [String], intended: String) {
        #expect(NearestName.of(typed, among: names) == intended)
    }

    @Test("Case is ignored in the candidates, too")
    func candidateCase() {
        #expect(NearestName.of("SECTIONID", among: ["units", "sectionId"]) == "sectionId")
        #expect(NearestName.of("minimumlinespacng", among: ["minimumLineSpacing"]) != nil)
    }

    @Test(
        "A name that resembles no candidate has no nearest name",
        arguments: ["", "--frobnicate", "x", "--"])
    func unknown(typed: String) {
        #expect(NearestName.of(typed, among: Self.flags) == nil)
    }

    @Test("The number of edits can be limited, and the case of both names is ignored")
    func limit() {
        let names = ["BROADSHEET_PORT", "BROADSHEET_MAX_BODY"]
        #expect(NearestName.of("BROADSHET_PROT", among: names, atMost: 2) == "BROADSHEET_PORT")
        #expect(NearestName.of("broadsheet_port", among: names, atMost: 0) == "BROADSHEET_PORT")
        #expect(NearestName.of("BROADSHEET_MAXBODIES", among: names, atMost: 2) == nil)
    }

    @Test("A very long name is not compared, and without candidates there is no nearest name")
    func longName() {
        #expect(NearestName.of(String(repeating: "x", count: 100_000), among: Self.flags) == nil)
        #expect(NearestName.of("--port", among: []) == nil)
    }
}
