import BroadsheetStores
import Testing

extension StoreConformance {
    static let identity = [
        Requirement("its identity is the same at every call, with a key of the right length") {
            let first = try await $0.identity()
            #expect(try await $0.identity() == first)
            #expect(first.sealingKey.count == StoreIdentity.keyLength)
            #expect(!first.name.isEmpty)
        },
        Requirement("its identity does not change with what is written") { store in
            let first = try await store.identity()
            try await store.put(0, to: name("home"))
            try await store.write(.removeScreen, to: name("home"))
            #expect(try await store.identity() == first)
        },
        Requirement("it is ready once it is open") { try await $0.checkReadiness() },
    ]
}
