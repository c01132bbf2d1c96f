import Foundation
import Testing

@testable import BroadsheetStores

@Suite("A SQLite file that is locked", .timeLimit(.minutes(1)))
struct SQLiteLockTests {
    @Test("by another program is unavailable for writes, readable, and goes on once it is free")
    func otherProgram() async throws {
        let file = try DatabaseFile()
        let options = SQLiteStoreOptions(busyTimeout: .milliseconds(500))
        try await file.withStore(options) { store in
            let home = try name("home")
            try await store.put(0, to: home)
            let other = try SQLiteConnection(path: file.path, mode: .readWrite)
            try other.execute("BEGIN EXCLUSIVE")
            // All that wait are refused together: none waits for each other's turn to be refused.
            let start = ContinuousClock.now
            await withTaskGroup(of: Void.self) { group in
                for page in 1...40 {
                    group.addTask {
                        await #expect {
                            try await store.commit(
                                .put(page: page, bytes: [1]), to: home, expecting: 1)
                        } throws: {
                            guard case StoreError.unavailable = $0 else { return false }
                            return true
                        }
                    }
                }
            }
            // One after the other they would take twenty seconds.
            #expect(ContinuousClock.now - start < .seconds(10))
            #expect(try await store.stored(home).revision == 1)
            try other.execute("ROLLBACK")
            #expect(try await store.put(1, to: home) == 2)
        }
    }

    @Test("has a lock that bears witness to it, also when it could not be looked at for a while")
    func witness() throws {
        let file = try DatabaseFile()
        let lock = try DatabaseLock(database: file.path)
        lock.markInitialised()
        // A link to itself cannot be followed, which is not to say that there is nothing.
        try FileManager.default.createSymbolicLink(
            atPath: file.path, withDestinationPath: file.path)
        try lock.checkNotEmptied(of: file.path)
        try FileManager.default.removeItem(atPath: file.path)
        try file.replaceContents(with: [])
        #expect(throws: StoreOpenError.self) { try lock.checkNotEmptied(of: file.path) }
    }

    @Test("is not opened twice, by whatever name it is called")
    func aliases() async throws {
        let file = try DatabaseFile()
        let alias = file.folder.appendingPathComponent("alias.db")
        try FileManager.default.createSymbolicLink(
            atPath: alias.path, withDestinationPath: file.path)
        try await file.withStore { store in
            try await store.put(0, to: name("home"))
            #expect {
                try SQLiteStore(path: alias.path)
            } throws: {
                guard case StoreOpenError.locked = $0 else { return false }
                return true
            }
        }
        let store = try SQLiteStore(path: alias.path)
        #expect(try await store.revision(name("home")) == 1)
        await store.close()
    }

    @Test("belongs to its owner alone, with what is beside it")
    func mode() async throws {
        let file = try DatabaseFile()
        try await file.withStore { store in
            try await store.put(0, to: name("home"))
            for name in try file.fileNames() {
                let path = file.folder.appendingPathComponent(name).path
                let attributes = try FileManager.default.attributesOfItem(atPath: path)
                #expect((attributes[.posixPermissions] as? Int).map { $0 & 0o077 } == 0, "\(name)")
            }
        }
        #expect(try file.fileNames() == ["screens.db", "screens.db.lock"])
    }
}
