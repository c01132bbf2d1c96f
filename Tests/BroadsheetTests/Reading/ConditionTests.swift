import Testing

@testable import Broadsheet

@Suite("Conditions (docs/clients.md, Conditions)")
struct ConditionTests {
    private static let registry = try? Catalog(
        Array(
            #"""
            {"cellTypes": {"Cell": {"id": "/id"}},
             "units": {"U": {"cell": {"type": "Cell"}}, "L": {"cells": {"type": "Cell"}}}}
            """#.utf8)
    ).registry

    private func parameters(
        _ client: String? = nil, flags: String = "", width: Double = 390
    ) throws -> LayoutParameters {
        var parameters = LayoutParameters()
        parameters.client = try client.map { try #require(Client($0)) }
        parameters.flags = try #require(ClientFlags.list(flags))
        parameters.viewport.size.width = width
        return parameters
    }

    private func page(_ section: String) -> [UInt8] {
        Array(#"{"sections": [\#(section)]}"#.utf8)
    }

    private func screen(
        _ section: String, _ parameters: LayoutParameters
    ) throws -> MergedScreen {
        let composer = Composer(registry: try #require(Self.registry))
        let posted = try composer.page(in: composer.document(of: page(section)))
        return composer.screen(of: try composer.viewModel(of: [posted]), parameters)
    }

    private func isShown(_ condition: String, _ parameters: LayoutParameters) throws -> Bool {
        let unit = #"{"unitType": "U", "unitData": {}, "when": \#(condition)}"#
        return try screen("[\(unit)]", parameters).itemCount == 1
    }

    @Test(
        "Comparisons of versions",
        arguments: [
            (">=5.2", "ios/5.2", true), (">=5.2", "ios/5.1.9", false), (">5.2", "ios/5.2.0", false),
            (">5.2", "ios/5.2.0.1", true), ("<=5.2", "ios/5.2", true), ("<5.2", "ios/5.2", false),
            ("<5.2", "ios/5.1", true), ("=5.2", "ios/5.2.0.0", true), ("=5.2", "ios/5.2.1", false),
            (">=5.0 <7", "ios/6.9", true), (">=5.0 <7", "ios/7", false),
            (">=5.0  <7", "ios/4.9", false), (">=0", "ios/0", true), (">=0", "android/9", false),
        ])
    func versions(comparison: String, client: String, isShown: Bool) throws {
        let condition = #"{"client": {"ios": "\#(comparison)"}}"#
        #expect(try self.isShown(condition, parameters(client)) == isShown)
    }

    @Test(
        "Without a client the newest there could be asks, and of two variants it sees the new one",
        arguments: [
            (#"{"ios": ">=99"}"#, true), (#"{"ios": ">99", "web": ">=5"}"#, true),
            (#"{"ios": "<5"}"#, false), (#"{"ios": "<=5"}"#, false), (#"{"ios": "=5"}"#, false),
            (#"{"ios": ">=5 <7"}"#, false), (#"{"ios": ">=5", "web": "<7"}"#, false),
            (#"{"ios": "<5", "web": ">=7"}"#, false), ("{}", false), (#"{"ios": null}"#, false),
        ])
    func newest(clients: String, isShown: Bool) throws {
        #expect(try self.isShown(#"{"client": \#(clients)}"#, parameters()) == isShown)
    }

    @Test(
        "All members have to hold, and one that is null is not there",
        arguments: [
            ("{}", true), (#"{"flags": ["a"]}"#, true), (#"{"flags": ["a", "b"]}"#, true),
            (#"{"flags": ["a", "c"]}"#, false), (#"{"flags": []}"#, true),
            (#"{"without": ["c"]}"#, true), (#"{"without": ["c", "a"]}"#, false),
            (#"{"width": ">=600"}"#, true), (#"{"width": ">600.5"}"#, false),
            (#"{"width": "=600.50"}"#, true), (#"{"width": ">=600 <600.5"}"#, false),
            (#"{"client": null, "flags": null, "without": null, "width": null}"#, true),
            (#"{"client": {"ios": ">=5"}, "flags": ["a"], "width": ">=600"}"#, true),
            (#"{"client": {"ios": ">=6"}, "flags": ["a"], "width": ">=600"}"#, false),
            (#"{"client": {"ios": ">=5"}, "without": ["a"]}"#, false), ("null", true),
        ])
    func members(condition: String, isShown: Bool) throws {
        let parameters = try parameters("ios/5", flags: "a,b", width: 600.5)
        #expect(try self.isShown(condition, parameters) == isShown)
    }

    @Test(
        "A condition that cannot be read is a violation at the value",
        arguments: [
            ("5", ""), ("[]", ""), ("true", ""), (#"{"clients": {}}"#, "/clients"),
            (#"{"x-note": 1}"#, "/x-note"), (#"{"client": "ios"}"#, "/client"),
            (#"{"client": {"iOS": ">=5"}}"#, "/client/iOS"),
            (#"{"client": {"ios": "5"}}"#, "/client/ios"),
            (#"{"client": {"ios": ">= 5"}}"#, "/client/ios"),
            (#"{"client": {"ios": ">=5,<7"}}"#, "/client/ios"),
            (#"{"client": {"ios": "=>5"}}"#, "/client/ios"),
            (#"{"client": {"ios": "!=5"}}"#, "/client/ios"),
            (#"{"client": {"ios": ""}}"#, "/client/ios"),
            (#"{"client": {"ios": " >5"}}"#, "/client/ios"),
            (#"{"client": {"ios": ">5\t<6"}}"#, "/client/ios"),
            (#"{"client": {"ios": ">=5.0.0.0.0"}}"#, "/client/ios"),
            (#"{"client": {"ios": 5}}"#, "/client/ios"),
            (#"{"flags": "a"}"#, "/flags"), (#"{"flags": ["a b"]}"#, "/flags/0"),
            (#"{"without": ["a", 1]}"#, "/without/1"), (#"{"width": 600}"#, "/width"),
            (#"{"width": ">=-1"}"#, "/width"), (#"{"width": ">=1e3"}"#, "/width"),
            (#"{"width": ">=.5"}"#, "/width"), (#"{"width": "600"}"#, "/width"),
        ])
    func violations(condition: String, pointer: String) throws {
        let unit = #"{"unitType": "U", "unitData": {}, "when": \#(condition)}"#
        let flat = #"{"unitType": "U", "when": \#(condition)}"#
        for (section, place) in [
            (#"{"units": [], "when": \#(condition)}"#, ""),
            (#"{"units": [\#(unit)]}"#, "/units/0"), (#"{"units": [\#(flat)]}"#, "/units/0"),
            (#"{"units": [], "header": \#(unit)}"#, "/header"),
            (#"{"units": [], "footer": \#(flat)}"#, "/footer"),
        ] {
            #expect(
                pointers(of: section) == ["/sections/0\(place)/when\(pointer)"], "\(section)")
        }
        let catalog =
            #"{"cellTypes": {"C": {}}, "units": {"U": {"cell": {"type": "C", "when": \#(condition)}}}}"#
        do {
            _ = try Catalog(Array(catalog.utf8))
            Issue.record("accepted: \(catalog)")
        } catch {
            guard case .violations(let violations, total: 1) = error else { throw error }
            #expect(violations.map(\.pointer) == ["/units/U/cell/when\(pointer)"])
        }
    }

    private func pointers(of section: String) -> [String] {
        let composer = Composer()
        do {
            _ = try composer.page(in: composer.document(of: page(section)))
            return []
        } catch {
            guard case .invalidContract(let error, page: _) = error else { return [] }
            return error.violations.map(\.pointer)
        }
    }

    @Test("Limits of conditions: each is a violation when it is crossed by one")
    func limits() {
        func unit(_ condition: String) -> String {
            #"{"unitType": "U", "unitData": 1, "when": \#(condition)}"#
        }
        func list(_ count: Int, _ element: (Int) -> String) -> String {
            (0..<count).map(element).joined(separator: ", ")
        }
        for (limit, section): (Int, (Int) -> String) in [
            (32, { n in unit(#"{"client": {\#(list(n) { #""p\#($0)": ">0""# })}}"#) }),
            (
                16,
                { n in
                    let text = (0..<n).map { ">=\($0)" }.joined(separator: " ")
                    return unit(#"{"width": "\#(text)"}"#)
                }
            ),
            (64, { n in unit(#"{"flags": [\#(list(n) { #""f\#($0)""# })]}"#) }),
            (1024, { n in list(n) { unit(#"{"width": ">\#($0)"}"#) } }),
        ] {
            #expect(pointers(of: "[\(section(limit))]").isEmpty, "\(limit)")
            #expect(pointers(of: "[\(section(limit + 1))]").count == 1, "\(limit)")
        }
        let repeated = list(3000) { unit(#"{"width": ">\#($0 % 1000)"}"#) }
        #expect(pointers(of: "[\(repeated)]").isEmpty)
    }

    @Test("A unit and a section that are not there leave the ids and pointers of the others alone")
    func places() throws {
        let hidden = #""when": {"flags": ["x"]}"#
        let sections = #"""
            {"units": [{"unitType": "U", "unitData": 1}], \#(hidden)},
            {"units": [{"unitType": "L", "unitData": [1, 2], \#(hidden)},
                       {"unitType": "L", "unitData": [3]}, {"unitType": "None"}]}
            """#
        let without = try screen(sections, parameters())
        let with = try screen(sections, parameters(flags: "x"))
        #expect(without.sections.count == 1)
        #expect(with.sections.count == 2)
        #expect(without.sections[0].location.pointer == "/sections/1")
        #expect(without.itemCount == 1)
        #expect(with.itemCount == 4)
        for screen in [with, without] {
            #expect(screen.diagnostics.map(\.pointer) == ["/sections/1/units/2/unitType"])
        }
        let tree = try Composer(registry: #require(Self.registry)).compose(page(sections))
        #expect(String(decoding: tree, as: UTF8.self).contains(#""p0.u1.e0""#))
    }

    @Test("The contract renames the members of pages, and two members cannot share a name")
    func contract() throws {
        let renamed = try Catalog(
            Array(
                #"""
                {"contract": {"when": "onlyFor", "fallback": "orElse", "essential": "must"},
                 "cellTypes": {"Cell": {"id": "/when"}}, "units": {"U": {"cell": {"type": "Cell"}}}}
                """#.utf8))
        let composer = Composer(registry: renamed.registry)
        let flat = #"""
            {"sections": [[{"unitType": "U", "when": "noon", "fallback": 1, "essential": 2},
                           {"unitType": "U", "when": "dusk", "onlyFor": {"flags": ["x"]}}]]}
            """#
        let tree = String(decoding: try composer.compose(Array(flat.utf8)), as: UTF8.self)
        #expect(tree.contains(#""id":"noon""#))
        #expect(!tree.contains("dusk"))
        for contract in [
            #"{"when": "units"}"#, #"{"when": "unitData"}"#, #"{"fallback": "when"}"#,
            #"{"essential": "layout"}"#, #"{"essential": "fallback"}"#, #"{"units": "when"}"#,
        ] {
            #expect(throws: CatalogError.self, "\(contract)") {
                try Catalog(Array(#"{"contract": \#(contract)}"#.utf8))
            }
        }
    }
}
