/// The unknown members of a document, and the members without effect or with a value that cannot be
/// used: each name once.
package struct MemberDiagnostics: Sendable {
    package struct Entry: Sendable {
        package let code: Diagnostic.Code
        package let pointer: String
        package let detail: String
        package var isMisspelling = false
    }

    /// The diagnostics about the first names, in the order in which they were read.
    package private(set) var entries: [Entry] = []
    /// The number of diagnostics, including members whose names are beyond the limit.
    package private(set) var total = 0

    private var unknown: Set<Identifier> = []
    /// The unknown names that were read first, which are compared without a copy.
    private var first: [String] = []
    private var noted: [Diagnostic.Code: Set<String>] = [:]
    private var unusable = 0

    /// The largest number of unknown names of a page or a catalog that have a diagnostic, and of
    /// values that cannot be used.
    package static let maxNames = 100
    /// The largest number of names that are compared one by one before the set is used.
    private static let maxFirst = 8

    /// The kind of object that has a member.
    enum Holder: Sendable {
        case contract
        case unit
        /// A unit that is its own data.
        case data
    }

    /// Adds the member of the object at `path`, unless its name was added before.
    mutating func addUnknown(
        _ name: JSONText, at path: JSONPath, among known: KnownNames, of holder: Holder
    ) {
        guard !first.contains(where: name.equals) else { return }
        let text = name.string
        if Self.isForOthers(text) || unknown.contains(Identifier(text)) { return }
        total += 1
        guard unknown.count < Self.maxNames else { return }
        unknown.insert(Identifier(text))
        if first.count < Self.maxFirst { first.append(text) }
        let guess = known.guess(text)
        let start = holder == .data ? "is data of the unit" : "is not known and is ignored"
        entries.append(
            Entry(
                code: .unknownMember, pointer: path.pointer(toMember: text),
                detail: start + (guess?.hint ?? ""),
                isMisspelling: holder == .contract && guess?.isMisspelling == true))
    }

    /// Adds a known member of the object at `path`, unless its name was added with the same code
    /// before.
    ///
    /// - Parameters:
    ///   - name: The names that lead to the member, with slashes between them.
    ///   - detail: The sentence for the author of the object.
    mutating func add(
        _ code: Diagnostic.Code, _ name: String, at path: JSONPath,
        _ detail: @autoclosure () -> String
    ) {
        guard noted[code, default: []].insert(name).inserted else { return }
        total += 1
        entries.append(
            Entry(code: code, pointer: "\(path.pointer)/\(name)", detail: detail()))
    }

    mutating func addUnusable(at path: JSONPath, _ detail: @autoclosure () -> String) {
        total += 1
        guard unusable < Self.maxNames else { return }
        unusable += 1
        entries.append(Entry(code: .unusableValue, pointer: path.pointer, detail: detail()))
    }

    /// Returns the diagnostics with pointers that begin after `base`, the pointer to the page or
    /// the catalog in a larger document.
    func entries(below base: String) -> [Entry] {
        guard !base.isEmpty else { return entries }
        return entries.map { entry in
            Entry(
                code: entry.code,
                pointer: String(
                    decoding: entry.pointer.utf8.dropFirst(base.utf8.count), as: UTF8.self),
                detail: entry.detail, isMisspelling: entry.isMisspelling)
        }
    }

    /// Returns the diagnostics of a catalog whose pointer in its document is `base`, and one more
    /// about the number of those that are not listed.
    func diagnostics(ofCatalogAt base: String) -> [Diagnostic] {
        let listed = entries(below: base).map {
            Diagnostic($0, page: nil)
        }
        guard total > listed.count else { return listed }
        return listed + [
            Diagnostic(
                code: .diagnosticsTruncated, page: nil, pointer: "",
                detail: "\(total - listed.count) more diagnostics of the catalog are not shown")
        ]
    }

    /// Returns whether a member is for other programs: a schema's address, or an extension.
    static func isForOthers(_ name: String) -> Bool {
        name == "$schema" || name.utf8.starts(with: "x-".utf8)
    }
}
