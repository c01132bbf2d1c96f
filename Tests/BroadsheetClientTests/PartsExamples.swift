import BroadsheetClient
import Foundation
import Testing

// The Swift that docs/client.md shows for UIKit, with stand-ins of UIKit's classes: they have the
// members that it uses.

class UIView {
    var frame = CGRect.zero
    var isHidden = false
}

final class UIImageView: UIView {
    var url: String?

    func load(_ url: String) { self.url = url }
}

final class UILabel: UIView {
    enum LineBreakMode { case byWordWrapping, byTruncatingTail }

    var numberOfLines = 1
    var lineBreakMode = LineBreakMode.byTruncatingTail
}

class UICollectionViewCell: UIView {
    var isAccessibilityElement = false
    var accessibilityLabel: String?
    var accessibilityElements: [UIAccessibilityElement]?
    var accessibilityCustomActions: [UIAccessibilityCustomAction]?
}

struct UIAccessibilityTraits: OptionSet {
    static let button = Self(rawValue: 1)
    static let link = Self(rawValue: 2)
    static let header = Self(rawValue: 4)
    static let image = Self(rawValue: 8)
    static let staticText = Self(rawValue: 16)

    let rawValue: Int
}

class UIAccessibilityElement {
    var accessibilityLabel: String?
    var accessibilityTraits: UIAccessibilityTraits = []
    var accessibilityFrameInContainerSpace = CGRect.zero

    init(accessibilityContainer: UIView) {}

    func accessibilityActivate() -> Bool { false }
}

struct UIAccessibilityCustomAction {
    let name: String
    let actionHandler: (Self) -> Bool
}

class NSParagraphStyle {
    enum WritingDirection { case natural, leftToRight, rightToLeft }
    enum Alignment { case natural, left, right }

    fileprivate(set) var baseWritingDirection = WritingDirection.natural
    fileprivate(set) var alignment = Alignment.natural
}

final class NSMutableParagraphStyle: NSParagraphStyle {}

// [uikit]
/// A cell whose views have the frames of its parts.
final class ProductCell: UICollectionViewCell {
    let views = ["photo": UIImageView(), "title": UILabel(), "price": UILabel()]

    func place(_ parts: [String: TreePart]) {
        for (name, view) in views {
            view.isHidden = parts[name] == nil
            guard let part = parts[name] else { continue }
            let (frame, label) = (part.frame, view as? UILabel)
            view.frame = CGRect(x: frame.x, y: frame.y, width: frame.width, height: frame.height)
            label?.numberOfLines = part.lines ?? 0
            label?.lineBreakMode = part.isTruncated ? .byTruncatingTail : .byWordWrapping
            if let url = part.url { (view as? UIImageView)?.load(url) }
        }
    }
}
// [/uikit]

// [accessible]
/// A part of a cell, for assistive technology.
final class PartElement: UIAccessibilityElement {
    private let activate: () -> Void

    init(
        _ element: CellElement, _ frame: TreeFrame, in cell: UIView,
        activate: @escaping () -> Void
    ) {
        self.activate = activate
        super.init(accessibilityContainer: cell)
        accessibilityLabel = element.label
        let traits: [CellElement.Role: UIAccessibilityTraits] = [
            .button: .button, .link: .link, .heading: .header, .image: .image, .text: .staticText,
        ]
        accessibilityTraits = traits[element.role] ?? []
        accessibilityFrameInContainerSpace = CGRect(
            x: frame.x, y: frame.y, width: frame.width, height: frame.height)
    }

    override func accessibilityActivate() -> Bool {
        activate()
        return true
    }
}

extension ProductCell {
    /// Describes the item in the cell to assistive technology.
    ///
    /// - Parameter perform: Posts the action of a control, or opens its link.
    func describe(
        _ item: TreeItem, by library: CellLibrary, perform: @escaping (CellElement) -> Void
    ) {
        let (elements, parts) = (library.elements(of: item), item.parts)
        let whole = elements.first { $0.role == .cell }
        isAccessibilityElement = whole != nil
        accessibilityLabel = whole?.label
        let own = elements.compactMap { element in
            element.name.flatMap { parts[$0] }.map { (element, $0.frame) }
        }
        accessibilityElements = own.map { element, frame in
            PartElement(element, frame, in: self) { perform(element) }
        }
        accessibilityCustomActions = own.map { element, _ in
            UIAccessibilityCustomAction(name: element.label) { _ in
                perform(element)
                return true
            }
        }
        if whole == nil { accessibilityCustomActions = nil } else { accessibilityElements = nil }
    }
}
// [/accessible]

// [base-direction]
/// Returns whether the base direction of a text is from right to left.
func readsFromRight(_ text: String) -> Bool {
    let first = #"^[^\p{bc=L}\p{bc=R}\p{bc=AL}]*[\p{bc=R}\p{bc=AL}]"#
    return text.range(of: first, options: .regularExpression) != nil
}

/// Returns the paragraph style of a text on a screen.
func paragraphStyle(of text: String, mirrored: Bool) -> NSParagraphStyle {
    let style = NSMutableParagraphStyle()
    style.baseWritingDirection = readsFromRight(text) ? .rightToLeft : .leftToRight
    style.alignment = mirrored ? .right : .left
    return style
}
// [/base-direction]

@Suite("The UIKit of docs/client.md")
struct PartsExamples {
    @Test("A cell of UIKit places its views at the frames of its parts, and hides the others")
    func cell() throws {
        let json = """
            {"id": "P1", "type": "Product", "frame": {"x": 16, "y": 0, "width": 173, "height": 245},
             "parts": {
              "photo": {"frame": {"x": 0, "y": 0, "width": 173, "height": 173}},
              "title": {"frame": {"x": 0, "y": 179, "width": 173, "height": 40},
                        "lines": 2, "truncated": true}}}
            """
        let item = try #require(
            TreeItem(JSONDecoder().decode(TreeValue.self, from: Data(json.utf8))))
        let cell = ProductCell()
        cell.place(item.parts)
        #expect(cell.views["photo"]?.frame == CGRect(x: 0, y: 0, width: 173, height: 173))
        let title = try #require(cell.views["title"] as? UILabel)
        #expect(title.frame == CGRect(x: 0, y: 179, width: 173, height: 40))
        #expect(title.numberOfLines == 2 && title.lineBreakMode == .byTruncatingTail)
        let hidden = cell.views.filter { $0.value.isHidden }.keys
        #expect(Array(hidden) == ["price"])
    }

    @Test("A part of an image has its URL, and others have none")
    func urls() throws {
        let json = #"""
            {"id": "P1", "type": "Product", "frame": {"x": 0, "y": 0, "width": 9, "height": 9},
             "parts": {
              "photo": {"frame": {"x": 0, "y": 0, "width": 9, "height": 9}, "url": "/a%20b?w=27"},
              "plain": {"frame": {"x": 0, "y": 0, "width": 9, "height": 9}},
              "other": {"frame": {"x": 0, "y": 0, "width": 9, "height": 9}, "url": 1}}}
            """#
        let item = try #require(TreeItem(TreeValue(json: json.utf8)))
        let urls: [String: String?] = ["photo": "/a%20b?w=27", "plain": nil, "other": nil]
        #expect(item.parts.mapValues(\.url) == urls)
    }

    @Test("A cell of UIKit has an element for each part, or is one with the controls as actions")
    func accessibleCell() throws {
        func library(_ root: String) throws -> CellLibrary {
            try CellLibrary(
                json: """
                    {"cellTypes": {"Product": {"content": {"column": [
                      {"image": "/photo", "url": "/{value}", "name": "photo", "role": "none"},
                      {"text": "/title", "font": "f", "name": "title", "role": "heading"},
                      {"text": "/price", "font": "f", "name": "price", "action": "buy"}]\(root)}}}}
                    """.utf8)
        }
        let frame: TreeValue = ["x": 0, "y": 8, "width": 100, "height": 44]
        let item = try #require(
            TreeItem([
                "id": "P1", "type": "Product", "frame": frame,
                "parts": [
                    "photo": ["frame": frame, "url": "/cup"], "title": ["frame": frame],
                    "price": ["frame": frame],
                ], "data": ["title": "Cup", "price": "9 €", "photo": "cup"],
            ]))
        let cell = ProductCell()
        cell.place(item.parts)
        #expect((cell.views["photo"] as? UIImageView)?.url == "/cup")
        var performed: [String?] = []
        cell.describe(item, by: try library("")) { performed.append($0.action) }
        #expect(!cell.isAccessibilityElement && cell.accessibilityCustomActions == nil)
        let parts = try #require(cell.accessibilityElements)
        #expect(parts.map(\.accessibilityLabel) == ["Cup", "9 €"])
        #expect(parts.map(\.accessibilityTraits) == [.header, .button])
        let rectangle = CGRect(x: 0, y: 8, width: 100, height: 44)
        #expect(parts.allSatisfy { $0.accessibilityFrameInContainerSpace == rectangle })
        #expect(parts.last?.accessibilityActivate() == true && performed == ["buy"])
        cell.describe(item, by: try library(#", "label": "/title""#)) {
            performed.append($0.action)
        }
        #expect(cell.isAccessibilityElement && cell.accessibilityLabel == "Cup")
        #expect(cell.accessibilityElements == nil)
        let action = try #require(cell.accessibilityCustomActions?.first)
        #expect(action.name == "9 €" && action.actionHandler(action))
        #expect(performed == ["buy", "buy"])
    }

    @Test(
        "The base direction of a text is that of its first strong character, else left to right",
        arguments: [
            ("−20 %", false), ("1 h ago", false), ("", false), ("١٢ %", false), ("20 שקל", true),
            ("\n(א) abc", true), ("abc א", false), ("\u{200F}abc", true),
            ("\u{2067}א\u{2069} b", true),
        ])
    func baseDirection(text: String, isMirrored: Bool) {
        let style = paragraphStyle(of: text, mirrored: !isMirrored)
        #expect(style.baseWritingDirection == (isMirrored ? .rightToLeft : .leftToRight))
        #expect(style.alignment == (isMirrored ? .left : .right))
    }
}
