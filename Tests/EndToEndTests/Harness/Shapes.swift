/// A tree as docs/api.md shows it, as far as these tests look at it.
struct Tree: Decodable {
    struct Length: Decodable, Equatable {
        let width: Double
        let height: Double
    }

    struct Frame: Decodable, Equatable {
        let x: Double
        let y: Double
        let width: Double
        let height: Double
    }

    struct Item: Decodable {
        let id: String
        let type: String
        let frame: Frame
    }

    struct Section: Decodable {
        let id: String?
        let frame: Frame
        let items: [Item]
    }

    struct Diagnostic: Decodable {
        let code: String
        let page: Int
        let pointer: String
        let detail: String
    }

    let screen: String?
    let revision: Int?
    let page: Int
    let pageCount: Int
    let hasNext: Bool
    let nextPageToken: String?
    let contentSize: Length
    let sections: [Section]
    let diagnostics: [Diagnostic]

    /// The ids of the items of the section with that id.
    func items(of section: String) -> [String] {
        sections.first { $0.id == section }?.items.map(\.id) ?? []
    }
}

/// A problem document, RFC 9457.
struct Problem: Decodable {
    struct Fault: Decodable {
        let pointer: String
        let detail: String
    }

    let type: String
    let title: String
    let status: Int
    let detail: String
    let code: String
    let offset: Int?
    let errors: [Fault]?
}

/// A tree that can be fetched, or the problem that came instead.
extension Reply {
    /// The tree of an answer that should be one.
    func tree() throws -> Tree { try decode() }

    /// The problem document of an answer that should be one.
    func problem() throws -> Problem {
        guard self["Content-Type"] == "application/problem+json" else {
            throw HarnessError(
                "no problem document: \(status) \(self["Content-Type"] ?? "") \(text)")
        }
        return try decode()
    }
}
