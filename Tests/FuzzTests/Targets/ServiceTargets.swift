import Broadsheet
import BroadsheetStores
import TestSupport

@testable import BroadsheetService

extension FuzzTarget {
    /// Files of keys: what is read and written is the same, each secret finds its key, and no
    /// message repeats the file.
    static let keys = FuzzTarget("keys", keySeeds) { input, _ in
        switch Result(catching: { () throws(KeyFileError) in try KeyRing(input) }) {
        case .success(let ring):
            let lines = (ring.keys.map(\.line) + ring.issuers.map(\.line)).joined(separator: "\n")
            try require((try? KeyRing(Array(lines.utf8))) == ring, "keys read differently")
            for name in ["a", "b"] {
                let key = ring.key(withSecret: name.utf8)
                let digest = SecretDigest(of: name.utf8)
                try require(
                    key == ring.keys.first { $0.digest == digest }, "another key is found")
            }
        case .failure(let error):
            try require(!error.violations.isEmpty, "an error without a violation")
            let lines = input.split(separator: 10, omittingEmptySubsequences: false).count
            for violation in error.violations {
                try require(1...lines ~= violation.line, "a violation of no line")
            }
        }
    }

    private static let keySeeds: [String] =
        ["a", "b"].flatMap { name in
            let digest = SecretDigest(of: name.utf8).hexadecimal
            return [
                "# keys\n\(name) read,write home-*,checkout never \(digest)\r\n",
                "\n\t\(name) admin,events * 2030-01-31T00:00:00.5+01:00 \(digest) # all",
                "x read a never \(digest.uppercased().replacing("0", with: "1"))\n"
                    + "\(name) read * never \(digest)",
            ]
        } + [
            "i read home,user-{sub}-* never EdDSA:k7:11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo "
                + "audience=shop lifetime=900 catalogs=default,b flags=x,y log=plain",
            "a events user.{sub} never HS256:k6:\(String(repeating: "AB_-", count: 11)) flags=",
        ]

    /// Page tokens: contents of any bytes decode to parameters that encode to a token of the same
    /// value, and no other text is a token.
    static let pageToken = FuzzTarget("page-token", bytes: tokenSeeds) {
        let seal = TokenSeal(sampleIdentity)
        return { input, random in
            let token = seal.seal(input, as: .page, for: "home")
            if let read = PageToken(token, sealedBy: seal, for: "home") {
                let again = read.sealed(by: seal, for: "home")
                try require(
                    PageToken(again, sealedBy: seal, for: "home") == read,
                    "a token reads differently")
                try require(
                    PageToken(again, sealedBy: seal, for: "other") == nil, "a token of two screens")
            }
            let listing = seal.seal(input, as: .listing, for: "")
            if let read = ListingToken(listing, sealedBy: seal) {
                let again = ListingToken(read.sealed(by: seal), sealedBy: seal)
                try require(again == read, "a listing's token reads differently")
            }
            var damaged = Array(token.utf8)
            let index = Int(random.next() % UInt64(max(1, damaged.count)))
            if !damaged.isEmpty { damaged[index] ^= 1 << UInt8(random.next() % 7) }
            if damaged != Array(token.utf8) {
                let opened = seal.open(damaged.text, as: .page, for: "home")
                try require(opened == nil, "a damaged token is accepted")
            }
            _ = PageToken(input.text, sealedBy: seal, for: "home")
        }
    }

    private static var sampleIdentity: StoreIdentity {
        var generator = SeededGenerator(seed: 3)
        return StoreIdentity(using: &generator)
    }

    /// The contents of tokens with various parameters, and of a listing's.
    private static var tokenSeeds: [[UInt8]] {
        let seal = TokenSeal(sampleIdentity)
        var parameters = LayoutParameters()
        var seeds: [[UInt8]] = [Array("home/ho".utf8), []]
        for (scale, width) in [(1, 390), (2.25, 320), (2.25, .nan)] {
            parameters.viewport.scale = scale
            parameters.viewport.size.width = width
            let catalog = scale == 1 ? nil : CatalogName("checkout")
            let token = PageToken(after: 300, parameters, catalog: catalog)
                .sealed(by: seal, for: "home")
            if let payload = seal.open(token, as: .page, for: "home") {
                seeds.append(Array(payload))
            }
            parameters.collapsed = ["a", "b\u{e9}"]
            parameters.expanded = ["c"]
        }
        return seeds
    }
}
