import Broadsheet
import BroadsheetHTTP
import BroadsheetIO
import Synchronization

/// The decision on which client may do what (docs/operations.md, "Keys").
final class AccessControl: Sendable {
    let browsers: BrowserRules
    private let foreignOrigins = ForeignOrigins()
    private let keys: KeySlot?
    private let tokens: TokenVerifier
    private let tokenMetrics: TokenMetrics
    private let verifications: VerificationQueue
    /// The ends of the tokens of observers.
    private let ends: EndTimer
    private let observers = Mutex<[ObjectIdentifier: KeyObserver]>([:])
    private let isMetricsOpen: Bool
    private let clock: TimeSource

    init(
        _ configuration: AccessConfiguration, _ tokens: TokenVerifier, _ metrics: TokenMetrics,
        clock: TimeSource, sleep: @escaping @Sendable (Duration) async -> Void
    ) {
        ends = EndTimer(clock: clock, sleep: sleep)
        verifications = VerificationQueue(clock: clock, sleep: sleep)
        (self.tokens, tokenMetrics) = (tokens, metrics)
        if configuration.keys?.issuers.isEmpty == false { metrics.use() }
        browsers = BrowserRules(configuration)
        keys = configuration.keys.map(KeySlot.init)
        isMetricsOpen = configuration.isMetricsOpen
        self.clock = clock
    }

    var hasIssuers: Bool { keys?.current.ring.issuers.isEmpty == false }

    /// Puts other keys into service.
    ///
    /// Requests of a key that is not among them with the same rights end (``check(_:)``).
    func replace(with ring: KeyRing) {
        if !ring.issuers.isEmpty { tokenMetrics.use() }
        keys?.replace(with: ring)
        tokens.forgetTokens(notOf: ring)
        let affected = observers.withLock { observers in
            observers.values.filter { !$0.right.isUnchanged(in: ring) }
        }
        for observer in affected { observer.body() }
    }

    /// Calls `body`, on any thread, each time that the key of a client is not among other keys that
    /// are put into service, or not as it was, and at the end of its token; as long as the
    /// registration exists.
    ///
    /// - Returns: `nil` for a client without a key and a token.
    func observe(_ caller: Caller, _ body: @escaping @Sendable () -> Void) -> KeyObservation? {
        guard caller.name != nil else { return nil }
        let end = caller.token == nil ? nil : caller.validity.end
        let observer = KeyObserver(right: caller.right, end: end, body: body)
        observers.withLock { $0[ObjectIdentifier(observer)] = observer }
        if let end { ends.add(ObjectIdentifier(observer), at: end, body) }
        return KeyObservation(observer, in: self)
    }

    fileprivate func remove(_ observer: KeyObserver) {
        // Freed outside of the lock.
        _ = observers.withLock { $0.removeValue(forKey: ObjectIdentifier(observer)) }
        if let end = observer.end { ends.remove(ObjectIdentifier(observer), at: end) }
    }

    /// Returns the client of a request, or its token if that has to be verified first.
    ///
    /// - Throws: `INVALID_PARAMETER` for a repeated `Authorization`; `UNAUTHENTICATED` unless it
    ///   has the secret of a key that is valid, or a token; the problem of a token.
    func identity(
        for access: OperationAccess, _ headers: HTTPHeaders
    ) throws(Problem) -> ClientIdentity {
        let isOpen = access == .open || access == .metrics && isMetricsOpen
        guard !isOpen else { return .known(.anyone) }
        return try identity(headers)
    }

    /// Returns the client of a request that needs no right, by its key or token if that is known to
    /// be valid.
    func knownCaller(_ headers: HTTPHeaders) -> Caller {
        if case .known(let caller) = try? identity(headers) { caller } else { .anyone }
    }

    /// Returns the token in a value of `Authorization`, if it was verified before and is valid.
    func knownToken(in field: UnsafeRawBufferPointer) -> VerifiedToken? {
        let scheme = Array("bearer ".utf8)
        guard let keys, field.count > scheme.count,
            zip(field, scheme).allSatisfy({ $0 == $1 || $0 | 0x20 == $1 })
        else { return nil }
        let text = field[scheme.count...].drop { $0 == UInt8(ascii: " ") }
        guard text.count <= UnverifiedToken.maxByteCount else { return nil }
        return tokens.known(SecretDigest(of: text), by: keys.current.ring)
    }

    /// Verifies a token on a worker thread; throws if it is invalid or there are too many.
    func caller(
        with token: UnverifiedToken, _ work: Work
    ) async throws(Problem) -> Caller {
        do throws(Problem) {
            try await verifications.admit(work.client)
        } catch {
            if error.code == .tooManyTokens { tokenMetrics.count("limited", of: token.line) }
            throw error
        }
        do throws(Problem) {
            return try await work.perform(cost: .max) { () throws(Problem) in
                try caller(with: token)
            }
        } catch {
            if error.isOfToken { verifications.noteFailure(of: work.client) }
            throw error
        }
    }

    private func caller(with token: UnverifiedToken) throws(Problem) -> Caller {
        // Before the verification: a change meanwhile is noticed by the next check.
        let generation = keys?.generation ?? 0
        let caller = Caller(try tokens.verify(token), generation: generation)
        try check(caller)
        return caller
    }

    private func identity(_ headers: HTTPHeaders) throws(Problem) -> ClientIdentity {
        guard let keys else { return .known(.anyone) }
        let fields = headers.values(of: .authorization)
        guard fields.count <= 1 else {
            throw .invalidParameter(HTTPFieldName.authorization.spelling, "must be sent once")
        }
        guard let secret = fields.first.flatMap(Self.secret) else { throw .missingKey }
        let active = keys.current
        let digest = SecretDigest(of: secret)
        if let key = active.ring.key(withDigest: digest) {
            guard !key.expiry.hasPassed(at: clock.unixMilliseconds) else { throw .expiredKey(key) }
            return .known(
                Caller(
                    key: key,
                    validity: AccessValidity(
                        generation: active.generation, end: key.expiry.unixMilliseconds)))
        }
        guard !active.ring.issuers.isEmpty, secret.contains(UInt8(ascii: ".")) else {
            throw .unknownKey
        }
        switch try tokens.outcome(of: secret, digest, by: active.ring) {
        case .known(let token): return .known(Caller(token, generation: active.generation))
        case .unverified(let token): return .unverified(token)
        }
    }

    /// Returns whether a decision of ``caller(for:_:)`` would be the same now.
    func isCurrent(_ validity: AccessValidity) -> Bool {
        guard let keys else { return true }
        guard keys.generation == validity.generation else { return false }
        guard let end = validity.end else { return true }
        return clock.unixMilliseconds < end
    }

    /// Checks that the key or the token of a client is valid, and that its rights are the same as
    /// when the request arrived.
    ///
    /// - Parameter completes: A Boolean value that indicates whether the end of a token does not
    ///   count, because its request is only completed.
    /// - Throws: `UNAUTHENTICATED` otherwise, or the problem of the token: the client may send its
    ///   request again.
    func check(_ caller: Caller, completes: Bool = false) throws(Problem) {
        guard !isCurrent(caller.validity), let keys else { return }
        if let token = caller.token { return try check(token, keys.current.ring, completes) }
        guard let earlier = caller.key else { return }
        guard let key = keys.current.ring.key(replacing: earlier) else { throw .unknownKey }
        guard !key.expiry.hasPassed(at: clock.unixMilliseconds) else { throw .expiredKey(key) }
        guard key.hasRights(of: earlier) else { throw .changedKey(key) }
    }

    /// Checks that a verified token is valid, and that its line is the same.
    private func check(
        _ token: VerifiedToken, _ ring: KeyRing, _ completes: Bool
    ) throws(Problem) {
        let now = clock.unixMilliseconds
        guard completes || now < token.expiry else {
            throw TokenFailure.tokenExpired.problem(of: token.line)
        }
        guard let line = ring.issuer(withKeyID: token.line.key.id),
            completes || !line.expiry.hasPassed(at: now)
        else { throw TokenFailure.tokenKeyUnknown.problem(of: token.line) }
        guard line == token.line else { throw .changedIssuer(line) }
    }

    /// Returns the time until the end of a client's key or token, at most `limit`.
    func time(of caller: Caller, atMost limit: Duration) -> Duration {
        var end = caller.token == nil ? nil : caller.validity.end
        if let key = caller.key, let keys {
            end = (keys.current.ring.key(replacing: key) ?? key).expiry.unixMilliseconds
        }
        guard let end else { return limit }
        return min(limit, .milliseconds(max(0, end - clock.unixMilliseconds)))
    }

    /// The first time at which a key, or that of an issuer, expires or has expired, in seconds
    /// since 1970; infinite if none does.
    var earliestExpiry: Double {
        let ring = keys?.current.ring
        let expiries = (ring?.keys.map(\.expiry) ?? []) + (ring?.issuers.map(\.expiry) ?? [])
        return expiries.compactMap(\.unixMilliseconds).min().map { Double($0) / 1000 } ?? .infinity
    }

    /// Logs a request of a web page of an origin that is not allowed, once a minute and origin.
    func note(_ method: String, _ path: String, of origin: String, in log: Log) {
        if let record = foreignOrigins.record(of: origin, method, path, at: clock.now) {
            log.write(record)
        }
    }

    /// Returns the secret in `Bearer SECRET` (RFC 6750 §2.1); `nil` for another scheme.
    private static func secret(in field: String) -> Substring.UTF8View? {
        let words = field.split(separator: " ", omittingEmptySubsequences: true)
        guard words.count == 2, words[0].lowercased() == "bearer" else { return nil }
        return words[1].utf8
    }
}

/// A function that is called when a key or an issuer's line is replaced.
private final class KeyObserver: Sendable {
    let right: ClientRight
    /// The end of the token, in milliseconds since 1970; `nil` without one.
    let end: Int64?
    let body: @Sendable () -> Void

    init(right: ClientRight, end: Int64?, body: @escaping @Sendable () -> Void) {
        (self.right, self.end) = (right, end)
        self.body = body
    }
}

/// The registration of a function that is called when a key is replaced; it ends with the last
/// reference.
final class KeyObservation: Sendable {
    private let observer: KeyObserver
    private let access: AccessControl

    fileprivate init(_ observer: KeyObserver, in access: AccessControl) {
        self.observer = observer
        self.access = access
    }

    deinit { access.remove(observer) }
}

/// The conditions under which a decision on a client stays the same.
struct AccessValidity: Sendable, Hashable {
    var generation: UInt64 = 0
    /// The first millisecond since 1970 at which the key or the token is not valid; `nil` without
    /// an end.
    var end: Int64?
}

/// The client of a request, or the token by which it will be known.
enum ClientIdentity: Sendable {
    case known(Caller)
    case unverified(UnverifiedToken)
}

/// What a client has its rights by.
enum ClientRight: Sendable {
    case none
    case key(AccessKey)
    case token(VerifiedToken)

    fileprivate func isUnchanged(in ring: KeyRing) -> Bool {
        switch self {
        case .none: true
        case .key(let key): ring.key(replacing: key) == key
        case .token(let token): ring.issuer(withKeyID: token.line.key.id) == token.line
        }
    }
}

/// The client of a request, with its rights.
struct Caller: Sendable {
    fileprivate let right: ClientRight
    let validity: AccessValidity

    init(key: AccessKey?, validity: AccessValidity) {
        right = key.map(ClientRight.key) ?? .none
        self.validity = validity
    }

    /// `generation` is that of the keys by which the token was verified.
    fileprivate init(_ token: VerifiedToken, generation: UInt64) {
        right = .token(token)
        let end = token.line.expiry.unixMilliseconds.map { min($0, token.expiry) }
        validity = AccessValidity(generation: generation, end: end ?? token.expiry)
    }

    var key: AccessKey? { if case .key(let key) = right { key } else { nil } }

    var token: VerifiedToken? { if case .token(let token) = right { token } else { nil } }

    /// The name of the key or of the issuer; `nil` for a client that needs no rights.
    var name: String? { key?.name ?? token?.line.name }

    /// The client for the log; `nil` for one that needs no rights.
    var client: HTTPClient? {
        switch right {
        case .none: nil
        case .key(let key): HTTPClient(key: key.name)
        case .token(let token): token.client
        }
    }

    static let anyone = Caller(key: nil, validity: AccessValidity())

    /// A Boolean value that indicates whether the client may read what it may write.
    var canRead: Bool { has(.read) }

    /// The screens that a list shows; `nil` for all.
    var listedScreens: ScreenPatterns? {
        switch right {
        case .none: nil
        case .key(let key): has(.admin) ? nil : key.screens
        case .token(let token): token.patterns
        }
    }

    /// Checks that the client may call an operation.
    ///
    /// Whether there is such a screen is not considered.
    ///
    /// - Parameters:
    ///   - screen: The name of the screen in the operation's path, if it has one.
    ///   - permitsReaders: Returns whether tokens permit the operation.
    /// - Throws: `FORBIDDEN` for a right or a screen that the key or the token does not have.
    func check(
        _ access: OperationAccess, screen: String?,
        permitsReaders: @autoclosure () -> Bool = true
    ) throws(Problem) {
        let noun = token == nil ? "key" : "token"
        if case .none = right { return }
        guard access.scopes.isEmpty || access.scopes.contains(where: has),
            token == nil || access.scopes.isEmpty || permitsReaders()
        else { throw .missingScope(access.scopes, of: noun) }
        if case .screen = access, let screen, !permits(screen) {
            throw .foreignScreen(access.scopes, of: noun)
        }
    }

    private func permits(_ screen: String) -> Bool {
        switch right {
        case .none: true
        case .key(let key): key.screens.contains(screen)
        case .token(let token): token.permits(screen)
        }
    }

    /// Checks that the client may name a catalog; `nil` is the one without a name.
    ///
    /// - Throws: `FORBIDDEN`, whether there is such a catalog or not.
    func check(catalog: CatalogName?) throws(Problem) {
        if let token, !token.permits(catalog: catalog) {
            throw .forbidden("The catalog is not one of the token's.", [.read])
        }
    }

    /// Throws `FORBIDDEN` unless the client may name the flags.
    func check(flags: IdentifierList) throws(Problem) {
        if let token, !token.permits(flags: flags) {
            throw .forbidden("The flags are not all of the token's.", [.read])
        }
    }

    private func has(_ scope: AccessScope) -> Bool {
        switch right {
        case .none: true
        case .key(let key): key.scopes.contains(scope)
        case .token(let token): token.scopes.contains(scope)
        }
    }
}

extension Problem {
    /// The parameters of `WWW-Authenticate` that all challenges have (RFC 9110 §11.6.1).
    private static let challenge = "Bearer realm=\"broadsheet\""

    fileprivate static var missingKey: Problem {
        Problem(
            .unauthenticated, "Send the secret of a key as Authorization: Bearer SECRET.",
            challenge: challenge)
    }

    fileprivate static var unknownKey: Problem {
        invalid("The secret is not that of a key.")
    }

    fileprivate static func expiredKey(_ key: AccessKey) -> Problem {
        invalid("The key has expired.", cause: "the key \(key.name)")
    }

    /// The problem of a request that was in progress when its key was replaced by one with other
    /// rights.
    fileprivate static func changedKey(_ key: AccessKey) -> Problem {
        invalid(
            "The rights of the key were changed; send the request again.",
            cause: "the key \(key.name)")
    }

    fileprivate static func changedIssuer(_ line: IssuerLine) -> Problem {
        var problem = invalid(
            "The rights of the token were changed; send the request again.",
            cause: "the issuer \(line.name)")
        problem.isOfToken = true
        return problem
    }

    /// Returns the problem of a secret that is not valid; only the log has the cause.
    private static func invalid(_ detail: String, cause: String? = nil) -> Problem {
        Problem(
            .unauthenticated, detail, challenge: "\(challenge), error=\"invalid_token\"",
            cause: cause)
    }

    fileprivate static func missingScope(_ scopes: [AccessScope], of noun: String) -> Problem {
        let names = scopes.map(\.rawValue).joined(separator: " or ")
        return forbidden("The \(noun) does not have the scope \(names).", scopes)
    }

    fileprivate static func foreignScreen(_ scopes: [AccessScope], of noun: String) -> Problem {
        forbidden("The screen is not one of the \(noun)'s.", scopes)
    }

    fileprivate static func forbidden(_ detail: String, _ scopes: [AccessScope]) -> Problem {
        let names = scopes.map(\.rawValue).joined(separator: " ")
        return Problem(
            .forbidden, detail,
            challenge: "\(challenge), error=\"insufficient_scope\", scope=\"\(names)\"")
    }
}
