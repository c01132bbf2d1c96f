/// The numbers of diagnostics by code.
///
/// Diagnostics of a page beyond `ScreenLimits.maxDiagnostics`, which are not listed, count under
/// `DIAGNOSTICS_TRUNCATED`, so that the total includes every diagnostic.
package struct DiagnosticCounts: Sendable, Hashable {
    /// The number of diagnostics of each code that occurs.
    package private(set) var byCode: [Diagnostic.Code: Int] = [:]

    /// Creates counts of 0.
    package init() {}

    /// The number of all diagnostics.
    package var total: Int { byCode.values.reduce(0, +) }

    /// Adds a number of diagnostics of one code.
    package mutating func add(_ code: Diagnostic.Code, _ count: Int = 1) {
        guard count > 0 else { return }
        byCode[code, default: 0] += count
    }

    /// Adds other counts.
    package mutating func add(_ other: DiagnosticCounts) {
        for (code, count) in other.byCode { add(code, count) }
    }
}

extension Diagnostic.Code {
    /// All codes that trees contain: those of pages, those of layouts, and those of lint.
    package static let all: [Diagnostic.Code] =
        [
            .unknownUnitType, .missingData, .notAnArray, .unusableValue, .noPlacement, .replaced,
            .duplicateMember, .unknownMember, .memberWithoutEffect, .unreadablePage,
            .diagnosticsTruncated,
        ] + LayoutDiagnostic.Code.allCases.map { Diagnostic.Code(rawValue: $0.rawValue) }
}

extension MergedScreen {
    /// Returns the numbers of this screen's diagnostics and of those of a layout of it.
    ///
    /// - Complexity: O(pages + diagnostics of the layout).
    package func diagnosticCounts(with frames: ScreenFrames) -> DiagnosticCounts {
        var counts = pageDiagnosticCounts
        for diagnostic in frames.diagnostics {
            counts.add(Diagnostic.Code(rawValue: diagnostic.code.rawValue))
        }
        for diagnostic in unknownSections { counts.add(diagnostic.code) }
        return counts
    }
}
