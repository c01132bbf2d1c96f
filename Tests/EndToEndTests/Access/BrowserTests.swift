import Foundation
import Testing

/// The results of Tests/Browsers/web_pages.py.
private struct PageResults: Decodable {
    /// The part of a response that a page could read.
    struct Read: Decodable {
        /// The type of the response (Fetch standard), or an error.
        let type: String
        let status: Int?
        let text: String?
        let fields: [String: String]?
    }

    /// A page of another origin.
    struct Attack: Decodable {
        /// The screens of the daemon afterwards; at first there is `kept` alone.
        let screens: [String]
        let removal: Read
        let list: Read
        /// The list, requested without CORS.
        let opaque: Read
    }

    /// A page whose own name is directed at the daemon.
    struct Rebinding: Decodable {
        let screens: [String]
        let list: Read
        let write: Read
        let removal: Read
    }

    /// A page that may read and write.
    struct Use: Decodable {
        let write: Read
        /// The same write under a condition that does not hold.
        let again: Read
        let tree: Read
        /// The layout of a screen that does not exist.
        let missing: Read
        let removal: Read
        /// The layout of the removed screen, requested without a key.
        let keyless: Read
    }

    let attack: Attack
    /// The page of another server at the same address.
    let neighbour: Attack
    let rebind: Rebinding
    let own: Read
    let allowed: Use
    let keyed: Use
    /// The types, revisions and screens of the events that an `EventSource` has received.
    let events: [[String]]
}

extension EndToEnd.Access {
    @Test(
        "In Chromium only pages of allowed origins read and write, and no rebound name does either")
    func webPages() throws {
        let outcome = try Shell.run(
            [
                "python3", Repository.path("Tests/Browsers/web_pages.py"), "chromium",
                Repository.binary,
            ], within: .seconds(600))
        try #require(outcome.status == 0, "\(outcome.errors)")
        let results = try JSONDecoder().decode(
            PageResults.self, from: Data(outcome.output.utf8))
        for attack in [results.attack, results.neighbour] { check(attack) }
        check(results.rebind)
        #expect(results.own.status == 201, "a page of the daemon's own origin may write")
        check(results.allowed, keyless: 404)
        check(results.keyed, keyless: 401)
        #expect(results.events.map(\.first) == ["tree", "changes", "removed"])
        #expect(results.events.map(\.last) == ["streamed", "streamed", "streamed"])
        // The last event has no id of its own, so it has that of the one before.
        let revisions = results.events.compactMap { $0.dropFirst().first.flatMap { Int($0) } }
        let first = try #require(revisions.first)
        #expect(revisions == [first, first + 1, first + 1])
    }

    private func check(_ attack: PageResults.Attack) {
        #expect(attack.screens == ["kept"], "nothing is written or removed")
        for blocked in [attack.removal, attack.list] {
            #expect(blocked.type.hasPrefix("TypeError"))
            #expect(blocked.text == nil)
        }
        #expect(attack.opaque.type == "opaque" && attack.opaque.text == "")
    }

    private func check(_ rebinding: PageResults.Rebinding) {
        #expect(rebinding.screens == ["kept"], "nothing is written or removed")
        for refused in [rebinding.list, rebinding.write, rebinding.removal] {
            #expect(refused.status == 421)
            #expect(refused.text?.contains("kept") == false)
        }
    }

    private func check(_ use: PageResults.Use, keyless: Int) {
        #expect(use.write.status == 201)
        let fields = use.write.fields ?? [:]
        #expect(fields["etag"] == "\"r1\"" && fields["location"] == "/v1/screens/shop/pages/0")
        #expect(fields["broadsheet-diagnostics"] == "0" && fields["x-request-id"] != nil)
        #expect(use.again.status == 412)
        #expect(use.tree.status == 200 && use.tree.text?.contains(#""screen":"shop""#) == true)
        #expect(use.missing.status == 404)
        #expect(use.missing.text?.contains("SCREEN_NOT_FOUND") == true)
        #expect(use.removal.status == 204)
        #expect(use.keyless.status == keyless)
    }
}
