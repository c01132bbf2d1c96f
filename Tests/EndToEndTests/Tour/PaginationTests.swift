import Testing

extension EndToEnd {
    @Suite struct Pagination {
        @Test("Page tokens lead through all pages of a screen, in any order of their writes")
        func walk() throws {
            let daemon = try TestDaemon()
            try Storefront.store([2, 0, 1], as: "home", in: daemon)
            var tree = try daemon.request("GET", "/v1/screens/home/layout").tree()
            var counts = [tree.items(of: "ProductList").count]
            while let token = tree.nextPageToken {
                #expect(tree.hasNext)
                tree = try daemon.request(
                    "GET", "/v1/screens/home/layout?pageToken=\(token)"
                ).tree()
                counts.append(tree.items(of: "ProductList").count)
            }
            #expect(counts == [8, 16, 21])
            #expect(!tree.hasNext && tree.page == 2 && tree.pageCount == 3)
            #expect(tree.items(of: "ProductList").contains("P0000008#2"))
            let all = try daemon.request("GET", "/v1/screens/home/layout?pages=all")
            #expect(try all.tree().items(of: "ProductList") == tree.items(of: "ProductList"))
        }

        @Test("A token contains its viewport, and a different value in the query is rejected")
        func viewportOfToken() throws {
            let daemon = try TestDaemon()
            try Storefront.store(0..<2, as: "home", in: daemon)
            let path = "/v1/screens/home/layout"
            let first = try daemon.request("GET", "\(path)?width=768&scale=2").tree()
            let token = try #require(first.nextPageToken)
            let second = try daemon.request("GET", "\(path)?pageToken=\(token)").tree()
            #expect(second.contentSize.width == 768)
            let same = try daemon.request("GET", "\(path)?pageToken=\(token)&width=768")
            #expect(same.status == 200)
            let other = try daemon.request("GET", "\(path)?pageToken=\(token)&width=390")
            #expect(other.status == 400)
            #expect(try other.problem().code == "PAGE_TOKEN_MISMATCH")
        }

        @Test("A token for a page that is not stored yet is valid once the page is stored")
        func pageNotLoaded() throws {
            let daemon = try TestDaemon()
            try Storefront.store(0..<1, as: "home", in: daemon)
            let path = "/v1/screens/home/layout"
            let token = try #require(try daemon.request("GET", path).tree().nextPageToken)
            let early = try daemon.request("GET", "\(path)?pageToken=\(token)")
            #expect(early.status == 404)
            #expect(early["Retry-After"] != nil)
            #expect(try early.problem().code == "PAGE_NOT_LOADED")
            try Storefront.store(1..<2, as: "home", in: daemon)
            #expect(try daemon.request("GET", "\(path)?pageToken=\(token)").tree().page == 1)
        }

        @Test("A token that was modified, or that another daemon issued, is rejected")
        func foreignTokens() throws {
            let (daemon, other) = (try TestDaemon(), try TestDaemon())
            for each in [daemon, other] { try Storefront.store(0..<2, as: "home", in: each) }
            let path = "/v1/screens/home/layout"
            let token = try #require(try daemon.request("GET", path).tree().nextPageToken)
            var flipped = Array(token.utf8)
            flipped[flipped.count / 2] = flipped[flipped.count / 2] == 65 ? 66 : 65
            for bad in [
                "", "x", String(token.dropLast()), String(decoding: flipped, as: UTF8.self),
            ] {
                let response = try daemon.request("GET", "\(path)?pageToken=\(bad)")
                #expect(response.status == 400, "token \(bad)")
                #expect(try response.problem().code == "INVALID_PAGE_TOKEN")
            }
            let foreign = try other.request("GET", "\(path)?pageToken=\(token)")
            #expect(try foreign.problem().code == "INVALID_PAGE_TOKEN")
            try Storefront.store(0..<2, as: "other", in: daemon)
            let replayed = try daemon.request("GET", "/v1/screens/other/layout?pageToken=\(token)")
            #expect(try replayed.problem().code == "INVALID_PAGE_TOKEN")
        }
    }
}
