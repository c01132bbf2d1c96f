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
            lint.add(problems, ofItem: index)
        }
        for case (let view?, let frame?) in [(header, frames.header), (footer, frames.footer)] {
            guard let contents = view.contents else { continue }
            let problems = arranger.problems(
                of: contents, at: view.info.inputs, in: view.page, frame.size, conditions)
            lint.add(problems, ofItem: nil)
        }
        return lint
    }
}
