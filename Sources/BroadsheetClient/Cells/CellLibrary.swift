/// The contents of a catalog's cell types, by which a client describes cells to assistive
/// technology (docs/client.md, "Describe cells to assistive technology").
public struct CellLibrary: Sendable {
    private let contents: [String: CellBox]

    /// Creates the library of the value of a response of `GET /v1/catalog/cells`; `nil` if the
    /// value is not one.
    ///
    /// - Complexity: O(boxes).
    public init?(_ value: TreeValue) {
        guard let types = value["cellTypes"]?.members else { return nil }
        contents = types.compactMapValues { type in
            type["content"].flatMap { CellBox($0, depth: 1) }
        }
    }

    /// Reads the response of `GET /v1/catalog/cells`.
    ///
    /// - Throws: The first byte that is not JSON, or that the JSON is not such a response.
    /// - Complexity: O(bytes).
    public init(json: some Sequence<UInt8>) throws(TreeError) {
        guard let library = Self(try TreeValue(json: json)) else {
            throw .shape("the JSON does not have the contents of cell types")
        }
        self = library
    }

    /// Returns the elements that assistive technology finds in an item, in reading order; none if
    /// its type has no content.
    ///
    /// - Complexity: O(boxes of the content).
    public func elements(of item: TreeItem) -> [CellElement] {
        elements(ofType: item.type, item.data, item.members["parts"])
    }

    /// Returns the elements that assistive technology finds in a header or a footer, in reading
    /// order; none if its type has no content.
    ///
    /// - Complexity: O(boxes of the content).
    public func elements(of view: TreeView) -> [CellElement] {
        elements(ofType: view.type, view.data, view.members["parts"])
    }

    private func elements(
        ofType type: String, _ data: TreeValue, _ parts: TreeValue?
    ) -> [CellElement] {
        guard let root = contents[type]?.root(for: data) else { return [] }
        var search = ElementSearch(data: data, parts: parts)
        search.addCell(root)
        return search.elements
    }
}

/// The search for the elements of a cell.
private struct ElementSearch {
    let data: TreeValue
    let parts: TreeValue?
    private(set) var elements: [CellElement] = []

    init(data: TreeValue, parts: TreeValue?) {
        self.data = data
        self.parts = parts
    }

    mutating func addCell(_ root: CellBox) {
        let label = root.name.flatMap { control(root, $0) } == nil ? label(root) : nil
        if let label { elements.append(CellElement(name: nil, role: .cell, label: label)) }
        add(root, isInLabelledBox: label != nil)
    }

    /// Adds the elements of a box; of one in a labelled box only the controls.
    private mutating func add(_ box: CellBox, isInLabelledBox: Bool) {
        guard !box.isHidden else { return }
        var isSilent = isInLabelledBox
        if let name = box.name {
            guard isShown(name) else { return }
            if let control = control(box, name) { return elements.append(control) }
            if !isSilent, let element = element(box, name) {
                elements.append(element)
                isSilent = true
            }
        }
        for child in box.children { add(child, isInLabelledBox: isSilent) }
    }

    private func isShown(_ name: String) -> Bool { parts?[name] != nil }

    private func label(_ box: CellBox) -> String? { box.label?.spoken(in: data) }

    /// Returns the text that a box has itself: its label, or else that of a text.
    private func ownText(_ box: CellBox) -> String? {
        if let label = label(box) { return label }
        guard case .text(let text) = box.kind else { return nil }
        return text.spoken(in: data)
    }

    private func element(_ box: CellBox, _ name: String) -> CellElement? {
        guard let role = box.elementRole, let label = ownText(box) else { return nil }
        return CellElement(
            name: name, role: role, label: label, level: role == .heading ? box.level : nil)
    }

    private func control(_ box: CellBox, _ name: String) -> CellElement? {
        if let action = box.action {
            return CellElement(
                name: name, role: box.role == "link" ? .link : .button, label: said(box),
                action: action, input: box.input)
        }
        guard let link = box.link?.value(in: data)?.text, !link.isEmpty else { return nil }
        return CellElement(name: name, role: .link, label: said(box), link: link)
    }

    private func said(_ control: CellBox) -> String {
        if let label = label(control) { return label }
        var words: [String] = []
        addWords(of: control, to: &words)
        return words.joined(separator: " ")
    }

    private func addWords(of box: CellBox, to words: inout [String]) {
        guard !box.isHidden, box.role != "none" else { return }
        if let name = box.name {
            guard isShown(name) else { return }
            if let text = ownText(box) { return words.append(text) }
        }
        for child in box.children { addWords(of: child, to: &words) }
    }
}
