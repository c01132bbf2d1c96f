import Broadsheet
import BroadsheetHTTP
import BroadsheetStores

/// The entity tags of what is served (RFC 9110 §8.8.3); all of them strong.
///
/// Tags of layouts and pages are codes under the store's sealing key over everything that the answer
/// is made from, so that a tag is known without making the answer.
enum EntityTags {
    /// The tag of a screen's revision, which writes answer with: `"r3"`.
    static func revision(_ revision: UInt64) -> EntityTag { EntityTag("r\(revision)") }

    /// The tag of a screen's page state: its revision, and the catalog by which items were counted.
    static func pageState(_ snapshot: ScreenSnapshot) -> EntityTag {
        let catalog = Base64URL.encode(snapshot.catalog.fingerprint.bytes)
        return EntityTag("r\(snapshot.revision).\(catalog)")
    }

    /// The tag of a layout: whatever changes a byte of the tree is in it.
    static func layout(_ layout: LayoutIdentity, seal: TokenSeal) -> EntityTag {
        var hash = seal.hasher(for: .layoutTag)
        hash.combine(text: BroadsheetVersion.current)
        hash.combine(layout.catalog.low)
        hash.combine(layout.catalog.high)
        hash.combine(text: layout.screen.text)
        hash.combine(layout.revision)
        hash.combine(UInt64(bitPattern: Int64(layout.page ?? -1)))
        layout.parameters.combine(into: &hash)
        layout.form.combine(into: &hash)
        return EntityTag(Base64URL.encode(hash.finalized().bytes))
    }

    /// The tag of a page's bytes as the revision `revision` of its screen wrote them.
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

/// What a stored screen's layout answer is made from.
struct LayoutIdentity: Sendable, Hashable {
    /// The screen.
    var screen: ScreenName
    /// Its revision.
    var revision: UInt64
    /// The highest page in the tree; nil when there is none.
    var page: Int?
    /// The fingerprint of the catalog that the pages were resolved by.
    var catalog: SipHash.Code
    /// How it is laid out and written.
    var parameters: LayoutParameters
    /// What it is written as.
    var form = LayoutForm.tree
}

/// What a stored screen's layout is answered as.
enum LayoutForm: Sendable, Hashable {
    /// The whole tree.
    case tree
    /// The part of the tree that lies in a rectangle of the content.
    case part(in: Frame)
    /// A picture of it.
    case picture

    /// Takes the form into a code.
    fileprivate func combine(into hash: inout SipHash) {
        switch self {
        case .tree: hash.combine(text: "tree")
        case .part(let rectangle):
            hash.combine(text: "part")
            for number in [rectangle.x, rectangle.y, rectangle.width, rectangle.height] {
                hash.combine(number.bitPattern)
            }
        case .picture: hash.combine(text: "svg")
        }
    }
}

extension LayoutParameters {
    /// Takes every parameter into a code.
    fileprivate func combine(into hash: inout SipHash) {
        hash.combine(viewport.size.width.bitPattern)
        hash.combine(viewport.size.height.bitPattern)
        hash.combine(viewport.scale.bitPattern)
        hash.combine(text: viewport.direction.rawValue)
        hash.combine(text: coordinates.rawValue)
        hash.combine(text: fields.rawValue)
        hash.combine(text: rounding.rawValue)
        hash.combine(UInt64(pretty ? 1 : 0))
        hash.combine(UInt64(lint ? 1 : 0))
        hash.combine(UInt64(collapsed.texts.count))
        for text in collapsed.texts { hash.combine(text: text) }
    }
}
