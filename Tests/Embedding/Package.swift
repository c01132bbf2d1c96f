// swift-tools-version: 6.2
import PackageDescription

// A package of its own that depends on this repository as another team's would: what it can use is
// public. `.ci/run` builds it; `make test` runs its tests as targets of this repository. The
// examples of docs/swift.md are regions of its files.

let strict: [SwiftSetting] = [.swiftLanguageMode(.v6), .treatAllWarnings(as: .error)]

let package = Package(
    name: "embedding",
    dependencies: [
        // The name, because the folder of a clone may be called anything.
        .package(name: "broadsheet", path: "../..")
    ],
    targets: [
        .target(
            name: "Embedding",
            dependencies: [
                .product(name: "Broadsheet", package: "broadsheet"),
                .product(name: "BroadsheetServer", package: "broadsheet"),
                .product(name: "BroadsheetStores", package: "broadsheet"),
            ],
            swiftSettings: strict),
        // Of the client library alone: what it needs of the system, it has to link itself.
        .executableTarget(
            name: "ClientProgram",
            dependencies: [.product(name: "BroadsheetClient", package: "broadsheet")],
            swiftSettings: strict),
        .testTarget(
            name: "EmbeddingTests",
            dependencies: [
                "ClientProgram", "Embedding", .product(name: "Broadsheet", package: "broadsheet"),
                .product(name: "BroadsheetClient", package: "broadsheet"),
                .product(name: "BroadsheetKit", package: "broadsheet"),
                .product(name: "BroadsheetServer", package: "broadsheet"),
                .product(name: "BroadsheetStores", package: "broadsheet"),
                .product(name: "BroadsheetTesting", package: "broadsheet"),
            ],
            swiftSettings: strict),
    ]
)
