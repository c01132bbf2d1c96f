import CHarfBuzz
import CICU

/// The system libraries that shape and break texts.
///
/// They are loaded at the first use. The pointers refer to tables that are complete then and never
/// change, so every thread may use them.
struct TextLibraries: @unchecked Sendable {
    let harfBuzz: UnsafePointer<CHarfBuzzFunctions>
    /// A Boolean value that indicates whether ICU has the rules of Unicode 17, as ICU 78.
    let hasUnicode17: Bool
    /// The language of texts, which selects forms of glyphs: English, as that of Chromium's
    /// documents without `lang` in an English system.
    let language: hb_language_t?

    static let shared: TextLibraries? = {
        guard let harfBuzz = charfbuzz_functions(), cicu_load() else { return nil }
        return TextLibraries(
            harfBuzz: harfBuzz, hasUnicode17: icuVersion.0 >= 78,
            language: harfBuzz.pointee.hb_language_from_string("en", -1))
    }()

    private static var icuVersion: (UInt8, UInt8) {
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 4) {
            guard let version = $0.baseAddress else { return (0, 0) }
            cicu_version(version)
            return ($0[0], $0[1])
        }
    }

    /// The libraries with their versions: `HarfBuzz 6.0.0, ICU 72.1`.
    var versions: String {
        let (major, minor) = Self.icuVersion
        let harfBuzzVersion = harfBuzz.pointee.hb_version_string().map(String.init(cString:)) ?? "?"
        return "HarfBuzz \(harfBuzzVersion), ICU \(major).\(minor)"
    }
}
