import Foundation
import FoundationXML

/// The elements of a picture, as Foundation's XML parser reads them.
final class PictureReader: NSObject, XMLParserDelegate {
    /// A text of the picture.
    struct Text: Equatable {
        let words: String
        let kind: String
    }

    private(set) var isWellFormed = false
    private(set) var elements: [String: Int] = [:]
    private(set) var classes: [String: Int] = [:]
    /// The widths of the elements of each class, in document order.
    private(set) var widths: [String: [Double]] = [:]
    /// All character data, that of the style included.
    private(set) var text = ""
    /// The `text` elements in document order.
    private(set) var texts: [Text] = []
    /// The contents of the `title` elements in document order.
    private(set) var titles: [String] = []
    /// The number of `text` elements inside parts that are clipped to their frames.
    private(set) var clippedTexts = 0
    /// The width of the picture.
    private(set) var width = 0.0
    /// The height of the picture.
    private(set) var height = 0.0

    private var depth = 0
    private var kind = ""
    private var words = ""

    init(_ picture: [UInt8]) {
        super.init()
        let parser = XMLParser(data: Data(picture))
        parser.delegate = self
        isWellFormed = parser.parse()
    }

    /// The words of the texts of a class, in document order.
    func words(_ kind: String) -> [String] { texts.filter { $0.kind == kind }.map(\.words) }

    func parser(
        _ parser: XMLParser, didStartElement element: String, namespaceURI: String?,
        qualifiedName: String?, attributes: [String: String]
    ) {
        elements[element, default: 0] += 1
        if element == "svg" {
            depth += 1
            if depth == 1 {
                width = attributes["width"].flatMap(Double.init) ?? 0
                height = attributes["height"].flatMap(Double.init) ?? 0
            }
        }
        if element == "text" || element == "title" {
            words = ""
            kind = attributes["class"] ?? ""
            if element == "text", depth > 1 { clippedTexts += 1 }
        }
        guard let kind = attributes["class"] else { return }
        classes[kind, default: 0] += 1
        if let width = attributes["width"].flatMap(Double.init) {
            widths[kind, default: []].append(width)
        }
    }

    func parser(
        _ parser: XMLParser, didEndElement element: String, namespaceURI: String?,
        qualifiedName: String?
    ) {
        if element == "svg" { depth -= 1 }
        if element == "text" { texts.append(Text(words: words, kind: kind)) }
        if element == "title" { titles.append(words) }
    }

    func parser(_ parser: XMLParser, foundCharacters characters: String) {
        text += characters
        words += characters
    }
}
