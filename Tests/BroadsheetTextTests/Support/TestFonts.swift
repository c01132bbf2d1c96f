import Broadsheet
import BroadsheetText
import Foundation
import Testing

/// The fonts of system packages (fonts-noto-core, fonts-noto-cjk, fonts-inter, fonts-dejavu-core).
enum TestFonts {
    /// The folder of all fonts.
    static let folder = "/usr/share/fonts"
    static let noto = "truetype/noto/"
    static let inter = "opentype/inter/Inter-Regular.otf"
    static let sans = noto + "NotoSans-Regular.ttf"
    static let cjk = "opentype/noto/NotoSansCJK-Regular.ttc"
    static let dejaVu = "truetype/dejavu/DejaVuSans.ttf"

    /// The files with which a language is set.
    static func files(_ language: String) -> [FontDeclaration.File] {
        switch language {
        case "english", "german": [.init(path: inter)]
        case "japanese": [.init(path: cjk)]
        case "korean": [.init(path: inter), .init(path: cjk, index: 1)]
        case "chinese": [.init(path: cjk, index: 2)]
        case "arabic": [.init(path: noto + "NotoSansArabic-Regular.ttf"), .init(path: sans)]
        case "hebrew": [.init(path: noto + "NotoSansHebrew-Regular.ttf"), .init(path: sans)]
        case "hindi": [.init(path: noto + "NotoSansDevanagari-Regular.ttf"), .init(path: sans)]
        case "thai": [.init(path: noto + "NotoSansThai-Regular.ttf"), .init(path: sans)]
        case "khmer": [.init(path: noto + "NotoSansKhmer-Regular.ttf"), .init(path: sans)]
        default:
            files("english")
                + ["japanese", "arabic", "hebrew", "hindi", "thai", "khmer"].map { files($0)[0] }
                + [.init(path: sans)]
        }
    }

    /// Opens a font.
    static func font(
        _ files: [FontDeclaration.File] = [.init(path: sans)], size: Double = 20,
        _ change: (inout FontDeclaration) -> Void = { _ in }
    ) throws -> any TextFont {
        var declaration = FontDeclaration(files: files, size: size)
        change(&declaration)
        return try FontMeasurer(folder: folder, cacheBytes: 0).open(declaration)
    }
}

extension TextFont {
    /// Shapes a text.
    func shape(_ text: String, hangul: ShapingOptions.Hangul = .syllable) -> any ShapedText {
        var text = text
        return text.withUTF8 { shape(UnsafeRawBufferPointer($0), ShapingOptions(hangul: hangul)) }
    }

    /// Shapes bytes, which need not be UTF-8.
    func shape(_ bytes: [UInt8]) -> any ShapedText {
        bytes.withUnsafeBytes { shape($0, ShapingOptions()) }
    }
}

extension ShapedText {
    /// Returns the number of lines in a width.
    func lines(_ width: Double, overflow: TextRequest.Overflow = .anywhere) -> Int {
        measure(TextRequest(width: width, overflow: overflow)).lines
    }
}

extension TextRequest {
    /// A width in which a text has no more lines than it has line feeds.
    static let wide = 1e9
}
