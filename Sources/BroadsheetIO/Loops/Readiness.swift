internal import CEpoll

/// What the kernel says a descriptor is good for, or what its owner asks to be told.
package struct Readiness: OptionSet, Hashable, Sendable {
    /// The bits, one a case.
    package let rawValue: UInt8

    /// Makes a set of the bits in `rawValue`.
    package init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// There is something to read: bytes, the end of the stream, a pending connection, an error.
    package static let readable = Readiness(rawValue: 1 << 0)
    /// There is room to write.
    package static let writable = Readiness(rawValue: 1 << 1)
    /// The peer has ended its stream, perhaps still reading ours (`EPOLLRDHUP`).
    package static let peerEnded = Readiness(rawValue: 1 << 2)
    /// The connection is gone in both directions (`EPOLLHUP`, `EPOLLERR`); reported unasked.
    package static let gone = Readiness(rawValue: 1 << 3)
}

extension Readiness {
    /// Reads the event bits of `epoll_wait`.
    init(events: UInt32) {
        var set: Readiness = []
        if events & EPOLLIN.rawValue != 0 { set.insert(.readable) }
        if events & EPOLLOUT.rawValue != 0 { set.insert(.writable) }
        if events & EPOLLRDHUP.rawValue != 0 { set.insert(.peerEnded) }
        if events & (EPOLLHUP.rawValue | EPOLLERR.rawValue) != 0 { set.insert(.gone) }
        self = set
    }

    /// The event bits that ask `epoll_ctl` for this set; errors come unasked.
    var events: UInt32 {
        var bits: UInt32 = 0
        if contains(.readable) { bits |= EPOLLIN.rawValue }
        if contains(.writable) { bits |= EPOLLOUT.rawValue }
        if contains(.peerEnded) { bits |= EPOLLRDHUP.rawValue }
        return bits
    }
}

/// How often the kernel reports a readiness that lasts.
package enum Trigger: Hashable, Sendable {
    /// Once each time that it begins: the owner remembers it until a call answers `EAGAIN`.
    case edge
    /// At every turn of the loop for as long as it lasts.
    case level
}

/// The owner of a registered descriptor, told on the loop's thread what it is good for.
package protocol ReadinessHandler: AnyObject {
    /// The descriptor has become `readiness`. Called on the loop's thread only.
    func becameReady(_ readiness: Readiness)
}
