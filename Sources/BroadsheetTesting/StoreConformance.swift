public import BroadsheetStores

/// The requirements for every store, checked on a newly opened, empty store.
///
/// The checks use no testing library, so that any can run them. With Swift Testing:
///
///     @Test("The store conforms", arguments: StoreConformance.requirements)
///     func conforms(to requirement: StoreConformance.Requirement) async throws {
///         let clock = Clock()
///         let store = MyStore(clock: clock)
///         try await requirement.check(store, letPass: { clock.advance(seconds: $0) })
///     }
public enum StoreConformance {
    /// A requirement: a sentence, and a check that fails for a store that violates it.
    public struct Requirement: Sendable, CustomStringConvertible {
        /// A function that advances the clock of a store by a number of seconds without waiting.
        public typealias Passing = @Sendable (Int) async throws -> Void

        /// The requirement as a sentence.
        public let sentence: String
        private let body: @Sendable (ScreenStore, @escaping Passing) async throws -> Void

        init(
            _ sentence: String, _ check: @escaping @Sendable (ScreenStore) async throws -> Void
        ) {
            self.sentence = sentence
            body = { store, _ in try await check(store) }
        }

        init(
            _ sentence: String,
            _ check: @escaping @Sendable (ScreenStore, @escaping Passing) async throws -> Void
        ) {
            self.sentence = sentence
            body = check
        }

        /// Checks the requirement on an empty store.
        ///
        /// - Parameters:
        ///   - store: A store without screens, which the caller closes.
        ///   - letPass: A function that advances the store's clock.
        /// - Throws: A ``StoreConformance/Violation`` if the store does not meet the requirement,
        ///   or an error of the store.
        public func check(_ store: ScreenStore, letPass: @escaping Passing) async throws {
            try await body(store, letPass)
        }

        /// The sentence.
        public var description: String { sentence }
    }

    /// An error for a store that does not meet a requirement.
    public struct Violation: Error, CustomStringConvertible {
        /// A message with the value found, the value expected, and the place of the check.
        public let description: String

        init(
            _ description: String, _ file: StaticString = #fileID, _ line: UInt = #line
        ) {
            self.description = "\(file):\(line): \(description)"
        }
    }

    /// All requirements.
    public static let requirements: [Requirement] =
        identity + revisions + pages + removals + trees + parts + sizes + commitsOfManyPages
        + replacements + listings + concurrency + expiry
}

func expect(
    _ condition: Bool, _ comment: String = "", _ file: StaticString = #fileID, _ line: UInt = #line
) throws(StoreConformance.Violation) {
    if !condition { throw StoreConformance.Violation("does not hold \(comment)", file, line) }
}

func expect<Value: Equatable>(
    _ found: Value, equals expected: Value, _ comment: String = "",
    _ file: StaticString = #fileID, _ line: UInt = #line
) throws(StoreConformance.Violation) {
    guard found != expected else { return }
    throw StoreConformance.Violation(
        "found \(shortened(found)), expected \(shortened(expected)) \(comment)", file, line)
}

/// Checks that a write is refused because the screen is at another revision.
func expectConflict(
    at current: UInt64?, _ file: StaticString = #fileID, _ line: UInt = #line,
    _ write: () async throws -> some Sendable
) async throws(StoreConformance.Violation) {
    let expected = StoreError.conflict(current: current)
    do {
        let revision = try await write()
        throw StoreConformance.Violation("returned \(revision), expected \(expected)", file, line)
    } catch let violation as StoreConformance.Violation {
        throw violation
    } catch {
        try expect(error as? StoreError, equals: expected, "\(error)", file, line)
    }
}

func require<Value>(
    _ value: Value?, _ file: StaticString = #fileID, _ line: UInt = #line
) throws(StoreConformance.Violation) -> Value {
    guard let value else { throw StoreConformance.Violation("found nil", file, line) }
    return value
}

private func shortened(_ value: some Any) -> String {
    let text = "\(value)"
    return text.utf8.count <= 500 ? text : "\(text.prefix(500))…"
}

package func name(_ text: String) throws -> ScreenName { try require(ScreenName(text)) }

extension ScreenStore {
    /// Loads a screen that must exist.
    package func stored(_ screen: ScreenName) async throws -> StoredScreen {
        guard case .screen(let stored) = try await load(screen, unlessAt: nil) else {
            throw Missing(screen: screen)
        }
        return stored
    }

    package func revision(_ screen: ScreenName) async throws -> UInt64? {
        guard case .screen(let stored) = try await load(screen, unlessAt: nil) else { return nil }
        return stored.revision
    }

    /// Applies a commit at the current revision of the screen.
    @discardableResult
    package func write(
        _ commit: ScreenCommit, to screen: ScreenName, lifetime: ScreenLifetime = .unchanged
    ) async throws -> UInt64 {
        let revision = try await revision(screen)
        return try await self.commit(commit, to: screen, expecting: revision, lifetime: lifetime)
    }

    /// Puts a page at the current revision of the screen.
    @discardableResult
    package func put(
        _ page: Int, _ text: String = "{}", to screen: ScreenName,
        lifetime: ScreenLifetime = .unchanged
    ) async throws -> UInt64 {
        try await write(
            .put(page: page, bytes: Array(text.utf8)), to: screen, lifetime: lifetime)
    }
}

/// An error for a screen that is expected but not in the store.
struct Missing: Error { let screen: ScreenName }
