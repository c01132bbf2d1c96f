/// The pages of the storefront fixture, and what the tests say of them to the daemon.
enum Storefront {
    /// The numbers of its pages.
    static let pages = 0..<3

    /// The bytes of a page.
    static func page(_ number: Int) throws -> [UInt8] {
        try Repository.contents("Fixtures/storefront/page-\(number).json")
    }

    /// Stores pages of it under a screen's name, in the order given.
    static func store(_ numbers: some Sequence<Int>, as screen: String, in daemon: Daemon) throws {
        for number in numbers {
            let reply = try daemon.request(
                "PUT", "/v1/screens/\(screen)/pages/\(number)",
                headers: [("Prefer", "return=minimal")], body: try page(number))
            guard reply.status == 201 || reply.status == 200 else {
                throw HarnessError("page \(number) was not stored: \(reply.status) \(reply.text)")
            }
        }
    }
}
