/// The result of ``ScreenStore/load(_:unlessAt:_:within:)``.
public enum ScreenLoad: Hashable, Sendable {
    /// There is no such screen.
    case absent
    /// The screen is at the revision that the caller has.
    case unchanged
    /// The part of the current screen.
    case screen(StoredScreen)
    /// The screen exceeds a limit, so its pages were not read.
    case tooLarge(ScreenHead, ReadExcess)
}

/// An entry in the list of screens.
public struct ScreenListing: Hashable, Sendable {
    /// The name of the screen.
    public var name: ScreenName
    /// The revision of the screen.
    public var revision: UInt64
    /// The bytes of its pages, if they are known without reading them.
    public var byteCount: Int?

    /// Creates an entry.
    public init(name: ScreenName, revision: UInt64, byteCount: Int? = nil) {
        self.name = name
        self.revision = revision
        self.byteCount = byteCount
    }

    init(_ name: ScreenName, _ head: ScreenHead) {
        self.init(name: name, revision: head.revision, byteCount: head.size.byteCount)
    }
}
