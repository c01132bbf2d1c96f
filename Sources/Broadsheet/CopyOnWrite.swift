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

    /// Creates the first copy of a value.
    init(_ value: Value) { box = Box(value) }

    /// The value.
    var value: Value {
        _read { yield box.value }
        _modify {
            if !isKnownUniquelyReferenced(&box) { box = Box(box.value) }
            yield &box.value
        }
    }
}
