/// A patch of a page's bytes: a JSON Patch or a JSON Merge Patch.
public enum PagePatch: Sendable {
    /// Operations by path (RFC 6902).
    case operations(JSONPatch)
    /// A merge patch (RFC 7396); any document is one.
    case merge(JSONDocument)

    package var stepCount: Int {
        guard case .operations(let patch) = self else { return 0 }
        return patch.operations.reduce(0) { $0 + $1.stepCount }
    }

    package var copiesValues: Bool {
        guard case .operations(let patch) = self else { return false }
        return patch.operations.contains { if case .copy = $0 { true } else { false } }
    }

    /// Returns the bytes of a page after the patch; unchanged values keep their bytes.
    ///
    /// - Parameters:
    ///   - bytes: The bytes of the page, which are valid JSON.
    ///   - limits: The limits of the page.
    /// - Throws: The operation that cannot be applied.
    /// - Complexity: O(bytes of the page and of the patch), and for each operation the square root
    ///   of the arrays on its path and the members of the objects on it.
    public func applied(
        to bytes: [UInt8], limits: EditLimits = EditLimits()
    ) throws(EditError) -> [UInt8] {
        // A page whose depth was permitted once can be patched, as long as it does not get deeper.
        guard let document = try? JSONDocument(bytes, maxDepth: .max) else {
            throw .impossible(pointer: "", detail: "The page is not valid JSON.")
        }
        let source = JSONMemberIndex(document)
        let page = EditedValue(source, document.root.node)
        switch self {
        case .operations(let patch): return try Self.apply(patch, to: page, of: document, limits)
        case .merge(let patch):
            var merged = page
            let patchSource = JSONMemberIndex(patch)
            merged.merge(patchSource, patch.root.node)
            do throws(EditFailure) {
                try limits.check(byteCount: merged.byteCount, before: page.byteCount)
                try limits.check(heightOf: merged, below: 0)
            } catch {
                throw EditError(error, at: "")
            }
            return merged.bytes(asRootOf: document)
        }
    }

    private static func apply(
        _ patch: JSONPatch, to page: EditedValue, of document: JSONDocument, _ limits: EditLimits
    ) throws(EditError) -> [UInt8] {
        var patched = PatchedValue(page, limits: limits)
        for (index, operation) in patch.operations.enumerated() {
            do throws(EditFailure) {
                if index % 64 == 63, LongWork.isAbandoned() { throw .abandoned }
                try patched.apply(operation)
            } catch {
                throw EditError(error, at: "/\(index)")
            }
        }
        return patched.bytes(asRootOf: document)
    }
}

/// The reason why a patch or an update cannot be applied to a screen; nothing has changed.
public enum EditError: Error, Sendable, Hashable {
    /// The operation at the pointer cannot be done.
    case impossible(pointer: String, detail: String)
    /// The operation at the pointer would take a page beyond a limit.
    case tooLarge(pointer: String, detail: String)
    /// The outcome does not fit the contract of a page.
    case invalidContract(ContractError)
    /// The screen would exceed a limit.
    case tooMuch(ViewModelError)
    /// There is no memory for the edit.
    case outOfMemory

    init(_ failure: EditFailure, at pointer: String) {
        switch failure.kind {
        case .impossible:
            self = .impossible(pointer: pointer + failure.pointer, detail: failure.detail)
        case .limit: self = .tooLarge(pointer: pointer + failure.pointer, detail: failure.detail)
        case .memory: self = .outOfMemory
        }
    }

    init(_ failure: EditFailure, ofActionAt pointer: String) {
        var failure = failure
        failure.pointer = ""
        self.init(failure, at: pointer)
    }
}

extension EditError: CustomStringConvertible {
    /// The pointer and the reason.
    public var description: String {
        switch self {
        case .impossible(let pointer, let detail), .tooLarge(let pointer, let detail):
            "\(pointer): \(detail)"
        case .invalidContract(let error): error.description
        case .tooMuch(let error): error.description
        case .outOfMemory: "There is no memory for the edit."
        }
    }
}
