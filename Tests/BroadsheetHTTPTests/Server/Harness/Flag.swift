import Synchronization

/// Something that is so or is not, for any thread to read and change.
final class Flag: Sendable {
    private let raised = Atomic(false)

    var isRaised: Bool {
        get { raised.load(ordering: .sequentiallyConsistent) }
        set { raised.store(newValue, ordering: .sequentiallyConsistent) }
    }
}
