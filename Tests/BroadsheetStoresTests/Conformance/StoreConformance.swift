import BroadsheetStores
import Testing

/// What every store must do, as named requirements over a freshly opened, empty store.
///
/// A store's own suite runs them all in one line:
///
///     @Test("conforms", arguments: StoreConformance.requirements)
///     func conforms(to requirement: StoreConformance.Requirement) async throws {
///         try await requirement.check(MemoryStore())
///     }
enum StoreConformance {
    /// One requirement: a sentence, and the check that fails where a store breaks it.
    struct Requirement: Sendable, CustomTestStringConvertible {
        let sentence: String
        let check: @Sendable (any ScreenStore) async throws -> Void

        init(
            _ sentence: String, _ check: @escaping @Sendable (any ScreenStore) async throws -> Void
        ) {
            self.sentence = sentence
            self.check = check
        }

        var testDescription: String { sentence }
    }

    /// All of them.
    static let requirements: [Requirement] =
        identity + revisions + pages + removals + listings + concurrency
}
