import Broadsheet
import TestSupport
import TextTestSupport

extension FuzzTarget {
    /// Contents: one that compiles is laid out with finite frames, in every kind of layout, alike
    /// each time.
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
            "cellTypes":{"C":{"content":\(content),"span":{"value":"/n"}}}}
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
            {"i":"x","t":"one two three","n":7,"k":1},{"t":"","n":1e308,"k":"2"},{}]}]}]}
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
        try require(
            try composer.compose(Array(page.utf8), parameters) == tree, "two different trees")
    }
}

/// Requires that all numbers of a value are within those of frames.
private func requireFinite(_ value: JSONValue?) throws {
    guard let value else { return }
    if let number = value.double { try require(abs(number) <= 4e9, "the number \(number)") }
    for (name, member) in value.members where !name.equals("data") { try requireFinite(member) }
    for element in value.elements { try requireFinite(element) }
}
