import BroadsheetStores
import BroadsheetTesting
import Embedding
import FoundationEssentials
import Synchronization
import Testing

@Suite("A store over a folder of files")
struct FolderStoreTests {
    // [embedded-conformance]
    @Test(
        "The store conforms to every requirement of stores",
        arguments: StoreConformance.requirements)
    func conforms(to requirement: StoreConformance.Requirement) async throws {
        let folder = TemporaryFolder()
        let clock = ManualClock()
        let store = try FolderStore(folder.url, milliseconds: { clock.milliseconds })
        try await requirement.check(store, letPass: { clock.advance(seconds: $0) })
        await store.close()
    }
    // [/embedded-conformance]

    @Test("A store that is opened again has its screens and its identity")
    func reopened() async throws {
        let folder = TemporaryFolder()
        let home = try #require(ScreenName("home"))
        let first = try FolderStore(folder.url)
        _ = try await first.commit(
            .put(page: 0, bytes: Array("{}".utf8)), to: home, expecting: nil)
        let second = try FolderStore(folder.url)
        #expect(try await second.identity() == first.identity())
        #expect(try await second.load(home, unlessAt: nil) == first.load(home, unlessAt: nil))
    }

    @Test("A damaged record is reported, and not returned")
    func damaged() async throws {
        let folder = TemporaryFolder()
        let home = try #require(ScreenName("home"))
        let store = try FolderStore(folder.url)
        _ = try await store.commit(.put(page: 0, bytes: [0x7B]), to: home, expecting: nil)
        try Data("{".utf8).write(to: folder.url.appending(path: "screens/home/screen.json"))
        await #expect {
            _ = try await store.load(home, unlessAt: nil)
        } throws: { error in
            guard case .corrupt? = error as? StoreError else { return false }
            return true
        }
    }
}

/// A folder that is removed at the end of its test.
final class TemporaryFolder: Sendable {
    let url = FileManager.default.temporaryDirectory.appending(path: "embedding-\(UUID())")

    deinit { try? FileManager.default.removeItem(at: url) }
}

/// A clock that only a test advances.
final class ManualClock: Sendable {
    private let time = Atomic<Int64>(1_700_000_000_000)

    var milliseconds: Int64 { time.load(ordering: .relaxed) }

    func advance(seconds: Int) {
        time.wrappingAdd(Int64(seconds) * 1000, ordering: .relaxed)
    }
}
