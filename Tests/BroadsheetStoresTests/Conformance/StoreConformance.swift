import BroadsheetStores
import Testing

/// What every store must do, as named requirements over a freshly opened, empty store.
///
/// A store's own suite runs them all in one line:
///
///     @Test("conforms", arguments: StoreConformance.requirements)
///     func conforms(to requirement: StoreConformance.Requirement) async throws {
///         try await requirement.check(store, letPass: clock.advance(seconds:))
///     }
enum StoreConformance {
    /// One requirement: a sentence, and the check that fails where a store breaks it.
    struct Requirement: Sendable, CustomTestStringConvertible {
        /// Lets so many seconds pass for a store's screens, without anybody waiting for them.
        typealias Passing = @Sendable (Int) async throws -> Void

        let sentence: String
        private let body: @Sendable (any ScreenStore, @escaping Passing) async throws -> Void

        init(
            _ sentence: String, _ check: @escaping @Sendable (any ScreenStore) async throws -> Void
        ) {
            self.sentence = sentence
            body = { store, _ in try await check(store) }
        }

        init(
            _ sentence: String,
            _ check: @escaping @Sendable (any ScreenStore, @escaping Passing) async throws -> Void
        ) {
            self.sentence = sentence
            body = check
        }

        func check(_ store: any ScreenStore, letPass: @escaping Passing) async throws {
            try await body(store, letPass)
        }

        var testDescription: String { sentence }
    }

    /// All of them.
    static let requirements: [Requirement] =
        identity + revisions + pages + removals + listings + concurrency + expiry
}
