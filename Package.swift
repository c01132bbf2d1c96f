// swift-tools-version: 6.2
import PackageDescription

/// The settings of every Swift target (CONTRIBUTING.md, "Conventions").
let strict: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .treatAllWarnings(as: .error),
]

/// The settings of programs that use the libraries from outside.
let outside: [SwiftSetting] = [.swiftLanguageMode(.v6), .treatAllWarnings(as: .error)]

/// The form of the fuzz targets that `make fuzz` builds, if any.
///
/// It is `program`, or `library` for libFuzzer. The commands are then a library, too.
let fuzzing = Context.environment["BROADSHEET_FUZZ"]

let package = Package(
    name: "broadsheet",
    platforms: [.macOS(.v13), .iOS(.v16)],
    products: [
        .library(name: "Broadsheet", targets: ["Broadsheet"]),
        .library(name: "BroadsheetClient", targets: ["BroadsheetClient"]),
        .library(name: "BroadsheetKit", targets: ["BroadsheetKit"]),
        .library(name: "BroadsheetServer", targets: ["BroadsheetServer"]),
        .library(name: "BroadsheetStores", targets: ["BroadsheetStores"]),
        .library(name: "BroadsheetTesting", targets: ["BroadsheetTesting"]),
        .library(name: "BroadsheetText", targets: ["BroadsheetText"]),
        .executable(name: "broadsheet", targets: ["BroadsheetCLI"]),
    ],
    dependencies: [],
    targets: [
        .target(name: "BroadsheetClient", swiftSettings: strict),
        .target(
            name: "BroadsheetKit", dependencies: ["BroadsheetClient"], swiftSettings: strict),
        .target(name: "BroadsheetCollections", swiftSettings: strict),
        .target(name: "CByteMasks"),
        // The files that the daemon serves are embedded: they are no resources of the package.
        .target(
            name: "BroadsheetWeb",
            exclude: [
                "client.d.ts", "client.js", "element.d.ts", "element.js", "inspector",
                "openapi.json", "package.json", "starting", "templates",
            ]),
        .target(
            name: "Broadsheet",
            dependencies: ["BroadsheetClient", "BroadsheetCollections", "CByteMasks"],
            swiftSettings: strict),
        .target(name: "CEpoll"),
        .target(name: "BroadsheetIO", dependencies: ["CEpoll"], swiftSettings: strict),
        .systemLibrary(name: "CZlib", providers: [.apt(["zlib1g-dev"])]),
        .target(
            name: "BroadsheetHTTP", dependencies: ["BroadsheetIO", "CZlib"],
            swiftSettings: strict),
        .systemLibrary(name: "CSQLite", providers: [.apt(["libsqlite3-dev"])]),
        .systemLibrary(name: "CNettle", providers: [.apt(["nettle-dev"])]),
        .target(name: "CPostgres"),
        .target(
            name: "BroadsheetStores",
            dependencies: [
                "BroadsheetCollections", "BroadsheetIO", "CNettle", "COpenSSL", "CPostgres",
                "CSQLite",
            ],
            swiftSettings: strict),
        .target(
            name: "BroadsheetTesting",
            dependencies: ["BroadsheetIO", "BroadsheetStores", "TestSupport"],
            swiftSettings: strict),
        .target(name: "COpenSSL"),
        .target(name: "CHarfBuzz"),
        .target(name: "CICU"),
        .target(
            name: "BroadsheetText", dependencies: ["Broadsheet", "CHarfBuzz", "CICU"],
            swiftSettings: strict),
        .target(
            name: "BroadsheetService",
            dependencies: [
                "Broadsheet", "BroadsheetClient", "BroadsheetHTTP", "BroadsheetIO",
                "BroadsheetStores", "BroadsheetWeb", "CNettle", "COpenSSL",
            ],
            swiftSettings: strict),
        .target(name: "CCurl"),
        .target(
            name: "BroadsheetOrigin",
            dependencies: [
                "Broadsheet", "BroadsheetHTTP", "BroadsheetIO", "BroadsheetService",
                "BroadsheetStores", "CCurl",
            ],
            swiftSettings: strict),
        .target(
            name: "BroadsheetServer",
            dependencies: [
                "Broadsheet", "BroadsheetClient", "BroadsheetHTTP", "BroadsheetIO",
                "BroadsheetOrigin", "BroadsheetService", "BroadsheetStores", "BroadsheetText",
            ],
            swiftSettings: strict),
        .executableTarget(
            name: "BroadsheetCLI",
            dependencies: [
                "Broadsheet", "BroadsheetClient", "BroadsheetCollections", "BroadsheetHTTP",
                "BroadsheetIO", "BroadsheetOrigin", "BroadsheetServer", "BroadsheetStores",
                "BroadsheetService", "BroadsheetText", "BroadsheetWeb",
            ],
            swiftSettings: strict),
        .target(
            name: "TestSupport", dependencies: ["BroadsheetClient", "BroadsheetIO", "CZlib"],
            path: "Tests/TestSupport",
            swiftSettings: strict),
        .target(
            name: "StoreTestSupport", dependencies: ["BroadsheetStores"],
            path: "Tests/StoreTestSupport", swiftSettings: strict),
        .target(
            name: "TextTestSupport", dependencies: ["Broadsheet"],
            path: "Tests/TextTestSupport", swiftSettings: strict),
        .testTarget(
            name: "BroadsheetClientTests",
            dependencies: ["BroadsheetClient", "BroadsheetIO", "BroadsheetKit", "TestSupport"],
            swiftSettings: strict),
        .testTarget(
            name: "BroadsheetTests",
            dependencies: [
                "Broadsheet", "BroadsheetClient", "BroadsheetCollections", "TestSupport",
                "TextTestSupport",
            ],
            swiftSettings: strict),
        .testTarget(
            name: "BroadsheetIOTests", dependencies: ["BroadsheetIO", "CEpoll", "TestSupport"],
            swiftSettings: strict),
        .testTarget(
            name: "BroadsheetHTTPTests",
            dependencies: ["BroadsheetHTTP", "BroadsheetIO", "TestSupport"], swiftSettings: strict),
        .testTarget(
            name: "BroadsheetStoresTests",
            dependencies: [
                "BroadsheetStores", "BroadsheetIO", "BroadsheetTesting", "StoreTestSupport",
                "TestSupport",
            ],
            swiftSettings: strict),
        .testTarget(
            name: "BroadsheetTextTests",
            dependencies: [
                "BroadsheetText", "Broadsheet", "CHarfBuzz", "TestSupport", "TextTestSupport",
            ],
            swiftSettings: strict),
        .testTarget(
            name: "BroadsheetServiceTests",
            dependencies: [
                "BroadsheetService", "Broadsheet", "BroadsheetClient", "BroadsheetHTTP",
                "BroadsheetIO", "BroadsheetStores", "StoreTestSupport", "TestSupport",
                "TextTestSupport",
            ],
            swiftSettings: strict),
        .testTarget(
            name: "BroadsheetServerTests",
            dependencies: [
                "Broadsheet", "BroadsheetServer", "BroadsheetStores", "StoreTestSupport",
                "TestSupport",
            ],
            swiftSettings: strict),
        .testTarget(
            name: "BroadsheetCLITests",
            dependencies: [
                "Broadsheet", "BroadsheetCLI", "BroadsheetOrigin", "BroadsheetServer",
                "BroadsheetService", "BroadsheetStores", "BroadsheetText", "TestSupport",
            ],
            swiftSettings: strict),
        .testTarget(
            name: "FuzzTests",
            dependencies: [
                "Broadsheet", "BroadsheetCLI", "BroadsheetClient", "BroadsheetHTTP",
                "BroadsheetServer", "BroadsheetService", "BroadsheetStores", "BroadsheetText",
                "TestSupport", "TextTestSupport",
            ],
            exclude: ["fuzz", "main.swift", "LibFuzzer.swift"], swiftSettings: strict),
        .testTarget(
            name: "EndToEndTests",
            dependencies: ["BroadsheetClient", "BroadsheetKit", "TestSupport"],
            swiftSettings: strict),
        // Programs of other teams, which use what is public (Tests/Embedding/Package.swift).
        .target(
            name: "Embedding",
            dependencies: ["Broadsheet", "BroadsheetServer", "BroadsheetStores"],
            path: "Tests/Embedding/Sources/Embedding", packageAccess: false, swiftSettings: outside),
        .executableTarget(
            name: "ClientProgram", dependencies: ["BroadsheetClient"],
            path: "Tests/Embedding/Sources/ClientProgram", packageAccess: false,
            swiftSettings: outside),
        .testTarget(
            name: "EmbeddingTests",
            dependencies: [
                "Embedding", "Broadsheet", "BroadsheetClient", "BroadsheetKit", "BroadsheetServer",
                "BroadsheetStores", "BroadsheetTesting", "ClientProgram",
            ],
            path: "Tests/Embedding/Tests/EmbeddingTests", packageAccess: false,
            swiftSettings: outside),
    ]
)

// The program behind `make bench` is not built with the tests.
if Context.environment["BROADSHEET_BENCH"] != nil {
    package.products.append(
        .executable(name: "broadsheet-bench", targets: ["BroadsheetBench"]))
    package.targets += [
        .target(name: "CAllocations", path: "Tests/Bench/CAllocations"),
        .executableTarget(
            name: "BroadsheetBench",
            dependencies: [
                "Broadsheet", "BroadsheetHTTP", "BroadsheetIO", "BroadsheetService",
                "BroadsheetStores", "BroadsheetText", "CAllocations", "CHarfBuzz", "CPostgres",
                "CSQLite", "TestSupport",
            ],
            path: "Tests/Bench/Program", swiftSettings: strict),
    ]
}

if let fuzzing {
    let fuzzed = package.targets.first { $0.name == "FuzzTests" }?.dependencies ?? []
    package.targets.removeAll { $0.type == .test }
    package.targets.removeAll { $0.name == "BroadsheetCLI" }
    package.targets.append(
        .target(
            name: "BroadsheetCLI",
            dependencies: [
                "Broadsheet", "BroadsheetClient", "BroadsheetCollections", "BroadsheetHTTP",
                "BroadsheetIO", "BroadsheetOrigin", "BroadsheetServer", "BroadsheetService",
                "BroadsheetStores", "BroadsheetText", "BroadsheetWeb",
            ],
            exclude: ["main.swift"], swiftSettings: strict))
    if fuzzing == "library" {
        package.products = [
            .library(name: "broadsheet-fuzz", type: .static, targets: ["FuzzTests"])
        ]
        package.targets.append(
            .target(
                name: "FuzzTests", dependencies: fuzzed, path: "Tests/FuzzTests",
                exclude: ["fuzz", "FuzzTests.swift", "main.swift"], swiftSettings: strict))
    } else {
        package.products = [.executable(name: "broadsheet-fuzz", targets: ["FuzzTests"])]
        package.targets.append(
            .executableTarget(
                name: "FuzzTests", dependencies: fuzzed, path: "Tests/FuzzTests",
                exclude: ["fuzz", "FuzzTests.swift", "LibFuzzer.swift"], swiftSettings: strict))
    }
}
