import Synchronization

/// A list of numbers that handlers append to.
final class Requests: Sendable {
    private let state = Mutex<[Int]>([])

    /// The numbers so far.
    var pages: [Int] { state.withLock { $0 } }

    /// Appends a number.
    func add(_ page: Int) { state.withLock { $0.append(page) } }
}
