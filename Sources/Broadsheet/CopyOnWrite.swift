import BroadsheetClient

/// A value that its copies share until one of them changes.
///
/// A copy costs one reference count, however many references the value has.
struct CopyOnWrite<Value: Sendable>: Sendable {
    private final class Box: Sendable {
        // It is changed only while a single copy refers to it.
        nonisolated(unsafe) var value: Value

        init(_ value: Value) { self.value = value }
    }

    private var box: Box

    init(_ value: Value) { box = Box(value) }

    var value: Value {
        _read { yield box.value }
        _modify {
            if !isKnownUniquelyReferenced(&box) { box = Box(box.value) }
            yield &box.value
        }
    }
}

/// A value that its copies share, and that one of them makes when it needs it.
final class SharedValue<Value: Sendable>: Sendable {
    private let value = LockedValue<Value?>(nil)

    /// The value; `nil` before a copy needs it.
    var current: Value? { value.withLock { $0 } }

    /// Returns the value, which `make` creates the first time.
    func prepared(_ make: () -> Value) -> Value {
        value.withLock { value in
            let prepared = value ?? make()
            value = prepared
            return prepared
        }
    }
}
