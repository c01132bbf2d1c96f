import Glibc

/// A failure of the system or of an event loop.
package enum IOError: Error, Hashable, Sendable {
    /// The system call `call` failed with `code`, an `errno` value.
    case system(call: String, code: Int32)
    case unresolvableHost(String, reason: String)
    /// The event loop had already stopped, and nothing was done.
    case loopStopped
}

extension IOError: CustomStringConvertible {
    /// A sentence without its full stop, for the end of a log line or of a message to the operator.
    package var description: String {
        switch self {
        case .system(let call, let code): "\(call): \(Self.message(for: code))"
        case .unresolvableHost(let host, let reason): "cannot resolve \(host): \(reason)"
        case .loopStopped: "the event loop has stopped"
        }
    }

    /// Returns the C library's text for `code`, from the call that is safe from many threads.
    private static func message(for code: Int32) -> String {
        var buffer = [CChar](repeating: 0, count: 128)
        guard strerror_r(code, &buffer, buffer.count) == 0 else { return "error \(code)" }
        let text = buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
        return String(decoding: text, as: UTF8.self)
    }
}

extension IOError {
    /// Returns `result`, or throws the error that a negative one (`-errno`) represents.
    @discardableResult
    package static func check(_ result: Int, _ call: String) throws(IOError) -> Int {
        guard result >= 0 else {
            throw .system(call: call, code: Int32(truncatingIfNeeded: -result))
        }
        return result
    }
}
