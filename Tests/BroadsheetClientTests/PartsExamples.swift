import BroadsheetClient
import Foundation
import Testing

// The Swift that docs/client.md shows for UIKit, with stand-ins of UIKit's classes: they have the
// members that it uses.

class UIView {
    var frame = CGRect.zero
    var isHidden = false
}

final class UIImageView: UIView {}

final class UILabel: UIView {
    enum LineBreakMode { case byWordWrapping, byTruncatingTail }

    var numberOfLines = 1
    var lineBreakMode = LineBreakMode.byTruncatingTail
}

class UICollectionViewCell: UIView {}

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
        }
    }
}
// [/uikit]

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
