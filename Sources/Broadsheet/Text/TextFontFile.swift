/// A file of a font, for clients that draw texts with it.
public struct TextFontFile: Sendable {
    /// The formats of files.
    public enum Format: String, Sendable, Hashable, CaseIterable {
        /// OpenType with outlines in the format of PostScript.
        case otf
        /// OpenType with outlines in the format of TrueType.
        case ttf
    }

    /// The name of the family, by the file's name table; empty if it has none.
    public var family: String
    /// The weight, 1 to 1000; that of the axis `wght` if the declaration sets it.
    public var weight: Int
    /// A Boolean value that indicates whether the font is italic or oblique.
    public var isItalic: Bool
    /// The format of the file.
    public var format: Format
    /// The number of bytes of the file.
    public var byteCount: Int
    /// A code over the bytes of the file, the same in every process.
    public var checksum: UInt64
    /// A Boolean value that indicates whether the file has several fonts.
    public var isCollection: Bool

    private let read: @Sendable () -> [UInt8]

    /// Creates a file.
    ///
    /// - Parameters:
    ///   - family: The name of the family.
    ///   - weight: The weight, 1 to 1000.
    ///   - isItalic: A Boolean value that indicates whether the font is italic or oblique.
    ///   - content: The bytes, and what is known of them.
    public init(family: String, weight: Int, isItalic: Bool, content: Content) {
        self.family = family
        self.weight = weight
        self.isItalic = isItalic
        format = content.format
        byteCount = content.byteCount
        checksum = content.checksum
        isCollection = content.isCollection
        read = content.read
    }

    /// The bytes of a file, and what is known of them.
    public struct Content: Sendable {
        let format: Format
        let byteCount: Int
        let checksum: UInt64
        let isCollection: Bool
        let read: @Sendable () -> [UInt8]

        /// Creates a content.
        ///
        /// - Parameters:
        ///   - format: The format of the file.
        ///   - byteCount: The number of bytes.
        ///   - checksum: A code over the bytes, the same in every process.
        ///   - isCollection: A Boolean value that indicates whether the file has several fonts.
        ///   - read: Returns a copy of the bytes.
        public init(
            _ format: Format, byteCount: Int, checksum: UInt64, isCollection: Bool,
            read: @escaping @Sendable () -> [UInt8]
        ) {
            self.format = format
            self.byteCount = byteCount
            self.checksum = checksum
            self.isCollection = isCollection
            self.read = read
        }
    }

    /// The bytes of the file, copied.
    public var bytes: [UInt8] { read() }
}

extension TextFont {
    /// No files: clients learn nothing about the font.
    public var files: [TextFontFile] { [] }
}
