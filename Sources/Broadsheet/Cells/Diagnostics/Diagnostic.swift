/// Something in a page that became less than its sender may have meant; the rest of it stands.
public struct Diagnostic: Sendable, Hashable {
    /// What happened, by a stable name in UPPER_SNAKE.
    public struct Code: RawRepresentable, Sendable, Hashable {
        /// The name as a tree shows it.
        public let rawValue: String

        /// Makes a code of its name.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// No cell type is registered for a unit's type, so it makes nothing.
        public static let unknownUnitType = Code(rawValue: "UNKNOWN_UNIT_TYPE")
        /// The data of a cell is not there, or null, so it is not made.
        public static let missingData = Code(rawValue: "MISSING_DATA")
        /// What should give a cell for each element is no array, so it gives none.
        public static let notAnArray = Code(rawValue: "NOT_AN_ARRAY")
        /// A header or footer gave way to another one of the same section of the same page.
        public static let replaced = Code(rawValue: "REPLACED")
        /// A member of the contract stands more than once; the last one counts.
        public static let duplicateMember = Code(rawValue: "DUPLICATE_MEMBER")
        /// A unit's type is registered, but makes nothing where the unit stands.
        public static let noPlacement = Code(rawValue: "NO_PLACEMENT")
        /// A stored page does not fit the contract that has been put into force since; it makes
        /// nothing until it is posted anew.
        public static let unreadablePage = Code(rawValue: "UNREADABLE_PAGE")
        /// The page has more diagnostics than are shown.
        public static let diagnosticsTruncated = Code(rawValue: "DIAGNOSTICS_TRUNCATED")
    }

    /// What happened.
    public let code: Code
    /// The number of the page.
    public let page: Int
    /// A JSON Pointer into the page (RFC 6901).
    public let pointer: String
    /// A sentence for the person who sent the page.
    public let detail: String

    /// Makes a diagnostic about a place of a page.
    public init(code: Code, page: Int, pointer: String, detail: String) {
        self.code = code
        self.page = page
        self.pointer = pointer
        self.detail = detail
    }
}
