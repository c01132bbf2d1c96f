/// Something that a layout could not do as it was asked, or that a designer would want to know.
public struct LayoutDiagnostic: Sendable, Hashable {
    /// What happened.
    public var code: Code
    /// The section's index in the screen.
    public var section: Int
    /// The first item that it happened to; nil when it is about the section.
    public var item: Int?
    /// How many items it happened to; 1 when it is about the section.
    public var count: Int

    /// Makes a diagnostic about a section, or about items of it.
    public init(_ code: Code, section: Int, item: Int? = nil, count: Int = 1) {
        self.code = code
        self.section = section
        self.item = item
        self.count = count
    }

    /// A sentence for the person who wrote the page or the catalog.
    public var detail: String {
        count > 1 ? "\(code.explanation) (\(count) items, this is the first)" : code.explanation
    }
}
