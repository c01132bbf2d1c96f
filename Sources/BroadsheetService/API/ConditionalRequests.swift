import Broadsheet
import BroadsheetHTTP
import BroadsheetStores

/// The conditions that a request sets by If-Match and If-None-Match (RFC 9110 §13).
struct Preconditions: Sendable, Hashable {
    /// The condition that must match.
    let ifMatch: EntityTagCondition?
    /// The condition that must not match.
    let ifNoneMatch: EntityTagCondition?
    /// The coding that the client prefers, which selects the representation.
    let coding: CodingPreference

    /// Reads the conditions of a request.
    ///
    /// - Throws: `INVALID_PARAMETER` with the name of a malformed header.
    init(_ headers: HTTPHeaders) throws(Problem) {
        (ifMatch, ifNoneMatch) = try Problem.mapping { () throws(HTTPError) in
            (
                try EntityTagCondition(.ifMatch, in: headers),
                try EntityTagCondition(.ifNoneMatch, in: headers)
            )
        }
        coding = CodingPreference(in: headers)
    }

    /// A Boolean value that indicates whether the request has a condition.
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

    /// Returns whether the client has the representation with the tag.
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

    /// Returns the tag of a layout in a form.
    ///
    /// Clients for which all conditions have the same outcome have the same tag, unless the layout
    /// has a token of the next page, which has the client.
    ///
    /// - Parameter isShared: A Boolean value that indicates whether the token is the one that
    ///   cached trees have, without a client.
    static func layout(
        _ layout: TaggedLayout, as form: LayoutForm, seal: TokenSeal, isShared: Bool
    ) -> EntityTag {
        var hash = hash(of: layout, seal)
        form.combine(into: &hash)
        layout.outcome.combine(into: &hash)
        if form.hasToken, layout.hasOwnToken, !isShared {
            layout.parameters.combineClient(into: &hash)
        }
        if form.hasToken { layout.combineTokenRevision(into: &hash) }
        return EntityTag(Base64URL.encode(hash.finalized().bytes))
    }

    /// Returns the code of a layout of all pages, besides the place and the lengths of a window in
    /// it, which its tag has (``WindowTag``).
    static func window(in layout: TaggedLayout, seal: TokenSeal) -> [UInt8] {
        var hash = hash(of: layout, seal)
        hash.combine(text: "window")
        layout.outcome.combine(into: &hash)
        // The tokens of a window have the client.
        if layout.parameters.haveClient { layout.parameters.combineClient(into: &hash) }
        layout.combineTokenRevision(into: &hash)
        return hash.finalized().bytes
    }

    /// Returns the hash of what any form of a layout depends on.
    private static func hash(of layout: TaggedLayout, _ seal: TokenSeal) -> SipHash {
        var hash = seal.hasher(for: .layoutTag)
        hash.combine(text: BroadsheetVersion.current)
        hash.combine(layout.catalog.fingerprint.low)
        hash.combine(layout.catalog.fingerprint.high)
        hash.combine(text: layout.screen.text)
        hash.combine(layout.revision)
        hash.combine(UInt64(bitPattern: Int64(layout.page ?? -1)))
        layout.parameters.combine(into: &hash)
        return hash
    }

    /// Returns the tag of a page that a revision of its screen wrote.
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

/// The facts of a layout of a stored screen that its entity tag depends on.
struct TaggedLayout {
    /// The screen.
    let screen: ScreenName
    /// The catalog.
    let catalog: ActiveCatalog
    /// The highest page in the layout; `nil` if the screen has no pages.
    let page: Int?
    /// The revision of the tree.
    let revision: UInt64
    /// The parameters of the layout.
    let parameters: LayoutParameters
    /// The outcome of the conditions in the pages.
    let outcome: Outcome
    /// A Boolean value that indicates whether the tree has a token that differs from that of a
    /// request without client and flags.
    let hasOwnToken: Bool
    /// The revision that the tokens of the tree name; `nil` for none.
    var tokenRevision: UInt64?

    /// Adds the revision that the tokens name to an authentication code.
    fileprivate func combineTokenRevision(into hash: inout SipHash) {
        guard let tokenRevision else { return }
        hash.combine(text: "revision")
        hash.combine(tokenRevision)
    }
}

/// The form in which a layout of a stored screen is returned.
enum LayoutForm: Sendable, Hashable {
    /// The whole tree.
    case tree
    /// The part of the tree in a rectangle of the content.
    case part(in: Frame)
    /// A picture.
    case picture(as: PictureMedia)

    /// A Boolean value that indicates whether the form has the token of the next page.
    fileprivate var hasToken: Bool {
        if case .picture = self { false } else { true }
    }

    /// Adds the form to an authentication code.
    fileprivate func combine(into hash: inout SipHash) {
        switch self {
        case .tree: hash.combine(text: "tree")
        case .part(let rectangle):
            hash.combine(text: "part")
            for number in [rectangle.x, rectangle.y, rectangle.width, rectangle.height] {
                hash.combine(number.bitPattern)
            }
        case .picture(.svg): hash.combine(text: "svg")
        case .picture(.xml): hash.combine(text: "xml")
        }
    }
}

extension Outcome {
    /// Adds the outcome to an authentication code, unless the layout depends on no condition.
    fileprivate func combine(into hash: inout SipHash) {
        guard !words.isEmpty else { return }
        hash.combine(text: "outcome")
        for word in words { hash.combine(word) }
    }
}

extension LayoutParameters {
    /// Adds the client and the flags to an authentication code.
    fileprivate func combineClient(into hash: inout SipHash) {
        hash.combine(text: "client")
        hash.combine(text: client?.description ?? "")
        for flag in flags.texts { hash.combine(text: flag) }
    }

    /// Adds every parameter but the client and the flags to an authentication code.
    fileprivate func combine(into hash: inout SipHash) {
        hash.combine(viewport.size.width.bitPattern)
        hash.combine(viewport.size.height.bitPattern)
        hash.combine(viewport.scale.bitPattern)
        hash.combine(text: viewport.direction.rawValue)
        // Tags without a text scale are those of the time before there was one, and tags without a
        // safe area, too.
        if viewport.textScale != 1 {
            hash.combine(text: "textScale")
            hash.combine(viewport.textScale.bitPattern)
        }
        if let area = viewport.safeArea {
            hash.combine(text: "safeArea")
            for side in [area.top, area.left, area.bottom, area.right] {
                hash.combine(side.bitPattern)
            }
        }
        hash.combine(text: options.coordinates.rawValue)
        hash.combine(text: options.fields.rawValue)
        hash.combine(text: rounding.rawValue)
        hash.combine(UInt64(options.pretty ? 1 : 0))
        hash.combine(UInt64(lint ? 1 : 0))
        for list in [collapsed, expanded] {
            hash.combine(UInt64(list.texts.count))
            for text in list.texts { hash.combine(text: text) }
        }
        // Other tags are those of the time before there was the parameter.
        if options.explain { hash.combine(text: "explain") }
    }
}
