import Broadsheet
import Testing

@Suite("Catalog violations") struct CatalogViolationsTests {
    private func violations(
        _ json: String, limits: CatalogLimits = CatalogLimits()
    ) throws -> [ContractViolation] {
        let bytes = Array(json.utf8)
        do throws(CatalogError) {
            _ = try Catalog(bytes, limits: limits)
            return []
        } catch {
            guard case .violations(let violations, let total) = error else { throw error }
            #expect(total >= violations.count)
            return violations
        }
    }

    private func pointers(_ json: String) throws -> [String] {
        try violations(json).map(\.pointer)
    }

    @Test("A catalog that is not valid JSON is an error with its offset")
    func noJSON() {
        let error = #expect(throws: CatalogError.self) { try Catalog(Array("{".utf8)) }
        guard case .invalidJSON(let syntax) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(syntax.offset == 1)
    }

    @Test(
        "A member of the wrong type is a violation at its pointer",
        arguments: [
            ("[]", ""), (#"{"screen": []}"#, "/screen"),
            (#"{"screen": {"direction": "up"}}"#, "/screen/direction"),
            (#"{"screen": {"itemSize": 1}}"#, "/screen/itemSize"),
            (#"{"screen": {"itemSize": {"height": "1"}}}"#, "/screen/itemSize/height"),
            (#"{"screen": {"inset": "1"}}"#, "/screen/inset"),
            (#"{"screen": {"minimumLineSpacing": "1"}}"#, "/screen/minimumLineSpacing"),
            (#"{"screen": {"minimumInteritemSpacing": []}}"#, "/screen/minimumInteritemSpacing"),
            (#"{"screen": {"interSectionSpacing": true}}"#, "/screen/interSectionSpacing"),
            (#"{"screen": {"pinHeaders": 1}}"#, "/screen/pinHeaders"),
            (#"{"screen": {"pinFooters": 1}}"#, "/screen/pinFooters"),
            (#"{"contract": 1}"#, "/contract"), (#"{"contract": {"units": 1}}"#, "/contract/units"),
            (#"{"sections": []}"#, "/sections"), (#"{"sections": {"A": 1}}"#, "/sections/A"),
            (#"{"sections": {"a/b": {"inset": []}}}"#, "/sections/a~1b/inset"),
            (#"{"cellTypes": {"C": {"picture": "/t"}}}"#, "/cellTypes/C/picture"),
            (#"{"cellTypes": {"C": {"picture": {"title": 1}}}}"#, "/cellTypes/C/picture/title"),
            (
                #"{"cellTypes": {"C": {"picture": {"subtitle": "s"}}}}"#,
                "/cellTypes/C/picture/subtitle"
            ),
            (
                #"{"cellTypes": {"C": {"picture": {"image": "/~2"}}}}"#,
                "/cellTypes/C/picture/image"
            ),
            (#"{"units": []}"#, "/units"), (#"{"units": {"U": 1}}"#, "/units/U"),
            (#"{"units": {"U": [{}, 1]}}"#, "/units/U/1"),
            (#"{"units": {"U": {"cell": 1}}}"#, "/units/U/cell"),
            (#"{"units": {"U": {"cells": {}}}}"#, "/units/U/cells/type"),
            (#"{"units": {"U": {"header": [{"type": 1}]}}}"#, "/units/U/header/0/type"),
            (
                #"{"units": {"U": [{"footer": {"type": "C", "data": 1}}]}, "cellTypes": {"C": {}}}"#,
                "/units/U/0/footer/data"
            ),
            (
                #"{"units": {"U": {"cell": {"type": "C", "data": "x"}}}, "cellTypes": {"C": {}}}"#,
                "/units/U/cell/data"
            ),
            (
                #"{"units": {"U": {"cell": {"type": "C", "data": "/~2"}}}, "cellTypes": {"C": {}}}"#,
                "/units/U/cell/data"
            ),
            (
                #"{"units": {"U": {"cell": {"type": "C", "optional": 1}}}, "cellTypes": {"C": {}}}"#,
                "/units/U/cell/optional"
            ),
            (#"{"cellTypes": []}"#, "/cellTypes"), (#"{"cellTypes": {"C": 1}}"#, "/cellTypes/C"),
            (#"{"cellTypes": {"C": {"id": 1}}}"#, "/cellTypes/C/id"),
            (#"{"cellTypes": {"C": {"id": "id"}}}"#, "/cellTypes/C/id"),
            (#"{"cellTypes": {"C": {"size": 1}}}"#, "/cellTypes/C/size"),
        ])
    func wrongTypes(json: String, pointer: String) throws {
        #expect(try pointers(json) == [pointer])
    }

    @Test(
        "A placement with an unknown cell type is a violation",
        arguments: [
            (#"{"units": {"U": {"cell": {"type": "C"}}}}"#, ""),
            (
                #"{"units": {"U": {"cell": {"type": "C"}}}, "cellTypes": {"c": {}, "D": {}}}"#,
                #"; did you mean "c"?"#
            ),
            (#"{"units": {"U": {"cell": {"type": "C"}}}, "cellTypes": {"C": null}}"#, ""),
        ])
    func missingCellType(json: String, question: String) throws {
        let violations = try violations(json)
        #expect(violations.map(\.pointer) == ["/units/U/cell/type"])
        #expect(violations.map(\.detail) == ["names no entry of cellTypes\(question)"])
    }

    @Test(
        "An invalid size rule is a violation at its pointer",
        arguments: [
            (#""1""#, ""), ("[]", ""), ("true", ""), ("{}", ""), (#"{"x": 1}"#, ""),
            (#"{"ratio": 1, "fraction": 1}"#, ""), (#"{"fraction": "1"}"#, "/fraction"),
            (#"{"ratio": null, "value": 1}"#, "/value"), (#"{"ratio": []}"#, "/ratio"),
            (#"{"value": "x"}"#, "/value"), (#"{"value": "/x", "default": "1"}"#, "/default"),
            (#"{"stack": {}}"#, "/stack"), (#"{"stack": [1, null]}"#, "/stack/1"),
            (#"{"stack": [1, {"stack": ["2"]}]}"#, "/stack/1/stack/0"),
            (#"{"stack": [], "spacing": "1"}"#, "/spacing"),
            (#"{"stack": [], "padding": {"top": "1"}}"#, "/padding/top"),
            (#"{"switch": 1, "cases": {}}"#, "/switch"), (#"{"switch": ""}"#, "/cases"),
            (#"{"switch": "", "cases": []}"#, "/cases"),
            (#"{"switch": "", "cases": {"a~": "1"}}"#, "/cases/a~0"),
            (#"{"switch": "", "cases": {}, "default": []}"#, "/default"),
            (#"{"ratio": {}}"#, "/ratio"), (#"{"ratio": {"default": 1}}"#, "/ratio"),
            (#"{"ratio": {"value": "/a", "width": "/b"}}"#, "/ratio"),
            (#"{"ratio": {"value": 1}}"#, "/ratio/value"),
            (#"{"ratio": {"width": "/a"}}"#, "/ratio/height"),
            (#"{"ratio": {"width": null, "height": "/a"}}"#, "/ratio/width"),
            (#"{"ratio": {"width": "/a", "height": "b"}}"#, "/ratio/height"),
            (#"{"ratio": {"value": "/a", "default": "1"}}"#, "/ratio/default"),
            (#"{"sum": 1}"#, "/sum"), (#"{"sum": [1, "2"]}"#, "/sum/1"),
            (#"{"product": 1}"#, "/product"), (#"{"product": [1]}"#, "/product"),
            (#"{"product": [1, 2, 3]}"#, "/product"), (#"{"product": {"a": 1}}"#, "/product"),
            (#"{"product": ["1", 2]}"#, "/product/0"),
            (#"{"product": [1, {"fraction": 1}]}"#, "/product/1"),
            (#"{"switch": "", "cases": {"2": 1, "2.0": 1}}"#, "/cases/2.0"),
            (#"{"switch": "", "cases": {"0": 1, "a": 1, "-0": 1}}"#, "/cases/-0"),
            (#"{"switch": "", "cases": {"1e2": 1, "100": 1}}"#, "/cases/100"),
            (#"{"min": 1}"#, "/of"), (#"{"max": 1}"#, "/of"), (#"{"of": "1"}"#, "/of"),
            (#"{"min": "1", "of": 1}"#, "/min"),
            (#"{"max": {"ratio": "1"}, "of": 1}"#, "/max/ratio"),
        ])
    func wrongRules(rule: String, pointer: String) throws {
        #expect(
            try pointers(#"{"cellTypes": {"C": {"size": {"height": \#(rule)}}}}"#)
                == ["/cellTypes/C/size/height\(pointer)"])
    }

    @Test(
        "The rules ratio and stack are violations in a width",
        arguments: [
            (#"{"ratio": 1}"#, "/ratio"), (#"{"stack": []}"#, "/stack"),
            (#"{"ratio": {"value": "/a"}}"#, "/ratio"),
            (#"{"sum": [{"ratio": 1}]}"#, "/sum/0/ratio"),
            (#"{"product": [{"stack": []}, 2]}"#, "/product/0/stack"),
            (#"{"min": {"ratio": 1}, "of": 1}"#, "/min/ratio"),
            (#"{"switch": "", "cases": {"a": {"stack": [1]}}}"#, "/cases/a/stack"),
        ])
    func widthRules(rule: String, pointer: String) throws {
        let violations = try violations(#"{"cellTypes": {"C": {"size": {"width": \#(rule)}}}}"#)
        #expect(violations.map(\.pointer) == ["/cellTypes/C/size/width\(pointer)"])
        #expect(violations.map(\.detail) == ["is for heights only"])
    }

    @Test(
        "Two members of one object with the same name are a violation",
        arguments: [
            (#"{"sections": "page"}"#, "sections"), (#"{"sections": "hasNext"}"#, "sections"),
            (#"{"sectionId": "layout"}"#, "sectionId"), (#"{"units": "sectionId"}"#, "units"),
            (#"{"units": "header"}"#, "units"), (#"{"unitData": "unitType"}"#, "unitData"),
            (#"{"sectionId": "footer"}"#, "sectionId"), (#"{"units": "collapsed"}"#, "units"),
        ])
    func clashingNames(contract: String, member: String) throws {
        #expect(try pointers(#"{"contract": \#(contract)}"#) == ["/contract/\(member)"])
    }

    @Test("All violations are reported at once, in document order, with their offsets")
    func allAtOnce() throws {
        let json = #"""
            {"units": {"U": {"cell": {"type": "?"}}}, "cellTypes": {"C": {"id": 0, "size": {"width": []}}},
            "screen": false}
            """#
        let violations = try violations(json)
        #expect(
            violations.map(\.pointer) == [
                "/units/U/cell/type", "/cellTypes/C/id", "/cellTypes/C/size/width", "/screen",
            ])
        let bytes = Array(json.utf8)
        #expect(
            violations.map { Character(UnicodeScalar(bytes[$0.offset])) } == ["\"", "0", "[", "f"])
    }

    @Test("Violations of a catalog in a larger document have pointers into that document")
    func nested() throws {
        let root = try JSONDocument(Array(#"{"catalog": {"units": 1}}"#.utf8)).root
        let value = try #require(root["catalog"])
        do throws(CatalogError) {
            _ = try Catalog(value, at: "/catalog")
            Issue.record("no violation")
        } catch {
            guard case .violations(let violations, total: 1) = error else { throw error }
            #expect(violations.map(\.pointer) == ["/catalog/units"])
        }
    }

    @Test(
        "A catalog beyond a limit is a violation",
        arguments: [
            (
                #"{"units": {"U": {"cell": [{"type": "C"}, {"type": "C"}, {"type": "C"}]}}, "cellTypes": {"C": {}}}"#,
                "/units/U"
            ),
            (
                #"{"cellTypes": {"C": {"size": {"height": {"stack": [1, 2, 3, 4]}}}}}"#,
                "/cellTypes/C/size"
            ),
            (
                #"{"cellTypes": {"C": {"size": {"width": {"value": "/a"}, "height": {"stack": [{"value": "/b"}, {"value": "/c"}]}}}}}"#,
                "/cellTypes/C/size"
            ),
            (
                #"{"cellTypes": {"C": {"size": {"width": {"value": "/a"}, "height": {"ratio": {"width": "/b", "height": "/c"}}}}}}"#,
                "/cellTypes/C/size"
            ),
        ])
    func limits(json: String, pointer: String) throws {
        var limits = CatalogLimits()
        limits.maxPlacements = 3
        limits.maxRules = 5
        limits.maxInputs = 3
        #expect(try violations(json, limits: limits) == [])
        limits.maxPlacements = 2
        limits.maxRules = 4
        limits.maxInputs = 2
        #expect(try violations(json, limits: limits).map(\.pointer) == [pointer])
    }

    @Test(
        "Names have at most 256 bytes, wherever a catalog has names",
        arguments: [
            (#"{"sections": {"NAME": {}}}"#, "/sections/NAME"),
            (#"{"cellTypes": {"NAME": {}}}"#, "/cellTypes/NAME"),
            (#"{"units": {"NAME": []}}"#, "/units/NAME"),
            (#"{"contract": {"sections": "NAME"}}"#, "/contract"),
            (#"{"contract": {"unitData": "NAME"}}"#, "/contract"),
        ])
    func longNames(json: String, pointer: String) throws {
        // Characters of two bytes.
        let longest = String(repeating: "é", count: 128)
        #expect(try violations(json.replacing("NAME", with: longest)) == [])
        let name = longest + "x"
        let found = try violations(json.replacing("NAME", with: name))
        #expect(found.map(\.pointer) == [pointer.replacing("NAME", with: name)])
        #expect(found.first?.detail == "has a name of 257 bytes, which may have at most 256")
    }

    @Test("Pointers have at most 1024 bytes")
    func longPointers() throws {
        let json = #"{"cellTypes": {"C": {"id": "/NAME"}}}"#
        let longest = String(repeating: "x", count: 1023)
        #expect(try violations(json.replacing("NAME", with: longest)) == [])
        let found = try violations(json.replacing("NAME", with: longest + "x"))
        #expect(found.map(\.detail) == ["must be a JSON Pointer of at most 1024 bytes"])
    }

    @Test("A name of a megabyte with many violations is repeated for none of them")
    func hugeName() throws {
        let name = String(repeating: "\u{1F600}", count: 262_144)
        let rules = (0..<255).map { _ in "{}" }.joined(separator: ",")
        let json = #"{"cellTypes": {"\#(name)": {"size": {"height": {"stack": [\#(rules)]}}}}}"#
        let found = try violations(json)
        #expect(found.count == 256)
        for violation in found {
            #expect(violation.pointer.utf8.count <= 1024 && violation.pointer.hasSuffix("…"))
            #expect(violation.pointer.hasPrefix("/cellTypes/\u{1F600}"))
            #expect(violation.detail.utf8.count <= 1024)
        }
    }

    @Test("The first 1,000 violations are reported and all are counted")
    func manyViolations() throws {
        let types = (0..<5_000).map { "\"T\($0)\": 1" }.joined(separator: ",")
        do throws(CatalogError) {
            _ = try Catalog(Array(#"{"cellTypes": {\#(types)}}"#.utf8))
            Issue.record("no violation")
        } catch {
            guard case .violations(let violations, let total) = error else { throw error }
            #expect(total == 5_000)
            #expect(violations.map(\.pointer) == (0..<1_000).map { "/cellTypes/T\($0)" })
        }
    }

    @Test("Rules nest up to the depth of the JSON, and reading stops at the limit on rules")
    func deepRules() throws {
        func nested(_ depth: Int) -> String {
            let open = String(repeating: #"{"of": "#, count: depth)
            let rule = open + "1" + String(repeating: "}", count: depth)
            return #"{"cellTypes": {"C": {"size": {"height": \#(rule)}}}}"#
        }
        #expect(try violations(nested(124)).isEmpty)
        #expect(throws: CatalogError.self) { try Catalog(Array(nested(125).utf8)) }
        var limits = CatalogLimits()
        limits.maxDepth = 1_000_000
        #expect(
            try violations(nested(100_000), limits: limits).map(\.pointer) == ["/cellTypes/C/size"])
    }
}
