import BroadsheetHTTP

/// Events of clients for ``TestService/report(_:to:headers:)``.
enum Reports {
    /// Returns an action of an item of the section "List".
    ///
    /// - Parameters:
    ///   - item: The id or the index of the item, as JSON.
    ///   - more: Further members, each after a comma.
    static func action(_ name: String, _ item: String, _ more: String = "") -> String {
        #"{"type":"action","section":"List","item":\#(item),"name":"\#(name)"\#(more)}"#
    }
}

extension TestService {
    /// Posts events of a client.
    @discardableResult
    func report(
        _ events: String..., to screen: String = "home", headers: HTTPHeaders = [:]
    ) async throws -> ReceivedResponse {
        try await report(events, to: screen, headers: headers)
    }

    /// Posts events of a client.
    @discardableResult
    func report(
        _ events: [String], to screen: String = "home", headers: HTTPHeaders = [:]
    ) async throws -> ReceivedResponse {
        let body = #"{"events":[\#(events.joined(separator: ","))]}"#
        return try await send("POST", "/v1/screens/\(screen)/events", body, headers: headers)
    }
}
