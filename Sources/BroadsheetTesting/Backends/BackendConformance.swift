public import BroadsheetStores

/// The requirements for every backend of a store, checked on a newly opened, empty backend.
///
/// A backend that meets them is one that ``StoreConformance`` can be checked on. The checks use no
/// testing library, so that any can run them. With Swift Testing:
///
///     @Test("The backend conforms", arguments: BackendConformance.requirements)
///     func conforms(to requirement: BackendConformance.Requirement) async throws {
///         let clock = Clock()
///         let backend = MyBackend(clock: clock)
///         try await requirement.check(
///             TestedBackend(backend, letPass: { clock.advance(seconds: $0) }))
///     }
public enum BackendConformance {
    /// A requirement: a sentence, and a check that fails for a backend that violates it.
    public struct Requirement: Sendable, CustomStringConvertible {
        /// The requirement as a sentence.
        public let sentence: String
        private let body: @Sendable (TestedBackend) async throws -> Void

        init(
            _ sentence: String, _ check: @escaping @Sendable (TestedBackend) async throws -> Void
        ) {
            self.sentence = sentence
            body = check
        }

        /// A requirement that is about the backend alone.
        init(
            of sentence: String,
            _ check: @escaping @Sendable (any StoreBackend) async throws -> Void
        ) {
            self.init(sentence) { try await check($0.backend) }
        }

        /// Checks the requirement on an empty backend.
        ///
        /// - Parameter tested: A backend without screens, which the caller closes.
        /// - Throws: A ``StoreConformance/Violation`` if the backend does not meet the requirement,
        ///   or an error of the backend.
        public func check(_ tested: TestedBackend) async throws { try await body(tested) }

        /// The sentence.
        public var description: String { sentence }
    }

    /// The requirements of every backend.
    public static let requirements: [Requirement] =
        expectations + records + objects + removals + floors + feeds + concurrency + listings
        + schedules + lifetimes + service + [randomBatches]

    /// The requirements of backends that daemons share, for a ``TestedBackend`` with
    /// ``TestedBackend/other``.
    public static let sharingRequirements: [Requirement] = sharing

    /// The requirements of backends whose server can lose what it acknowledged, for a
    /// ``TestedBackend`` with ``TestedBackend/beginLine``.
    public static let lineRequirements: [Requirement] = lines

    /// The requirements of backends that can be copied.
    package static let copyRequirements: [Requirement] = copies
}

/// An empty backend, and what a test can do with it that the backend itself cannot.
public struct TestedBackend: Sendable {
    /// The backend.
    public var backend: any StoreBackend
    /// A function that advances the clock by which records expire by a number of seconds.
    public var letPass: StoreConformance.Requirement.Passing
    /// A backend of another daemon on the same data; `nil` if there is none.
    public var other: (any StoreBackend)?
    /// A function that begins a new line without losing anything; `nil` if there are no lines.
    public var beginLine: (@Sendable () async throws -> Void)?
    /// A function that returns the present sum of the weights, for a backend that keeps an older
    /// one for a while; `nil` for one that does not.
    public var weight: (@Sendable () async throws -> Int)?

    /// Creates the description of an empty backend that daemons do not share and that has one line.
    ///
    /// - Parameters:
    ///   - backend: The backend.
    ///   - letPass: A function that advances the clock by which its records expire.
    public init(
        _ backend: any StoreBackend, letPass: @escaping StoreConformance.Requirement.Passing
    ) {
        self.backend = backend
        self.letPass = letPass
    }
}
