/// The reason why an edit cannot be done.
struct EditFailure: Error {
    /// The kinds of failures.
    enum Kind {
        /// The edit does not apply to the page or the screen.
        case impossible
        /// The page would exceed a limit.
        case limit
        case memory
    }

    var kind = Kind.impossible
    /// The pointer from the operation to the member that the failure is about.
    var pointer = ""
    let detail: String

    init(_ detail: String, at pointer: String = "") {
        self.detail = detail
        self.pointer = pointer
    }

    static var noValue: EditFailure { EditFailure("There is no value at this location.") }

    static var outOfMemory: EditFailure {
        var failure = EditFailure("There is no memory for the edit.")
        failure.kind = .memory
        return failure
    }

    static var abandoned: EditFailure { .limit("No one waits for the edit.") }

    static func tooManySteps(_ limit: Int) -> EditFailure {
        .limit(
            "The operations would take more than \(limit) steps of searches, which is a fixed limit; "
                + "send fewer at once, and give items ids of their own.")
    }

    static func limit(_ detail: String) -> EditFailure {
        var failure = EditFailure(detail)
        failure.kind = .limit
        return failure
    }
}

/// The limits of edits.
public struct EditLimits: Sendable, Hashable {
    /// The largest number of bytes of a page (`--max-body`); a page that is larger already may
    /// not grow.
    public var maxPageBytes: Int
    /// The limits of a page that is posted, which the outcome has to meet as well.
    public var page: ScreenLimits
    /// The largest number of bytes to which an action can make the data of an item grow
    /// (`--max-item-bytes`).
    public var maxItemBytes: Int

    /// The largest number of steps of the searches of an update; fixed.
    ///
    /// A step takes about a nanosecond: the comparison of an item with a name, for example.
    public static let maxSearchSteps = 1 << 30
    /// The largest number of steps of the searches of an update, which tests reduce.
    package var maxSteps = Self.maxSearchSteps
    /// The number of searches through all items of a page that take as long as to index them.
    package var searchesBeforeIndex = 32

    /// The largest number of operations of a patch; fixed.
    public static let maxPatchOperations = 10_000
    /// The largest number of operations of an update; fixed.
    public static let maxUpdateOperations = 1_000

    /// Creates limits; the defaults are those of the `serve` command (docs/cli.md).
    public init(
        maxPageBytes: Int = 16 << 20, page: ScreenLimits = ScreenLimits(),
        maxItemBytes: Int = 1 << 20
    ) {
        self.maxPageBytes = maxPageBytes
        self.page = page
        self.maxItemBytes = maxItemBytes
    }

    /// The largest depth of nested containers of a page; the page's own is 1 (`--max-depth`).
    var maxDepth: Int { page.maxDepth }

    /// Checks the size of a page that had `before` bytes.
    func check(byteCount: Int, before: Int) throws(EditFailure) {
        let limit = max(maxPageBytes, before)
        guard byteCount <= limit else {
            throw .limit("The page would have more than \(limit) bytes (--max-body).")
        }
    }

    /// Checks the size of an item's data that had `before` bytes, after an operation of an action.
    func check(itemBytes count: Int, before: Int) throws(EditFailure) {
        guard count <= max(maxItemBytes, before) else {
            throw EditFailure(
                "The data of the item would have \(count) bytes, the limit is \(maxItemBytes) "
                    + "(--max-item-bytes).")
        }
    }

    func check(heightOf value: EditedValue, below containers: Int) throws(EditFailure) {
        guard containers + value.heightBound > maxDepth, containers + value.height > maxDepth else {
            return
        }
        throw .limit("Containers would be nested more than \(maxDepth) deep (--max-depth).")
    }
}
