import Broadsheet
import BroadsheetClient
import Foundation
import Testing

@Suite("J: A section's layout in JSON") struct SectionLayoutReadingTests {
    private func layout(_ json: String) throws -> SectionLayout {
        let page = try posted(#"{"sections": [{"layout": \#(json), "units": []}]}"#)
        return try #require(page.sections.first?.layout)
    }

    @Test(
        "A layout without members, or with null, sets no value",
        arguments: [
            "{}", #"{"kind": null, "inset": null, "paging": null, "decoration": null}"#,
            #"{"x": 1}"#,
        ])
    func empty(json: String) throws {
        #expect(try layout(json) == SectionLayout())
    }

    @Test("A layout has every member of a flow section")
    func flow() throws {
        let layout = try layout(
            """
            {"kind": "flow", "inset": {"top": 1, "left": 2, "bottom": 3, "right": 4},
            "minimumLineSpacing": 5, "minimumInteritemSpacing": -6, "gridColumnCount": 7,
            "itemAlignment": "end", "paging": {"isEnabled": false, "isAlignCenter": true, "isLooping": true,
            "isInfinitePage": true, "isAutoRolling": true, "autoRollingTimeInterval": 1.5}}
            """)
        var expected = SectionLayout()
        expected.kind = .flow
        expected.flow.inset = Insets(top: 1, left: 2, bottom: 3, right: 4)
        expected.flow.minimumLineSpacing = 5
        expected.flow.minimumInteritemSpacing = -6
        expected.flow.gridColumnCount = 7
        expected.flow.itemAlignment = .end
        expected.compositional.itemAlignment = .end
        var paging = PagingOptions()
        paging.isEnabled = false
        paging.isAlignCenter = true
        paging.isLooping = true
        paging.isInfinitePage = true
        paging.isAutoRolling = true
        paging.autoRollingTimeInterval = 1.5
        expected.flow.paging = paging
        #expect(layout == expected)
    }

    @Test("Absent members of paging have defaults")
    func pagingDefaults() throws {
        #expect(try layout(#"{"paging": {}}"#).flow.paging == PagingOptions())
        #expect(PagingOptions().isEnabled)
        #expect(PagingOptions().autoRollingTimeInterval == 3)
    }

    @Test("A layout has every member of a compositional section")
    func compositional() throws {
        let layout = try layout(
            """
            {"kind": "compositional", "direction": "vertical",
            "itemSize": {"uniform": {"columns": 2, "width": 3, "height": 4}},
            "scrolling": "groupPagingCentered", "itemSpacing": 5, "lineSpacing": 6,
            "sectionInset": 7,
            "orthogonalScrollingProperties": {"decelerationRate": "fa\\u0073t", "bounce": false},
            "isUniformAcrossSiblings": true, "uniformEstimatedHeight": 8}
            """)
        var expected = SectionLayout()
        expected.kind = .compositional
        expected.compositional.direction = .vertical
        expected.compositional.itemSize = .uniform(columns: 2, width: 3, height: 4)
        expected.compositional.scrolling = .groupPagingCentered
        expected.compositional.itemSpacing = 5
        expected.compositional.lineSpacing = 6
        expected.compositional.sectionInset = Insets(7)
        var scroller = CompositionalOptions.ScrollProperties()
        scroller.decelerationRate = #""fa\u0073t""#
        scroller.bounce = false
        expected.compositional.orthogonalScrollingProperties = scroller
        expected.compositional.isUniformAcrossSiblings = true
        expected.compositional.uniformEstimatedHeight = 8
        #expect(layout == expected)
    }

    @Test("Items are dynamic, or uniform without any member")
    func itemSizes() throws {
        #expect(try layout(#"{"itemSize": "dynamic"}"#).compositional.itemSize == .dynamic)
        #expect(
            try layout(#"{"itemSize": {"uniform": {}}}"#).compositional.itemSize
                == .uniform(columns: nil, width: nil, height: nil))
    }

    @Test(
        "The width of uniform items is a number of points, or a fraction",
        arguments: [
            ("140", .points(140)), ("-1e308", .points(-1e9)),
            (#"{"fraction": 0.8}"#, .fraction(0.8)), (#"{"fraction": 1e308}"#, .fraction(1e9)),
        ] as [(String, CompositionalOptions.ItemWidth)])
    func itemWidths(json: String, width: CompositionalOptions.ItemWidth) throws {
        let layout = try layout(#"{"itemSize": {"uniform": {"width": \#(json)}}}"#)
        #expect(
            layout.compositional.itemSize == .uniform(columns: nil, width: width, height: nil))
    }

    @Test("A layout has every member of a list section")
    func list() throws {
        let layout = try layout(
            """
            {"kind": "list", "appearance": "insetGrouped", "showsSeparators": false,
            "headerMode": "firstItemInSection", "footerMode": "supplementary",
            "headerTopPadding": 9}
            """)
        var expected = SectionLayout()
        expected.kind = .list
        expected.list.appearance = .insetGrouped
        expected.list.showsSeparators = false
        expected.list.headerMode = .firstItemInSection
        expected.list.footerMode = .supplementary
        expected.list.headerTopPadding = 9
        #expect(layout == expected)
    }

    @Test("A layout has every member of a masonry section, and of areas")
    func masonry() throws {
        let layout = try layout(
            """
            {"kind": "masonry", "gridColumnCount": {"minItemWidth": 160}, "inset": 1,
            "minimumLineSpacing": 2, "minimumInteritemSpacing": 3, "placement": "inOrder",
            "contentInsetsReference": "layoutMargins", "maxWidth": 640}
            """)
        var expected = SectionLayout.masonry(
            MasonryOptions(
                columns: .fitting(minItemWidth: 160, max: nil), lineSpacing: 2,
                interitemSpacing: 3, inset: Insets(1), placement: .inOrder))
        expected.contentInsetsReference = .layoutMargins
        expected.maxWidth = 640
        #expect(layout == expected)
        let later = try self.layout(#"{"maxWidth": 300, "placement": null}"#)
        expected.maxWidth = 300
        #expect(layout.overridden(by: later) == expected)
    }

    @Test(
        "C19: The number of columns has the forms of gridColumnCount",
        arguments: [
            ("2", 2), (#"{"minItemWidth": 99, "max": 3}"#, .fitting(minItemWidth: 99, max: 3)),
            (
                #"{"default": 1, "600": 2}"#,
                .breakpoints(GridBreakpoints(default: 1, [600: 2]))
            ),
        ] as [(String, GridColumnCount)])
    func columns(json: String, columns: GridColumnCount) throws {
        let layout = try layout(#"{"itemSize": {"uniform": {"columns": \#(json)}}}"#)
        #expect(
            layout.compositional.itemSize == .uniform(columns: columns, width: nil, height: nil))
    }

    @Test("Every kind has a decoration, whose data keeps its bytes, and pinning")
    func common() throws {
        let layout = try layout(
            """
            {"pinHeader": true, "pinFooter": false, "decoration": {"kind": "card", "mode": "items",
            "inset": {"left": -8}, "zIndex": -3, "data": {"c" : 1e2}}}
            """)
        var expected = SectionLayout()
        expected.pinHeader = true
        expected.pinFooter = false
        expected.decoration = DecorationOptions(
            kind: "card", mode: .items, inset: Insets(top: 0, left: -8, bottom: 0, right: 0),
            zIndex: -3, data: Array(#"{"c" : 1e2}"#.utf8))
        #expect(layout == expected)
        #expect(
            try self.layout(#"{"decoration": {"kind": "x"}}"#).decoration
                == DecorationOptions(kind: "x"))
    }

    @Test("A section has one decoration, an array of them, or none")
    func decorations() throws {
        let (a, b) = (DecorationOptions(kind: "a"), DecorationOptions(kind: "b", zIndex: 2))
        #expect(try layout(#"{"decoration": {"kind": "a"}}"#).decorations == [a])
        #expect(
            try layout(#"{"decoration": [{"kind": "a"}, {"kind": "b", "zIndex": 2}]}"#).decorations
                == [a, b])
        #expect(try layout(#"{"decoration": []}"#).decorations == [])
        var base = SectionLayout()
        base.decoration = a
        #expect(base.overridden(by: SectionLayout()).decorations == [a])
        #expect(try base.overridden(by: layout(#"{"decoration": []}"#)).decorations == [])
        #expect(
            try base.overridden(by: layout(#"{"decoration": [{"kind": "b"}]}"#)).decorations?
                .map(\.kind) == ["b"])
    }

    @Test("A section has at most 16 decorations")
    func tooManyDecorations() throws {
        func page(_ count: Int) -> String {
            let array = Array(repeating: #"{"kind": "k"}"#, count: count).joined(separator: ",")
            return #"{"sections": [{"layout": {"decoration": [\#(array)]}, "units": []}]}"#
        }
        #expect(SectionLayout.maxDecorations == 16)
        #expect(try violations(page(16)) == [])
        let found = try contractError(page(17))?.violations
        #expect(found?.map(\.pointer) == ["/sections/0/layout/decoration"])
        #expect(
            found?.map(\.detail)
                == ["has 17 decorations, of which a section may have at most 16"])
    }

    @Test(
        "An inset is one number for all edges, or an object in which absent edges are 0",
        arguments: [
            ("12.5", Insets(12.5)), ("-3", Insets(-3)), ("{}", .zero),
            (#"{"top": 1, "right": null}"#, Insets(top: 1, left: 0, bottom: 0, right: 0)),
        ])
    func insets(json: String, insets: Insets) throws {
        #expect(try layout(#"{"inset": \#(json)}"#).flow.inset == insets)
    }

    @Test(
        "G2: Unusable numbers are sanitised",
        arguments: [
            ("1e308", 1e9), ("-1e308", -1e9), ("1e999", 0), ("-1e999", 0), ("-0", 0),
            ("0.1234567890123456789012345678901234567890", 0.12345678901234568),
        ])
    func absurdNumbers(json: String, length: Double) throws {
        #expect(try layout(#"{"minimumLineSpacing": \#(json)}"#).flow.minimumLineSpacing == length)
        #expect(try layout(#"{"inset": {"top": \#(json)}}"#).flow.inset?.top == length)
    }

    /// The kinds of values that a member may have; a string only by certain names.
    private static let members: [(String, Set<SampleValue>)] =
        [
            "minimumLineSpacing", "minimumInteritemSpacing", "itemSpacing", "lineSpacing",
            "uniformEstimatedHeight", "headerTopPadding", "maxWidth",
        ].map { ($0, [.number]) }
        + ["isUniformAcrossSiblings", "showsSeparators", "pinHeader", "pinFooter"].map {
            ($0, [.bool])
        }
        + [
            "kind", "direction", "scrolling", "contentInsetsReference", "appearance", "headerMode",
            "footerMode", "gridColumnCount", "itemSize", "itemAlignment", "placement",
        ].map { ($0, []) } + [("decoration", [.array])]
        + ["inset", "sectionInset"].map { ($0, [.number, .object]) }
        + ["paging", "orthogonalScrollingProperties"].map { ($0, [.object]) }

    @Test("A violation names the member of the wrong type", arguments: members)
    func wrongTypes(member: String, kinds: Set<SampleValue>) throws {
        for value in SampleValue.allCases where value != .null {
            let found = try violations(
                #"{"sections": [{"layout": {"\#(member)": \#(value.rawValue)}, "units": []}]}"#)
            guard !kinds.contains(value) else {
                #expect(found == [], "\(value)")
                continue
            }
            #expect(found.count == 1, "\(value)")
            #expect(found.first?.hasPrefix("/sections/0/layout/\(member)") == true, "\(value)")
        }
    }

    @Test(
        "A violation points into nested objects",
        arguments: [
            (#"{"inset": {"top": "1"}}"#, "inset/top"),
            (#"{"sectionInset": {"right": []}}"#, "sectionInset/right"),
            (#"{"paging": {"isEnabled": 1}}"#, "paging/isEnabled"),
            (#"{"paging": {"isAlignCenter": 1}}"#, "paging/isAlignCenter"),
            (#"{"paging": {"isLooping": 1}}"#, "paging/isLooping"),
            (#"{"paging": {"isInfinitePage": 1}}"#, "paging/isInfinitePage"),
            (#"{"paging": {"isAutoRolling": 1}}"#, "paging/isAutoRolling"),
            (#"{"paging": {"autoRollingTimeInterval": true}}"#, "paging/autoRollingTimeInterval"),
            (#"{"itemSize": {"uniform": 1}}"#, "itemSize/uniform"),
            (#"{"itemSize": {}}"#, "itemSize/uniform"),
            (#"{"itemSize": {"uniform": {"columns": 1.5}}}"#, "itemSize/uniform/columns"),
            (
                #"{"itemSize": {"uniform": {"columns": {"minItemWidth": 0}}}}"#,
                "itemSize/uniform/columns/minItemWidth"
            ),
            (
                #"{"itemSize": {"uniform": {"columns": {"default": 1, "x": 2}}}}"#,
                "itemSize/uniform/columns/x"
            ),
            (#"{"itemSize": {"uniform": {"width": "1"}}}"#, "itemSize/uniform/width"),
            (#"{"itemSize": {"uniform": {"width": [0.8]}}}"#, "itemSize/uniform/width"),
            (#"{"itemSize": {"uniform": {"width": {}}}}"#, "itemSize/uniform/width/fraction"),
            (
                #"{"itemSize": {"uniform": {"width": {"fraction": null}}}}"#,
                "itemSize/uniform/width/fraction"
            ),
            (
                #"{"itemSize": {"uniform": {"width": {"fraction": "1"}}}}"#,
                "itemSize/uniform/width/fraction"
            ),
            (#"{"itemSize": {"uniform": {"height": "1"}}}"#, "itemSize/uniform/height"),
            (
                #"{"orthogonalScrollingProperties": {"decelerationRate": {}}}"#,
                "orthogonalScrollingProperties/decelerationRate"
            ),
            (
                #"{"orthogonalScrollingProperties": {"bounce": 0}}"#,
                "orthogonalScrollingProperties/bounce"
            ),
            (#"{"decoration": {}}"#, "decoration/kind"),
            (#"{"decoration": {"kind": 1}}"#, "decoration/kind"),
            (#"{"decoration": {"kind": "k", "mode": "all"}}"#, "decoration/mode"),
            (#"{"decoration": [{"kind": "k"}, {"zIndex": 1}]}"#, "decoration/1/kind"),
            (#"{"decoration": [null]}"#, "decoration/0"),
            (#"{"decoration": [[{"kind": "k"}]]}"#, "decoration/0"),
            (#"{"decoration": [{"kind": "k", "inset": []}]}"#, "decoration/0/inset"),
            (#"{"decoration": {"kind": "k", "inset": {"left": "1"}}}"#, "decoration/inset/left"),
            (#"{"decoration": {"kind": "k", "zIndex": 0.5}}"#, "decoration/zIndex"),
        ])
    func nestedMembers(json: String, pointer: String) throws {
        let found = try violations(#"{"sections": [{"layout": \#(json), "units": []}]}"#)
        #expect(found == ["/sections/0/layout/\(pointer)"])
    }

    @Test(
        "An unknown name is a violation that lists the known names",
        arguments: ["Flow", "grid", "", "flow "])
    func unknownNames(name: String) throws {
        let error = try #require(
            try contractError(#"{"sections": [{"layout": {"kind": "\#(name)"}, "units": []}]}"#))
        let names = SectionLayout.Kind.allCases.map { "\"\($0.rawValue)\"" }
        let list = "\(names.dropLast().joined(separator: ", ")) or \(names.last ?? "")"
        #expect(error.violations.map(\.detail) == ["must be \(list)"])
    }

    @Test("J: Every kind is read by the name that its layout declares")
    func kindNames() throws {
        let names = SectionLayout.Kind.allCases.map(\.rawValue)
        #expect(names.starts(with: ["flow", "compositional", "list"]))
        #expect(Set(names).count == names.count)
        for kind in SectionLayout.Kind.allCases {
            #expect(try layout("{\"kind\": \"\(kind.rawValue)\"}").kind == kind)
            #expect(SectionLayout.Kind(rawValue: kind.rawValue) == kind)
        }
        #expect(SectionLayout.Kind(rawValue: "grid") == nil)
        #expect(SectionLayout.Kind.standard == .flow)
    }

    @Test("J: Every kind has its members in docs/layout.md", arguments: SectionLayout.Kind.allCases)
    func documentedKinds(_ kind: SectionLayout.Kind) throws {
        let rules = Fixtures.folder.deletingLastPathComponent().appending(path: "docs/layout.md")
        let text = String(decoding: try Data(contentsOf: rules), as: UTF8.self)
        #expect(text.contains("\n| \(kind.rawValue) | `"))
    }

    @Test(
        "G5: Integers have 32 bits, so that index arithmetic cannot overflow",
        arguments: [
            ("2147483648", true), ("-2147483648", true), ("2147483649", false),
            ("1e308", false), ("0.5", false), ("2.0", true),
        ])
    func integers(json: String, isFine: Bool) throws {
        let found = try violations(
            #"{"sections": [{"layout": {"gridColumnCount": \#(json)}, "units": []}]}"#)
        #expect(found.isEmpty == isFine)
    }
}
