import Broadsheet

/// The claims of a token (RFC 7519 §4.1) that the daemon reads; others are ignored.
struct ReadClaims: Sendable {
    /// The reader (`sub`).
    private(set) var subject: String?
    /// The patterns of `screens`; `nil` without the claim.
    private(set) var screens: [ScreenPattern]?
    /// The rights of `scope` that count; `nil` without the claim.
    private(set) var scopes: [AccessScope]?
    /// The first millisecond since 1970 at which the token is not valid.
    let expiry: Int64

    /// The times that a claim can have, in seconds since 1970: up to the end of the year 9999.
    private static let times = 0.0...253_402_300_799
    /// The time by which the clock of an issuer may be ahead, in seconds.
    private static let maxClockSkew = 60.0
    private static let maxAudiences = 16
    private static let maxDepth = 16

    /// Reads the payload of a token whose signature is right.
    ///
    /// - Parameter now: The time, in milliseconds since 1970.
    /// - Throws: The first rule that the token breaks (docs/api.md, "Tokens").
    init(_ payload: [UInt8], of line: IssuerLine, at now: Int64) throws(TokenFailure) {
        guard let claims = Self.object(payload), let end = Self.time("exp", claims),
            let start = Self.time("iat", claims), end > start,
            end - start <= Double(line.options.lifetime)
        else { throw .tokenInvalid }
        expiry = Int64((end * 1000).rounded(.up))
        try readTexts(claims, of: line)
        try readScreens(claims)
        var latest = start
        if let value = claims["nbf"] {
            guard let time = Self.time(value) else { throw .tokenInvalid }
            latest = max(latest, time)
        }
        guard let audiences = Self.audiences(claims["aud"]) else { throw .tokenInvalid }
        guard Self.isAudience(line.options.audience, among: audiences, of: claims) else {
            throw .tokenAudienceWrong
        }
        guard latest * 1000 <= Double(now) + Self.maxClockSkew * 1000 else {
            throw .tokenNotYetValid
        }
        guard now < expiry else { throw .tokenExpired }
    }

    /// Returns the object of a JSON text; `nil` for any other text, and for an object with a
    /// repeated member, in any spelling: readers that take another one would see other claims
    /// (RFC 7515 §4).
    static func object(_ bytes: [UInt8]) -> JSONValue? {
        guard let root = (try? JSONDocument(bytes, maxDepth: maxDepth))?.root,
            root.kind == .object
        else { return nil }
        var names: Set<[UInt8]> = []
        for (name, _) in root.members {
            guard names.insert(Array(name.string.utf8)).inserted else { return nil }
        }
        return root
    }

    private static func time(_ name: String, _ claims: JSONValue) -> Double? {
        claims[name].flatMap(time)
    }

    private static func time(_ value: JSONValue) -> Double? {
        value.double.flatMap { times.contains($0) ? $0 : nil }
    }

    private mutating func readTexts(
        _ claims: JSONValue, of line: IssuerLine
    ) throws(TokenFailure) {
        if let value = claims["iss"] {
            // Texts are compared as bytes: equal ones of Unicode can be others.
            guard let issuer = value.string, issuer.utf8.elementsEqual(line.name.utf8) else {
                throw .tokenInvalid
            }
        }
        if let value = claims["sub"] {
            guard let text = value.string, 1...TokenClaims.maxSubjectLength ~= text.utf8.count
            else { throw .tokenInvalid }
            subject = text
        }
        if let value = claims["scope"] {
            guard let text = value.string else { throw .tokenInvalid }
            let words = text.utf8.split(separator: UInt8(ascii: " "))
            scopes = IssuerLine.allowedScopes.filter { scope in
                words.contains { $0.elementsEqual(scope.rawValue.utf8) }
            }
        }
    }

    private mutating func readScreens(_ claims: JSONValue) throws(TokenFailure) {
        guard let value = claims["screens"] else { return }
        guard value.kind == .array, value.count <= TokenClaims.maxScreens else {
            throw .tokenInvalid
        }
        var patterns: [ScreenPattern] = []
        for element in value.elements {
            guard let pattern = element.string.flatMap({ ScreenPattern($0) }) else {
                throw .tokenInvalid
            }
            patterns.append(pattern)
        }
        screens = patterns
    }

    private static func audiences(_ value: JSONValue?) -> [String]? {
        guard let value else { return [] }
        if let text = value.string { return [text] }
        guard value.kind == .array, value.count <= maxAudiences else { return nil }
        let texts = value.elements.compactMap(\.string)
        return texts.count == value.count ? texts : nil
    }

    /// Returns whether the audience is the one of a line; a line without one takes no claim.
    private static func isAudience(
        _ wanted: String?, among audiences: [String], of claims: JSONValue
    ) -> Bool {
        guard let wanted else { return claims["aud"] == nil }
        return audiences.contains { $0.utf8.elementsEqual(wanted.utf8) }
    }
}
