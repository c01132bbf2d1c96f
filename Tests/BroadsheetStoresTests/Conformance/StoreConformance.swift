import BroadsheetStores
import TestSupport
import Testing

/// The requirements for every store, checked on a newly opened, empty store.
///
/// The suite of a store runs all of them:
///
///     @Test(
///         "The store conforms to every requirement of stores",
///         arguments: StoreConformance.requirements)
///     func conforms(to requirement: StoreConformance.Requirement) async throws {
///         try await requirement.check(store, letPass: clock.advance(seconds:))
///     }
enum StoreConformance {
    /// A requirement: a sentence, and a check that fails for a store that violates it.
    struct Requirement: Sendable, CustomTestStringConvertible {
        /// A function that advances the clock of a store by a number of seconds without waiting.
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

    /// All requirements.
    static let requirements: [Requirement] =
        identity + revisions + pages + removals + trees + parts + sizes + commitsOfManyPages
        + listings
        + concurrency + expiry
}

/// Creates a screen name from valid text.
func name(_ text: String) throws -> ScreenName { try #require(ScreenName(text)) }

extension ScreenStore {
    /// Loads a screen that must exist.
    func stored(_ screen: ScreenName) async throws -> StoredScreen {
        guard case .screen(let stored) = try await load(screen, unlessAt: nil) else {
            throw Missing(screen: screen)
        }
        return stored
    }

    /// Returns the revision of a screen, or `nil` if there is none.
    func revision(_ screen: ScreenName) async throws -> UInt64? {
        guard case .screen(let stored) = try await load(screen, unlessAt: nil) else { return nil }
        return stored.revision
    }

    /// Commits a change at the current revision of the screen.
    @discardableResult
    func write(
        _ change: ScreenChange, to screen: ScreenName, lifetime: ScreenLifetime = .unchanged
    ) async throws -> UInt64 {
        let revision = try await revision(screen)
        return try await commit(change, to: screen, expecting: revision, lifetime: lifetime)
    }

    /// Puts a page at the current revision of the screen.
    @discardableResult
    func put(
        _ page: Int, _ text: String = "{}", to screen: ScreenName,
        lifetime: ScreenLifetime = .unchanged
    ) async throws -> UInt64 {
        try await write(
            .put(page: page, bytes: Array(text.utf8)), to: screen, lifetime: lifetime)
    }
}

/// An error for a screen that is expected but not in the store.
struct Missing: Error { let screen: ScreenName }
