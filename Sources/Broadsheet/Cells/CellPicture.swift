/// The parts of an item's data that pictures show instead of its type and its id.
///
/// It has no effect on layout and trees (docs/catalog.md, "Pictures").
public struct CellPicture: Sendable, Hashable {
    /// The pointer to the text that stands out; `nil` for none.
    public var title: JSONPointer?
    /// The pointer to a second text; `nil` for none.
    public var subtitle: JSONPointer?
    /// The pointer to a value that indicates whether the item has an image; `nil` for none.
    public var image: JSONPointer?

    /// Creates a picture from pointers into an item's data.
    public init(
        title: JSONPointer? = nil, subtitle: JSONPointer? = nil, image: JSONPointer? = nil
    ) {
        self.title = title
        self.subtitle = subtitle
        self.image = image
    }
}

extension CellPicture {
    init(_ members: Members, _ collector: inout ViolationCollector) {
        members.reportUnknown(among: ["title", "subtitle", "image"], &collector)
        self.init(
            title: members.pointer("title", &collector),
            subtitle: members.pointer("subtitle", &collector),
            image: members.pointer("image", &collector))
    }
}
