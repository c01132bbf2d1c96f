/// Names what a designer would want to know of a layout that is perfectly legal.
///
/// It looks at the frames as they are before mirroring and rounding, so that a device's pixels and
/// the reading direction neither make nor hide a finding.
package enum LayoutLint {
    /// The findings of every section, in order: at most one of each code for a section.
    ///
    /// Lays the screen out once. O(items + sections).
    package static func diagnose<Content: SectionContent>(
        sections: [Content], in environment: LayoutEnvironment
    ) -> [LayoutDiagnostic] {
        var plain = environment
        plain.viewport.direction = .ltr
        plain.rounding = .none
        plain.lints = false
        let screen = ScreenFrames.layOut(sections: sections, in: plain)
        let context = LayoutContext(plain)
        return zip(sections, screen.sections).enumerated().flatMap { index, section in
            SectionLint(index, section.0, section.1, context).findings
        }
    }
}
