import BroadsheetStores

/// "The screens after this one" in the list of screens; of the store, not of any screen.
struct ListingToken: Sendable, Hashable {
    /// The last screen that the client has.
    let name: ScreenName

    /// Says what comes after `name`.
    init(after name: ScreenName) { self.name = name }

    /// The token as text.
    func sealed(by seal: TokenSeal) -> String {
        seal.seal(Array(name.text.utf8), as: .listing, for: "")
    }

    /// Reads a token; nil when it is damaged or not of this store.
    init?(_ text: String, sealedBy seal: TokenSeal) {
        guard let payload = seal.open(text, as: .listing, for: ""),
            let name = ScreenName(String(decoding: payload, as: UTF8.self))
        else { return nil }
        self.init(after: name)
    }
}
