/// The unique owner of an open descriptor, which closes it at the end of its lifetime.
///
/// The type is not copyable, because a descriptor that is closed twice may then belong to another
/// connection.
package struct FileDescriptor: ~Copyable, Sendable {
    /// The kernel's number, valid for system calls during the lifetime of this value.
    package let number: Int32
    private let close: @Sendable (Int32) -> Int

    /// Takes ownership of `number`, an open descriptor that no other code closes.
    package init(owning number: Int32, syscalls: Syscalls = .system) {
        self.number = number
        close = syscalls.close
    }

    deinit {
        // Linux releases the number even when close reports EINTR: a second call could close
        // a descriptor that another thread has just been given.
        _ = close(number)
    }
}
