import BroadsheetHTTP

/// The queries of requests as the log has them: their names, and the values that are no secrets.
enum LoggedQuery {
    /// The parameters of all operations, without those that are tokens.
    private static let names: Set<String> = Set(
        OpenAPIParameter.all.filter { $0.location == .query }.map(\.name)
            .filter { !$0.lowercased().contains("token") })
    private static let omission = "…"

    /// Returns a query with `…` in place of each token, and of each value whose name no operation
    /// has; `nil` if there is no query.
    ///
    /// A client may have put a secret under an unknown name.
    static func text(of raw: String?) -> String? {
        guard let raw, !raw.isEmpty else { return nil }
        return raw.split(separator: "&").map(logged).joined(separator: "&")
    }

    private static func logged(_ piece: Substring) -> String {
        guard let equals = piece.firstIndex(of: "=") else {
            return names.contains(String(piece)) ? String(piece) : omission
        }
        let name = try? PercentDecoding.decode(piece[..<equals].utf8, plusIsSpace: true)
        guard let name, names.contains(name) else { return piece[...equals] + omission }
        return String(piece)
    }
}
