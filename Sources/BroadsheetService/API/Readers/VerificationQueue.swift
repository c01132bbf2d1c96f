import BroadsheetIO
import Synchronization

/// The order and the rate in which signatures with Ed25519 are verified, and the addresses whose
/// tokens were not valid (docs/operations.md, "Issuers").
///
/// A verification takes some 140 microseconds, and anyone can send a token that needs one. So there
/// is a rate for all, in which addresses take turns, and a limit for failures of each address.
final class VerificationQueue: Sendable {
    /// A request that waits.
    private struct Waiting: Sendable {
        let waiter: Waiter<Bool>
        let end: MonotonicInstant
    }

    /// A count that decreases with time.
    private struct Failures: Sendable {
        var count = 0.0
        var time: MonotonicInstant
    }

    private struct State {
        /// The verifications that can begin at once.
        var credit = VerificationQueue.burst
        var refilled: MonotonicInstant
        var turns = ClientTurns()
        var waiting: [ClientKey: FIFO<Waiting>] = [:]
        var count = 0
        var isRunning = false
        var failures = LRUCache<ClientKey, Failures>(limit: VerificationQueue.maxAddresses)
    }

    /// The verifications that begin at once, and those that begin in a second: 2,000 together.
    private static let (burst, perSecond) = (40.0, 1960.0)
    /// The time for which a request waits; it is 503 then.
    private static let maxWait = Duration.seconds(2)
    /// The interval at which requests that wait are continued.
    private static let interval = Duration.milliseconds(20)
    /// The maximum numbers of requests that wait, of one address and of all.
    private static let (maxPerAddress, maxWaiting) = (1024, 8192)
    /// The failures of an address after which its tokens are refused, and those that are forgotten
    /// in a second.
    private static let (maxFailures, forgottenPerSecond) = (100.0, 50.0)
    /// The number of addresses whose failures are counted.
    private static let maxAddresses = 16_384

    private let state: Mutex<State>
    private let clock: TimeSource
    private let sleep: @Sendable (Duration) async -> Void

    init(clock: TimeSource, sleep: @escaping @Sendable (Duration) async -> Void) {
        state = Mutex(State(refilled: clock.now))
        (self.clock, self.sleep) = (clock, sleep)
    }

    /// Waits until a signature may be verified.
    ///
    /// - Throws: `TOO_MANY_TOKENS` for an address with too many failures; `OVERLOADED` after two
    ///   seconds, or if too many requests wait.
    func admit(_ address: ClientKey) async throws(Problem) {
        let now = clock.now
        let isAdmitted = try state.withLock { state throws(Problem) in
            guard Self.failures(of: address, in: &state, at: now) < Self.maxFailures else {
                throw .tooManyTokens
            }
            Self.refill(&state, at: now)
            guard state.count > 0 || state.credit < 1 else {
                state.credit -= 1
                return true
            }
            guard state.count < Self.maxWaiting,
                state.waiting[address]?.count ?? 0 < Self.maxPerAddress
            else { throw .tooManyVerifications }
            return false
        }
        guard !isAdmitted else { return }
        let hasTurn = await Waiter.wait(orElse: false) { waiter in
            enqueue(Waiting(waiter: waiter, end: now.advanced(by: Self.maxWait)), of: address)
        }
        try Work.checkConnection()
        guard hasTurn else { throw .tooManyVerifications }
    }

    var waitingCount: Int { state.withLock { $0.count } }

    func noteFailure(of address: ClientKey) {
        let now = clock.now
        _ = state.withLock { state in
            let count = Self.failures(of: address, in: &state, at: now) + 1
            return state.failures.insert(Failures(count: count, time: now), for: address, cost: 1)
        }
    }

    private static func failures(
        of address: ClientKey, in state: inout State, at now: MonotonicInstant
    ) -> Double {
        guard let failures = state.failures.value(for: address) else { return 0 }
        let seconds = Double(now.nanoseconds(since: failures.time)) / 1e9
        return max(0, failures.count - seconds * forgottenPerSecond)
    }

    private static func refill(_ state: inout State, at now: MonotonicInstant) {
        let seconds = Double(now.nanoseconds(since: state.refilled)) / 1e9
        state.credit = min(burst, state.credit + seconds * perSecond)
        state.refilled = now
    }

    private func enqueue(_ waiting: Waiting, of address: ClientKey) {
        let begins = state.withLock { state in
            if state.waiting[address] == nil { state.turns.append(address) }
            state.waiting[address, default: FIFO()].append(waiting)
            state.count += 1
            defer { state.isRunning = true }
            return !state.isRunning
        }
        guard begins else { return }
        Task { [weak self, sleep] in
            repeat { await sleep(Self.interval) } while self?.tick() == true
        }
    }

    /// Continues the requests whose turn it is, and those that have waited too long; returns
    /// whether there are others.
    private func tick() -> Bool {
        let now = clock.now
        let (admitted, late, isRunning) = state.withLock { state in
            Self.refill(&state, at: now)
            var (admitted, late) = ([Waiter<Bool>](), [Waiter<Bool>]())
            for address in Array(state.waiting.keys) {
                while let first = state.waiting[address]?.first, first.end <= now {
                    _ = state.waiting[address]?.popFirst()
                    state.count -= 1
                    late.append(first.waiter)
                }
            }
            while state.credit >= 1, let address = state.turns.popFirst() {
                if let next = state.waiting[address]?.popFirst() {
                    state.count -= 1
                    state.credit -= 1
                    admitted.append(next.waiter)
                }
                if state.waiting[address]?.isEmpty == false {
                    state.turns.append(address)
                } else {
                    state.waiting[address] = nil
                }
            }
            state.isRunning = state.turns.count > 0
            return (admitted, late, state.isRunning)
        }
        for waiter in late { waiter.resume(false) }
        for waiter in admitted { waiter.resume(true) }
        return isRunning
    }
}

extension Problem {
    /// The problem of a token of an address with too many that were not valid.
    fileprivate static var tooManyTokens: Problem {
        var problem = Problem(
            .tooManyTokens, "Too many tokens of this address were not valid; try again later.",
            retryAfter: retrySeconds)
        problem.isOfToken = true
        return problem
    }

    /// The problem of a token whose signature could not be verified in time.
    fileprivate static var tooManyVerifications: Problem {
        var problem = overloaded("Too many new tokens are to be verified")
        problem.isOfToken = true
        return problem
    }
}
