/// A box of a content, as far as it says what it is.
///
/// Members that a catalog could not have are ignored.
struct CellBox: Sendable {
    /// The kinds of boxes.
    enum Kind: Sendable {
        /// A column, a row or an overlay.
        case container
        case text(CellText)
        /// An image, or a view of the client.
        case image
        /// The case that a value selects among the boxes in it.
        indirect case choice(CellChoice)
    }

    let kind: Kind
    /// The boxes in it, in the order of the content; of a choice all cases, of which at most the
    /// selected one has parts.
    let children: [CellBox]
    let name: String?
    let label: CellText?
    let role: String?
    let level: Int
    let isHidden: Bool
    let action: String?
    let input: TreeValue?
    let link: TreePointer?

    /// The largest number of boxes within each other that is read; fixed.
    private static let maxDepth = 64

    /// Reads a box; `nil` if the value is not one, is a space, or is within too many others.
    init?(_ value: TreeValue, depth: Int) {
        guard depth <= Self.maxDepth, let members = value.members else { return nil }
        if let boxes = ["column", "row", "overlay"].lazy.compactMap({ members[$0]?.elements }).first
        {
            kind = .container
            children = boxes.compactMap { CellBox($0, depth: depth + 1) }
        } else if let text = members["text"].flatMap(CellText.init) {
            (kind, children) = (.text(text), [])
        } else if let pointer = members["switch"]?.text.flatMap(TreePointer.init) {
            let choice = CellChoice(pointer, members, depth: depth)
            (kind, children) = (.choice(choice), choice.boxes)
        } else if members["image"]?.text != nil || members["box"]?.text != nil {
            (kind, children) = (.image, [])
        } else {
            return nil
        }
        name = members["name"]?.text
        label = members["label"].flatMap(CellText.init)
        role = members["role"]?.text
        level = members["level"]?.integer.flatMap { 1...6 ~= $0 ? $0 : nil } ?? 3
        isHidden = members["hidden"]?.bool == true
        action = members["action"]?.text
        input = members["input"].flatMap { $0 == .null ? nil : $0 }
        link = members["link"]?.text.flatMap(TreePointer.init)
    }

    /// Returns the root that stands for this one in an item of data; `nil` if a `switch` selects
    /// none.
    func root(for data: TreeValue) -> CellBox? {
        guard case .choice(let choice) = kind else { return self }
        return choice.selected(by: data)?.root(for: data)
    }

    /// The role of the box as an element that is no control; `nil` if it has none.
    var elementRole: CellElement.Role? {
        switch kind {
        case .text: role == "heading" ? .heading : .text
        case .image: role == "none" ? nil : .image
        case .container: role == "heading" ? .heading : role == "image" ? .image : .group
        case .choice: nil
        }
    }
}

/// A choice of a box by a value of the data.
struct CellChoice: Sendable {
    private let pointer: TreePointer
    private let cases: [String: CellBox]
    private let otherwise: CellBox?

    init(_ pointer: TreePointer, _ members: [String: TreeValue], depth: Int) {
        self.pointer = pointer
        cases = (members["cases"]?.members ?? [:]).compactMapValues {
            CellBox($0, depth: depth + 1)
        }
        otherwise = members["default"].flatMap { CellBox($0, depth: depth + 1) }
    }

    var boxes: [CellBox] { Array(cases.values) + (otherwise.map { [$0] } ?? []) }

    func selected(by data: TreeValue) -> CellBox? {
        let value = pointer.value(in: data)
        let found: CellBox? =
            switch value {
            case .string(let text)?: cases[text]
            case .bool(let bool)?: cases[bool ? "true" : "false"]
            case .number?: cases.first { (try? TreeValue(json: $0.key.utf8)) == value }?.value
            case .null?, .array?, .object?, nil: nil
            }
        return found ?? otherwise
    }
}

/// A text of values of the data and of constants.
struct CellText: Sendable {
    private enum Part: Sendable {
        case constant(String)
        case value(TreePointer)

        init?(_ value: TreeValue) {
            if let constant = value["constant"]?.text {
                self = .constant(constant)
            } else if let pointer = value.text.flatMap(TreePointer.init) {
                self = .value(pointer)
            } else {
                return nil
            }
        }
    }

    private let parts: [Part]
    private let separator: String

    /// Reads a pointer, a constant, or a `join` of them.
    init?(_ value: TreeValue) {
        let values = value["join"]?.elements ?? [value]
        parts = values.compactMap(Part.init)
        separator = value["by"]?.text ?? ""
        guard !parts.isEmpty, parts.count == values.count else { return nil }
    }

    /// Returns the text for data; `nil` if it is only white space, or none of its values is a
    /// string or a number.
    func spoken(in data: TreeValue) -> String? {
        var (texts, hasValues, isFound): ([String], Bool, Bool) = ([], false, false)
        for part in parts {
            switch part {
            case .constant(let text): texts.append(text)
            case .value(let pointer):
                hasValues = true
                guard let text = pointer.value(in: data)?.joinedText else { continue }
                isFound = true
                texts.append(text)
            }
        }
        guard isFound || !hasValues else { return nil }
        let text = texts.joined(separator: separator)
        return text.unicodeScalars.allSatisfy(\.properties.isWhitespace) ? nil : text
    }
}

extension TreeValue {
    /// The text of a string, or of a number as it was posted; `nil` for other values.
    fileprivate var joinedText: String? {
        if case .number(let number) = self { number.text } else { text }
    }
}
