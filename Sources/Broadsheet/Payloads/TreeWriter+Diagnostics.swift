extension TreeWriter {
    /// Writes what became less than its sender may have meant: what was found in the pages, page by
    /// page, and then what the layout could not do, section by section.
    func writeDiagnostics(to output: inout StructuredJSONWriter) {
        output.array("diagnostics") { output in
            for diagnostic in screen.diagnostics { write(diagnostic, to: &output) }
            for diagnostic in screen.diagnostics(of: frames) { write(diagnostic, to: &output) }
        }
    }

    private func write(_ diagnostic: Diagnostic, to output: inout StructuredJSONWriter) {
        output.element()
        output.object { output in
            output.member("code", diagnostic.code.rawValue)
            output.member("page", diagnostic.page)
            output.member("pointer", diagnostic.pointer)
            output.member("detail", diagnostic.detail)
        }
    }
}

extension MergedScreen {
    /// What the layout of this screen could not do, section by section; O(diagnostics).
    package func diagnostics(of frames: ScreenFrames) -> [Diagnostic] {
        diagnostics(of: frames.diagnostics)
    }

    /// What a layout has found in this screen, with the places in the pages that it is about.
    ///
    /// O(found).
    package func diagnostics(of found: [LayoutDiagnostic]) -> [Diagnostic] {
        found.filter { sections.indices ~= $0.section }.map { Diagnostic($0, in: self) }
    }
}

extension Diagnostic {
    /// What a layout has found, with the place in its page that it is about: the unit that made the
    /// header or footer, the posted section that an item is part of, or else the section where it
    /// was posted first.
    ///
    /// The diagnostic's section is one of the screen's.
    fileprivate init(_ found: LayoutDiagnostic, in screen: MergedScreen) {
        let section = screen.sections[found.section]
        let view: MergedView? =
            switch found.code {
            case .headerHasNoSize, .headerNotShown: section.header
            case .footerHasNoSize, .footerNotShown: section.footer
            default: nil
            }
        let part = found.item.flatMap(section.partIndex(ofItem:))
        let place = part.map { section.parts[$0].place } ?? section.place
        self.init(
            code: Code(rawValue: found.code.rawValue),
            page: view?.page.number ?? place.page.number,
            pointer: view?.pointer ?? place.pointer,
            detail: found.detail)
    }
}
