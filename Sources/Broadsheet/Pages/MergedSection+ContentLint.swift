extension MergedSection {
    package func contentLint(
        of frames: SectionFrames, comparedWith plain: SectionFrames?,
        _ conditions: ContentLintConditions
    ) -> ContentLint {
        var linter = ElementLinter(conditions)
        var index = 0
        forEachPage(of: frames.items.indices) { page, cells in
            for cell in cells {
                linter.add(
                    LintedElement(
                        place: .item(index), kind: page.kinds[cell.kind], inputs: cell.inputs,
                        data: cell.dataRange, page: page, size: frames.exactSize(ofItem: index),
                        plainSize: plain?.exactSize(ofItem: index)))
                index += 1
            }
        }
        for case (let view?, let frame?, let plain, let place) in [
            (header, frames.header, plain?.header, ContentLint.Element.header),
            (footer, frames.footer, plain?.footer, ContentLint.Element.footer),
        ] {
            linter.add(
                LintedElement(
                    place: place, kind: view.page.kinds[view.info.kind], inputs: view.info.inputs,
                    data: view.info.dataRange, page: view.page, size: frame.size,
                    plainSize: plain?.size))
        }
        return linter.lint
    }

    package func comparesTexts(all: Bool) -> Bool {
        guard hasContents else { return false }
        let views = [header, footer].lazy.compactMap { $0.map { $0.page.kinds[$0.info.kind] } }
        let pages = parts.lazy.map(\.page)
        return views.contains { $0.contents?.isCompared(all: all) == true }
            || pages.contains { $0.kinds.contains { $0.contents?.isCompared(all: all) == true } }
    }
}

/// An item, a header or a footer that lint judges.
private struct LintedElement {
    let place: ContentLint.Element
    let kind: CellKind
    let inputs: UInt32
    let data: Range<Int>
    let page: ResolvedPage
    let size: Size
    /// The size at the text size 1; `nil` if texts are not compared.
    let plainSize: Size?

    /// The data, read again: pages do not keep the index of their JSON.
    var document: JSONDocument? { try? JSONDocument(Array(page.bytes[data])) }
}

/// The lint of the elements of a section whose types have contents, or sizes that measure texts.
private struct ElementLinter {
    private(set) var lint = ContentLint()
    private let conditions: ContentLintConditions
    private let arranger: PartsArranger
    private let plainArranger: PartsArranger
    private let request: SizeRequest

    init(_ conditions: ContentLintConditions) {
        self.conditions = conditions
        arranger = PartsArranger(conditions.parts)
        var plain = conditions.parts
        plain.textScale = 1
        plainArranger = PartsArranger(plain)
        request = SizeRequest(container: conditions.container, absent: .zero)
    }

    mutating func add(_ element: LintedElement) {
        if let contents = element.kind.contents {
            lint.add(
                problems(of: element, contents), of: element.place,
                describedBy: contents.description(ofBox:))
        } else if element.kind.measuresText, case .byRules(let rules) = element.kind.sizing {
            // In a horizontal screen the length that a fraction is of is not that of the viewport.
            guard request.container.axis == .vertical || rules.height?.hasFraction != true else {
                return
            }
            var scope = element.page.scope(request, start: Int(element.inputs))
            scope.length = request.container.available.height
            guard
                rules.cutsTexts(ofCell: element.size, in: &scope, tolerance: conditions.pixel)
            else { return }
            var problems = ContentProblems()
            problems.add(.clipped, 0)
            lint.add(problems, of: element.place) { _ in "a text of its size" }
        }
    }

    private func problems(
        of element: LintedElement, _ contents: ContentTree
    ) -> ContentProblems {
        var document: JSONDocument?
        var problems = arranger.problems(
            of: contents, at: element.inputs, in: element.page, element.size, conditions
        ) { input in
            document = document ?? element.document
            guard let data = document?.root, let source = contents.inputs[input].text else {
                return false
            }
            return source.isVisible(in: data)
        }
        guard let plainSize = element.plainSize, !problems.cutTexts.isEmpty,
            contents.isCompared(all: conditions.comparesAllTexts)
        else { return problems }
        let cut = problems.cutTexts
        let found = plainArranger.withArrangement(
            of: contents, at: element.inputs, in: element.page, plainSize
        ) { arranger -> Int? in
            for index in cut where !arranger.isCut(index) { return index }
            return nil
        }
        if let found { problems.add(.cutWhenLarger, found) }
        return problems
    }
}

extension TextSource {
    /// Returns whether the text for data is not only white space.
    fileprivate func isVisible(in data: JSONValue) -> Bool {
        var (text, isUsable) = ([] as [UInt8], true)
        _ = append(data, to: &text, &isUsable)
        return String(decoding: text, as: UTF8.self).hasVisibleText
    }
}

extension ContentTree {
    fileprivate func isCompared(all: Bool) -> Bool { all || !meanings.isEmpty }

    /// Returns a box of the content in words, by its name if it has one.
    fileprivate func description(ofBox index: Int) -> String {
        let kind: ContentKind =
            switch boxes[index].kind {
            case .column: .column
            case .row: .row
            case .overlay: .overlay
            case .image(_, let isView): isView ? .box : .image
            case .text, .space, .choice: .text
            }
        guard boxes[index].name >= 0 else { return "\(kind.withArticle) without a name" }
        let name = String(decoding: names[Int(boxes[index].name)], as: UTF8.self)
        return "the \(kind.rawValue) \"\(name)\""
    }
}
