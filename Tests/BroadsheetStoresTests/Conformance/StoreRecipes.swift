import BroadsheetStores
import Testing

/// A checked screen name for tests.
func name(_ text: String) throws -> ScreenName { try #require(ScreenName(text)) }

extension ScreenStore {
    /// Loads a screen that must be there.
    func stored(_ screen: ScreenName) async throws -> StoredScreen {
        guard case .screen(let stored) = try await load(screen, unlessAt: nil) else {
            throw Missing(screen: screen)
        }
        return stored
    }

    /// The screen's revision; nil when there is no such screen.
    func revision(_ screen: ScreenName) async throws -> UInt64? {
        guard case .screen(let stored) = try await load(screen, unlessAt: nil) else { return nil }
        return stored.revision
    }

    /// Commits at whatever revision the screen is now.
    @discardableResult
    func write(
        _ change: ScreenChange, to screen: ScreenName, lifetime: ScreenLifetime = .unchanged
    ) async throws -> UInt64 {
        let revision = try await revision(screen)
        return try await commit(change, to: screen, expecting: revision, lifetime: lifetime)
    }

    /// Puts a page of the given bytes at whatever revision the screen is now.
    @discardableResult
    func put(
        _ page: Int, _ text: String = "{}", to screen: ScreenName,
        lifetime: ScreenLifetime = .unchanged
    ) async throws -> UInt64 {
        try await write(
            .put(page: page, bytes: Array(text.utf8)), to: screen, lifetime: lifetime)
    }
}

/// A screen that a test expected is not in the store.
struct Missing: Error { let screen: ScreenName }
