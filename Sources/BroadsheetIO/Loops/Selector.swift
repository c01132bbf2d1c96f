internal import CEpoll
import Glibc

/// The loop's view of the kernel: an epoll set, and an eventfd with which other threads end a wait.
final class Selector {
    /// The signature of `epoll_wait`, answering as ``Syscalls`` do.
    typealias Wait =
        @Sendable (
            _ epoll: Int32, _ events: UnsafeMutableBufferPointer<epoll_event>, _ milliseconds: Int32
        ) -> Int

    /// The kernel's own `epoll_wait`.
    static let systemWait: Wait = { epoll, events, milliseconds in
        Syscalls.answer(
            Int(epoll_wait(epoll, events.baseAddress, Int32(events.count), milliseconds)))
    }

    /// How many events one wait may bring; the rest come with the next.
    private static let eventsPerWait = 256
    /// A token that no registration has, slots being never that many, and so finds nobody.
    private static let wakeToken = UInt64.max

    private let epoll: FileDescriptor
    private let wakeup: FileDescriptor
    private let events: UnsafeMutableBufferPointer<epoll_event>
    private let wait: Wait

    init(wait: @escaping Wait = systemWait) throws(IOError) {
        let epoll = Syscalls.answer(Int(epoll_create1(Int32(EPOLL_CLOEXEC))))
        self.epoll = FileDescriptor(owning: Int32(try IOError.check(epoll, "epoll_create1")))
        let wakeup = Syscalls.answer(
            Int(eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK))))
        self.wakeup = FileDescriptor(owning: Int32(try IOError.check(wakeup, "eventfd")))
        self.wait = wait
        events = .allocate(capacity: Self.eventsPerWait)
        events.initialize(repeating: epoll_event())
        // Edge-triggered, the eventfd reports each write and need never be read: at one a wake-up
        // its counter would take centuries to fill.
        try control(
            EPOLL_CTL_ADD, self.wakeup.number, EPOLLIN.rawValue | EPOLLET.rawValue, Self.wakeToken)
    }

    deinit {
        events.deallocate()
    }

    /// Ends the wait that is going on, or else the next one.
    ///
    /// Safe from any thread.
    func wake() {
        eventfd_write(wakeup.number, 1)
    }

    /// Waits for events, and returns them; they are good until the next call.
    ///
    /// - Parameter milliseconds: 0 only looks, -1 waits for as long as it takes.
    func poll(milliseconds: Int32) -> Slice<UnsafeMutableBufferPointer<epoll_event>> {
        // A signal ends the wait early (EINTR), which is a wait without events.
        events.prefix(max(0, wait(epoll.number, events, milliseconds)))
    }

    /// Begins to watch the descriptor of `registration`.
    func add(
        _ registration: Registration, for interest: Readiness, _ trigger: Trigger
    ) throws(IOError) {
        let bits = interest.events | (trigger == .edge ? EPOLLET.rawValue : 0)
        try control(EPOLL_CTL_ADD, registration.descriptor, bits, registration.token)
    }

    /// Changes what a level-triggered `registration` is told.
    func change(_ registration: Registration, to interest: Readiness) throws(IOError) {
        try control(
            EPOLL_CTL_MOD, registration.descriptor, interest.events, registration.token)
    }

    /// Ends the watch.
    func remove(_ registration: Registration) {
        // Fails only for a descriptor that is not watched, which is what was wanted.
        epoll_ctl(epoll.number, EPOLL_CTL_DEL, registration.descriptor, nil)
    }

    private func control(
        _ operation: Int32, _ descriptor: Int32, _ events: UInt32, _ token: UInt64
    ) throws(IOError) {
        var event = epoll_event()
        event.events = events
        event.data.u64 = token
        let result = epoll_ctl(epoll.number, operation, descriptor, &event)
        try IOError.check(Syscalls.answer(Int(result)), "epoll_ctl")
    }
}
