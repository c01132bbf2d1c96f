import Broadsheet
import BroadsheetHTTP

/// The parts of a tree, or of changes to it, that clients of the same outcome do not share: the
/// token of the next page, which has the client, and the entity tag, which depends on the token.
///
/// The contents in the layout cache have the parts of a request without client and flags.
struct TokenReplacements: Sendable {
    private let replacements: [(shared: [UInt8], own: [UInt8])]

    fileprivate init(_ replacements: [(shared: String, own: String)]) {
        self.replacements = replacements.map { (Array($0.shared.utf8), Array($0.own.utf8)) }
    }

    /// The difference between the lengths of a client's content and of the shared one.
    var growth: Int { replacements.reduce(0) { $0 + $1.own.count - $1.shared.count } }

    /// Returns the client's content; `nil` if the shared one does not have the parts.
    func content(from shared: [UInt8]) -> [UInt8]? {
        var content: [UInt8] = []
        content.reserveCapacity(shared.count + max(0, growth))
        var rest = shared[...]
        for (part, own) in replacements {
            guard let start = rest.firstIndex(of: part) else { return nil }
            content += rest[..<start]
            content += own
            rest = rest[(start + part.count)...]
        }
        content += rest
        return content
    }
}

extension ArraySlice<UInt8> {
    /// Returns the index of the first occurrence of a text that is not empty.
    fileprivate func firstIndex(of part: [UInt8]) -> Int? {
        guard let first = part.first else { return nil }
        var start = startIndex
        while start + part.count <= endIndex {
            guard let found = self[start...].firstIndex(of: first) else { return nil }
            if self[found...].starts(with: part) { return found }
            start = found + 1
        }
        return nil
    }
}

extension StoredLayout {
    /// A Boolean value that indicates whether the tree has a token that differs from that of a
    /// request without client and flags.
    var hasOwnToken: Bool { parameters.haveClient && hasNext }

    func tokenReplacements(_ seal: TokenSeal) -> TokenReplacements? {
        hasOwnToken ? TokenReplacements([tokens(seal)]) : nil
    }

    func tokenReplacementsOfChanges(_ seal: TokenSeal) -> TokenReplacements? {
        guard hasOwnToken else { return nil }
        let tags = [true, false].map {
            tag(as: .tree, seal: seal, isShared: $0).opaque
        }
        return TokenReplacements([(tags[0], tags[1]), tokens(seal)])
    }

    private func tokens(_ seal: TokenSeal) -> (shared: String, own: String) {
        let page = page ?? 0
        return (token(after: page, isShared: true, seal), token(after: page, isShared: false, seal))
    }
}
