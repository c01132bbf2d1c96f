extension MergedSection {
    package func contentLint(
        of frames: SectionFrames, _ conditions: ContentLintConditions
    ) -> ContentLint {
        var lint = ContentLint()
        let arranger = PartsArranger(conditions.parts)
        for index in frames.items.indices {
            guard let (page, cell) = item(at: index), let contents = page.kinds[cell.kind].contents
            else { continue }
            let problems = arranger.problems(
                of: contents, at: cell.inputs, in: page, frames.exactSize(ofItem: index),
                conditions)
            lint.add(problems, of: .item(index), describedBy: contents.description(ofBox:))
        }
        for case (let view?, let frame?, let element) in [
            (header, frames.header, ContentLint.Element.header),
            (footer, frames.footer, ContentLint.Element.footer),
        ] {
            guard let contents = view.contents else { continue }
            let problems = arranger.problems(
                of: contents, at: view.info.inputs, in: view.page, frame.size, conditions)
            lint.add(problems, of: element, describedBy: contents.description(ofBox:))
        }
        return lint
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
