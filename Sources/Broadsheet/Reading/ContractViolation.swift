/// A value of a page or a catalog that breaks its contract, and the expected value.
public struct ContractViolation: Sendable, Hashable {
    /// A JSON Pointer to the value, or to the position of a missing one (RFC 6901).
    public let pointer: String
    /// A description of the violation, worded as a predicate of the pointer.
    public let detail: String
    /// The offset of the value in the document's bytes; for a missing value, that of its object.
    public let offset: Int
    /// A Boolean value that indicates whether the value would fit the contract if a limit were
    /// higher.
    package let isOfLimit: Bool

    /// Creates a violation; a pointer or a detail of more than 1 KiB is cut.
    public init(pointer: String, detail: String, offset: Int = 0) {
        self.init(pointer: pointer, detail: detail, offset: offset, isOfLimit: false)
    }

    package init(pointer: String, detail: String, offset: Int = 0, isOfLimit: Bool) {
        self.pointer = ReportedText.cut(pointer)
        self.detail = ReportedText.cut(detail)
        self.offset = offset
        self.isOfLimit = isOfLimit
    }
}

/// The violations for which JSON is not a page.
public struct ContractError: Error, Sendable, Hashable {
    /// The first violations in document order, at most ``maxViolations``.
    public let violations: [ContractViolation]
    /// The number of all violations.
    public let total: Int

    /// The largest number of violations in an error.
    public static let maxViolations = 100

    /// Creates an error from violations; `total` is their number by default.
    public init(violations: [ContractViolation], total: Int? = nil) {
        self.violations = violations
        self.total = total ?? violations.count
    }

    package var isOfLimit: Bool {
        !violations.isEmpty && total == violations.count && violations.allSatisfy(\.isOfLimit)
    }
}

extension ContractViolation: CustomStringConvertible {
    /// The pointer and the violation.
    public var description: String { "\(pointer): \(detail)" }
}

extension ContractError: CustomStringConvertible {
    /// The violations, one a line.
    public var description: String {
        let rest = total - violations.count
        return (violations.map(\.description) + (rest > 0 ? ["and \(rest) more"] : []))
            .joined(separator: "\n")
    }
}

/// The limit of the texts by which diagnostics and violations are reported.
enum ReportedText {
    /// The maximum size of a pointer, and of a detail, in bytes; a longer one is cut.
    static let maxByteCount = 1024

    /// Returns `text`, or its beginning and an ellipsis if it is too long.
    ///
    /// - Complexity: O(``maxByteCount``).
    static func cut(_ text: String) -> String {
        guard text.utf8.count > maxByteCount else { return text }
        return beginning(of: text, byteCount: maxByteCount - ellipsis.utf8.count) + ellipsis
    }

    /// Returns the characters of `text` that are entirely in its first `byteCount` bytes.
    static func beginning(of text: String, byteCount: Int) -> String {
        // An index in the middle of a character is rounded down.
        String(text[..<text.utf8.index(text.startIndex, offsetBy: byteCount)])
    }

    private static let ellipsis = "…"
}
