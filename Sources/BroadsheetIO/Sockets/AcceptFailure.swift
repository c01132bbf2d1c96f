import Glibc

/// What an accept loop does about a failed `accept` (accept(2), "ERRORS").
package enum AcceptFailure: Hashable, Sendable {
    /// Nothing is waiting: stop until the kernel says otherwise.
    case drained
    /// This one connection is lost or the call was interrupted: take the next one.
    case skipped
    /// The machine or the process has run out of something that accepting again will not bring
    /// back: wait, because the pending connection keeps the listener readable and an eager loop
    /// would spin.
    case exhausted

    /// Classifies an `errno` value that `accept4` failed with.
    package init(code: Int32) {
        switch code {
        case EAGAIN: self = .drained
        case EINTR, ECONNABORTED: self = .skipped
        // Linux hands pending network errors of the new socket to accept's caller.
        case EPROTO, ENETDOWN, ENOPROTOOPT, EHOSTDOWN, ENONET, EHOSTUNREACH, EOPNOTSUPP,
            ENETUNREACH, ETIMEDOUT, EPERM:
            self = .skipped
        // EMFILE, ENFILE, ENOBUFS, ENOMEM, and whatever else: a listener never gives up.
        default: self = .exhausted
        }
    }
}
