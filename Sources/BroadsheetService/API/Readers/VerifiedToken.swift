import Broadsheet
import BroadsheetHTTP

/// A verified token: a reader, with the bounds that it and the line of its issuer set.
///
/// The line may be another one now (``AccessControl/check(_:)``).
final class VerifiedToken: Sendable {
    let line: IssuerLine
    /// The reader (`sub`); `nil` for a token without one.
    let subject: String?
    /// The first millisecond since 1970 at which the token is not valid.
    let expiry: Int64
    /// The rights of the token and of the line.
    let scopes: [AccessScope]
    /// The reader in the log as digits, unless the line has it as it is.
    private let digest: UInt64
    /// The patterns of the token's screens, separated by commas; `nil` for all of the line's.
    private let screens: String?

    /// `logKey` is the key by which the log's digits are made; the line permits the claims.
    init(_ claims: ReadClaims, of line: IssuerLine, logKey: [UInt8]) {
        self.line = line
        subject = claims.subject
        expiry = claims.expiry
        scopes = Self.common(claims.scopes, line.scopes)
        screens = claims.screens.map { $0.map(\.text).joined(separator: ",") }
        let message = Array(line.name.utf8) + [0] + Array((claims.subject ?? "").utf8)
        digest = HMACSHA256.code(of: message, by: logKey).prefix(8)
            .reduce(0) { $0 << 8 | UInt64($1) }
    }

    /// The rights of a token that has those of its line, without another copy of them.
    private static func common(_ own: [AccessScope]?, _ all: [AccessScope]) -> [AccessScope] {
        guard let own, !all.allSatisfy(own.contains) else { return all }
        return all.filter(own.contains)
    }

    /// Returns whether a pattern of the token and one of the line match the screen.
    func permits(_ screen: String) -> Bool {
        guard line.screens.contains(screen, of: subject) else { return false }
        guard let screens else { return true }
        var rest = screens.utf8[...]
        while true {
            let end = rest.firstIndex(of: UInt8(ascii: ",")) ?? rest.endIndex
            if Self.pattern(rest[..<end], matches: screen) { return true }
            guard end < rest.endIndex else { return false }
            rest = rest[rest.index(after: end)...]
        }
    }

    private static func pattern(_ text: Substring.UTF8View, matches screen: String) -> Bool {
        guard !text.isEmpty else { return false }
        return text.last == UInt8(ascii: "*")
            ? screen.utf8.starts(with: text.dropLast()) : screen.utf8.elementsEqual(text)
    }

    var patterns: ScreenPatterns {
        let own = line.screens.patterns(of: subject)
        guard let screens else { return ScreenPatterns(own) }
        let others = screens.split(separator: ",").compactMap { ScreenPattern($0) }
        return ScreenPatterns(own, and: others)
    }

    /// Returns whether a request may name a catalog; `nil` is the one without a name.
    func permits(catalog: CatalogName?) -> Bool {
        line.options.catalogs?.contains(catalog?.text ?? CatalogName.fileOfUnnamed) ?? true
    }

    func permits(flags: IdentifierList) -> Bool {
        line.options.flags.map { flags.texts.allSatisfy($0.texts.contains) } ?? true
    }

    var client: HTTPClient {
        HTTPClient(
            issuer: line.name,
            reader: subject.map { line.options.areReadersLogged ? $0 : Self.digits(digest) })
    }

    private static func digits(_ digest: UInt64) -> String {
        let digits = String(digest, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }

    /// The estimated size in memory with its place in a table, besides its token's length.
    static let byteCount = 512
}
