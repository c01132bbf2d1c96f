extension MergedSection {
    package func contentLint(
        of frames: SectionFrames, _ conditions: ContentLintConditions
    ) -> ContentLint {
        var linter = ElementLinter(conditions)
        var index = 0
        forEachPage(of: frames.items.indices) { page, cells in
            for cell in cells {
                linter.add(
                    .item(index), page.kinds[cell.kind], at: cell.inputs, in: page,
                    size: frames.exactSize(ofItem: index))
                index += 1
            }
        }
        for case (let view?, let frame?, let element) in [
            (header, frames.header, ContentLint.Element.header),
            (footer, frames.footer, ContentLint.Element.footer),
        ] {
            linter.add(
                element, view.page.kinds[view.info.kind], at: view.info.inputs, in: view.page,
                size: frame.size)
        }
        return linter.lint
    }
}

/// The lint of the elements of a section whose types have contents, or sizes that measure texts.
private struct ElementLinter {
    private(set) var lint = ContentLint()
    private let conditions: ContentLintConditions
    private let arranger: PartsArranger
    private let request: SizeRequest

    init(_ conditions: ContentLintConditions) {
        self.conditions = conditions
        arranger = PartsArranger(conditions.parts)
        request = SizeRequest(container: conditions.container, absent: .zero)
    }

    mutating func add(
        _ element: ContentLint.Element, _ kind: CellKind, at inputs: UInt32,
        in page: ResolvedPage, size: Size
    ) {
        if let contents = kind.contents {
            let problems = arranger.problems(of: contents, at: inputs, in: page, size, conditions)
            lint.add(problems, of: element, describedBy: contents.description(ofBox:))
        } else if kind.measuresText, case .byRules(let rules) = kind.sizing {
            // In a horizontal screen the length that a fraction is of is not that of the viewport.
            guard request.container.axis == .vertical || rules.height?.hasFraction != true else {
                return
            }
            var scope = page.scope(request, start: Int(inputs))
            scope.length = request.container.available.height
            if rules.cutsTexts(ofCell: size, in: &scope, tolerance: conditions.pixel) {
                lint.add([.clipped: 0], of: element) { _ in "a text of its size" }
            }
        }
    }
}

extension ContentTree {
    /// Returns a text, an image or a box of the content in words, by its name if it has one.
    fileprivate func description(ofBox index: Int) -> String {
        var kind = ContentKind.text
        if case .image(_, let isView) = boxes[index].kind { kind = isView ? .box : .image }
        guard boxes[index].name >= 0 else { return "\(kind.withArticle) without a name" }
        let name = String(decoding: names[Int(boxes[index].name)], as: UTF8.self)
        return "the \(kind.rawValue) \"\(name)\""
    }
}
