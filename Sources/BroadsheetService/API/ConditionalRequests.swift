import Broadsheet
import BroadsheetHTTP
import BroadsheetStores

/// The conditions that a request sets by If-Match and If-None-Match (RFC 9110 §13).
struct Preconditions: Sendable, Hashable {
    let ifMatch: EntityTagCondition?
    let ifNoneMatch: EntityTagCondition?
    /// The coding that the client prefers, which selects the representation.
    let coding: CodingPreference

    /// Throws `INVALID_PARAMETER` with the name of a malformed header.
    init(_ headers: HTTPHeaders) throws(Problem) {
        (ifMatch, ifNoneMatch) = try Problem.mapping { () throws(HTTPError) in
            (
                try EntityTagCondition(.ifMatch, in: headers),
                try EntityTagCondition(.ifNoneMatch, in: headers)
            )
        }
        coding = CodingPreference(in: headers)
    }

    var areGiven: Bool { ifMatch != nil || ifNoneMatch != nil }

    /// Returns the tag of the 304 response to GET or HEAD, in the order of RFC 9110 §13.2.2; `nil`
    /// if the client does not have the representation, or if that depends on the content: the one
    /// of a client that accepts gzip may be plain, because it is small (``isKnown(_:)``).
    ///
    /// - Parameter current: The tag of the current plain representation.
    /// - Throws: `PRECONDITION_FAILED` if If-Match holds for neither form of it.
    func notModified(_ current: EntityTag) throws(Problem) -> EntityTag? {
        if let ifMatch, !ifMatch.holdsStrongly(forAnyFormOf: current) {
            throw Problem(
                .preconditionFailed, "If-Match does not hold: the current tag is \(current).")
        }
        guard coding != .identity else { return isKnown(current) ? current : nil }
        guard ifNoneMatch != .any, isKnown(current.compressed) else { return nil }
        return current.compressed
    }

    func isKnown(_ tag: EntityTag) -> Bool { ifNoneMatch?.matchesWeakly(tag) ?? false }

    /// Checks the conditions of a write.
    ///
    /// - Parameters:
    ///   - revision: The revision of the screen; `nil` if it does not exist. The tags of If-Match
    ///     and If-None-Match are those of the revision, of the page state, and of the page.
    ///   - catalog: The catalog of the page state.
    ///   - page: The tag of the page that is written, or `nil` if it does not exist, or if the
    ///     write concerns the whole screen.
    ///   - targetExists: A Boolean value that indicates whether the target of the write exists, for
    ///     the `*` of If-None-Match.
    /// - Throws: `PRECONDITION_FAILED` if a condition does not hold.
    func checkWrite(
        at revision: UInt64?, by catalog: ActiveCatalog, page: EntityTag?, targetExists: Bool
    ) throws(Problem) {
        let current = revision.map(EntityTags.revision)
        let state = revision.map { EntityTags.pageState(at: $0, by: catalog) }
        let tags = [current, state, page]
        if let ifMatch, !tags.contains(where: ifMatch.holdsStrongly(forAnyFormOf:)) {
            var found = current.map { "the screen is at \($0)" } ?? "the screen does not exist"
            if let page { found += ", the page at \(page)" }
            throw Problem(.preconditionFailed, "If-Match does not hold: \(found).")
        }
        switch ifNoneMatch {
        case nil: return
        case .any?:
            guard targetExists else { return }
            throw Problem(
                .preconditionFailed, "If-None-Match does not hold: the target exists.")
        case .tags?:
            guard let current, let ifNoneMatch,
                tags.contains(where: ifNoneMatch.matchesWeakly(anyFormOf:))
            else { return }
            throw Problem(
                .preconditionFailed, "If-None-Match does not hold: the screen is at \(current).")
        }
    }
}

extension EntityTagCondition {
    /// Returns whether If-Match is true for a representation, plain or compressed.
    fileprivate func holdsStrongly(forAnyFormOf current: EntityTag?) -> Bool {
        holdsStrongly(for: current) || holdsStrongly(for: current?.compressed)
    }

    /// Returns whether If-None-Match contains the tag of a representation, plain or compressed.
    fileprivate func matchesWeakly(anyFormOf current: EntityTag?) -> Bool {
        matchesWeakly(current) || matchesWeakly(current?.compressed)
    }
}

/// The entity tags of representations (RFC 9110 §8.8.3); all of them are strong.
///
/// The tags of layouts and pages are authentication codes under the store's sealing key, over
/// everything that the representation depends on, so that a tag is known without rendering.
enum EntityTags {
    /// Returns the tag of a screen's revision, which responses to writes have: `"r3"`.
    static func revision(_ revision: UInt64) -> EntityTag { EntityTag("r\(revision)") }

    /// Returns the tag of a screen's page state: its revision, and the catalog that determines the
    /// number of items.
    static func pageState(at revision: UInt64, by catalog: ActiveCatalog) -> EntityTag {
        EntityTag("r\(revision).\(Base64URL.encode(catalog.fingerprint.bytes))")
    }

    static func page(
        _ number: Int, of screen: ScreenName, writtenAt revision: UInt64, seal: TokenSeal
    ) -> EntityTag {
        var hash = seal.hasher(for: .pageTag)
        hash.combine(text: screen.text)
        hash.combine(UInt64(number))
        hash.combine(revision)
        return EntityTag(Base64URL.encode(hash.finalized().bytes))
    }
}
