import Broadsheet
import BroadsheetHTTP
import BroadsheetStores

/// GET and DELETE of `/v1/screens/{screen}/pages`: all pages of a screen.
struct PageStateEndpoint: Sendable {
    let screens: Screens
    let limits: ServiceConfiguration

    /// The page state; with `sectionId` of the pages that hold such a section, highest first.
    func get(_ call: Call) async throws(Problem) -> HTTPResponse {
        let screen = try call.screen()
        let sectionId = try ParameterReader(call.query).text("sectionId")
        let preconditions = try Preconditions(call.request.headers)
        let snapshot = try await screens.existing(screen, by: call.catalog)
        let tag = EntityTags.pageState(snapshot)
        if try preconditions.isNotModified(tag) { return .notModified(tag) }
        return .json(Self.state(of: snapshot, holding: sectionId), tag: tag)
    }

    /// Removes all pages and keeps the screen: 204, also when there is none to remove.
    ///
    /// Without a page to remove it is a write all the same when it says how long the screen lives.
    func delete(_ call: Call) async throws(Problem) -> HTTPResponse {
        let screen = try call.screen()
        let preconditions = try Preconditions(call.request.headers)
        let asked = try ScreenLifetime(in: call.request.headers)
        let lifetime = asked ?? limits.screenLifetime
        let written = try await screens.write(screen, by: call.catalog, lifetime: lifetime) {
            current throws(Problem) in
            try preconditions.checkWrite(
                of: current, targetExists: current?.model.hasPageData ?? false)
            guard let current else { throw .screenNotFound(screen) }
            return current.model.hasPageData || asked != nil ? .removingAllPages : nil
        }
        return .removed(revision: written.after?.revision)
    }

    /// The page state as JSON, its members in the order of docs/api.md.
    private static func state(of snapshot: ScreenSnapshot, holding sectionId: String?) -> [UInt8] {
        let model = snapshot.model
        var writer = JSONWriter(reservingCapacity: 1024)
        writer.raw("{\"screen\":")
        writer.string(snapshot.name.text)
        writer.raw(",\"revision\":")
        writer.integer(Int(clamping: snapshot.revision))
        writer.raw(",\"page\":")
        writer.integer(model.page)
        writer.raw(",\"hasNext\":")
        writer.bool(model.hasNext)
        writer.raw(",\"pageCount\":")
        writer.integer(model.pageCount)
        writer.raw(",\"hasPageData\":")
        writer.bool(model.hasPageData)
        writer.raw(",\"pages\":[")
        let pages = sectionId.map(model.pages(containing:)) ?? Array(model.pages)
        for (index, page) in pages.enumerated() {
            if index > 0 { writer.raw(",") }
            write(page, into: &writer)
        }
        writer.raw("]}")
        return writer.bytes
    }

    private static func write(_ page: ResolvedPage, into writer: inout JSONWriter) {
        writer.raw("{\"page\":")
        writer.integer(page.number)
        writer.raw(",\"hasNext\":")
        writer.bool(page.hasNext)
        writer.raw(",\"sections\":[")
        for (index, section) in page.sections.enumerated() {
            writer.raw(index > 0 ? ",{\"id\":" : "{\"id\":")
            if let id = section.identifier { writer.string(id) } else { writer.raw("null") }
            writer.raw(",\"items\":")
            writer.integer(section.cells.count)
            writer.raw("}")
        }
        writer.raw("]}")
    }
}
