/// The one owner of an open descriptor, which closes it when it goes out of scope.
///
/// A descriptor that was closed twice may by then be another connection's, so the type cannot be
/// copied: whoever holds it is the only one who does.
package struct FileDescriptor: ~Copyable, Sendable {
    /// The kernel's number, good for system calls as long as this value lives.
    package let number: Int32
    private let close: @Sendable (Int32) -> Int

    /// Takes over `number`, an open descriptor that nobody else will close.
    package init(owning number: Int32, syscalls: Syscalls = .system) {
        self.number = number
        close = syscalls.close
    }

    deinit {
        // Linux releases the number even when close reports EINTR: a second try could hit
        // a descriptor that another thread has just been given.
        _ = close(number)
    }
}
