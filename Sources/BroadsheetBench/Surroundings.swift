internal import Foundation

/// Where the benchmarks find what they need.
struct Surroundings {
    /// The repository's root folder.
    private let root = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    /// The folder that this program is in, with all that was built.
    let products = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()

    /// The daemon to measure: the release build beside this program.
    var daemon: String { products.appending(path: "broadsheet").path }

    /// The path of a file below `Tests/Bench`.
    func script(_ name: String) -> String { root.appending(path: "Tests/Bench/\(name)").path }

    /// The bytes of a storefront page of `products`; 400 of them make about 85 kB.
    func page(products: Int = 400, number: Int = 0) throws -> [UInt8] {
        let words = ["python3", script("storefront_page.py"), "\(products)", "\(number)"]
        return try ChildProcess.output(of: words)
    }
}
