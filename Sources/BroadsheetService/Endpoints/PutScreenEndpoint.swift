import Broadsheet
import BroadsheetHTTP
import BroadsheetStores

extension Operation {
    static let putScreen = Operation(
        id: "putScreen", method: .put, path: "/v1/screens/{screen}", tag: .screens,
        summary: "Replaces all pages of a screen in one revision, or creates the screen.",
        access: .screen(.write),
        parameters: .layout + .conditions + [.lifetime, .validateOnly, .strict],
        concernsWholeScreen: true,
        requestSchema: "ScreenPages",
        responses: [
            .stored(.ok, "The screen has these pages.", tree: "The tree of all pages"),
            .stored(.created, "The screen is new.", tree: "The tree of all pages"),
        ],
        problems: .body + [.invalidParameter, .screenTooLarge] + .condition + .store,
        handler: PutScreenEndpoint.put)
}

/// The handler of PUT of `/v1/screens/{screen}`.
private enum PutScreenEndpoint {
    /// Replaces all pages; returns 201 for a new screen, and 200 otherwise, also if every byte
    /// stays as it was.
    static func put(
        _ call: Call, _ service: BroadsheetService
    ) async throws(Problem) -> HTTPResponse {
        let posted = try await PostedScreen(call, service)
        let (options, configuration) = (posted.options, service.configuration)
        let written = try await service.screens.write(
            options.write(page: nil, needsPages: true, heldBytes: posted.heldBytes(call)), for: call
        ) { base throws(Problem) in
            try options.preconditions.checkWrite(of: base, targetExists: base.head != nil)
            return try await call.work.perform(cost: call.request.body.count) {
                () throws(Problem) in
                let planned = try PlannedWrite(
                    replacingAllBy: posted.pages, in: base, configuration)
                let isNeedless = planned.isNeedless(after: base) && options.lifetime == nil
                return isNeedless ? nil : planned
            }
        }
        let isNew = written.before.head == nil && !options.validatesOnly
        let response = await options.response(
            to: written, .all, isNew ? .created : .ok, service)
        return options.reporting(response, of: posted.pages, service)
    }
}
