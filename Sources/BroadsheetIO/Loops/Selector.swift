import CEpoll
import Glibc

/// The epoll set of a loop, and an eventfd with which other threads end its wait.
final class Selector {
    /// The signature of `epoll_wait`, with results as ``Syscalls`` returns them.
    typealias Wait =
        @Sendable (
            _ epoll: Int32, _ events: UnsafeMutableBufferPointer<epoll_event>, _ milliseconds: Int32
        ) -> Int

    static let systemWait: Wait = { epoll, events, milliseconds in
        Syscalls.result(
            Int(epoll_wait(epoll, events.baseAddress, Int32(events.count), milliseconds)))
    }

    /// The maximum number of events of one wait; the others come with the next.
    private static let eventsPerWait = 256
    /// The token of the eventfd; no registration has it, because there are never that many slots.
    private static let wakeToken = UInt64.max

    private let epoll: FileDescriptor
    private let wakeup: FileDescriptor
    private let events: UnsafeMutableBufferPointer<epoll_event>
    private let wait: Wait

    init(wait: @escaping Wait = systemWait) throws(IOError) {
        let epoll = Syscalls.result(Int(epoll_create1(Int32(EPOLL_CLOEXEC))))
        self.epoll = FileDescriptor(owning: Int32(try IOError.check(epoll, "epoll_create1")))
        let wakeup = Syscalls.result(
            Int(eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK))))
        self.wakeup = FileDescriptor(owning: Int32(try IOError.check(wakeup, "eventfd")))
        self.wait = wait
        events = .allocate(capacity: Self.eventsPerWait)
        events.initialize(repeating: epoll_event())
        // Edge-triggered, the eventfd reports each write and need never be read: at one wake-up a
        // nanosecond its 64-bit counter overflows after centuries.
        try control(
            EPOLL_CTL_ADD, descriptor: self.wakeup.number,
            events: EPOLLIN.rawValue | EPOLLET.rawValue, token: Self.wakeToken)
    }

    deinit {
        events.deallocate()
    }

    /// Ends the current wait, or else the next one; callable from any thread.
    func wake() {
        eventfd_write(wakeup.number, 1)
    }

    /// Waits for events, and returns them; they are valid until the next call.
    ///
    /// - Parameter milliseconds: The timeout: 0 returns at once, -1 waits indefinitely.
    func poll(milliseconds: Int32) -> Slice<UnsafeMutableBufferPointer<epoll_event>> {
        // A signal ends the wait early (EINTR), which is a wait without events.
        events.prefix(max(0, wait(epoll.number, events, milliseconds)))
    }

    func add(
        _ registration: Registration, for interest: Readiness, _ trigger: Trigger
    ) throws(IOError) {
        let bits = interest.events | (trigger == .edge ? EPOLLET.rawValue : 0)
        try control(
            EPOLL_CTL_ADD, descriptor: registration.descriptor, events: bits,
            token: registration.token)
    }

    func change(_ registration: Registration, to interest: Readiness) throws(IOError) {
        try control(
            EPOLL_CTL_MOD, descriptor: registration.descriptor, events: interest.events,
            token: registration.token)
    }

    func remove(_ registration: Registration) {
        // Fails only for a descriptor that is not monitored, which is the intended state.
        epoll_ctl(epoll.number, EPOLL_CTL_DEL, registration.descriptor, nil)
    }

    private func control(
        _ operation: Int32, descriptor: Int32, events: UInt32, token: UInt64
    ) throws(IOError) {
        var event = epoll_event()
        event.events = events
        event.data.u64 = token
        let result = epoll_ctl(epoll.number, operation, descriptor, &event)
        try IOError.check(Syscalls.result(Int(result)), "epoll_ctl")
    }
}

/// The readiness of a descriptor that the kernel reports, or that its owner requests.
package struct Readiness: OptionSet, Hashable, Sendable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// A read returns something: bytes, the end of the stream, a pending connection, an error.
    package static var readable: Readiness { Readiness(rawValue: 1 << 0) }
    package static var writable: Readiness { Readiness(rawValue: 1 << 1) }
    /// The peer has ended its stream; it may still read this side's (`EPOLLRDHUP`).
    package static var peerEnded: Readiness { Readiness(rawValue: 1 << 2) }
    /// The connection is closed in both directions (`EPOLLHUP`, `EPOLLERR`); always reported.
    package static var gone: Readiness { Readiness(rawValue: 1 << 3) }

    /// A Boolean value that indicates whether a read returns something, be it the end or an error.
    package var isForReading: Bool {
        rawValue & (Self.readable.rawValue | Self.peerEnded.rawValue | Self.gone.rawValue) != 0
    }

    /// Returns whether the set has a member.
    ///
    /// The generic method of option sets is not specialised in other modules, and this one is
    /// called for every event.
    package func has(_ member: Readiness) -> Bool { rawValue & member.rawValue != 0 }
}

extension Readiness {
    init(events: UInt32) {
        var bits: UInt8 = 0
        if events & EPOLLIN.rawValue != 0 { bits |= Self.readable.rawValue }
        if events & EPOLLOUT.rawValue != 0 { bits |= Self.writable.rawValue }
        if events & EPOLLRDHUP.rawValue != 0 { bits |= Self.peerEnded.rawValue }
        if events & (EPOLLHUP.rawValue | EPOLLERR.rawValue) != 0 { bits |= Self.gone.rawValue }
        self.init(rawValue: bits)
    }

    /// The event bits that request this set from `epoll_ctl`; errors are always reported.
    var events: UInt32 {
        var bits: UInt32 = 0
        if contains(.readable) { bits |= EPOLLIN.rawValue }
        if contains(.writable) { bits |= EPOLLOUT.rawValue }
        if contains(.peerEnded) { bits |= EPOLLRDHUP.rawValue }
        return bits
    }
}

/// The frequency with which the kernel reports a readiness that lasts.
package enum Trigger: Hashable, Sendable {
    /// Once each time that it begins: the owner stores it until a call returns `EAGAIN`.
    case edge
    /// At every turn of the loop for as long as it lasts.
    case level
}

/// A descriptor's registration with its loop, distinct from those of later descriptors of the same
/// number.
package struct Registration: Hashable, Sendable {
    let slot: UInt32
    let generation: UInt32
    /// The descriptor that the kernel monitors; its owner deregisters before closing it.
    let descriptor: Int32

    /// The 64 bits that the kernel returns with every event.
    var token: UInt64 { UInt64(generation) << 32 | UInt64(slot) }
}

package protocol ReadinessHandler: AnyObject {
    /// Handles a change of the descriptor's readiness; called on the loop's thread only.
    func becameReady(_ readiness: Readiness)
}

/// The handlers that are registered with a loop, by token.
///
/// One batch of events may hold one for a descriptor that an earlier event of the batch closed,
/// and whose number a new descriptor has already. Generations make such an event find no handler.
struct RegistrationTable {
    private struct Slot {
        var handler: (any ReadinessHandler)?
        var generation: UInt32
        /// The readiness to deliver in the next turn.
        var postponed: Readiness = []
    }

    private var slots: [Slot] = []
    private var free: [UInt32] = []

    var count: Int { slots.count - free.count }

    mutating func add(_ handler: any ReadinessHandler, for descriptor: Int32) -> Registration {
        let slot = free.popLast() ?? UInt32(slots.count)
        if Int(slot) == slots.count { slots.append(Slot(handler: nil, generation: 0)) }
        slots[Int(slot)].handler = handler
        let generation = slots[Int(slot)].generation
        return Registration(slot: slot, generation: generation, descriptor: descriptor)
    }

    /// Removes `registration`; does nothing when it has been removed already.
    mutating func remove(_ registration: Registration) {
        guard self[registration.token] != nil else { return }
        slots[Int(registration.slot)].handler = nil
        slots[Int(registration.slot)].postponed = []
        slots[Int(registration.slot)].generation &+= 1
        free.append(registration.slot)
    }

    mutating func removeAll() {
        slots = []
        free = []
    }

    subscript(token: UInt64) -> (any ReadinessHandler)? {
        index(of: token).flatMap { slots[$0].handler }
    }

    /// Stores `readiness` for the handler of `token`.
    ///
    /// - Returns: `true` if nothing was stored for it before, so that it is scheduled once only.
    mutating func postpone(_ readiness: Readiness, for token: UInt64) -> Bool {
        guard let index = index(of: token) else { return false }
        defer { slots[index].postponed.formUnion(readiness) }
        return slots[index].postponed.isEmpty
    }

    mutating func takePostponed(for token: UInt64) -> Readiness {
        guard let index = index(of: token) else { return [] }
        defer { slots[index].postponed = [] }
        return slots[index].postponed
    }

    private func index(of token: UInt64) -> Int? {
        let index = Int(token & 0xFFFF_FFFF)
        guard index < slots.count, slots[index].generation == UInt32(token >> 32) else {
            return nil
        }
        return index
    }
}
