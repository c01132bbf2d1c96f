import Testing

/// A page token from before a crash, and the screen that it continues.
struct TokenProbe {
    private let token: String

    /// Stores a screen and asks for the token of its second page.
    init(storingAt daemon: Daemon) throws {
        try Storefront.store(0..<2, as: "token", in: daemon)
        let tree = try daemon.request("GET", "/v1/screens/token/layout").tree()
        guard let token = tree.nextPageToken else { throw HarnessError("there is no token") }
        self.token = token
    }

    /// Expects it to work as it did.
    func check(_ daemon: Daemon, _ comment: Comment) throws {
        let layout = try daemon.request("GET", "/v1/screens/token/layout?pageToken=\(token)")
        #expect(layout.status == 200, comment)
        #expect(try layout.tree().page == 1, comment)
        for page in 0..<2 {
            let stored = try daemon.request("GET", "/v1/screens/token/pages/\(page)")
            #expect(try stored.body == Storefront.page(page), comment)
        }
    }
}
