import Testing

extension WriteLedger {
    /// Holds a daemon to everything: each place has what was acknowledged last, or what may have
    /// been stored since, byte for byte; nothing else is there; no screen has gone back.
    ///
    /// What is found is taken for settled.
    func check(_ daemon: Daemon, _ comment: Comment) throws {
        #expect(faults.isEmpty, comment)
        for place in places {
            let reply = try daemon.request("GET", place.path)
            let stored = reply.status == 200 ? reply.body : nil
            #expect(reply.status == 200 || reply.status == 404, "\(comment): \(reply.text)")
            #expect(allows(stored, at: place), "\(comment): \(place.path) is not as it was written")
            settle(place, as: stored)
        }
        let pages = Dictionary(grouping: places.filter { !allows(nil, at: $0) }, by: \.screen)
        for (screen, places) in pages {
            let state = try daemon.request("GET", "/v1/screens/\(screen)/pages")
            let listed = try state.decode(PageState.self).pages.map(\.page)
            #expect(listed.sorted() == places.map(\.page).sorted(), comment)
            #expect(try #require(state.revision) >= revisions[screen] ?? 0, comment)
        }
    }

    private struct PageState: Decodable {
        struct Page: Decodable { let page: Int }
        let pages: [Page]
    }
}

extension Reply {
    /// The screen's revision, as the entity tag says it.
    var revision: Int? {
        self["ETag"].flatMap { Int($0.dropFirst(2).prefix(while: \.isNumber)) }
    }
}
