/// Something that a page or a layout lost; the rest of the page is laid out.
public struct Diagnostic: Sendable, Hashable {
    /// A stable name in UPPER_SNAKE of the kind of loss.
    public struct Code: RawRepresentable, Sendable, Hashable {
        /// The name in a tree.
        public let rawValue: String

        /// Creates a code from its name.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// The unit type is not registered, so the unit makes nothing.
        public static let unknownUnitType = Code(rawValue: "UNKNOWN_UNIT_TYPE")
        /// The data of a cell is missing or null, so there is no such cell.
        public static let missingData = Code(rawValue: "MISSING_DATA")
        /// The data of a unit does not keep the schema of its unit type, so the unit makes nothing.
        public static let schemaViolation = Code(rawValue: "SCHEMA_VIOLATION")
        /// The data of `cells` is not an array, so there are no such cells.
        public static let notAnArray = Code(rawValue: "NOT_AN_ARRAY")
        /// A size rule or a Swift cell type reads a value that it cannot use, so the default is
        /// used.
        public static let unusableValue = Code(rawValue: "UNUSABLE_VALUE")
        /// A placement's `type` has neither a case for the data nor a default, so there is no such
        /// cell, header or footer.
        public static let noCellType = Code(rawValue: "NO_CELL_TYPE")
        /// Another header or footer of the same section of the same page replaced this one.
        public static let replaced = Code(rawValue: "REPLACED")
        /// A member of the contract occurs more than once; the last one counts.
        public static let duplicateMember = Code(rawValue: "DUPLICATE_MEMBER")
        /// The unit type is registered, but makes nothing in this position.
        public static let noPlacement = Code(rawValue: "NO_PLACEMENT")
        /// A stored page breaks the contract of the current catalog; it makes nothing until it is
        /// posted again.
        public static let unreadablePage = Code(rawValue: "UNREADABLE_PAGE")
        /// No contract defines a member of this name, so it is ignored.
        public static let unknownMember = Code(rawValue: "UNKNOWN_MEMBER")
        /// A member of a section's layout has no effect on sections of its kind.
        public static let memberWithoutEffect = Code(rawValue: "MEMBER_WITHOUT_EFFECT")
        /// No file of a font has a character of a measured text, so that its width is a guess.
        public static let noGlyph = Code(rawValue: "NO_GLYPH")
        /// A text is longer than ``TextLimits/maxBytes``, so that its end has no lines.
        public static let textCut = Code(rawValue: "TEXT_CUT")
        /// An item has the id of an earlier item of its section, so that its id in a tree has a
        /// number.
        public static let duplicateID = Code(rawValue: "DUPLICATE_ID")
        /// The app is too old for a cell type that the unit would make, and for its fallbacks.
        public static let cellTypeTooNew = Code(rawValue: "CELL_TYPE_TOO_NEW")
        /// Another unit, or another cell type, stands in for the posted one.
        public static let fallbackUsed = Code(rawValue: "FALLBACK_USED")
        /// An essential unit cannot be made, so its section is left out.
        public static let essentialUnitMissing = Code(rawValue: "ESSENTIAL_UNIT_MISSING")
        /// A section that is named does not exist: by an event, by the request of a tree, or by the
        /// catalog (lint); or a section has nearly the id of one that the catalog names.
        public static let unknownSection = Code(rawValue: "UNKNOWN_SECTION")
        /// Events: no cell type of the item binds the action.
        public static let unknownAction = Code(rawValue: "UNKNOWN_ACTION")
        /// Events: the screen does not have the item.
        public static let unknownItem = Code(rawValue: "UNKNOWN_ITEM")
        /// Lint: a JSON Pointer of the catalog finds a value in no item, or no unit, of the pages.
        public static let pointerFindsNothing = Code(rawValue: "POINTER_FINDS_NOTHING")
        /// The page has more diagnostics than are shown.
        public static let diagnosticsTruncated = Code(rawValue: "DIAGNOSTICS_TRUNCATED")
    }

    /// The kind of loss.
    public let code: Code
    /// The number of the page; `nil` for a diagnostic of a catalog.
    public let page: Int?
    /// A JSON Pointer into the page, or into the catalog (RFC 6901).
    public let pointer: String
    /// A description for the sender of the page.
    public let detail: String
    package private(set) var isMisspelling = false

    /// Creates a diagnostic about a position in a page, or in a catalog; a pointer or a detail of
    /// more than 1 KiB is cut.
    public init(code: Code, page: Int?, pointer: String, detail: String) {
        self.code = code
        self.page = page
        self.pointer = ReportedText.cut(pointer)
        self.detail = ReportedText.cut(detail)
    }

    init(_ entry: MemberDiagnostics.Entry, page: Int?) {
        self.init(code: entry.code, page: page, pointer: entry.pointer, detail: entry.detail)
        isMisspelling = entry.isMisspelling
    }
}

/// The location of a unit in a page, as numbers until it is rendered as a JSON Pointer.
package struct UnitLocation: Sendable, Hashable {
    enum Part: Sendable, Hashable {
        case unit(Int32)
        case header
        case footer
        case section
    }

    let section: Int32
    /// A Boolean value that indicates whether that section was posted as an array of units.
    let isBare: Bool
    let part: Part
    /// The number of units that the unit is the fallback of.
    var fallback: UInt8 = 0
}
