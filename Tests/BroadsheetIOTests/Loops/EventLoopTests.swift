import Glibc
import Synchronization
import Testing
import TestSupport

@testable import BroadsheetIO

/// A group of one loop that uses a manual clock and is shut down at the end of `body`.
func withLoop(
    _ body: (EventLoop, ManualClock) async throws -> Void
) async throws {
    let clock = ManualClock()
    let group = try EventLoopGroup(count: 1, clock: clock.time)
    defer { group.shutdown() }
    try await body(group.loops[0], clock)
}

/// A loop that counts its turns, with a clock that only `body` advances: on a busy machine the time
/// of a turn may run out otherwise.
private func withCountedTurns(
    _ body: (EventLoop, ManualClock, Counter) async throws -> Void
) async throws {
    let (clock, turns) = (ManualClock(), Counter())
    let loop = try EventLoop(clock: clock.time) { epoll, events, milliseconds in
        turns.increment()
        return Selector.systemWait(epoll, events, milliseconds)
    }
    let thread = try WorkerThread("counted turns") { loop.run() }
    defer {
        loop.stop()
        thread.join()
    }
    try await body(loop, clock, turns)
}

@Suite("Event loops", .timeLimit(.minutes(hangMinutes)))
struct EventLoopTests {
    @Test("A task that prefers a loop runs on its thread, also after it was suspended")
    func taskPreference() async throws {
        try await withLoop { loop, _ in
            let places = await Task(executorPreference: loop) {
                let before = loop.isCurrent
                await Task.yield()
                let between = loop.isCurrent
                await Task.detached {}.value
                return [before, between, loop.isCurrent]
            }.value
            #expect(places == [true, true, true])
            #expect(!loop.isCurrent)
        }
    }

    @Test("Submitted calls run on the loop in their order")
    func submission() async throws {
        try await withLoop { loop, _ in
            let recorder = Recorder<Int>()
            for number in 0..<1000 { loop.submit { recorder.record(number) } }
            #expect(await recorder.first(1000) == Array(0..<1000))
            let isOnLoop = try await loop.perform { loop.isCurrent }
            #expect(isOnLoop)
        }
    }

    @Test("A job that is started within a turn ends in that turn")
    func sameTurn() async throws {
        try await withCountedTurns { loop, _, turns in
            let received = Recorder<Int>()
            loop.submit {
                received.record(turns.value)
                Task.detached(executorPreference: loop) {
                    received.record(turns.value)
                }
                loop.submit { received.record(turns.value) }
            }
            #expect(Set(await received.first(3)).count == 1)
        }
    }

    @Test("A long job is the last of its turn, so that sockets are polled")
    func longJobs() async throws {
        try await withCountedTurns { loop, clock, turns in
            let received = Recorder<Int>()
            loop.submit {
                for _ in 0..<3 {
                    loop.submit {
                        received.record(turns.value)
                        clock.advance(by: EventLoop.jobTimePerTurn, waking: loop)
                    }
                }
            }
            #expect(Set(await received.first(3)).count == 3)
        }
    }

    @Test("Endless jobs do not prevent sockets and timers from being served")
    func endlessJobs() async throws {
        try await withLoop { loop, clock in
            let pair = try Pair()
            let handler = ReadinessRecorder()
            let number = pair.near.number
            let isDone = Atomic(false)
            @Sendable func again() {
                if !isDone.load(ordering: .relaxed) { loop.submit(again) }
            }
            for _ in 0..<1000 { loop.submit(again) }
            let fired = Recorder<Bool>()
            try await loop.perform {
                _ = try? loop.register(number, for: .readable, trigger: .edge, handler: handler)
                let timer = DeadlineTimer { fired.record(true) }
                loop.setDeadline(loop.now.advanced(by: .seconds(1)), of: timer)
            }
            _ = write(pair.far, "x", 1)
            #expect(await handler.received.first(1) == [.readable])
            clock.advance(by: .seconds(1), waking: loop)
            #expect(await fired.first(1) == [true])
            isDone.store(true, ordering: .relaxed)
            withExtendedLifetime(pair) {}
        }
    }

    @Test("An edge is reported once; redelivered readiness follows in the next turn")
    func redelivery() async throws {
        try await withLoop { loop, _ in
            let pair = try Pair()
            let handler = ReadinessRecorder()
            let number = pair.near.number
            let registration = try #require(
                await loop.perform {
                    try? loop.register(number, for: .readable, trigger: .edge, handler: handler)
                })
            _ = write(pair.far, "x", 1)
            #expect(await handler.received.first(1) == [.readable])
            for _ in 0..<10 { try await loop.perform {} }
            #expect(handler.received.values.count == 1)
            try await loop.perform { loop.redeliver(.readable, to: registration) }
            try await loop.perform {}
            #expect(handler.received.values.count == 2)
            try await loop.perform {
                loop.redeliver(.readable, to: registration)
                loop.deregister(registration)
            }
            for _ in 0..<3 { try await loop.perform {} }
            #expect(handler.received.values.count == 2, "a removed handler receives nothing")
            withExtendedLifetime(pair) {}
        }
    }

    @Test("Postponed readiness that takes long is the last of its turn, so that sockets are polled")
    func longRedeliveries() async throws {
        try await withCountedTurns { loop, clock, turns in
            let received = Recorder<Int>()
            let handler = ReadinessRecorder {
                received.record(turns.value)
                clock.advance(by: EventLoop.redeliveryTimePerTurn, waking: loop)
            }
            let pairs = try (0..<3).map { _ in try Pair() }
            let numbers = pairs.map { $0.near.number }
            try await loop.perform {
                for number in numbers {
                    let registration = try? loop.register(
                        number, for: [], trigger: .edge, handler: handler)
                    if let registration { loop.redeliver(.writable, to: registration) }
                }
            }
            #expect(Set(await received.first(3)).count == 3)
            withExtendedLifetime(pairs) {}
        }
    }

    @Test("Readiness that is redelivered twice in a turn arrives once")
    func repeatedRedelivery() async throws {
        try await withLoop { loop, _ in
            let pair = try Pair()
            let handler = ReadinessRecorder()
            let number = pair.near.number
            let registration = try #require(
                await loop.perform {
                    try? loop.register(number, for: [], trigger: .edge, handler: handler)
                })
            try await loop.perform {
                for _ in 0..<10 { loop.redeliver(.readable, to: registration) }
                loop.redeliver(.writable, to: registration)
            }
            for _ in 0..<3 { try await loop.perform {} }
            #expect(handler.received.values == [[.readable, .writable]])
            withExtendedLifetime(pair) {}
        }
    }

    @Test("The end of the peer's stream differs from a closed peer")
    func peerEnded() async throws {
        try await withLoop { loop, _ in
            let pair = try Pair()
            let handler = ReadinessRecorder()
            let number = pair.near.number
            try await loop.perform {
                _ = try? loop.register(
                    number, for: [.readable, .peerEnded], trigger: .edge, handler: handler)
            }
            shutdown(pair.far, Int32(SHUT_WR))
            #expect(await handler.received.first(1) == [[.readable, .peerEnded]])
            pair.closeFar()
            #expect(await handler.received.first(1).first?.contains(.gone) == true)
            withExtendedLifetime(pair) {}
        }
    }

    @Test("A timer fires when the clock has reached it, and not before")
    func timers() async throws {
        try await withLoop { loop, clock in
            let fired = Recorder<Int64>()
            try await loop.perform {
                let timer = DeadlineTimer { fired.record(loop.now.nanoseconds) }
                loop.setDeadline(loop.now.advanced(by: .nanoseconds(100)), of: timer)
            }
            clock.advance(by: .nanoseconds(99), waking: loop)
            for _ in 0..<3 { try await loop.perform {} }
            #expect(fired.values.isEmpty)
            clock.advance(by: .nanoseconds(1), waking: loop)
            #expect(await fired.first(1) == [100])
        }
    }

    @Test("A timer that sets itself to the current time does not block the loop")
    func selfSettingTimer() async throws {
        try await withLoop { loop, _ in
            let box = Mutex<DeadlineTimerBox?>(nil)
            try await loop.perform {
                let timer = DeadlineTimer {
                    if let timer = box.withLock({ $0?.timer }) {
                        loop.setDeadline(loop.now, of: timer)
                    }
                }
                box.withLock { $0 = DeadlineTimerBox(timer: timer) }
                loop.setDeadline(loop.now, of: timer)
            }
            for _ in 0..<10 { try await loop.perform {} }
            box.withLock { $0 = nil }
        }
    }

    @Test("A wait that a signal interrupts (EINTR) is a wait without events")
    func interruptedWait() async throws {
        let interruptions = Atomic(100)
        let loop = try EventLoop(clock: .system) { epoll, events, milliseconds in
            if interruptions.wrappingSubtract(1, ordering: .relaxed).oldValue > 0 {
                return Syscalls.interrupted
            }
            return Selector.systemWait(epoll, events, milliseconds)
        }
        let thread = try WorkerThread("interrupted") { loop.run() }
        // Each call is at least one wait, so the loop soon waits without an interruption.
        while interruptions.load(ordering: .relaxed) >= 0 { try await loop.perform {} }
        loop.stop()
        thread.join()
    }

    @Test("A stopped loop refuses work and releases its handlers")
    func stopped() async throws {
        let group = try EventLoopGroup(count: 1)
        let loop = group.loops[0]
        let pair = try Pair()
        let number = pair.near.number
        weak var handler: ReadinessRecorder?
        do {
            let strong = ReadinessRecorder()
            handler = strong
            try await loop.perform {
                _ = try? loop.register(number, for: .readable, trigger: .level, handler: strong)
            }
        }
        #expect(handler != nil)
        group.shutdown()
        group.shutdown()
        #expect(handler == nil)
        #expect(!loop.submit {})
        await #expect(throws: IOError.loopStopped) { try await loop.perform {} }
    }

    @Test("A descriptor that cannot be monitored is an error, and nothing stays registered")
    func unwatchable() async throws {
        try await withLoop { loop, _ in
            let outcome = try await loop.perform {
                Result { () throws(IOError) in
                    try loop.register(
                        -1, for: .readable, trigger: .edge, handler: ReadinessRecorder())
                }
            }
            #expect(throws: IOError.system(call: "epoll_ctl", code: EBADF)) { try outcome.get() }
        }
    }
}

/// A box for a loop's timer, for the closure that the timer holds.
private struct DeadlineTimerBox: @unchecked Sendable {
    // Unchecked: used on the loop's thread only.
    let timer: DeadlineTimer
}
