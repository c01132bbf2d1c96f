import Testing

/// The program that runs the tests: without it, SwiftPM would look for tests in the index.
@main struct Runner {
    static func main() async { await Testing.__swiftPMEntryPoint() as Never }
}
