import BroadsheetHTTP
import BroadsheetIO
import Synchronization

/// The decision on which client may do what (docs/operations.md, "Keys").
final class AccessControl: Sendable {
    /// The rules for requests of web pages.
    let browsers: BrowserRules
    /// The origins that were logged because they are not allowed.
    private let foreignOrigins = ForeignOrigins()
    /// The keys in service; `nil` for a service that any client may use.
    private let keys: KeySlot?
    private let observers = Mutex<[ObjectIdentifier: KeyObserver]>([:])
    private let isMetricsOpen: Bool
    private let clock: TimeSource

    /// Creates the access of a configuration.
    init(_ configuration: AccessConfiguration, clock: TimeSource) {
        browsers = BrowserRules(configuration)
        keys = configuration.keys.map(KeySlot.init)
        isMetricsOpen = configuration.isMetricsOpen
        self.clock = clock
    }

    /// Puts other keys into service.
    ///
    /// Requests of a key that is not among them with the same rights end (``check(_:)``).
    func replace(with ring: KeyRing) {
        keys?.replace(with: ring)
        let affected = observers.withLock { observers in
            observers.values.filter { ring.key(replacing: $0.key) != $0.key }
        }
        for observer in affected { observer.body() }
    }

    /// Calls `body`, on any thread, each time that the key of a client is not among other keys that
    /// are put into service, or not as it was; as long as the registration exists.
    ///
    /// - Returns: `nil` for a client without a key.
    func observe(_ caller: Caller, _ body: @escaping @Sendable () -> Void) -> KeyObservation? {
        guard let key = caller.key else { return nil }
        let observer = KeyObserver(key: key, body: body)
        observers.withLock { $0[ObjectIdentifier(observer)] = observer }
        return KeyObservation(observer, in: self)
    }

    fileprivate func remove(_ observer: KeyObserver) {
        // Freed outside of the lock.
        _ = observers.withLock { $0.removeValue(forKey: ObjectIdentifier(observer)) }
    }

    /// Returns the client of a request.
    ///
    /// - Parameters:
    ///   - access: The right that the operation requires.
    ///   - headers: The fields of the request.
    /// - Throws: `INVALID_PARAMETER` for a repeated `Authorization`; `UNAUTHENTICATED` unless it
    ///   has the secret of a key that is valid.
    func caller(
        for access: OperationAccess, _ headers: HTTPHeaders
    ) throws(Problem) -> Caller {
        let isOpen = access == .open || access == .metrics && isMetricsOpen
        guard !isOpen else { return .anyone }
        return try caller(headers)
    }

    /// Returns the client of a request that needs no right, by its key if that is valid.
    func knownCaller(_ headers: HTTPHeaders) -> Caller { (try? caller(headers)) ?? .anyone }

    private func caller(_ headers: HTTPHeaders) throws(Problem) -> Caller {
        guard let keys else { return .anyone }
        let fields = headers.values(of: .authorization)
        guard fields.count <= 1 else {
            throw .invalidParameter(HTTPFieldName.authorization.spelling, "must be sent once")
        }
        guard let secret = fields.first.flatMap(Self.secret) else { throw .missingKey }
        let active = keys.current
        guard let key = active.ring.key(withSecret: secret) else { throw .unknownKey }
        guard !key.expiry.hasPassed(at: clock.unixMilliseconds) else { throw .expiredKey(key) }
        return Caller(
            key: key,
            validity: AccessValidity(generation: active.generation, expiry: key.expiry))
    }

    /// Returns whether a decision of ``caller(for:_:)`` would be the same now.
    func isCurrent(_ validity: AccessValidity) -> Bool {
        guard let keys else { return true }
        guard keys.generation == validity.generation else { return false }
        return validity.expiry.unixMilliseconds == nil
            || !validity.expiry.hasPassed(at: clock.unixMilliseconds)
    }

    /// Checks that the key of a client is valid, and that its rights are the same as when the
    /// request arrived.
    ///
    /// - Throws: `UNAUTHENTICATED` otherwise: the client may send its request again.
    func check(_ caller: Caller) throws(Problem) {
        guard !isCurrent(caller.validity), let earlier = caller.key, let keys else { return }
        guard let key = keys.current.ring.key(replacing: earlier) else { throw .unknownKey }
        guard !key.expiry.hasPassed(at: clock.unixMilliseconds) else { throw .expiredKey(key) }
        guard key.hasRights(of: earlier) else { throw .changedKey(key) }
    }

    /// Returns the time until the end of a client's key, at most `limit`.
    func time(of caller: Caller, atMost limit: Duration) -> Duration {
        guard let key = caller.key, let keys,
            let end = (keys.current.ring.key(replacing: key) ?? key).expiry.unixMilliseconds
        else { return limit }
        return min(limit, .milliseconds(max(0, end - clock.unixMilliseconds)))
    }

    /// The first time at which a key expires or has expired, in seconds since 1970; infinite if no
    /// key does.
    var earliestExpiry: Double {
        let times = keys?.current.ring.keys.compactMap(\.expiry.unixMilliseconds)
        return times?.min().map { Double($0) / 1000 } ?? .infinity
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

/// A function that is called when a key is replaced.
private final class KeyObserver: Sendable {
    let key: AccessKey
    let body: @Sendable () -> Void

    init(key: AccessKey, body: @escaping @Sendable () -> Void) {
        self.key = key
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
    /// The generation of the keys.
    var generation: UInt64 = 0
    /// The end of the key.
    var expiry = KeyExpiry.never
}

/// The client of a request, with its rights.
struct Caller: Sendable {
    /// The key; `nil` for a client that needs none.
    let key: AccessKey?
    /// The conditions under which the rights stay the same.
    let validity: AccessValidity

    /// A client that needs no key.
    static let anyone = Caller(key: nil, validity: AccessValidity())

    /// A Boolean value that indicates whether the client may read what it may write.
    var canRead: Bool { has(.read) }

    /// The screens that a list shows; `nil` for all.
    var listedScreens: ScreenPatterns? { has(.admin) ? nil : key?.screens }

    /// Checks that the client may call an operation.
    ///
    /// Whether there is such a screen is not considered.
    ///
    /// - Parameter screen: The name of the screen in the operation's path, if it has one.
    /// - Throws: `FORBIDDEN` for a right or a screen that the key does not have.
    func check(_ access: OperationAccess, screen: String?) throws(Problem) {
        guard let key else { return }
        guard access.scopes.contains(where: has) else { throw .missingScope(access.scopes) }
        if case .screen = access, let screen, !key.screens.contains(screen) {
            throw .foreignScreen(access.scopes)
        }
    }

    /// Returns whether the client has a right.
    private func has(_ scope: AccessScope) -> Bool { key?.scopes.contains(scope) ?? true }
}

extension Problem {
    /// The parameters of `WWW-Authenticate` that all challenges have (RFC 9110 §11.6.1).
    private static let challenge = "Bearer realm=\"broadsheet\""

    /// The problem of a request without a key.
    fileprivate static var missingKey: Problem {
        var problem = Problem(
            .unauthenticated, "Send the secret of a key as Authorization: Bearer SECRET.")
        problem.challenge = challenge
        return problem
    }

    /// The problem of a secret that no key has.
    fileprivate static var unknownKey: Problem {
        var problem = Problem(.unauthenticated, "The secret is not that of a key.")
        problem.challenge = "\(challenge), error=\"invalid_token\""
        return problem
    }

    /// The problem of a key after its end; only the log names it.
    fileprivate static func expiredKey(_ key: AccessKey) -> Problem {
        var problem = Problem(.unauthenticated, "The key has expired.")
        problem.challenge = "\(challenge), error=\"invalid_token\""
        problem.cause = "the key \(key.name)"
        return problem
    }

    /// The problem of a request that was in progress when its key was replaced by one with other
    /// rights; only the log names it.
    fileprivate static func changedKey(_ key: AccessKey) -> Problem {
        var problem = Problem(
            .unauthenticated, "The rights of the key were changed; send the request again.")
        problem.challenge = "\(challenge), error=\"invalid_token\""
        problem.cause = "the key \(key.name)"
        return problem
    }

    /// The problem of a right that the key does not have.
    fileprivate static func missingScope(_ scopes: [AccessScope]) -> Problem {
        let names = scopes.map(\.rawValue).joined(separator: " or ")
        return forbidden("The key does not have the scope \(names).", scopes)
    }

    /// The problem of a screen that is not one of the key's.
    fileprivate static func foreignScreen(_ scopes: [AccessScope]) -> Problem {
        forbidden("The screen is not one of the key's.", scopes)
    }

    private static func forbidden(_ detail: String, _ scopes: [AccessScope]) -> Problem {
        var problem = Problem(.forbidden, detail)
        let names = scopes.map(\.rawValue).joined(separator: " ")
        problem.challenge = "\(challenge), error=\"insufficient_scope\", scope=\"\(names)\""
        return problem
    }
}
