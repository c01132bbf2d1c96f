import Broadsheet
import BroadsheetHTTP
import BroadsheetStores

/// The entity tags of layouts, which depend on everything that their representations depend on.
extension StoredLayout {
    /// Returns the entity tag of the layout in a form.
    ///
    /// Clients for which all conditions have the same outcome have the same tag, unless the layout
    /// has a token of the next page, which has the client.
    ///
    /// - Parameter isShared: A Boolean value that indicates whether the token is the one that
    ///   cached trees have, without a client.
    func tag(as form: LayoutForm, seal: TokenSeal, isShared: Bool = false) -> EntityTag {
        var hash = hash(by: seal)
        form.combine(into: &hash)
        outcome.combine(into: &hash)
        if form.hasToken {
            if hasOwnToken, !isShared { parameters.combineClient(into: &hash) }
            if hasNext { Self.combine(tokenRevision: pinnedRevision, into: &hash) }
        }
        return EntityTag(Base64URL.encode(hash.finalized().bytes))
    }

    /// Returns the code of the layout of all pages, besides the place and the lengths of a window
    /// in it, which its tag has (``WindowTag``).
    ///
    /// - Parameter tokenRevision: The revision that the tokens of the window name; `nil` for none.
    func windowCode(tokenRevision: UInt64?, _ seal: TokenSeal) -> [UInt8] {
        var hash = hash(by: seal)
        hash.combine(text: "window")
        outcome.combine(into: &hash)
        // The tokens of a window have the client.
        if parameters.haveClient { parameters.combineClient(into: &hash) }
        Self.combine(tokenRevision: tokenRevision, into: &hash)
        return hash.finalized().bytes
    }

    /// Returns the hash of what any form of the layout depends on.
    private func hash(by seal: TokenSeal) -> SipHash {
        var hash = seal.hasher(for: .layoutTag)
        hash.combine(text: BroadsheetVersion.current)
        hash.combine(snapshot.catalog.fingerprint.low)
        hash.combine(snapshot.catalog.fingerprint.high)
        hash.combine(text: snapshot.name.text)
        hash.combine(revision)
        hash.combine(UInt64(bitPattern: Int64(page ?? -1)))
        parameters.combine(into: &hash)
        return hash
    }

    private static func combine(tokenRevision: UInt64?, into hash: inout SipHash) {
        guard let tokenRevision else { return }
        hash.combine(text: "revision")
        hash.combine(tokenRevision)
    }
}

/// The form in which a layout of a stored screen is returned.
enum LayoutForm: Sendable, Hashable {
    case tree
    case part(in: Frame)
    case picture(as: PictureMedia)

    fileprivate var hasToken: Bool {
        if case .picture = self { false } else { true }
    }

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
