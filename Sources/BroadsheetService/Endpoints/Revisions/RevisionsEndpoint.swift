import Broadsheet
import BroadsheetHTTP
import BroadsheetStores

extension Operation {
    static let getRevisions = Operation(
        id: "getRevisions", method: .get, path: "/v1/screens/{screen}/revisions", tag: .screens,
        summary: "Lists the revisions of a screen that are kept, the newest first.",
        access: .screen(.write),
        parameters: [.revisionsPageSize, .revisionsPageToken],
        responses: [.json("RevisionList", "The revisions.")],
        problems: .screen + [.invalidPageToken] + .store,
        handler: RevisionsEndpoint.list)

    static let deleteRevisions = Operation(
        id: "deleteRevisions", method: .delete, path: "/v1/screens/{screen}/revisions",
        tag: .screens,
        summary: "Forgets all revisions of a screen but the current one.",
        access: .screen(.write),
        responses: [.removed(headers: [])],
        problems: .screen + .store,
        handler: RevisionsEndpoint.delete)
}

/// The handlers of `/v1/screens/{screen}/revisions`.
private enum RevisionsEndpoint {
    /// Returns `pageSize` revisions, and a token if there are more (AIP-158).
    static func list(
        _ call: Call, _ service: BroadsheetService
    ) async throws(Problem) -> HTTPResponse {
        let screen = try call.screen()
        let seal = service.renderer.seal
        let limits = service.configuration.parameters
        let reader = ParameterReader(call.query)
        let size =
            try reader.integer("pageSize", in: 1...limits.maxPageSize) ?? limits.defaultPageSize
        let token = try reader.text("pageToken").map { text throws(Problem) in
            guard let token = RevisionsToken(text, sealedBy: seal, for: screen.text) else {
                throw Problem(
                    .invalidPageToken,
                    "The page token is damaged, or belongs to another list or store.")
            }
            return token
        }
        let list = try await service.screens.revisions(
            of: screen, before: token?.revision, limit: size)
        let last = list.entries.last?.revision
        let next = last.flatMap { last in
            last > list.first
                ? RevisionsToken(before: last).sealed(by: seal, for: screen.text) : nil
        }
        return .json(json(list, of: screen, nextPageToken: next))
    }

    static func delete(
        _ call: Call, _ service: BroadsheetService
    ) async throws(Problem) -> HTTPResponse {
        try await service.screens.removeRevisions(of: try call.screen())
        return HTTPResponse(status: .noContent)
    }

    private static func json(
        _ list: RevisionList, of screen: ScreenName, nextPageToken: String?
    ) -> [UInt8] {
        var output = StructuredJSONWriter(reservingCapacity: 256 * (list.entries.count + 1))
        output.object { output in
            output.member("screen", screen.text)
            output.member("revision", list.revision)
            output.member("first", list.first)
            output.array("revisions") { output in
                for entry in list.entries {
                    output.element()
                    write(entry, to: &output)
                }
            }
            if let nextPageToken { output.member("nextPageToken", nextPageToken) }
        }
        return output.bytes
    }

    private static func write(_ entry: RevisionEntry, to output: inout StructuredJSONWriter) {
        let note = entry.note
        output.object { output in
            output.member("revision", entry.revision)
            if let at = note.at {
                output.member("at", Double(at) / 1000)
            } else {
                output.member("at")
                output.null()
            }
            output.member("operation")
            output.string(note.operation)
            output.member("key")
            output.string(note.key)
            output.member("request")
            output.string(note.request)
            output.array("pages") { output in
                for page in entry.pages {
                    output.element()
                    output.object { output in
                        output.member("page", page.number)
                        output.member("bytes")
                        if let count = page.byteCount {
                            output.integer(count)
                        } else {
                            output.null()
                        }
                    }
                }
            }
            if entry.morePages > 0 { output.member("morePages", entry.morePages) }
            if !note.operations.isEmpty {
                output.object("operations") { output in
                    for (name, count) in note.operations.sorted(by: { $0.key < $1.key }) {
                        output.member(named: name)
                        output.integer(count)
                    }
                }
            }
            output.member("pageCount", entry.pageCount)
            if let revision = note.revertedTo { output.member("revertedTo", revision) }
        }
    }
}
