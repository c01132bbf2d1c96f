#if canImport(Darwin)
    import Darwin

    /// A value behind a lock of the platform.
    package struct LockedValue<Value>: ~Copyable, @unchecked Sendable {
        // Unchecked: the value is used only while the lock is held; both have fixed addresses.
        private let lock: UnsafeMutablePointer<os_unfair_lock>
        private let value: UnsafeMutablePointer<Value>

        package init(_ value: consuming sending Value) {
            lock = .allocate(capacity: 1)
            lock.initialize(to: os_unfair_lock())
            self.value = .allocate(capacity: 1)
            self.value.initialize(to: value)
        }

        deinit {
            value.deinitialize(count: 1)
            value.deallocate()
            lock.deallocate()
        }

        package borrowing func withLock<Result, Failure: Error>(
            _ body: (inout sending Value) throws(Failure) -> sending Result
        ) throws(Failure) -> sending Result {
            os_unfair_lock_lock(lock)
            defer { os_unfair_lock_unlock(lock) }
            return try body(&value.pointee)
        }
    }
#else
    package import Synchronization

    package struct LockedValue<Value>: ~Copyable, Sendable {
        @usableFromInline let mutex: Mutex<Value>

        @inlinable package init(_ value: consuming sending Value) { mutex = Mutex(value) }

        @inlinable package borrowing func withLock<Result, Failure: Error>(
            _ body: (inout sending Value) throws(Failure) -> sending Result
        ) throws(Failure) -> sending Result { try mutex.withLock(body) }
    }
#endif
