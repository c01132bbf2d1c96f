import Broadsheet
import TestSupport
import TextTestSupport

extension FuzzTarget {
    /// Contents: one that compiles is laid out with finite frames and URLs that clients may load,
    /// in every kind of layout, alike each time.
    static let content = FuzzTarget(
        "content",
        [
            #"""
            {"spacing":4,"padding":{"left":8,"right":8},"column":[{"fill":1,"overlay":[
            {"image":"/i","name":"i","height":{"ratio":1}},{"row":[{"text":"/t","font":"f",
            "name":"t"}],"name":"b","padding":6,"horizontal":"end","vertical":"start"}]},
            {"row":[{"text":"/t","font":"f","maxLines":1,"fill":1},{"space":2},
            {"text":{"join":["/n","/t"],"by":" "},"font":"f","shrink":false,"minLines":1}],
            "align":"center","justify":"end"}]}
            """#,
            #"""
            {"switch":"/k","cases":{"1":{"box":"","width":{"min":1e300,"of":{"value":"/n"}},
            "height":{"product":[{"ratio":-1e300},3]},"name":"a"}},"default":{"row":[
            {"box":"/n","if":"/i","minWidth":5,"maxWidth":{"fraction":0.5},"fill":3}],
            "width":"natural","height":{"fraction":0.3}}}
            """#,
            #"""
            {"label":{"join":["/t",{"constant":"x"}],"by":" "},"column":[{"image":"/i","name":"i",
            "width":90,"height":{"ratio":0.7},"url":"{+value}?w={width}&h={height}",
            "widths":[160,320],"placeholder":"/t","label":"/t","role":"none","style":"a b-1"},
            {"image":"/u","name":"u","width":5,"height":1e9,"url":"a{width}{+value}:{height}"},
            {"text":"/t","font":"f","role":"heading","level":2,"name":"h"},
            {"box":"","name":"b","action":"like","input":{"on":true},"role":"link"},
            {"row":[{"image":"/u","hidden":true}],"name":"r","link":"/u"}]}
            """#,
        ]
    ) { input, random in
        let content = String(decoding: input, as: UTF8.self)
        let layouts = [
            "{}", #"{"kind":"list"}"#, #"{"gridColumnCount":3}"#,
            #"{"kind":"compositional","itemSize":"dynamic"}"#,
            #"{"kind":"compositional","itemSize":"dynamic","itemAlignment":"stretch"}"#,
            #"{"gridColumnCount":3,"itemAlignment":"stretch"}"#,
            #"{"kind":"masonry","gridColumnCount":3,"maxWidth":200}"#,
        ]
        let json = """
            {"fonts":{"f":{"files":["f.ttf"],"size":10}},"sections":{"S":\(layouts.randomElement(using: &random) ?? "{}")},
            "units":{"U":{"cells":{"type":"C"},"header":{"type":"C","data":"/0"}}},
            "cellTypes":{"C":{"content":\(content),"span":{"value":"/n"},
            "actions":{"like":{"forward":true,"input":{"type":["object","null"]}}}}}}
            """
        let catalog: Catalog
        do throws(CatalogError) {
            catalog = try Catalog(Array(json.utf8), measuringWith: SimpleMeasurer())
        } catch {
            guard case .violations(let violations, let total) = error else { return }
            try require(total >= violations.count && total > 0, "a wrong number of violations")
            return
        }
        let page = #"""
            {"sections":[{"sectionId":"S","units":[{"unitType":"U","unitData":[
            {"i":"x","t":"one two three","n":7,"k":1,"u":"javascript:x"},
            {"i":"a b/\u00fc%2F%","t":"","n":1e308,"k":"2","u":-1.5e3},{"i":"data:,x","u":":"}]}]}]}
            """#
        var parameters = LayoutParameters()
        parameters.viewport.direction = random.next() % 2 == 0 ? .ltr : .rtl
        if random.next() % 4 == 0 {
            parameters.viewport.safeArea = Insets(top: 0, left: 59, bottom: 21, right: 400)
        }
        parameters.rounding = random.next() % 2 == 0 ? .pixel : .none
        parameters.lint = random.next() % 4 == 0
        let composer = Composer(registry: catalog.registry)
        let tree = try composer.compose(Array(page.utf8), parameters)
        let root = try JSONDocument(tree, maxDepth: 200).root
        try requireFinite(root["sections"])
        try requireAddresses(root["sections"])
        try require(
            try composer.compose(Array(page.utf8), parameters) == tree, "two different trees")
    }
}

/// Requires that all URLs of a value have only the characters of URLs, and no scheme but `http` and
/// `https`.
private func requireAddresses(_ value: JSONValue?) throws {
    guard let value else { return }
    if let url = value["url"]?.string {
        try require(
            url.utf8.allSatisfy { 0x21..<0x7F ~= $0 && !#""<>\^`{|}"#.utf8.contains($0) },
            "the characters of \(url)")
        let scheme = url.prefixMatch(of: /[A-Za-z][A-Za-z0-9+.-]*:/).map { $0.output.lowercased() }
        try require(scheme == nil || ["http:", "https:"].contains(scheme), "the scheme of \(url)")
    }
    for (name, member) in value.members where !name.equals("data") {
        try requireAddresses(member)
    }
    for element in value.elements { try requireAddresses(element) }
}

/// Requires that all numbers of a value are within those of the frames of a header and three items,
/// of which each has at most 10⁹ points.
private func requireFinite(_ value: JSONValue?) throws {
    guard let value else { return }
    if let number = value.double { try require(abs(number) <= 5e9, "the number \(number)") }
    for (name, member) in value.members where !name.equals("data") { try requireFinite(member) }
    for element in value.elements { try requireFinite(element) }
}
