import BroadsheetStores

extension Screens {
    /// Returns the screens that match patterns, in the order of their names.
    ///
    /// The names that match no pattern are not read, so that the time does not depend on them.
    ///
    /// - Complexity: At most one call of the store for each pattern.
    func list(
        after name: ScreenName?, prefix: ScreenNamePrefix, limit: Int, of patterns: ScreenPatterns
    ) async throws(Problem) -> [ScreenListing] {
        var listed: [ScreenListing] = []
        for pattern in patterns.distinct where listed.count < limit {
            let own = pattern.prefix.text
            guard own.hasPrefix(prefix.text) || pattern.isOpenEnded && prefix.text.hasPrefix(own)
            else { continue }
            let longer = own.utf8.count < prefix.text.utf8.count ? prefix : pattern.prefix
            if pattern.isOpenEnded {
                listed += try await list(
                    after: name, prefix: longer, limit: limit - listed.count)
            } else {
                // Of the names with that prefix the name itself is the first.
                let first = try await list(after: name, prefix: longer, limit: 1)
                listed += first.filter { $0.name.text == own }
            }
        }
        return listed
    }
}
