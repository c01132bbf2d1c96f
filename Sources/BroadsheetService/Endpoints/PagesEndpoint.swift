import Broadsheet
import BroadsheetHTTP
import BroadsheetStores

/// `/v1/screens/{screen}/pages/{page}`, and POST of `/v1/screens/{screen}/pages`: one page of a screen.
struct PagesEndpoint: Sendable {
    let screens: Screens
    let reading: PageReading
    let rendering: TreeRendering
    let limits: ServiceConfiguration

    /// Stores the page under the number in the path: 201, or 200 when it replaces one.
    func put(_ call: Call) async throws(Problem) -> HTTPResponse {
        let number = try call.page()
        let posting = try PagePosting(call, reading: reading, limits: limits.parameters)
        if let own = posting.page.number, own != number {
            throw Problem(
                .pageMismatch,
                "The page says that it is page \(own), the path that it is \(number).")
        }
        return try await store(posting, under: number, call).response
    }

    /// Stores the page under its own number or the next free one; Location names it.
    func post(_ call: Call) async throws(Problem) -> HTTPResponse {
        let posting = try PagePosting(call, reading: reading, limits: limits.parameters)
        var (response, number) = try await store(posting, under: posting.page.number, call)
        response.headers.append(.location, "/v1/screens/\(posting.screen)/pages/\(number)")
        return response
    }

    /// The page as it was posted, byte for byte.
    func get(_ call: Call) async throws(Problem) -> HTTPResponse {
        let screen = try call.screen()
        let number = try call.page()
        let preconditions = try Preconditions(call.request.headers)
        let snapshot = try await screens.existing(screen, by: call.catalog)
        guard let page = snapshot.model.storedPage(number),
            let tag = snapshot.pageTag(number, seal: rendering.seal)
        else { throw .pageNotFound(number, screen) }
        if try preconditions.isNotModified(tag) { return .notModified(tag) }
        return .json(page.bytes, tag: tag)
    }

    /// Removes the page: 204.
    func delete(_ call: Call) async throws(Problem) -> HTTPResponse {
        let screen = try call.screen()
        let number = try call.page()
        let preconditions = try Preconditions(call.request.headers)
        let lifetime = try ScreenLifetime(in: call.request.headers) ?? limits.screenLifetime
        let written = try await screens.write(screen, by: call.catalog, lifetime: lifetime) {
            current throws(Problem) in
            let exists = current?.model.storedPage(number) != nil
            try preconditions.checkWrite(of: current, targetExists: exists)
            guard let current else { throw .screenNotFound(screen) }
            guard exists else { throw .pageNotFound(number, screen) }
            return PlannedWrite(removing: number, from: current)
        }
        return .removed(revision: written.after?.revision)
    }
}

extension PagesEndpoint {
    /// Stores a page under `number`, or the next free one when nil; answers with the tree up to it.
    private func store(
        _ posting: PagePosting, under number: Int?, _ call: Call
    ) async throws(Problem) -> (response: HTTPResponse, number: Int) {
        let lifetime = posting.lifetime ?? limits.screenLifetime
        let written = try await screens.write(
            posting.screen, by: call.catalog, lifetime: lifetime
        ) { current throws(Problem) in
            let number = try Self.number(number, in: current)
            try posting.preconditions.checkWrite(
                of: current, targetExists: current?.model.storedPage(number) != nil)
            let page = try reading.resolve(posting.page, as: number, by: call.catalog.registry)
            return try PlannedWrite(putting: page, into: current, limits: limits.limits)
        }
        guard let after = written.after else {
            throw Problem(.internal, "The page was stored, but the screen is not there.")
        }
        // The model remembers the page that was loaded last.
        let stored = after.model.page
        let isNew = written.before?.model.storedPage(stored) == nil
        let response = answer(posting, after, page: stored, status: isNew ? .created : .ok)
        return (response, stored)
    }

    private func answer(
        _ posting: PagePosting, _ snapshot: ScreenSnapshot, page: Int, status: HTTPStatus
    ) -> HTTPResponse {
        let tag = EntityTags.revision(snapshot.revision)
        guard !posting.wantsNoTree else {
            return HTTPResponse(
                status: status,
                headers: [.etag: tag.description, .preferenceApplied: "return=minimal"])
        }
        let tree = rendering.freshTree(
            of: StoredLayout(snapshot: snapshot, page: page, parameters: posting.parameters))
        return .json(tree, status: status, tag: tag)
    }

    /// `asked`, or the next free number when nil.
    private static func number(
        _ asked: Int?, in current: ScreenSnapshot?
    ) throws(Problem) -> Int {
        if let asked { return asked }
        guard let highest = current?.model.highestPage else { return 0 }
        guard highest < ServerStatePage.maxNumber else {
            let fault = ContractViolation(
                pointer: "/page", detail: "is needed: no number above \(highest) is left")
            throw Problem(.invalidContract, violations: [fault], total: 1)
        }
        return highest + 1
    }
}
