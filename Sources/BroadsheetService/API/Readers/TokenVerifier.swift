import BroadsheetIO
import BroadsheetStores
import Synchronization

/// The verification of tokens, and the table of those that were verified (docs/operations.md,
/// "Issuers").
final class TokenVerifier: Sendable {
    private struct State {
        var table: LRUCache<SecretDigest, VerifiedToken>
        /// The ids of the keys with a warning in the log about a reader without screens.
        var warned: Set<String> = []
    }

    /// A token that a request has.
    enum Outcome: Sendable {
        case known(VerifiedToken)
        /// One whose signature is costly to verify.
        case unverified(UnverifiedToken)
    }

    private let state: Mutex<State>
    private let reservation: MemoryReservation
    private let metrics: TokenMetrics
    private let logKey: [UInt8]
    private let log: Log
    private let clock: TimeSource

    /// The step by which the reserved memory grows and shrinks, in bytes.
    private static let step = 64 << 10

    /// `identity` is the store's; the key of the log's digits derives from it.
    init(
        _ memory: MemoryBudget, _ identity: StoreIdentity, _ metrics: TokenMetrics, _ log: Log,
        clock: TimeSource
    ) {
        state = Mutex(State(table: LRUCache(limit: memory.cacheBytes(for: .tokens))))
        reservation = MemoryReservation(in: memory, for: .tokens)
        logKey = HMACSHA256.code(of: "readers in the log".utf8, by: identity.sealingKey)
        (self.metrics, self.log, self.clock) = (metrics, log, clock)
    }

    /// Returns the token of a request, verified if that is cheap.
    func outcome(
        of text: Substring.UTF8View, _ digest: SecretDigest, by ring: KeyRing
    ) throws(Problem) -> Outcome {
        let now = clock.unixMilliseconds
        if let known = state.withLock({ $0.table.value(for: digest) }),
            let line = ring.issuer(withKeyID: known.line.key.id), line == known.line
        {
            guard now < known.expiry else { throw TokenFailure.tokenExpired.problem(of: line) }
            guard !line.expiry.hasPassed(at: now) else {
                throw TokenFailure.tokenKeyUnknown.problem(of: line)
            }
            return .known(known)
        }
        let token: UnverifiedToken
        do throws(TokenRefusal) {
            token = try UnverifiedToken(text, digest, by: ring, at: now)
        } catch {
            metrics.count(error.failure.label, of: error.line)
            throw error.failure.problem(of: error.line)
        }
        return token.line.key.algorithm == .edDSA ? .unverified(token) : .known(try verify(token))
    }

    /// Returns a token that was verified before and is valid.
    func known(_ digest: SecretDigest, by ring: KeyRing) -> VerifiedToken? {
        guard let known = state.withLock({ $0.table.value(for: digest) }),
            let line = ring.issuer(withKeyID: known.line.key.id), line == known.line
        else { return nil }
        let now = clock.unixMilliseconds
        return now < known.expiry && !line.expiry.hasPassed(at: now) ? known : nil
    }

    /// Verifies a token, and adds it to the table.
    func verify(_ token: UnverifiedToken) throws(Problem) -> VerifiedToken {
        do throws(TokenFailure) {
            let claims = try token.verified(at: clock.unixMilliseconds)
            let verified = VerifiedToken(claims, of: token.line, logKey: logKey)
            metrics.count(TokenMetrics.valid, of: token.line)
            insert(verified, token)
            warnIfWithoutScreens(verified)
            return verified
        } catch {
            metrics.count(error.label, of: token.line)
            throw error.problem(of: token.line)
        }
    }

    private func insert(_ verified: VerifiedToken, _ token: UnverifiedToken) {
        let cost = VerifiedToken.byteCount + token.byteCount
        // Freed outside of the lock.
        _ = state.withLock { state in
            var removed = state.table.insert(verified, for: token.digest, cost: cost)
            reserve(&state, &removed)
            return removed
        }
    }

    /// Reserves the memory of the table; removes tokens as long as it is not free.
    private func reserve(
        _ state: inout State, _ removed: inout [(key: SecretDigest, value: VerifiedToken)]
    ) {
        let needed = (state.table.cost + Self.step - 1) / Self.step * Self.step
        if needed != reservation.count, !reservation.resize(to: needed) {
            while state.table.cost > reservation.count, let oldest = state.table.removeOldest() {
                removed.append(oldest)
            }
        }
        metrics.cached.set(Int64(state.table.count))
    }

    /// Removes the tokens of lines that are not among other keys, which are then judged anew.
    func forgetTokens(notOf ring: KeyRing) {
        _ = state.withLock { state in
            var removed: [(key: SecretDigest, value: VerifiedToken)] = []
            var gone: [SecretDigest] = []
            state.table.forEachFromOldest { digest, token in
                if ring.issuer(withKeyID: token.line.key.id) != token.line { gone.append(digest) }
            }
            for digest in gone {
                if let token = state.table.remove(digest) { removed.append((digest, token)) }
            }
            reserve(&state, &removed)
            state.warned = []
            return removed
        }
    }

    /// Logs, once for each line, a reader that has no screens of its own because of a character.
    private func warnIfWithoutScreens(_ token: VerifiedToken) {
        let line = token.line
        guard let subject = token.subject, line.screens.haveReader,
            line.screens.reader(subject) == nil,
            state.withLock({ $0.warned.insert(line.key.id).inserted })
        else { return }
        log.write(
            LogRecord(
                .warning, "reader without screens",
                detail: "{sub} in the patterns of the issuer \(line.name) (\(line.key.id)) matches "
                    + "nothing for a reader with a character that follows {sub}, or with another "
                    + "one than A-Z a-z 0-9 _ -"))
    }
}
