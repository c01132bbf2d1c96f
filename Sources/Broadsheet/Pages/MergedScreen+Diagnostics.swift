extension MergedScreen {
    /// Returns the numbers of this screen's diagnostics and of those of a layout of it.
    ///
    /// - Complexity: O(pages + diagnostics of the layout).
    package func diagnosticCounts(with frames: ScreenFrames) -> DiagnosticCounts {
        var counts = pageDiagnosticCounts
        for diagnostic in frames.diagnostics {
            counts.add(Diagnostic.Code(rawValue: diagnostic.code.rawValue))
        }
        for diagnostic in advice { counts.add(diagnostic.code) }
        return counts
    }
}
